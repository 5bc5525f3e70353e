//! Setups: White's score from each, how much of the variation is chance, and which features it is associated with.
//!
//! [`SetupGames`] collects games by their setups. [`SetupGames::statistics`] has White's score from each setup, its interval and its
//! false discovery rate, whether setups differ at all ([`Dispersion`]) and by how much ([`Shrinkage`]), the [`Features`] that go with
//! the score, the use of the Bishop Adjustment, and how games ended. [`SetupGames::grouped`] groups the games by any columns of their
//! setups. Each has its table: [`score_table`], [`feature_table`], [`group_table`] and others.
//!
//! ```
//! use backrank_analysis::setups::{SetupGames, SetupName, SetupOptions};
//! use backrank_rules::Variant;
//!
//! let mut games = SetupGames::default();
//! for (id, rank, results) in [(518, "RNBQKBNR", [55, 20, 25]), (534, "RNBKQBNR", [45, 30, 25])] {
//!     games.add_results(&SetupName { id, white: rank.to_string(), black: rank.to_string() }, results);
//! }
//! let found = games.statistics(&Variant::find("chess960")?, SetupOptions::default()).unwrap();
//! assert_eq!((found.games, found.score.value), (200, 0.625));
//! assert!(found.setups[0].shrunk.unwrap().value < found.setups[0].score.value);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod adjustments;
mod armies;
#[cfg(feature = "groups")]
mod column;
mod dispersion;
mod endings;
mod features;
mod games;
#[cfg(feature = "groups")]
mod groups;
mod histogram;
mod name;
mod options;
mod rank_features;
mod score;
mod shrinkage;
mod significance;
mod statistics;
mod tables;
mod tally;

pub use adjustments::{AdjusterResults, AdjustmentUse, PartnerUse};
pub use armies::{ArmyMatch, ArmyRatings};
#[cfg(feature = "groups")]
pub use column::SetupColumn;
pub use dispersion::Dispersion;
pub use endings::{EndingResults, Lengths};
pub use features::{FeatureEffect, Features};
pub(crate) use features::{SetupMean, least_squares};
pub use games::SetupGames;
#[cfg(feature = "groups")]
pub use groups::{GroupError, GroupKey, SetupGroup, SetupGroups};
pub use histogram::ScoreHistogram;
pub use name::SetupName;
pub use options::SetupOptions;
pub(crate) use rank_features::{Description, RankFeatures};
pub use score::ScoreSpread;
pub use shrinkage::Shrinkage;
pub use statistics::{SetupScore, SetupStatistics};
pub(crate) use tables::effect_table;
pub use tables::{
    adjusting_table, ending_table, feature_table, partner_table, score_table, write_adjustments,
    write_features, write_histogram, write_setups,
};
#[cfg(feature = "groups")]
pub use tables::{group_table, write_groups};
