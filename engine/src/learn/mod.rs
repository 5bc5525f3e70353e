//! Learning the evaluation from positions whose outcome is known: the weights by regression, a net by gradient descent.
//!
//! Both learn from the quiet positions of games ([`QuietPositions`]). Each position has a [`Label`]: the game's result, mixed
//! with the scores of the positions after it ([`TdReturn`]). Both minimise the cross-entropy of the sigmoid of a score. They
//! differ in the model: [`linear`] fits the few hundred weights of the evaluation by Gauss-Newton steps, [`network`] trains
//! a net of a hundred thousand weights by AdamW.
//!
//! Nothing here reads files or knows where games come from.

mod general;
mod label;
pub mod linear;
mod loss;
pub mod network;
mod positions;

pub use general::{GeneralSample, GeneralSampler, describe_game};
pub use label::{Label, TdReturn};
pub use loss::{Losses, best_scale};
pub use positions::{QuietPositions, ScoredGame, nearby_positions};

use loss::{cross_entropy, sigmoid};
