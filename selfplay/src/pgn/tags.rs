//! The meaning of the tags of a PGN.

use backrank_rules::{GameResult, Side, Variant};

use crate::player::has_orthodox_pieces;

/// What programs call orthodox chess; Lichess calls it `From Position` where it does not start from the usual setup.
const ORTHODOX: [&str; 5] = ["chess", "standard", "normal", "orthodox", "fromposition"];

/// What programs call chess from shuffled first ranks. Lichess, fastchess and python-chess write `Chess960`, cutechess
/// writes `fischerandom`.
const SHUFFLED: [&str; 6] =
    ["chess960", "fischerandom", "fischerrandom", "fischerrandomchess", "freestyle", "freestylechess"];

/// Whether the tag `Variant` means a variant: by its key, its name, or a name that other programs have for it.
pub(super) fn means(variant: &Variant, tag: &str) -> bool {
    let plain = |name: &str| -> String {
        name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let tag = plain(tag);
    tag.is_empty()
        || tag == plain(&variant.key)
        || tag == plain(&variant.name)
        || (ORTHODOX.contains(&tag.as_str()) && variant.is_orthodox())
        || (SHUFFLED.contains(&tag.as_str()) && !variant.is_orthodox() && has_orthodox_pieces(variant))
}

/// The result that a text means; `None` within for a game without one.
pub(super) fn result(text: &str) -> Option<Option<GameResult>> {
    match text {
        "1-0" => Some(Some(GameResult::Win(Side::White))),
        "0-1" => Some(Some(GameResult::Win(Side::Black))),
        "1/2-1/2" => Some(Some(GameResult::Draw)),
        "*" | "" | "?" => Some(None),
        _ => None,
    }
}

/// A rating; `None` if unknown.
pub(super) fn rating(text: &str) -> Option<u16> {
    text.trim().parse().ok().filter(|&rating| rating > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variant_has_the_names_that_programs_give_it() {
        for (key, tag, is_meant) in [
            ("chess", "", true),
            ("chess", "?", true),
            ("chess", "Standard", true),
            ("chess", "From Position", true),
            ("chess", "Chess960", false),
            ("chess960", "Chess960", true),
            ("chess960", "fischerandom", true),
            ("chess960", "Fischer Random", true),
            ("chess960", "Standard", false),
            ("chess960", "Crazyhouse", false),
            ("double960", "Chess960", true),
            ("pmrc", "pmrc", true),
            ("pmrc", "Pseudo-Modern Random Chess", true),
            ("pmrc", "Chess960", false),
        ] {
            assert_eq!(means(&Variant::find(key).unwrap(), tag), is_meant, "{key} {tag}");
        }
    }
}
