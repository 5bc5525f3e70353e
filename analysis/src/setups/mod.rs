//! Setups: White's score from each, how much of the variation is chance, and which features it is associated with.

mod adjustments;
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
