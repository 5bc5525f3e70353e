//! Training the engine's evaluation on the games of studies: the weights ([`tune`]) or a net ([`train`]).

mod games;
mod train;
mod tune;

pub use train::{TrainError, TrainPhase, TrainSettings, train};
pub use tune::{TuneError, TuneSettings, tune};
