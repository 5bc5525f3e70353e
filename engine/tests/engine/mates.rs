//! Mates in one to four moves, in every playable game.
//!
//! `mates.csv` holds positions of a few pieces on squares drawn at random, and the moves to mate that the solver found;
//! with `WRITE_MATES=1` in the environment the tests write it anew, in some minutes.

use std::collections::BTreeMap;

use backrank_engine::{Limits, Score};
use backrank_rules::{Game, Letter, Position, Rules, Side, Variant};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::random_position::random_position;
use crate::solver::moves_to_win;
use crate::{playable, position, rules, search};

const MATES: &str = include_str!("mates.csv");
const EACH: u32 = 2;

struct Mate {
    variant: &'static str,
    fen: &'static str,
    moves: u32,
}

fn mates() -> impl Iterator<Item = Mate> {
    MATES.lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        let [variant, fen, moves] = fields[..] else { panic!("`{line}` has not three columns") };
        Mate { variant, fen, moves: moves.parse().unwrap() }
    })
}

#[test]
fn every_playable_game_has_mates_in_one_to_four() {
    let mut found: BTreeMap<(&str, u32), u32> = BTreeMap::new();
    for mate in mates() {
        *found.entry((mate.variant, mate.moves)).or_default() += 1;
    }
    for variant in playable() {
        for moves in 1..=4 {
            assert_eq!(found.get(&(&variant.key, moves)), Some(&EACH), "{} in {moves}", variant.key);
        }
    }
}

#[test]
fn the_solver_finds_the_same_mates() {
    for mate in mates().filter(|mate| mate.moves <= 3) {
        let rules = rules(mate.variant);
        let found = moves_to_win(&position(&rules, mate.fen), 3, &mut u64::MAX.clone());
        assert_eq!(found, Some(mate.moves), "{} {}", mate.variant, mate.fen);
    }
}

/// A mate in one is found at depth 1. Longer ones take more plies than they have, because the search leaves out late quiet
/// moves, checks among them, where it is shallow: most mates in two are found by depth 3, but of forty each the last one
/// in two was found at depth 16 (18,057 nodes), in three at depth 23 (173,355), in four at depth 28 (4,667,900).
#[test]
fn mates_are_found_at_their_distance() {
    let mut in_two_by_depth_three = 0;
    for mate in mates() {
        let rules = rules(mate.variant);
        let depth = if mate.moves == 1 { 1 } else { 34 };
        let limits = Limits { mate: Some(mate.moves), depth: Some(depth), ..Limits::of_nodes(20_000_000) };
        let found = search(&Game::new(position(&rules, mate.fen)), &limits);
        assert_eq!(found.score, Score::mate_in(2 * mate.moves as i32 - 1), "{} {}", mate.variant, mate.fen);
        in_two_by_depth_three += u32::from(mate.moves == 2 && found.depth <= 3);
    }
    assert!(in_two_by_depth_three >= 20, "{in_two_by_depth_three} of 40");
}

/// A king and two or three men against a king and one or two.
fn few_men<'r>(rules: &'r Rules, random: &mut ChaCha8Rng) -> Option<Position<'r>> {
    let king = rules.variant().pieces.iter().find(|piece| piece.royal)?.letter;
    let mut letters = vec![Letter::PAWN];
    letters.extend(rules.variant().pieces.iter().map(|piece| piece.letter).filter(|&letter| letter != king));
    let mut men = vec![(Side::White, king), (Side::Black, king)];
    for (side, most) in [(Side::White, 3), (Side::Black, 2)] {
        for _ in 0..random.random_range(most - 1..=most) {
            men.push((side, *letters.choose(random)?));
        }
    }
    random_position(rules, &men, random)
}

/// The lines of `mates.csv` for a game. They are drawn by its key, so that they stay what they are when games are added.
fn make_mates(variant: &Variant) -> Vec<String> {
    let rules = Rules::new(variant);
    let mut seed = [0; 32];
    seed[..variant.key.len()].copy_from_slice(variant.key.as_bytes());
    let mut random = ChaCha8Rng::from_seed(seed);
    let mut left = [EACH; 4];
    let mut lines = Vec::new();
    while let Some(longest) = left.iter().rposition(|&left| left > 0) {
        let Some(position) = few_men(&rules, &mut random) else { continue };
        if position.outcome().is_some() || position.is_check() {
            continue;
        }
        if let Some(moves) = moves_to_win(&position, longest as u32 + 1, &mut 30_000_000)
            && left[moves as usize - 1] > 0
        {
            left[moves as usize - 1] -= 1;
            lines.push(format!("{},{},{moves}", variant.key, position.to_fen()));
        }
    }
    lines
}

/// All of them would take minutes; two stand for the rest.
#[test]
fn the_file_is_what_is_made() {
    let made_of = |only: &[&str]| -> Vec<String> {
        let games = playable().filter(|variant| only.is_empty() || only.contains(&&*variant.key));
        games.flat_map(|variant| make_mates(&variant)).collect()
    };
    if std::env::var_os("WRITE_MATES").is_some() {
        let text = format!("variant,fen,moves\n{}\n", made_of(&[]).join("\n"));
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engine/mates.csv"), text).unwrap();
        return;
    }
    let some = ["chess18", "pmrc"];
    let held: Vec<&str> =
        MATES.lines().filter(|line| some.contains(&line.split(',').next().unwrap_or_default())).collect();
    assert_eq!(made_of(&some), held);
}
