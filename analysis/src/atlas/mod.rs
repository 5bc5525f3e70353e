//! Statistics of an atlas, and the agreement of its scores with those of games.
//!
//! An atlas has a score and a complexity for each setup of a game, found by search. [`AtlasStatistics`] has the distribution of each
//! [`AtlasMeasure`], how much of it is noise ([`Agreement`] between a setup and its reflection, and between few and many nodes), and
//! the features of setups that go with it. [`Judgements`] has what is known of each setup: two searches of the same game are
//! averaged, and all drawn to the mean by the [`Reliability`] of the measure. [`JudgedSetups`] looks setups up by their ranks and compares their scores with those of
//! games; [`ScoredGames`] fits the curve from centipawns to expected scores.
//!
//! ```no_run
//! use std::path::Path;
//!
//! use backrank_analysis::atlas::{AtlasStatistics, Judgements};
//! use backrank_rules::Variant;
//! use backrank_selfplay::atlas::AtlasDirectory;
//!
//! let path = Path::new("data/atlas/chess960");
//! let judgements = Judgements::read(path, &AtlasDirectory::read(path)?)?;
//! for found in AtlasStatistics::of(&Variant::find("chess960")?, &judgements).measures {
//!     println!("{}: {:.1} in the mean", found.measure, found.spread.mean.value);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agreement;
mod games;
mod in_words;
mod judgement;
mod measure;
mod reliability;
mod score_curve;
mod statistics;
mod tables;

pub use agreement::Agreement;
pub use games::{AtlasAndGames, JudgedSetups};
pub use judgement::{Judgements, REPEAT};
pub use measure::AtlasMeasure;
pub use reliability::{Reliability, SecondSearch};
pub use score_curve::ScoredGames;
pub use statistics::{AtlasStatistics, LineAdjustments, MeasureFeatures, MeasureSpread};
pub use tables::{
    judged_table, measure_feature_table, measure_table, reliability_table, write_agreements,
    write_judged_setups, write_measures,
};
