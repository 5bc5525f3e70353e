//! A queen or a prime minister against a bishop or a knight: won, but by a mate that no search of few nodes sees.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use backrank_endgames::EndgameTables;
use backrank_engine::Limits;
use backrank_rules::{Game, Outcome, Side, Termination};

use crate::{engine, position, rules};

/// All that the defender has left is one piece, which keeps checks from leading anywhere: the own king has to come near.
#[test]
fn it_wins_against_a_last_piece() {
    let rules = rules("pmrc");
    let tables = Arc::new(EndgameTables::three_men(&rules));
    for fen in [
        "9/8Q/9/9/6kn1/9/1K7/9/9 w - - 0 1 -",
        "9/9/7b1/3k5/1Q7/9/K8/9/9 w - - 0 1 -",
        "9/9/9/3K1Q3/9/9/6b2/3k5/9 w - - 0 1 -",
        "3K5/9/M4n3/9/9/9/9/1k7/9 w - - 0 1 -",
        "9/b8/9/9/9/7K1/9/9/k1M6 w - - 0 1 -",
        "k8/2b6/9/9/6M2/1K7/9/9/9 w - - 0 1 -",
    ] {
        let mut game = Game::new(position(&rules, fen));
        let mut player = engine(&rules).with_tables(Some(Arc::clone(&tables)));
        while game.outcome().is_none() {
            let found = player.search(&game, &Limits::of_nodes(300), &AtomicBool::new(false), |_| ());
            game.play(found.best.unwrap());
        }
        let mate = Outcome::win(Side::White, Termination::Checkmate);
        assert_eq!(game.outcome(), Some(mate), "{fen}");
    }
}
