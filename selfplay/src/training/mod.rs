//! Training the engine's evaluation on the games of studies: the weights ([`tune`]) or a net ([`train`]); and what it takes pieces to be worth
//! ([`added_scores`]).

mod games;
mod playouts;
mod train;
mod tune;
mod worth;

pub use playouts::{Outcome, Playouts};
pub use train::{TrainError, TrainPhase, TrainSettings, train};
pub use tune::{TuneError, TuneSettings, tune};
pub use worth::added_scores;
