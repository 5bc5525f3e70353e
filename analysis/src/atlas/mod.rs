//! Statistics of an atlas, and the agreement of its scores with those of games.

mod agreement;
mod games;
mod measure;
mod score_curve;
mod statistics;
mod tables;

pub use agreement::Agreement;
pub use games::{AtlasAndGames, JudgedSetups};
pub use measure::AtlasMeasure;
pub use score_curve::ScoredGames;
pub use statistics::{AtlasStatistics, LineAdjustments, MeasureFeatures, MeasureSpread};
pub use tables::{
    judged_table, measure_feature_table, measure_table, write_agreements, write_judged_setups, write_measures,
};
