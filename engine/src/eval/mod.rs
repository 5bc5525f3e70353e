//! Static evaluation.
//!
//! The files import each other in one direction: `packed`, `geometry`, `phase` and `inputs` know no other; from them come `prepared`
//! and `pawns`, from these the [`Evaluator`]; each file of terms adds methods to it, `evaluate` adds the terms up, and `features`
//! takes them apart again.

mod attacks;
mod balance;
mod bare_king;
mod danger;
mod evaluate;
mod evaluator;
mod features;
mod fifty_moves;
mod geometry;
mod inputs;
mod last_piece;
mod packed;
mod pawns;
mod phase;
mod prepared;
mod threats;
mod winnable;

pub(crate) use evaluate::{EvalCache, EvalState};
pub use evaluator::Evaluator;
pub(crate) use features::{EvalFeatures, FeatureExtractor};
pub(crate) use fifty_moves::fifty_move_scale;
pub(crate) use inputs::{DANGER_INPUTS, HARDLY_WINNABLE, MAX_DANGER, MAX_WINNABLE, WINNABLE_INPUTS};
