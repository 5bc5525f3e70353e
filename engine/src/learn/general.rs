//! What a network for every game learns from: descriptions of a game's pieces, and positions as the network sees them.
//!
//! `engine/nets/general/train.py` trains it.

use backrank_rules::{Position, Rules};

use crate::eval::{EvalCache, Evaluator};
use crate::net::{Descriptions, Inputs};
use crate::weights::Weights;

/// A position as a network sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneralSample {
    /// The inputs from the view of the side to move, and from the other side's: equally many.
    pub inputs: [Vec<u16>; 2],
    /// The output bucket.
    pub bucket: u8,
    /// The score by the engine's weights without the activity of pieces for the side to move, in centipawns, to which a network's score
    /// may be added.
    pub structure: i32,
    /// The score by the engine's weights for the side to move, in centipawns, before the fifty-move rule counts.
    pub score: i32,
}

/// Makes samples of a game's positions.
#[derive(Debug)]
pub struct GeneralSampler {
    evaluator: Evaluator,
    inputs: Inputs,
    cache: EvalCache,
}

impl GeneralSampler {
    /// For a game.
    pub fn new(rules: &Rules) -> Self {
        Self {
            evaluator: Evaluator::new(rules, &Weights::new(rules).without_net()),
            inputs: Inputs::new(rules),
            cache: EvalCache::default(),
        }
    }

    /// A position; `None` where the engine does not ask a network.
    pub fn sample(&mut self, position: &Position<'_>) -> Option<GeneralSample> {
        let [structure, score] = self.evaluator.structure_and_score(position, &mut self.cache)?;
        let mover = position.side_to_move();
        Some(GeneralSample {
            inputs: [mover, mover.other()].map(|side| self.inputs.of(position, side).collect()),
            bucket: self.inputs.bucket(position.occupied().count()) as u8,
            structure,
            score,
        })
    }
}

/// The descriptions of a game's pieces as bytes, all numbers with the lower byte first: the numbers of planes, of squares, and of
/// numbers that describe a plane, a square and a plane on a square (each as 32 bits); what describes the planes, the squares, and each
/// plane on each square (32-bit floating point); the table of each plane, or -1; the cell of each square in a table (32
/// bits).
pub fn describe_game(rules: &Rules) -> Vec<u8> {
    Descriptions::new(rules).to_bytes()
}
