//! Positions of a few men on squares drawn at random.

use std::fmt::Write;

use backrank_rules::{Letter, Position, Rules, Side};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// These men on squares drawn at random, White to move; `None` if that is not a position: two on one square, a pawn on
/// the last rank, a king that could be taken.
pub fn random_position<'r>(
    rules: &'r Rules,
    men: &[(Side, Letter)],
    random: &mut ChaCha8Rng,
) -> Option<Position<'r>> {
    let board = rules.board();
    let mut squares = vec![None; board.squares()];
    for &man in men {
        let square = random.random_range(0..board.squares());
        if squares[square].replace(man).is_some() {
            return None;
        }
    }
    let mut fen = String::new();
    for rank in (0..board.ranks()).rev() {
        let mut empty = 0;
        for file in 0..board.files() {
            let Some((side, letter)) = squares[rank * board.files() + file] else {
                empty += 1;
                continue;
            };
            write_run(&mut fen, empty);
            empty = 0;
            fen.push(match side {
                Side::White => letter.as_char(),
                Side::Black => letter.lower(),
            });
        }
        write_run(&mut fen, empty);
        fen.push(if rank > 0 { '/' } else { ' ' });
    }
    Position::from_fen(rules, &format!("{fen}w - - 0 1 -")).ok()
}

fn write_run(fen: &mut String, empty: usize) {
    if empty > 0 {
        write!(fen, "{empty}").unwrap();
    }
}
