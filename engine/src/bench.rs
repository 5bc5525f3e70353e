//! The positions by which the engine's speed and the fingerprint of its search are measured.

use std::sync::atomic::AtomicBool;

use backrank_rules::{Game, Position, Rules, Variant};
use serde::Deserialize;

use crate::limits::Limits;
use crate::search::{Engine, SearchResult};
use crate::weights::Weights;

/// A position of the benchmark. There are six games, each with a start, an opening and an ending.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct BenchPosition {
    /// The key of a variant of the catalogue.
    pub variant: String,
    /// The position.
    pub fen: String,
    /// The depth to which it is searched, in plies.
    pub depth: u32,
}

#[derive(Deserialize)]
struct BenchFile {
    position: Vec<BenchPosition>,
}

impl BenchPosition {
    /// The size of the table in mebibytes; nodes are comparable only with the same size.
    const MEBIBYTES: usize = 16;

    /// All positions of the benchmark.
    ///
    /// ```
    /// use backrank_engine::BenchPosition;
    ///
    /// let nodes: u64 = BenchPosition::all().iter().map(|position| position.search(3).nodes).sum();
    /// assert!(nodes > 0); // the same in every build and on every machine
    /// ```
    pub fn all() -> Vec<Self> {
        let file: BenchFile = toml::from_str(include_str!("../bench.toml"))
            .expect("the embedded file of positions is well formed");
        file.position
    }

    /// Searches the position to a depth in plies, with a new engine that has no endgame tables.
    pub fn search(&self, depth: u32) -> SearchResult {
        let rules = Rules::new(&Variant::find(&self.variant).expect("a variant of the catalogue"));
        let position = Position::from_fen(&rules, &self.fen).expect("a position of its variant");
        let mut engine = Engine::new(&rules, &Weights::new(&rules), Self::MEBIBYTES);
        engine.search(&Game::new(position), &Limits::of_depth(depth), &AtomicBool::new(false), |_| ())
    }
}
