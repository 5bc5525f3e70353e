//! How an engine is told which variant to play.

use std::io::Write;

use backrank_rules::{CastlingEnd, File, Letter, Rules, Stalemate, Variant, fairy};
use tempfile::NamedTempFile;

use super::options::DeclaredOptions;

/// The options to set, and what the engine then knows about the game.
pub(super) struct Dialect {
    /// The options in the order in which to set them.
    pub settings: Vec<(String, String)>,
    /// Whether it knows the unmoved field of our FENs: the Bishop Adjustment and moves of unmoved pieces.
    pub knows_unmoved: bool,
    /// Whether castling is written as the king taking its partner, and not as in orthodox chess by where the king lands.
    pub chess960: bool,
    /// The file that an option names, which is kept until the end.
    pub file: Option<NamedTempFile>,
}

impl Dialect {
    /// The first way that an engine with these options understands.
    ///
    /// A game with the same name need not be the same game: Fairy-Stockfish's `modern` has no adjustment. Only an
    /// engine that knows the adjustment is trusted to mean our game by a name.
    pub fn find(options: &DeclaredOptions, rules: &Rules) -> Result<Self, String> {
        let variant = rules.variant();
        let mut settings = Vec::new();
        let mut set = |name: &str, value: &str| {
            if options.has(name) {
                settings.push((name.to_string(), value.to_string()));
            }
        };
        let mut knows_unmoved = false;
        let mut file = None;
        let chess960 = options.has("UCI_Chess960") || options.has("BishopAdjustment");
        let castles_from_home = variant.castling.as_ref().is_none_or(|castling| castling.home.is_some());
        if !chess960 && !castles_from_home {
            return Err("it has no option `UCI_Chess960`, by which castling is the king taking its rook; without it, it can play games in which kings castle only from where they stand in orthodox chess".to_string());
        }
        if options.has("BishopAdjustment") {
            knows_unmoved = true;
            set("BishopAdjustment", &rules.has_adjustment().to_string());
            if options.has("VariantFile") {
                let kept = write(&format!("{}.toml", variant.key), variant.text())?;
                set("VariantFile", &kept.path().display().to_string());
                file = Some(kept);
            }
            if file.is_none() {
                set("UCI_Variant", &variant.key);
            }
        } else if has_orthodox_pieces(variant)
            && (!options.has("UCI_Variant") || options.offers("UCI_Variant", "chess"))
        {
            set("UCI_Variant", "chess");
        } else if options.has("VariantPath") {
            let section = fairy::section(variant).map_err(|beyond| format!("it does not know {beyond}"))?;
            let kept = write(".ini", &section)?;
            set("VariantPath", &kept.path().display().to_string());
            set("UCI_Variant", &fairy::name(variant));
            file = Some(kept);
        } else {
            return Err("it has neither `VariantPath`, to read the game from a file, nor `BishopAdjustment`"
                .to_string());
        }
        set("UCI_Chess960", "true");
        Ok(Self { settings, knows_unmoved, chess960, file })
    }
}

fn write(suffix: &str, text: &str) -> Result<NamedTempFile, String> {
    let write = || {
        let mut file = tempfile::Builder::new().prefix("backrank-").suffix(suffix).tempfile()?;
        file.write_all(text.as_bytes())?;
        Ok(file)
    };
    write().map_err(|error: std::io::Error| format!("cannot write a temporary file: {error}"))
}

/// Whether any UCI engine with `UCI_Chess960` can play it: orthodox pieces on eight by eight squares, whatever the
/// setup. An engine without that option can if kings castle only from home.
pub(crate) fn has_orthodox_pieces(variant: &Variant) -> bool {
    const PIECES: [(Letter, &str); 5] =
        [(Letter::K, "K"), (Letter::Q, "RB"), (Letter::R, "R"), (Letter::B, "B"), (Letter::N, "N")];
    let castling = variant.castling.as_ref().is_none_or(|castling| {
        let ends = |king, partner| CastlingEnd::Files { king: File(king), partner: File(partner) };
        castling.partners == [Letter::R]
            && castling.left.end == ends(2, 3)
            && castling.right.end == ends(6, 5)
    });
    let rays = |betza: &backrank_rules::Betza| {
        let mut rays = betza.rays().to_vec();
        rays.sort_unstable();
        rays
    };
    let same = |&(letter, betza): &(Letter, &str)| {
        let betza = betza.parse().expect("orthodox pieces are spelt right");
        variant
            .piece(letter)
            .is_some_and(|piece| rays(&piece.betza) == rays(&betza) && piece.royal == (letter == Letter::K))
    };
    let promotions = variant.pawn.promotes_to.clone().map(|mut letters| {
        letters.sort_unstable();
        letters
    });
    (variant.board.files(), variant.board.ranks(), variant.first_rank) == (8, 8, 0)
        && variant.pieces.len() == PIECES.len()
        && PIECES.iter().all(same)
        && promotions.iter().all(|letters| *letters == [Letter::B, Letter::N, Letter::Q, Letter::R])
        && variant.pawn.is_orthodox()
        && !variant.bare_king
        && variant.stalemate == Stalemate::Draw
        && variant.repetition_draws
        && !variant.ends_early()
        && variant.adjustment.is_none()
        && castling
}

#[cfg(test)]
mod tests {
    use backrank_rules::{Variant, catalogue};

    use super::*;

    #[test]
    fn missing_options_of_an_engine_are_reported() {
        let told = |key: &str, declared: &[&str]| {
            let mut options = DeclaredOptions::default();
            declared.iter().for_each(|name| options.note(&format!("option name {name} type string")));
            let rules = Rules::new(&Variant::find(key).unwrap());
            Dialect::find(&options, &rules)
                .map(|dialect| dialect.settings)
                .map_err(|lack| lack[..32].to_string())
        };
        let set = |name: &str, value: &str| (name.to_string(), value.to_string());
        assert_eq!(told("chess960", &["UCI_Chess960"]), Ok(vec![set("UCI_Chess960", "true")]));
        assert_eq!(told("chess960", &["Hash"]), Err("it has no option `UCI_Chess960`,".to_string()));
        for key in ["chess", "chess18", "shuffle"] {
            assert_eq!(told(key, &["Hash"]), Ok(Vec::new()), "{key}");
        }
        assert_eq!(told("crc", &["UCI_Chess960"]), Err("it has neither `VariantPath`, to".to_string()));
        let [path, name, castling] =
            &told("crc", &["UCI_Chess960", "VariantPath", "UCI_Variant"]).unwrap()[..]
        else {
            panic!("three settings")
        };
        assert!(path.0 == "VariantPath" && path.1.ends_with(".ini"), "{path:?}");
        assert_eq!(*name, set("UCI_Variant", "backrank-crc"));
        assert_eq!(*castling, set("UCI_Chess960", "true"));
        let ours = told("crc", &["BishopAdjustment", "UCI_Variant"]).unwrap();
        assert_eq!(ours, [set("BishopAdjustment", "true"), set("UCI_Variant", "crc")]);
    }

    #[test]
    fn orthodox_games_are_those_of_fide_pieces() {
        let orthodox: Vec<String> =
            catalogue().filter(has_orthodox_pieces).map(|variant| variant.key).collect();
        assert!(orthodox.contains(&"chess960".to_string()) && orthodox.contains(&"chess".to_string()));
        assert!(!has_orthodox_pieces(&Variant::find("crc").unwrap()), "crc has the adjustment");
        assert!(!has_orthodox_pieces(&Variant::find("chess8400").unwrap()));
    }
}
