//! A solver that knows nothing but legal moves and how games end: it lists all positions, and goes through them again and
//! again until nothing changes.

use std::collections::HashMap;

use backrank_endgames::EndgameValue;
use backrank_rules::{GameResult, Position, Rules, Side, Square};

/// The positions that can arise from all those with some men, and their values.
pub struct Slow<'r> {
    positions: Vec<Position<'r>>,
    successors: Vec<Vec<usize>>,
    values: Vec<EndgameValue>,
    /// How many of the first positions have all men.
    with_all: usize,
}

impl<'r> Slow<'r> {
    /// Solves an endgame such as `KQvK`.
    pub fn solve(rules: &'r Rules, endgame: &str) -> Self {
        let mut slow = Self {
            positions: all_positions(rules, endgame),
            successors: Vec::new(),
            values: Vec::new(),
            with_all: 0,
        };
        slow.with_all = slow.positions.len();
        let mut numbers: HashMap<u64, usize> =
            slow.positions.iter().enumerate().map(|(number, position)| (position.key(), number)).collect();
        assert_eq!(numbers.len(), slow.with_all, "no two positions have a key");
        let mut number = 0;
        while number < slow.positions.len() {
            let position = slow.positions[number];
            let moves = if position.outcome().is_some() { Vec::new() } else { position.legal_moves() };
            let next = moves.into_iter().map(|played| {
                let next = position.after(played);
                *numbers.entry(next.key()).or_insert_with(|| {
                    slow.positions.push(next);
                    slow.positions.len() - 1
                })
            });
            slow.successors.push(next.collect());
            number += 1;
        }
        slow.values = slow.positions.iter().map(at_once).collect();
        let mut plies = 1;
        while slow.go_through(plies) {
            plies += 1;
        }
        slow
    }

    /// Finds what ends after so many plies; whether there was anything.
    fn go_through(&mut self, plies: u16) -> bool {
        let mut found = Vec::new();
        for (number, successors) in self.successors.iter().enumerate() {
            if self.values[number] != EndgameValue::Draw || successors.is_empty() {
                continue;
            }
            let wins = |&next: &usize| self.values[next] == EndgameValue::Loss { plies: plies - 1 };
            let loses = |&next: &usize| matches!(self.values[next], EndgameValue::Win { .. });
            if successors.iter().any(wins) {
                found.push((number, EndgameValue::Win { plies }));
            } else if successors.iter().all(loses) {
                found.push((number, EndgameValue::Loss { plies }));
            }
        }
        found.iter().for_each(|&(number, value)| self.values[number] = value);
        !found.is_empty()
    }

    /// Every position with all men, and its value.
    pub fn with_all_men(&self) -> impl Iterator<Item = (&Position<'r>, EndgameValue)> {
        self.positions.iter().zip(self.values.iter().copied()).take(self.with_all)
    }
}

/// The value of a position in which the game is over; a draw where it is not.
fn at_once(position: &Position<'_>) -> EndgameValue {
    match position.outcome().map(|outcome| outcome.result) {
        Some(GameResult::Win(side)) if side == position.side_to_move() => EndgameValue::Win { plies: 0 },
        Some(GameResult::Win(_)) => EndgameValue::Loss { plies: 0 },
        _ => EndgameValue::Draw,
    }
}

/// Every legal position with some men, those too in which a pawn can be taken in passing.
fn all_positions<'r>(rules: &'r Rules, endgame: &str) -> Vec<Position<'r>> {
    let board = rules.board();
    let (white, black) = endgame.split_once('v').expect("two sides");
    let mut boards: Vec<Vec<Option<char>>> = vec![vec![None; board.squares()]];
    for letter in white.chars().chain(black.to_lowercase().chars()) {
        let with = |placed: Vec<Option<char>>| {
            let free: Vec<usize> = (0..placed.len()).filter(|&square| placed[square].is_none()).collect();
            free.into_iter().map(move |square| {
                let mut placed = placed.clone();
                placed[square] = Some(letter);
                placed
            })
        };
        boards = boards.into_iter().flat_map(with).collect();
    }
    // Like men are placed in both orders.
    boards.sort_unstable();
    boards.dedup();
    let mut positions = Vec::new();
    for placed in &boards {
        let ranks: Vec<String> = placed.chunks(board.files()).rev().map(rank_text).collect();
        for side in Side::BOTH {
            let passed = (0..board.squares()).filter_map(Square::new).map(|square| board.square_name(square));
            for passed in std::iter::once("-".to_string()).chain(passed) {
                if passed != "-" && !(white.contains('P') && black.contains('P')) {
                    break;
                }
                let text = format!("{} {} - {passed} 0 1", ranks.join("/"), side.letter());
                if let Ok(position) = Position::from_fen(rules, &text)
                    && (passed == "-" || position.en_passant().is_some())
                {
                    positions.push(position);
                }
            }
        }
    }
    positions
}

/// A rank as a FEN has it.
fn rank_text(rank: &[Option<char>]) -> String {
    let runs = rank.chunk_by(|one, other| one.is_none() && other.is_none());
    runs.map(|run| run[0].map_or_else(|| run.len().to_string(), |letter| letter.to_string())).collect()
}
