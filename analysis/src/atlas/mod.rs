//! What an atlas says of a game's setups, and how its scores and those of games agree.

mod agreement;
mod games;
mod measure;
mod score_curve;
mod statistics;

pub use agreement::Agreement;
pub use games::{AtlasAndGames, JudgedSetups};
pub use measure::AtlasMeasure;
pub use score_curve::ScoredGames;
pub use statistics::{AtlasStatistics, LineAdjustments, MeasureFeatures, MeasureSpread};
