//! Odds: pieces that a side starts without.

use std::fmt;
use std::str::FromStr;

use backrank_rules::{Bitboard, Pawn, Position, PositionBuilder, Rules, Setup, Side, Square, Variant};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// What two sides start without: `M:Q`, `B+N:M`, `P:-`. In the first game of a pair the one before the colon is White,
/// in the second Black.
///
/// ```
/// use backrank_rules::Variant;
/// use backrank_selfplay::Odds;
///
/// let odds: Odds = "B+N:M".parse()?;
/// assert_eq!(odds.swapped().to_string(), "M:B+N");
/// assert!(odds.check(&Variant::find("pmrc").unwrap()).is_ok());
/// assert!(odds.check(&Variant::find("crc").unwrap()).unwrap_err().contains("no M"));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Odds([Vec<u8>; 2]);

impl Odds {
    /// The letters of what White starts without in the first game of a pair; empty for nothing.
    pub fn first(&self) -> &[u8] {
        &self.0[0]
    }

    /// The letters of what Black starts without in the first game of a pair; empty for nothing.
    pub fn second(&self) -> &[u8] {
        &self.0[1]
    }

    /// The other way round.
    pub fn swapped(&self) -> Self {
        let [first, second] = self.0.clone();
        Self([second, first])
    }

    /// Whether a side of a game has what it is to start without.
    ///
    /// # Errors
    ///
    /// When it has not, or it is the king.
    pub fn check(&self, variant: &Variant) -> Result<(), String> {
        let army = variant.army.pieces().map(|(_, letter)| letter);
        let army: Vec<u8> = army.chain(variant.army.pieces().map(|_| Pawn::LETTER)).collect();
        for letters in &self.0 {
            for &letter in letters {
                let count = |letters: &[u8]| letters.iter().filter(|&&other| other == letter).count();
                let (has, asked, letter_text) = (count(&army), count(letters), letter as char);
                if variant.piece(letter).is_some_and(|piece| piece.royal) {
                    return Err(format!("nobody can start without {letter_text}, the king"));
                }
                if asked > has {
                    let has = if has == 0 { "no".to_string() } else { format!("only {has}") };
                    return Err(format!("a side of {} has {has} {letter_text}", variant.key));
                }
            }
        }
        Ok(())
    }

    /// The starting positions of both games of a pair; of two alike `rng` says which is missing, and it is the same one
    /// in both games.
    pub fn starts<'r>(&self, rules: &'r Rules, setup: &Setup, rng: &mut ChaCha8Rng) -> [Position<'r>; 2] {
        let full = PositionBuilder::from_setup(rules, setup)
            .and_then(|full| full.build())
            .expect("a setup of the game");
        // Which of those alike is missing, counted from White's a-file.
        let taken = self.0.each_ref().map(|letters| {
            let mut men = full.pieces(Side::White);
            let mut taken = Vec::new();
            for &letter in letters {
                let like = men & of_letter(&full, letter);
                let nth = rng.random_range(0..like.count() as usize);
                men &= !Bitboard::from(like.iter().nth(nth));
                taken.push((letter, nth));
            }
            taken
        });
        let rotated = setup.black != setup.white && setup.black == setup.white.reversed();
        let start = |white: usize| {
            let mut builder = PositionBuilder::from_setup(rules, setup).expect("a setup of the game");
            let missing = [(Side::White, &taken[white], false), (Side::Black, &taken[1 - white], rotated)];
            for (side, taken, from_the_end) in missing {
                for square in squares_of(&full, side, taken, from_the_end) {
                    builder.remove(square);
                }
            }
            builder.start_rights().build().expect("a setup without some pieces is a position")
        };
        [start(0), start(1)]
    }
}

/// The squares of a side's pieces to take away, each the nth of its kind that is left from the a-file, or from the other
/// end.
fn squares_of(full: &Position<'_>, side: Side, taken: &[(u8, usize)], from_the_end: bool) -> Vec<Square> {
    let mut men = full.pieces(side);
    let mut squares = Vec::new();
    for &(letter, nth) in taken {
        let mut like: Vec<Square> = (men & of_letter(full, letter)).iter().collect();
        if from_the_end {
            like.reverse();
        }
        men &= !like[nth].bitboard();
        squares.push(like[nth]);
    }
    squares
}

fn of_letter(position: &Position<'_>, letter: u8) -> Bitboard {
    position.rules().kind_of(letter).map_or(Bitboard::EMPTY, |kind| position.of_kind(kind))
}

impl fmt::Display for Odds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |letters: &[u8]| match letters {
            [] => "-".to_string(),
            _ => letters.iter().map(|&letter| (letter as char).to_string()).collect::<Vec<_>>().join("+"),
        };
        write!(f, "{}:{}", side(&self.0[0]), side(&self.0[1]))
    }
}

impl FromStr for Odds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "odds are written as M:Q, B+N:M or P:-, with capital letters".to_string();
        let side = |text: &str| match text {
            "-" => Some(Vec::new()),
            _ => text
                .split('+')
                .map(|letter| match letter.as_bytes() {
                    &[letter] if letter.is_ascii_uppercase() => Some(letter),
                    _ => None,
                })
                .collect::<Option<Vec<u8>>>(),
        };
        let (first, second) = text.split_once(':').ok_or_else(wrong)?;
        match (side(first), side(second)) {
            (Some(first), Some(second)) if !(first.is_empty() && second.is_empty()) => {
                Ok(Self([first, second]))
            }
            _ => Err(wrong()),
        }
    }
}

impl TryFrom<String> for Odds {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Odds> for String {
    fn from(odds: Odds) -> Self {
        odds.to_string()
    }
}

#[cfg(test)]
mod tests {
    use backrank_rules::catalogue;
    use rand::SeedableRng;

    use super::*;

    fn starts(key: &str, odds: &str, seed: u64) -> [String; 2] {
        let variant = Variant::find(key).unwrap();
        let rules = Rules::new(&variant);
        let black = if key == "mrc" { variant.army.reversed() } else { variant.army };
        let setup = Setup { white: variant.army, black };
        let odds: Odds = odds.parse().unwrap();
        odds.check(&variant).unwrap();
        odds.starts(&rules, &setup, &mut ChaCha8Rng::seed_from_u64(seed)).map(|position| position.to_fen())
    }

    #[test]
    fn sides_are_swapped_in_the_second_game() {
        let pawns = "ppppppppp/9/9/9/9/9/PPPPPPPPP";
        let [first, second] = starts("chess8400", "M:Q", 1);
        assert_eq!(first, format!("rnbmk1bnr/{pawns}/RNB1KQBNR w AIai - 0 1"));
        assert_eq!(second, format!("rnb1kqbnr/{pawns}/RNBMK1BNR w AIai - 0 1"));
    }

    #[test]
    fn of_two_alike_the_seed_says_which_and_it_is_the_same_in_both_games() {
        let mut seen = Vec::new();
        for seed in 0..20 {
            let [first, second] = starts("mrc", "R:-", seed);
            let (white, black) = (first.split(' ').next().unwrap(), second.split(' ').next().unwrap());
            // The board turned half around, colours changed.
            let turned: String = white
                .chars()
                .rev()
                .map(|c| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() })
                .collect();
            assert_eq!(turned, black);
            seen.push(first);
        }
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 2, "{seen:?}");
        let castling = |fen: &str| fen.split(' ').nth(2).unwrap().to_string();
        let mut rights: Vec<String> = seen.iter().map(|fen| castling(fen)).collect();
        rights.sort_unstable();
        assert_eq!(rights, ["Aai", "Iai"], "no castling with a rook that is not there");
    }

    #[test]
    fn a_bishop_that_is_missing_leaves_nothing_to_adjust() {
        let [first, _] = starts("mrc", "B:-", 3);
        let unmoved = first.rsplit(' ').next().unwrap();
        assert!(unmoved.chars().all(char::is_lowercase) && unmoved.len() > 2, "{first}");
    }

    #[test]
    fn pawns_are_taken_from_their_rank_wherever_that_is() {
        for variant in catalogue().filter(|variant| !variant.count_only) {
            let rules = Rules::new(&variant);
            let setup = Setup { white: variant.army, black: variant.army };
            let odds: Odds = "P+P:P".parse().unwrap();
            let [first, second] = odds.starts(&rules, &setup, &mut ChaCha8Rng::seed_from_u64(5));
            let pawns = |position: &Position<'_>| {
                let text = position.to_fen();
                let board = text.split(' ').next().unwrap();
                [board.matches('P').count(), board.matches('p').count()]
            };
            let all = variant.army.pieces().count();
            assert_eq!(pawns(&first), [all - 2, all - 1], "{}", variant.key);
            assert_eq!(pawns(&second), [all - 1, all - 2], "{}", variant.key);
        }
    }

    #[test]
    fn what_cannot_be_given_is_refused() {
        let pmrc = Variant::find("pmrc").unwrap();
        for (odds, says) in [
            ("K:Q", "nobody can start without K"),
            ("M+M:-", "a side of pmrc has only 1 M"),
            ("A:-", "a side of pmrc has no A"),
        ] {
            let error = odds.parse::<Odds>().unwrap().check(&pmrc).unwrap_err();
            assert!(error.starts_with(says), "{error}");
        }
        for text in ["", "M", "-:-", "m:q", "MQ:-", "M+:Q", "M:Q:R"] {
            assert!(text.parse::<Odds>().is_err(), "{text}");
        }
    }
}
