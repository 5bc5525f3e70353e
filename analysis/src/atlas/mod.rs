//! Statistics of an atlas, and the agreement of its scores with those of games.
//!
//! An atlas has a score and a complexity for each setup of a game, found by search. [`AtlasStatistics`] has the distribution of each
//! [`AtlasMeasure`], how much of it is noise ([`Agreement`] between a setup and its reflection, and between few and many nodes), and
//! the features of setups that go with it. [`JudgedSetups`] looks setups up by their ranks and compares their scores with those of
//! games; [`ScoredGames`] fits the curve from centipawns to expected scores.
//!
//! ```no_run
//! use std::path::Path;
//!
//! use backrank_analysis::atlas::AtlasStatistics;
//! use backrank_rules::Variant;
//! use backrank_selfplay::atlas::{AtlasDirectory, AtlasRow};
//!
//! let path = Path::new("data/atlas/chess960");
//! let atlas = AtlasDirectory::read(path)?;
//! let rows: Vec<AtlasRow> = AtlasDirectory::read_rows(path, &atlas)?.collect::<Result<_, _>>()?;
//! for found in AtlasStatistics::of(&Variant::find("chess960")?, &rows).measures {
//!     println!("{}: {:.1} in the mean", found.measure, found.spread.mean.value);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
