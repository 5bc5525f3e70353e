//! Random games that visit openings, endings and the moves that are easily got wrong.

use std::collections::BTreeMap;

use backrank_rules::{FirstRank, Letter, Variant};
use rand::prelude::*;
use rand_chacha::ChaCha8Rng;

use crate::slow::{SlowPosition, start_fen};

/// A start: the variant's own army first, then arrangements of it, with the king between its partners where it has two.
///
/// Every other game begins as though nothing could adjust or leap, so that openings are compared, too.
pub fn start(variant: &Variant, game: usize, random: &mut ChaCha8Rng) -> String {
    if let Some(position) = &variant.position {
        return position.clone();
    }
    let [white, black] = &variant.armies;
    let mut arranged = |army: &FirstRank| if game < 2 { *army } else { arrangement(variant, army, random) };
    let (white, black) = match white == black {
        true => (arranged(white), None),
        false => (arranged(white), Some(arranged(black))),
    };
    let black = black.unwrap_or_else(|| if random.random() { white } else { white.reversed() });
    let fen = start_fen(variant, &white, &black);
    let fields: Vec<&str> = fen.split(' ').collect();
    if game.is_multiple_of(2) {
        fen
    } else {
        format!("{} -", fields[..6 + usize::from(variant.checks > 0)].join(" "))
    }
}

fn arrangement(variant: &Variant, army: &FirstRank, random: &mut ChaCha8Rng) -> FirstRank {
    let files: Vec<_> = army.pieces().map(|(file, _)| file).collect();
    let mut letters: Vec<_> = army.pieces().map(|(_, letter)| letter).collect();
    loop {
        letters.shuffle(random);
        let is_king = |letter: Letter| variant.piece(letter).is_some_and(|piece| piece.royal);
        let king = letters.iter().position(|&letter| is_king(letter)).unwrap();
        let (left, right) = (&letters[..king], &letters[king + 1..]);
        let can_castle = variant.castling.as_ref().is_none_or(|castling| {
            let is_partner = |letter: &Letter| castling.partners.contains(letter);
            let partners = letters.iter().copied().filter(is_partner).count();
            partners < 2 || left.iter().any(is_partner) && right.iter().any(is_partner)
        });
        if can_castle {
            let mut rank = FirstRank::empty(variant.board.files());
            for (&file, &letter) in files.iter().zip(&letters) {
                rank.set(file, letter);
            }
            return rank;
        }
    }
}

/// The number of one of the moves of a position; none where there are none.
pub fn choose(fen: &str, moves: &[(String, SlowPosition)], random: &mut ChaCha8Rng) -> Option<usize> {
    let letters = men(fen);
    let numbers_where = |test: &dyn Fn(&(String, SlowPosition)) -> bool| -> Vec<usize> {
        (0..moves.len()).filter(|&number| test(&moves[number])).collect()
    };
    // Captures bring endings about, pawn moves promotions; castling, adjustments and double steps past an enemy pawn are
    // too rare to be left to chance.
    let preferred = match random.random_range(0..16) {
        0..=5 => numbers_where(&|(uci, _)| is_capture(uci, &letters)),
        6 | 7 => numbers_where(&|(uci, _)| letters[squares(uci).0].eq_ignore_ascii_case(&'p')),
        8 | 9 => numbers_where(&|(_, next)| next.fen().split(' ').nth(3) != Some("-")),
        10 => numbers_where(&|(uci, _)| takes_own(uci, &letters)),
        _ => Vec::new(),
    };
    preferred.choose(random).copied().or_else(|| (0..moves.len()).choose(random))
}

/// Whether a move is written as taking a man of its own side: castling or an adjustment.
pub fn takes_own(uci: &str, letters: &BTreeMap<String, char>) -> bool {
    let (from, to) = squares(uci);
    letters.get(to).is_some_and(|other| other.is_uppercase() == letters[from].is_uppercase())
}

fn is_capture(uci: &str, letters: &BTreeMap<String, char>) -> bool {
    letters.contains_key(squares(uci).1) && !takes_own(uci, letters)
}

/// The two squares of a move, `b9` and `b10` of `b9b10q`.
fn squares(uci: &str) -> (&str, &str) {
    let uci = uci.trim_end_matches(char::is_alphabetic);
    let second = uci.rfind(char::is_alphabetic).unwrap();
    uci.split_at(second)
}

/// Every man of a position by its square.
pub fn men(fen: &str) -> BTreeMap<String, char> {
    let board = fen.split(' ').next().unwrap_or_default();
    let mut men = BTreeMap::new();
    for (rank, row) in board.split('/').rev().enumerate() {
        let (mut file, mut empty) = (0, 0);
        for letter in row.chars() {
            if let Some(digit) = letter.to_digit(10) {
                empty = empty * 10 + digit as u8;
            } else {
                file += empty;
                empty = 0;
                men.insert(format!("{}{}", (b'a' + file) as char, rank + 1), letter);
                file += 1;
            }
        }
    }
    men
}
