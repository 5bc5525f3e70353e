//! Odds: pieces that a side starts without, or with others in their places.

use std::fmt;
use std::str::FromStr;

use backrank_rules::{
    Bitboard, Letter, Position, PositionBuilder, Rules, Setup, SetupError, Side, Square, Variant,
};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// The pieces that each side starts without, such as `M:Q`, `Q:2N+4P` or `P:-`. The side before the colon is White in
/// the first game of a pair, and Black in the second.
///
/// A side's pieces can be given in any order, and several of a kind singly or with their number: `N+4P+N` is read as
/// `2N+4P`. Odds are always written in the same way: pieces in alphabetical order, then pawns.
///
/// A side can also have other pieces in the places of some: `2N=2W+P:-` is two waffles for two knights, and a pawn less.
///
/// ```
/// use backrank_rules::Variant;
/// use backrank_selfplay::study::Odds;
///
/// let odds: Odds = "Q:N+4P+N".parse()?;
/// assert_eq!(odds.to_string(), "Q:2N+4P");
/// assert_eq!(odds.swapped().to_string(), "2N+4P:Q");
/// assert!(odds.check(&Variant::find("pmrc").unwrap()).is_ok());
/// let minister: Odds = "M:-".parse()?;
/// assert!(minister.check(&Variant::find("crc").unwrap()).unwrap_err().contains("no M"));
///
/// let replaced: Odds = "P+N=W+N=W:-".parse()?;
/// assert_eq!(replaced.to_string(), "2N=2W+P:-");
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Odds(Box<[SideOdds; 2]>);

/// The odds of one side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct SideOdds {
    /// A letter for each piece that it starts without, pawns last.
    without: Vec<Letter>,
    /// A letter for each piece that it has another one for, and the letter of that.
    replaced: Vec<(Letter, Letter)>,
}

/// How the files of missing pawns are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingPawns {
    /// The files are drawn independently in each pair. Earlier versions did this.
    Drawn,
    /// The files come in turn. In each round of as many pairs as there are files, every file is missing equally often.
    /// The seed determines a new order for each round.
    InTurn {
        /// The study's seed.
        seed: u64,
        /// The number of the pair in the study.
        pair: u64,
    },
}

/// The first of the random number streams from which the orders of files are drawn, far from the streams of games.
const FILES_STREAM: u64 = 3 << 62;

impl MissingPawns {
    /// The indices of a side's missing pawns: `wanted` of `all`. Each side has its own order.
    fn indices(self, side: usize, wanted: usize, all: usize, rng: &mut ChaCha8Rng) -> Vec<usize> {
        let Self::InTurn { seed, pair } = self else { return draw(wanted, all, rng) };
        let (round, turn) = (pair / all as u64, (pair % all as u64) as usize);
        let mut order: Vec<usize> = (0..all).collect();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(FILES_STREAM | (round << 1 | side as u64));
        order.shuffle(&mut rng);
        (0..wanted).map(|next| order[(turn + next) % all]).collect()
    }
}

/// Draws `wanted` of the indices below `all` with equal probabilities.
pub(super) fn draw(wanted: usize, all: usize, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let mut left: Vec<usize> = (0..all).collect();
    (0..wanted).map(|_| left.remove(rng.random_range(0..left.len()))).collect()
}

impl Odds {
    /// Odds at which neither side has these pieces, so that it is an even game with fewer of them.
    ///
    /// # Panics
    ///
    /// Without pieces.
    pub fn on_neither(letters: &[Letter]) -> Self {
        assert!(!letters.is_empty(), "odds name at least one piece");
        let mut without = letters.to_vec();
        sort(&mut without);
        let side = SideOdds { without, replaced: Vec::new() };
        Self(Box::new([side.clone(), side]))
    }

    /// The letters of the pieces that both sides start without.
    ///
    /// ```
    /// use backrank_selfplay::study::Odds;
    ///
    /// let odds: Odds = "N=W+B+2P:2B+P".parse()?;
    /// assert_eq!(Odds::side_text(&odds.lacked_by_both()), "B+P");
    /// # Ok::<(), String>(())
    /// ```
    pub fn lacked_by_both(&self) -> Vec<Letter> {
        let mut others = self.second().to_vec();
        let of_both = self.first().iter().filter(|&letter| {
            let place = others.iter().position(|other| other == letter);
            place.map(|place| others.remove(place)).is_some()
        });
        of_both.copied().collect()
    }

    /// The letters of the pieces that White starts without in the first game of a pair; empty for none.
    pub fn first(&self) -> &[Letter] {
        &self.0[0].without
    }

    /// The letters of the pieces that Black starts without in the first game of a pair; empty for none.
    pub fn second(&self) -> &[Letter] {
        &self.0[1].without
    }

    /// For White and for Black in the first game of a pair, the letter of each piece that the side has another one for, and the
    /// letter of that.
    pub fn replaced(&self) -> [&[(Letter, Letter)]; 2] {
        self.0.each_ref().map(|side| &side.replaced[..])
    }

    /// The letters of the pieces of which either side has fewer than the other, compared with full armies: what it starts without,
    /// what has been replaced, and what the other side has instead of something.
    ///
    /// ```
    /// use backrank_selfplay::study::Odds;
    ///
    /// let odds: Odds = "2N=2W+P:-".parse()?;
    /// assert_eq!(odds.lacking().map(|side| Odds::side_text(&side)), ["2N+P", "2W"]);
    /// # Ok::<(), String>(())
    /// ```
    pub fn lacking(&self) -> [Vec<Letter>; 2] {
        let lacking = |own: &SideOdds, other: &SideOdds| {
            let mut letters = own.without.clone();
            letters.extend(own.replaced.iter().map(|pair| pair.0));
            letters.extend(other.replaced.iter().map(|pair| pair.1));
            sort(&mut letters);
            letters
        };
        let [first, second] = &*self.0;
        [lacking(first, second), lacking(second, first)]
    }

    /// The same odds with the sides swapped.
    pub fn swapped(&self) -> Self {
        let [first, second] = *self.0.clone();
        Self(Box::new([second, first]))
    }

    /// The name of the directory of games at these odds in an experiment: `M-Q`, `Q-2N+4P`, or `P` for one side alone.
    pub fn directory(&self) -> String {
        self.to_string().trim_end_matches(":-").replace(':', "-")
    }

    /// Checks that each side of a game has the pieces that it is to start without.
    ///
    /// # Errors
    ///
    /// When a side does not have them, or one of them is the king.
    pub fn check(&self, variant: &Variant) -> Result<(), String> {
        for SideOdds { without, replaced } in self.0.iter() {
            let taken = || without.iter().copied().chain(replaced.iter().map(|pair| pair.0));
            for letter in taken() {
                // Either side starts without them in one of two games.
                let [white, black] = Side::BOTH.map(|side| variant.starts_with(side, letter));
                let has = white.min(black);
                let asked = taken().filter(|&other| other == letter).count();
                if variant.piece(letter).is_some_and(|piece| piece.royal) {
                    return Err(format!("no side can start without {letter}, the king"));
                }
                if asked > has {
                    let has = if has == 0 { "no".to_string() } else { format!("only {has}") };
                    return Err(format!("a side of {} has {has} {letter}", variant.key));
                }
            }
            for &(old, new) in replaced {
                match variant.piece(new) {
                    _ if old == Letter::PAWN || new == Letter::PAWN => {
                        return Err(format!("{old}={new}: pawns are not replaced, and replace nothing"));
                    }
                    None => {
                        return Err(format!("{} has no piece {new} to have instead of {old}", variant.key));
                    }
                    Some(piece) if piece.royal => {
                        return Err(format!("{old}={new}: no piece becomes a king"));
                    }
                    Some(_) => {}
                }
            }
        }
        Ok(())
    }

    /// The text of the pieces that a side starts without, such as `2N+4P`; `-` for none.
    ///
    /// ```
    /// use backrank_rules::Letter;
    /// use backrank_selfplay::study::Odds;
    ///
    /// let letters = [Letter::N, Letter::P, Letter::P];
    /// assert_eq!(Odds::side_text(&letters), "N+2P");
    /// assert_eq!(Odds::side_letters("N+2P"), Some(letters.to_vec()));
    /// ```
    pub fn side_text(letters: &[Letter]) -> String {
        let term = |like: &[Letter]| match (like.len(), like[0]) {
            (1, letter) => letter.to_string(),
            (number, letter) => format!("{number}{letter}"),
        };
        match letters {
            [] => "-".to_string(),
            _ => letters.chunk_by(|one, other| one == other).map(term).collect::<Vec<_>>().join("+"),
        }
    }

    /// Reads a side's odds in any order. Returns one letter for each piece, pawns last; `None` if the text is not
    /// valid.
    pub fn side_letters(text: &str) -> Option<Vec<Letter>> {
        if text == "-" {
            return Some(Vec::new());
        }
        let mut letters = Vec::new();
        for term in text.split('+') {
            let (number, letter) = term.split_at_checked(term.len().checked_sub(1)?)?;
            let number = match number {
                "" => 1,
                _ if number.starts_with('+') => return None,
                _ => number.parse::<u8>().ok().filter(|&number| number > 0)?,
            };
            let letter: Letter = letter.parse().ok()?;
            letters.extend(std::iter::repeat_n(letter, number.into()));
        }
        sort(&mut letters);
        Some(letters)
    }

    /// The starting positions of both games of a pair. `pawns` determines which pawns are missing. Of several pieces of
    /// a kind, the missing ones are drawn from `rng` with equal probabilities. Both games lack the same ones.
    ///
    /// Where Black's king would stand in check in either game, without the pawns between it and a rook of White's, say, other
    /// pieces are drawn, pawns included.
    ///
    /// # Errors
    ///
    /// When the setup is no position of the game, or no draw leaves one.
    pub fn starts<'r>(
        &self,
        rules: &'r Rules,
        setup: &Setup,
        pawns: MissingPawns,
        rng: &mut ChaCha8Rng,
    ) -> Result<[Position<'r>; 2], SetupError> {
        const DRAWS: usize = 100;
        let full = PositionBuilder::from_setup(rules, setup)?.build()?;
        let again = std::iter::repeat_n(MissingPawns::Drawn, DRAWS - 1);
        let mut draws =
            std::iter::once(pawns).chain(again).map(|pawns| self.draw_starts(&full, setup, pawns, rng));
        let first = draws.next().expect("at least one draw");
        first.or_else(|error| draws.find_map(Result::ok).ok_or(error))
    }

    /// The starting positions of both games of a pair, without what is drawn.
    fn draw_starts<'r>(
        &self,
        full: &Position<'r>,
        setup: &Setup,
        pawns: MissingPawns,
        rng: &mut ChaCha8Rng,
    ) -> Result<[Position<'r>; 2], SetupError> {
        // The indices of the missing pieces among those of their kind, counted from White's a-file.
        let missing = [0, 1].map(|side| {
            let SideOdds { without, replaced } = &self.0[side];
            let mut kinds: Vec<Letter> = without.clone();
            kinds.extend(replaced.iter().map(|pair| pair.0));
            let mut seen = Vec::new();
            kinds.retain(|letter| {
                !seen.contains(letter) && {
                    seen.push(*letter);
                    true
                }
            });
            let mut missing = Vec::new();
            for kind in kinds {
                let all = (full.pieces(Side::White) & of_letter(full, kind)).count() as usize;
                // Some of them are only taken away, the others make room.
                let taken = without.iter().filter(|&&letter| letter == kind).map(|_| None);
                let becoming = replaced.iter().filter(|pair| pair.0 == kind).map(|pair| Some(pair.1));
                let instead: Vec<Option<Letter>> = taken.chain(becoming).collect();
                let indices = match kind {
                    Letter::PAWN => pawns.indices(side, instead.len(), all, rng),
                    _ => draw(instead.len(), all, rng),
                };
                missing.extend(indices.into_iter().zip(instead).map(|(index, other)| (kind, index, other)));
            }
            missing
        });
        let rotated = setup.black != setup.white && setup.black == setup.white.reversed();
        let start = |white: usize| {
            let mut builder = PositionBuilder::from_setup(full.rules(), setup)?;
            let sides = [(Side::White, &missing[white], false), (Side::Black, &missing[1 - white], rotated)];
            for (side, missing, from_the_end) in sides {
                for &(letter, index, other) in missing {
                    let square = nth_of_letter(full, side, letter, index, from_the_end);
                    match other.and_then(|other| full.rules().kind_of(other)) {
                        Some(kind) => builder.put(square, side, kind),
                        None => builder.remove(square),
                    };
                }
            }
            builder.start_rights().build()
        };
        Ok([start(0)?, start(1)?])
    }
}

/// The square of a side's nth piece of a kind, counted from the a-file or from the other end, and on a file from its own side.
fn nth_of_letter(
    full: &Position<'_>,
    side: Side,
    letter: Letter,
    index: usize,
    from_the_end: bool,
) -> Square {
    let board = full.board();
    let from_own_side = |square: Square| match side {
        Side::White => board.rank_of(square),
        Side::Black => board.ranks() - 1 - board.rank_of(square),
    };
    let mut like: Vec<Square> = (full.pieces(side) & of_letter(full, letter)).iter().collect();
    like.sort_by_key(|&square| (board.file_of(square), from_own_side(square)));
    like[if from_the_end { like.len() - 1 - index } else { index }]
}

fn of_letter(position: &Position<'_>, letter: Letter) -> Bitboard {
    position.rules().kind_of(letter).map_or(Bitboard::EMPTY, |kind| position.of_kind(kind))
}

/// Sorts a side's letters as they are written: pawns last.
fn sort(letters: &mut [Letter]) {
    letters.sort_unstable_by_key(|&letter| (letter == Letter::PAWN, letter));
}

impl SideOdds {
    /// Reads a side's odds, with their terms in any order; `None` if the text is not valid.
    fn read(text: &str) -> Option<Self> {
        let (replaced, without): (Vec<&str>, Vec<&str>) =
            text.split('+').partition(|term| term.contains('='));
        let mut side = Self::default();
        if !without.is_empty() {
            side.without = Odds::side_letters(&without.join("+"))?;
        }
        for term in replaced {
            let (old, new) = term.split_once('=')?;
            let (old, new) = (Odds::side_letters(old)?, Odds::side_letters(new)?);
            let is_one_kind = |letters: &[Letter]| letters.iter().all(|&letter| letter == letters[0]);
            if old.is_empty() || old.len() != new.len() || !is_one_kind(&old) || !is_one_kind(&new) {
                return None;
            }
            side.replaced.extend(old.into_iter().zip(new));
        }
        side.replaced.sort_unstable();
        Some(side)
    }
}

impl fmt::Display for SideOdds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut terms: Vec<String> = Vec::new();
        for like in self.replaced.chunk_by(|one, other| one == other) {
            let (old, new): (Vec<Letter>, Vec<Letter>) = like.iter().copied().unzip();
            terms.push(format!("{}={}", Odds::side_text(&old), Odds::side_text(&new)));
        }
        if !self.without.is_empty() || terms.is_empty() {
            terms.push(Odds::side_text(&self.without));
        }
        f.write_str(&terms.join("+"))
    }
}

impl fmt::Display for Odds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = &*self.0;
        write!(f, "{first}:{second}")
    }
}

impl FromStr for Odds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sides = text.split_once(':').map(|(first, second)| [first, second].map(SideOdds::read));
        match sides {
            Some([Some(first), Some(second)]) if [&first, &second].iter().all(|side| **side == SideOdds::default()) => {
                Err("odds must name at least one piece".to_string())
            }
            Some([Some(first), Some(second)]) => Ok(Self(Box::new([first, second]))),
            _ => Err("odds are written as M:Q, Q:2N+4P or P:-, with capital letters, and as 2N=2W+P:- where other pieces stand \
                      in the places of some"
                .to_string()),
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
        let [white, black] = variant.armies;
        let setup = Setup { white, black: if key == "mrc" { black.reversed() } else { black } };
        let odds: Odds = odds.parse().unwrap();
        odds.check(&variant).unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        odds.starts(&rules, &setup, MissingPawns::Drawn, &mut rng).unwrap().map(|position| position.to_fen())
    }

    #[test]
    fn sides_are_swapped_in_the_second_game() {
        let pawns = "ppppppppp/9/9/9/9/9/PPPPPPPPP";
        let [first, second] = starts("chess8400", "M:Q", 1);
        assert_eq!(first, format!("rnbmk1bnr/{pawns}/RNB1KQBNR w AIai - 0 1"));
        assert_eq!(second, format!("rnb1kqbnr/{pawns}/RNBMK1BNR w AIai - 0 1"));
    }

    #[test]
    fn the_seed_draws_the_same_one_of_like_pieces_for_both_games() {
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
    fn without_a_bishop_there_is_no_adjustment() {
        let [first, _] = starts("mrc", "B:-", 3);
        let unmoved = first.rsplit(' ').next().unwrap();
        assert!(unmoved.chars().all(char::is_lowercase) && unmoved.len() > 2, "{first}");
    }

    #[test]
    fn missing_pawns_come_from_the_pawn_rank() {
        for variant in catalogue().filter(|variant| !variant.count_only) {
            let rules = Rules::new(&variant);
            let setup = variant.written_setup();
            let odds: Odds = "P+P:P".parse().unwrap();
            let mut rng = ChaCha8Rng::seed_from_u64(5);
            let pawns = MissingPawns::InTurn { seed: 1, pair: 2 };
            let [first, second] = odds.starts(&rules, &setup, pawns, &mut rng).unwrap();
            let pawns = |position: &Position<'_>| {
                let text = position.to_fen();
                let board = text.split(' ').next().unwrap();
                [board.matches('P').count(), board.matches('p').count()]
            };
            let all = variant.starts_with(Side::White, Letter::PAWN);
            assert_eq!(pawns(&first), [all - 2, all - 1], "{}", variant.key);
            assert_eq!(pawns(&second), [all - 1, all - 2], "{}", variant.key);
        }
    }

    #[test]
    fn impossible_odds_are_refused() {
        let pmrc = Variant::find("pmrc").unwrap();
        for (odds, says) in [
            ("K:Q", "no side can start without K"),
            ("M+M:-", "a side of pmrc has only 1 M"),
            ("A:-", "a side of pmrc has no A"),
        ] {
            let error = odds.parse::<Odds>().unwrap().check(&pmrc).unwrap_err();
            assert!(error.starts_with(says), "{error}");
        }
        for text in
            ["", "M", "-:-", "m:q", "MQ:-", "M+:Q", "M:Q:R", "0N:Q", "-1N:Q", "2:Q", "256P:Q", "Ü:Q", "2-:Q"]
        {
            assert!(text.parse::<Odds>().is_err(), "{text}");
        }
    }

    #[test]
    fn odds_have_one_canonical_form() {
        for (text, written) in [
            ("Q:2N+4P", "Q:2N+4P"),
            ("Q:N+4P+N", "Q:2N+4P"),
            ("Q:P+P+N+P+N+P", "Q:2N+4P"),
            ("N+B:M", "B+N:M"),
            ("R+M:Q+4P", "M+R:Q+4P"),
            ("-:P", "-:P"),
            ("1P:01N", "P:N"),
        ] {
            let odds: Odds = text.parse().unwrap();
            assert_eq!(odds.to_string(), written);
            assert_eq!(written.parse::<Odds>().unwrap(), odds);
        }
    }

    #[test]
    fn the_pawns_of_each_file_are_missing_equally_often_in_each_round() {
        let variant = Variant::find("pmrc").unwrap();
        let rules = Rules::new(&variant);
        let setup = variant.written_setup();
        let odds: Odds = "Q:3P".parse().unwrap();
        let mut orders = Vec::new();
        for round in 0..4 {
            let (mut times, mut order) = ([0; 9], Vec::new());
            for turn in 0..9 {
                let pawns = MissingPawns::InTurn { seed: 7, pair: 9 * round + turn };
                let starts = odds.starts(&rules, &setup, pawns, &mut ChaCha8Rng::seed_from_u64(0)).unwrap();
                let missing_in = |start: usize, side: Side| -> Vec<u8> {
                    let start = &starts[start];
                    let pawns = start.pieces(side) & start.of_kind(backrank_rules::PieceKind::PAWN);
                    let stands =
                        |file: &u8| pawns.iter().any(|square| start.board().file_of(square).0 == *file);
                    (0..9).filter(|file| !stands(file)).collect()
                };
                let (missing, second) = (missing_in(0, Side::Black), missing_in(1, Side::White));
                assert_eq!((missing.len(), &missing), (3, &second), "the same ones in both games");
                missing.iter().for_each(|&file| times[usize::from(file)] += 1);
                order.push(missing);
            }
            assert_eq!(times, [3; 9]);
            orders.push(order);
        }
        orders.dedup();
        assert_eq!(orders.len(), 4, "each round has an order of its own");
    }

    #[test]
    fn each_of_like_pieces_is_missing_equally_often() {
        let (mut left, games) = (0, 400);
        for seed in 0..games {
            let [first, _] = starts("chess8400", "B:-", seed);
            left += u64::from(first.contains("/RN1"));
        }
        assert!(left.abs_diff(games / 2) < 40, "{left} of {games}");
    }
}
