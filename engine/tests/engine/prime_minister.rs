//! King and prime minister, who moves as bishop and knight, against the lone king: none but the queen mates without the
//! help of any other piece so.

use std::sync::atomic::AtomicBool;

use backrank_engine::{Limits, Score};
use backrank_rules::{Game, Letter, Outcome, Position, Rules, Side, Termination};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::random_position::random_position;
use crate::solver::moves_to_win;
use crate::{engine, position, rules, search};

/// The three pieces on squares drawn at random, White to move and not mating at once.
fn three_men<'r>(rules: &'r Rules, random: &mut ChaCha8Rng) -> Position<'r> {
    let men = [(Side::White, Letter::K), (Side::White, Letter::M), (Side::Black, Letter::K)];
    loop {
        if let Some(position) = random_position(rules, &men, random)
            && moves_to_win(&position, 1, &mut u64::MAX.clone()).is_none()
        {
            return position;
        }
    }
}

/// So many nodes do not see the mate from afar: the evaluation has to lead the bare king to the edge.
#[test]
fn it_mates_within_fifty_moves() {
    let rules = rules("pmrc");
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..6 {
        let mut game = Game::new(three_men(&rules, &mut random));
        // The bare king is defended by the same engine, which sees the mate come as far ahead.
        let mut players = [engine(&rules), engine(&rules)];
        while game.outcome().is_none() {
            let player = &mut players[game.moves().len() % 2];
            let found = player.search(&game, &Limits::of_nodes(40_000), &AtomicBool::new(false), |_| ());
            game.play(found.best.unwrap());
        }
        let mate = Outcome::win(Side::White, Termination::Checkmate);
        assert_eq!(game.outcome(), Some(mate), "{}", game.start());
    }
}

#[test]
fn its_mates_are_found_at_their_distance() {
    let rules = rules("pmrc");
    for (fen, moves) in [
        ("k8/9/1K7/9/3M5/9/9/9/9 w - - 0 1 -", 1),
        ("9/9/9/9/9/4M4/6K2/9/8k w - - 0 1 -", 3),
        ("9/2K6/k8/9/9/4M4/9/9/9 w - - 0 1 -", 3),
    ] {
        let position = position(&rules, fen);
        assert_eq!(moves_to_win(&position, moves, &mut u64::MAX.clone()), Some(moves), "{fen}");
        let limits = Limits { mate: Some(moves), depth: Some(24), ..Limits::default() };
        let found = search(&Game::new(position), &limits);
        assert_eq!(found.score, Score::mate_in(2 * moves as i32 - 1), "{fen}");
    }
}
