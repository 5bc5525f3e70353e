//! Legal moves against those of Debian's Fairy-Stockfish, along random games of every playable variant.
//!
//! It knows neither the Bishop Adjustment nor leaps of a first move, so only positions in which neither is left are put
//! to it. Where the program is not installed, the test says so and passes.

mod fairy;
mod slow;

use std::collections::{BTreeMap, BTreeSet};

use backrank_rules::{FirstRank, Variant, catalogue};
use fairy::Engine;
use rand::prelude::*;
use rand_chacha::ChaCha8Rng;
use slow::{SlowPosition, start_fen};

const SEED: u64 = 20_080_510;
const GAMES: usize = 16;
const PLIES: usize = 140;

/// The moves under test.
fn legal_uci(variant: &Variant, fen: &str) -> Vec<String> {
    SlowPosition::from_fen(variant, fen).uci_moves()
}

#[test]
fn legal_moves_are_those_of_fairy_stockfish() {
    let Some(program) = Engine::find() else {
        eprintln!(
            "skipped: no fairy-stockfish on the path or in /usr/games (Debian: apt install fairy-stockfish)"
        );
        return;
    };
    let variants: Vec<Variant> = catalogue().filter(|variant| !variant.count_only).collect();
    let (mut engine, beyond_it) = Engine::start(program, &variants);
    assert_eq!(beyond_it, [], "every game of the catalogue can be put to it");

    let mut seen = Seen::default();
    for variant in &variants {
        engine.play(variant);
        let mut random = ChaCha8Rng::seed_from_u64(SEED);
        let before = seen.positions;
        for game in 0..GAMES {
            let fen = start(variant, game, &mut random);
            walk(variant, &fen, &mut random, |fen, ours| {
                let six_fields = fen.rsplit_once(' ').unwrap().0;
                let theirs = engine.legal_uci(six_fields);
                assert_same(variant, fen, &ours, &theirs);
                seen.note(fen, &ours);
            });
        }
        assert!(seen.positions - before >= 100, "{}: {} positions", variant.key, seen.positions - before);
    }
    eprintln!("{seen:?}");
    assert!(seen.positions >= 500);
    // The walk is worth it only where it meets the moves that are easily got wrong.
    assert!(seen.castlings >= 1000 && seen.en_passant >= 100 && seen.promotions >= 1000, "{seen:?}");
    assert!(seen.few_men >= 1000 && seen.no_moves >= 10, "{seen:?}");
}

/// What the compared positions held.
#[derive(Debug, Default)]
struct Seen {
    positions: usize,
    castlings: usize,
    en_passant: usize,
    promotions: usize,
    few_men: usize,
    no_moves: usize,
}

impl Seen {
    fn note(&mut self, fen: &str, moves: &BTreeSet<String>) {
        let fields: Vec<&str> = fen.split(' ').collect();
        let letters: BTreeMap<String, char> = men(fields[0]);
        let is_castling = |uci: &String| {
            let (from, to) = squares(uci);
            let own = |square| letters.get(square).map(|letter| letter.is_uppercase());
            own(from) == own(to)
        };
        self.positions += 1;
        self.castlings += moves.iter().filter(|uci| is_castling(uci)).count();
        self.en_passant += (fields[3] != "-") as usize;
        self.promotions += moves.iter().filter(|uci| uci.ends_with(char::is_alphabetic)).count();
        self.few_men += (letters.len() <= 8) as usize;
        self.no_moves += moves.is_empty() as usize;
    }
}

fn assert_same(variant: &Variant, fen: &str, ours: &BTreeSet<String>, theirs: &BTreeSet<String>) {
    let only_ours: Vec<_> = ours.difference(theirs).collect();
    let only_theirs: Vec<_> = theirs.difference(ours).collect();
    assert!(
        only_ours.is_empty() && only_theirs.is_empty(),
        "{}, {fen}\nonly ours: {only_ours:?}\nonly fairy-stockfish's: {only_theirs:?}",
        variant.key
    );
}

/// A start: the variant's own army first, then arrangements of it with the king between its partners.
///
/// Every other game begins as though nothing could adjust or leap, so that openings are compared, too.
fn start(variant: &Variant, game: usize, random: &mut ChaCha8Rng) -> String {
    let white = if game < 2 { variant.army } else { arrangement(variant, random) };
    let black = if random.random() { white } else { white.reversed() };
    let fen = start_fen(variant, &white, &black);
    if game.is_multiple_of(2) { fen } else { format!("{} -", fen.rsplit_once(' ').unwrap().0) }
}

fn arrangement(variant: &Variant, random: &mut ChaCha8Rng) -> FirstRank {
    let files: Vec<_> = variant.army.pieces().map(|(file, _)| file).collect();
    let mut letters: Vec<_> = variant.army.pieces().map(|(_, letter)| letter).collect();
    loop {
        letters.shuffle(random);
        let is_king = |letter: u8| variant.piece(letter).is_some_and(|piece| piece.royal);
        let king = letters.iter().position(|&letter| is_king(letter)).unwrap();
        let is_castled_with =
            |&letter: &u8| variant.castling.as_ref().is_none_or(|castling| letter == castling.partner);
        let (left, right) = (&letters[..king], &letters[king + 1..]);
        if variant.castling.is_none() || left.iter().any(is_castled_with) && right.iter().any(is_castled_with)
        {
            let mut rank = FirstRank::empty(variant.board.files());
            for (&file, &letter) in files.iter().zip(&letters) {
                rank.set(file, letter);
            }
            return rank;
        }
    }
}

/// Plays a random game and shows each position in which nothing can adjust or leap, with the moves under test.
fn walk(
    variant: &Variant,
    fen: &str,
    random: &mut ChaCha8Rng,
    mut compare: impl FnMut(&str, BTreeSet<String>),
) {
    let mut position = SlowPosition::from_fen(variant, fen);
    for _ in 0..PLIES {
        let fen = position.fen();
        if fen.ends_with(" -") {
            compare(&fen, legal_uci(variant, &fen).into_iter().collect());
        }
        let moves = position.moves();
        let letters = men(fen.split(' ').next().unwrap());
        if letters.len() <= 3 {
            return;
        }
        // Captures bring endings about, pawn moves promotions; what is left is a move like any other.
        let captures = moves.iter().filter(|(uci, _)| is_capture(uci, &letters));
        let pawn_moves = moves.iter().filter(|(uci, _)| letters[squares(uci).0].eq_ignore_ascii_case(&'p'));
        // Double steps past an enemy pawn are too rare to be left to chance.
        let past_a_pawn = moves.iter().filter(|(_, next)| next.fen().split(' ').nth(3) != Some("-"));
        let chosen = match random.random_range(0..8) {
            0..=2 => captures.choose(random),
            3 => pawn_moves.choose(random),
            4 => past_a_pawn.choose(random),
            _ => None,
        };
        let Some((_, next)) = chosen.or_else(|| moves.choose(random)) else {
            return;
        };
        position = next.clone();
    }
}

fn is_capture(uci: &str, letters: &BTreeMap<String, char>) -> bool {
    let (from, to) = squares(uci);
    letters.get(to).is_some_and(|taken| taken.is_uppercase() != letters[from].is_uppercase())
}

/// The two squares of a move, `b9` and `b10` of `b9b10q`.
fn squares(uci: &str) -> (&str, &str) {
    let uci = uci.trim_end_matches(char::is_alphabetic);
    let second = uci.rfind(char::is_alphabetic).unwrap();
    uci.split_at(second)
}

/// Every man of a board text by its square.
fn men(board: &str) -> BTreeMap<String, char> {
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
