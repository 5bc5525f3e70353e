//! The meaning of the tags of a PGN.

use backrank_rules::{GameResult, Variant};

use super::tokens::result_at;
use crate::player::has_orthodox_pieces;

/// The names that a variant has in the tag `Variant`, in small letters, without blanks and punctuation.
#[derive(Debug)]
pub(crate) struct VariantNames(Vec<String>);

impl VariantNames {
    /// The names of a variant: its key, its name, and what other programs call it. For chess from any setup that is what
    /// they call Chess960, and for orthodox chess from any setup what they call chess.
    pub fn of(variant: &Variant) -> Self {
        let mut names: Vec<String> = Self::own(variant).collect();
        let other = match (variant.is_orthodox(), has_orthodox_pieces(variant)) {
            (true, _) => Some("chess"),
            (false, true) => Some("chess960"),
            (false, false) => None,
        };
        if let Some(other) = other.and_then(|key| Variant::find(key).ok()) {
            names.extend(Self::own(&other));
        }
        Self(names)
    }

    fn own(variant: &Variant) -> impl Iterator<Item = String> {
        [&variant.key, &variant.name].into_iter().chain(&variant.also_called).map(|name| plain(name))
    }

    /// Whether a tag means the variant, as one without letters does.
    pub fn contain(&self, tag: &str) -> bool {
        let tag = plain(tag);
        tag.is_empty() || self.0.contains(&tag)
    }
}

fn plain(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The result that a tag means; `None` within for a game without one.
pub(crate) fn result(text: &str) -> Option<Option<GameResult>> {
    let text = text.trim();
    if text.chars().all(|letter| matches!(letter, '*' | '?' | '-')) {
        return Some(None);
    }
    let (result, length) = result_at(text)?;
    (length == text.len()).then_some(result)
}

/// A rating; `None` if unknown. A mark may follow it: `1500?`, `1500P`.
pub(crate) fn rating(text: &str) -> Option<u16> {
    let text = text.trim();
    text.trim_end_matches(['?', 'P', 'E', '*']).parse().ok().filter(|&rating| rating > 0)
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
            ("chess960", "FRC", true),
            ("chess960", "960", true),
            ("chess960", "Chess 960", true),
            ("chess960", "freestyle chess960", true),
            ("chess960", "DFRC", true),
            ("double960", "Double Fischer Random", true),
            ("capablanca-random", "CRC", true),
            ("capablanca84000", "caparandom", true),
            ("carreblanca", "Capablanca960", true),
            ("crc", "CRC", true),
            ("crc", "Capablanca960", false),
            ("modern", "modern", true),
            ("chess8400", "Chess960", false),
            ("chess", "Capablanca", false),
            ("pmrc", "pmrc", true),
            ("pmrc", "Pseudo-Modern Random Chess", true),
            ("pmrc", "Chess960", false),
        ] {
            let names = VariantNames::of(&Variant::find(key).unwrap());
            assert_eq!(names.contain(tag), is_meant, "{key} {tag}");
        }
    }

    #[test]
    fn results_and_ratings_have_many_spellings() {
        use backrank_rules::Side;

        let won = |side| Some(Some(GameResult::Win(side)));
        for (text, means) in [
            ("1-0", won(Side::White)),
            ("1 - 0", won(Side::White)),
            ("1:0", won(Side::White)),
            ("1–0", won(Side::White)),
            ("0-1", won(Side::Black)),
            ("0:1", won(Side::Black)),
            ("1/2-1/2", Some(Some(GameResult::Draw))),
            ("1/2 - 1/2", Some(Some(GameResult::Draw))),
            ("½-½", Some(Some(GameResult::Draw))),
            ("0.5-0.5", Some(Some(GameResult::Draw))),
            ("1/2", Some(Some(GameResult::Draw))),
            ("½", Some(Some(GameResult::Draw))),
            ("*", Some(None)),
            ("?", Some(None)),
            ("", Some(None)),
            ("-", Some(None)),
            ("+/-", None),
            ("1-1", None),
            ("0-0", None),
            ("White won", None),
            ("1-0 on time", None),
        ] {
            assert_eq!(result(text), means, "{text}");
        }
        let ratings = ["2500", " 2500? ", "1820P", "-", "", "0", "65536", "2500.5"].map(rating);
        assert_eq!(ratings, [Some(2500), Some(2500), Some(1820), None, None, None, None, None]);
    }
}
