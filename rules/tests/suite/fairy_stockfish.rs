//! Legal moves against those of Debian's Fairy-Stockfish, along random games of every playable variant.
//!
//! It knows neither the Bishop Adjustment nor leaps of a first move, so only positions in which neither is left are put
//! to it. Where the program is not installed, the test says so and passes; in the gate, which sets
//! `BACKRANK_GATE`, it fails.

use std::collections::BTreeSet;
use std::io::Write;

use crate::fairy::FairyStockfish;
use crate::slow::SlowPosition;
use crate::walk;
use backrank_rules::{Position, Rules, Variant, catalogue};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

const SEED: u64 = 20_080_510;
const GAMES: usize = 18;
const PLIES: usize = 140;

/// Games with a piece or a rule that it cannot be told of.
const BEYOND_IT: [&str; 15] = [
    "amazon960",
    "berolina960",
    "chess480",
    "cwda-clobberers-nutters",
    "cwda-clobberers-rookies",
    "cwda-fide-clobberers",
    "cwda-fide-nutters",
    "cwda-fide-rookies",
    "cwda-nutters-rookies",
    "grand",
    "grand-random",
    "kingofthehill960",
    "knightmate960",
    "shatranj",
    "threecheck960",
];

/// The moves under test.
fn legal_uci(variant: &Variant, fen: &str) -> Vec<String> {
    let rules = Rules::new(variant);
    let position = Position::from_fen(&rules, fen).unwrap();
    position.legal_moves().into_iter().map(|played| played.uci(position.board())).collect()
}

#[test]
fn legal_moves_are_those_of_fairy_stockfish() {
    let Some(program) = FairyStockfish::find() else {
        // Not `eprintln!`, whose text a test that passes keeps to itself.
        let message =
            "skipped: no fairy-stockfish on the path or in /usr/games (Debian: apt install fairy-stockfish)";
        assert!(std::env::var_os("BACKRANK_GATE").is_none(), "in the gate nothing may be {message}");
        writeln!(std::io::stderr(), "{message}").unwrap();
        return;
    };
    let mut variants: Vec<Variant> = catalogue().filter(|variant| !variant.count_only).collect();
    let (mut engine, beyond_it) = FairyStockfish::start(program, &variants);
    // A newer Fairy-Stockfish is asked about these by tests/coverage.py.
    let is_beyond = |variant: &Variant| beyond_it.iter().any(|(key, _)| *key == variant.key);
    let beyond: Vec<_> =
        variants.iter().filter(|variant| is_beyond(variant)).map(|variant| &*variant.key).collect();
    assert_eq!(beyond, BEYOND_IT, "{beyond_it:?}");
    variants.retain(|variant| !is_beyond(variant));

    let mut seen = Seen::default();
    for variant in &variants {
        engine.play(variant);
        let mut random = ChaCha8Rng::seed_from_u64(SEED);
        let before = seen.positions;
        for game in 0..GAMES {
            let fen = walk::start(variant, game, &mut random);
            play(variant, &fen, &mut random, |fen, ours| {
                let six_fields =
                    fen.strip_suffix(" -").filter(|_| fen.split(' ').count() == 7).unwrap_or(fen);
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
        let letters = walk::men(fen);
        self.positions += 1;
        self.castlings += moves.iter().filter(|uci| walk::takes_own(uci, &letters)).count();
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

/// Plays a random game and shows each position in which nothing can adjust or leap, with the moves under test.
fn play(
    variant: &Variant,
    fen: &str,
    random: &mut ChaCha8Rng,
    mut compare: impl FnMut(&str, BTreeSet<String>),
) {
    let mut position = SlowPosition::from_fen(variant, fen);
    for _ in 0..PLIES {
        let fen = position.fen();
        if fen.split(' ').count() == 6 || fen.ends_with(" -") {
            compare(&fen, legal_uci(variant, &fen).into_iter().collect());
        }
        let moves = position.moves();
        let only_a_man_beside_the_kings = walk::men(&fen).len() <= 3;
        match walk::choose(&fen, &moves, random) {
            Some(chosen) if !only_a_man_beside_the_kings => position = moves[chosen].1.clone(),
            _ => return,
        }
    }
}
