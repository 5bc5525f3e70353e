//! The engine as a chess player sees it: the mates it finds, what it calls a draw, the swaps it does not overlook, and
//! that it always plays the same. Nothing here depends on how much it thinks a position is worth.

mod adjustment;
mod draws;
mod last_piece;
mod limits;
mod mates;
mod prime_minister;
mod random_position;
mod repeatable;
mod solver;

use std::sync::atomic::AtomicBool;

use backrank_engine::{Engine, Limits, SearchResult, Weights};
use backrank_rules::{Game, Move, Position, Rules, Variant, catalogue};

fn rules(key: &str) -> Rules {
    Rules::new(&Variant::find(key).unwrap())
}

fn playable() -> impl Iterator<Item = Variant> {
    catalogue().filter(|variant| !variant.count_only)
}

fn position<'r>(rules: &'r Rules, fen: &str) -> Position<'r> {
    Position::from_fen(rules, fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn engine(rules: &Rules) -> Engine<'_> {
    Engine::new(rules, &Weights::new(rules), 4)
}

/// What an engine that has seen nothing yet finds.
fn search<'r>(game: &Game<'r>, limits: &Limits) -> SearchResult {
    engine(game.position().rules()).search(game, limits, &AtomicBool::new(false), |_| ())
}

/// What it finds of one move alone.
fn search_move<'r>(game: &Game<'r>, played: Move, limits: &Limits) -> SearchResult {
    search(game, &Limits { only: vec![played], ..limits.clone() })
}
