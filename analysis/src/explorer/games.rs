//! Recorded games in the compact form that the page reads.

use backrank_engine::Score;
use backrank_rules::{Board, Letter, Variant};
use backrank_selfplay::study::{GameRecord, MoveScore};
use serde::Serialize;

/// Games in columns, and their moves.
#[derive(Debug, Default, Serialize)]
pub(super) struct PackedGames {
    /// The studies and players, to which the columns refer by index.
    studies: Vec<String>,
    players: Vec<String>,
    results: Vec<String>,
    terminations: Vec<String>,
    study: Vec<usize>,
    game: Vec<u64>,
    setup: Vec<usize>,
    white: Vec<usize>,
    black: Vec<usize>,
    result: Vec<usize>,
    termination: Vec<usize>,
    plies: Vec<u32>,
    opening_plies: Vec<u32>,
    /// White's score of each move of each game, one after another, in centipawns; none at all if no study has scores.
    scores: Option<Vec<Option<i32>>>,
    /// Two bytes for each move of each game, as [`packed_move`] makes them.
    #[serde(skip)]
    pub moves: Vec<u8>,
}

impl PackedGames {
    /// Adds a game from the setup with this index in the listing.
    pub fn add(
        &mut self,
        variant: &Variant,
        study: &str,
        setup: usize,
        record: &GameRecord,
        scores: &[Option<MoveScore>],
    ) -> Result<(), String> {
        let before = self.moves.len();
        for text in record.moves.split_ascii_whitespace() {
            let packed =
                packed_move(variant, text).ok_or_else(|| format!("`{text}` is not a move in UCI"))?;
            self.moves.extend(packed);
        }
        let plies = (self.moves.len() - before) / 2;
        if plies != record.plies as usize {
            self.moves.truncate(before);
            return Err(format!("there are {plies} moves, but plies is {}", record.plies));
        }
        if !scores.is_empty() {
            self.scores.get_or_insert_with(|| vec![None; before / 2]);
        }
        if let Some(all) = &mut self.scores {
            // Games from setups begin with White.
            all.extend((0..plies).map(|ply| {
                let number = page_score(scores.get(ply).copied().flatten()?.score);
                Some(if ply % 2 == 0 { number } else { -number })
            }));
        }
        self.study.push(index_in(&mut self.studies, study));
        self.game.push(record.game);
        self.setup.push(setup);
        self.white.push(index_in(&mut self.players, &record.white));
        self.black.push(index_in(&mut self.players, &record.black));
        self.result.push(index_in(&mut self.results, &record.result_text()));
        self.termination.push(index_in(&mut self.terminations, &record.termination.to_string()));
        self.plies.push(record.plies);
        self.opening_plies.push(record.opening_plies);
        Ok(())
    }

    pub fn is_empty(&self) -> bool {
        self.game.is_empty()
    }
}

/// A score as pages have it: in centipawns, and a win in some plies as so much less than [`MATE`].
pub fn page_score(score: Score) -> i32 {
    match score.as_plies_to_end() {
        Some(plies) if score > Score::DRAW => MATE - plies,
        Some(plies) => -MATE - plies,
        None => score.as_centipawns().unwrap_or(0).clamp(-MATE / 2, MATE / 2),
    }
}

/// What pages take a mate for, in centipawns.
pub const MATE: i32 = 30_000;

/// The index of a text in a list, to which it is added if it is new.
fn index_in(texts: &mut Vec<String>, text: &str) -> usize {
    texts.iter().position(|other| other == text).unwrap_or_else(|| {
        texts.push(text.to_string());
        texts.len() - 1
    })
}

/// A move in two bytes: the square it starts from, and the one it goes to. For a promotion the second byte is 128, plus
/// five times the index of the new piece among those that a pawn can become, plus the direction of the pawn: 0 to the
/// left, 1 straight ahead, 2 to the right, 3 two squares ahead, or, of a Berolina pawn, two to the left, 4 two to the right.
/// A board has at most 128 squares, and a game at most 26 kinds of pieces.
fn packed_move(variant: &Variant, text: &str) -> Option<[u8; 2]> {
    let board = variant.board;
    let (from, rest) = split_square(board, text)?;
    let (to, promotion) = split_square(board, rest)?;
    let second = match promotion.bytes().next() {
        None => to as u8,
        Some(letter) => {
            // Black's pawns go down the board.
            let promotes_to = &variant.pawn.promotes_to[usize::from(to < from)];
            let letter = Letter::new(letter.to_ascii_uppercase())?;
            let index = promotes_to.iter().position(|&other| other == letter)?;
            let files = board.files();
            let way = match (from / files).abs_diff(to / files) {
                1 => (to % files + 1).checked_sub(from % files)?,
                _ => 3 + usize::from(to % files > from % files),
            };
            128 + (5 * index + way) as u8
        }
    };
    Some([from as u8, second])
}

/// The index of the square with which a text begins, and the rest of the text.
fn split_square(board: Board, text: &str) -> Option<(usize, &str)> {
    let digits = text.bytes().skip(1).take_while(u8::is_ascii_digit).count();
    let (square, rest) = text.split_at_checked(1 + digits)?;
    Some((board.parse_square(square)?.index(), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_is_so_many_plies_from_the_greatest_number() {
        let numbers = [Score::centipawns(-31), Score::mate_in(5), Score::mated_in(4), Score::mated_in(0)];
        assert_eq!(numbers.map(page_score), [-31, 29_995, -29_996, -30_000]);
    }

    #[test]
    fn moves_take_two_bytes() {
        let pmrc = Variant::find("pmrc").unwrap();
        let packed = |text: &str| packed_move(&pmrc, text);
        assert_eq!(packed("a1b9"), Some([0, 8 * 9 + 1]));
        assert_eq!(packed("i8i9q"), Some([71, 128 | 1]));
        assert_eq!(packed("b2a1n"), Some([10, 128 + 4 * 5]));
        assert_eq!(packed("h8i9m"), Some([70, 128 + 5 + 2]));
        assert_eq!([packed(""), packed("a1"), packed("a1j1"), packed("a8a9k"), packed("é1a1")], [None; 5]);
    }
}
