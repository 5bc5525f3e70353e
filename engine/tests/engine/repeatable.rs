//! The same moves, scores and nodes each time: with a new engine, with one that has been cleared, and with any number of
//! engines at work at a time. `tests/program/bench.rs` and the continuous integration hold the fingerprint of the whole program
//! against itself.

use std::sync::atomic::AtomicBool;

use backrank_engine::{Engine, Limits, Score};
use backrank_rules::{Game, Move, Position, Rules, Setup};

use crate::{engine, rules};

/// A game against itself: of each move what it was, its score and the nodes it took.
type SearchedMoves = Vec<(Option<Move>, Score, u64)>;

fn start(rules: &Rules) -> Game<'_> {
    let army = rules.variant().armies[0];
    Game::new(Position::new(rules, &Setup { white: army, black: army.reversed() }).unwrap())
}

fn play<'r>(engine: &mut Engine<'r>, rules: &'r Rules) -> SearchedMoves {
    let mut game = start(rules);
    let mut played = SearchedMoves::new();
    // Nodes alone would be the same whatever was searched; a depth that is reached before them is not.
    let limits = Limits { depth: Some(6), nodes: Some(3_000), ..Limits::default() };
    while played.len() < 40 && game.outcome().is_none() {
        let found = engine.search(&game, &limits, &AtomicBool::new(false), |_| ());
        played.push((found.best, found.score, found.nodes));
        game.play(found.best.unwrap());
    }
    played
}

#[test]
fn a_cleared_engine_plays_like_a_new_one() {
    for key in ["chess", "pmrc", "mmcc", "icrc"] {
        let rules = rules(key);
        let first = play(&mut engine(&rules), &rules);
        assert!(first.len() >= 20, "{key}: {first:?}");
        assert_eq!(play(&mut engine(&rules), &rules), first, "{key}");
        let mut old = engine(&rules);
        play(&mut old, &rules);
        // What it remembers of one game would tell in the next: nothing is proved by clearing an empty table.
        assert_ne!(play(&mut old, &rules), first, "{key}");
        old.clear();
        assert_eq!(play(&mut old, &rules), first, "{key}");
    }
}

#[test]
fn games_at_the_same_time_are_the_games_one_after_another() {
    let games = ["modern", "chess960", "crc", "capablanca-random"].map(rules);
    let alone: Vec<SearchedMoves> = games.iter().map(|rules| play(&mut engine(rules), rules)).collect();
    std::thread::scope(|scope| {
        let threads: Vec<_> = games
            .iter()
            .cycle()
            .take(3 * games.len())
            .map(|rules| scope.spawn(|| play(&mut engine(rules), rules)))
            .collect();
        for (thread, alone) in threads.into_iter().zip(alone.iter().cycle()) {
            assert_eq!(thread.join().unwrap(), *alone);
        }
    });
}
