//! Piece values by each method.
//!
//! - [`Imbalances`]: games at odds, fitted together as a network, measure what pieces are worth ([`ImbalanceValues`]).
//! - [`Sample`]: a regression on the material of quiet positions observes it ([`RegressionValues`]).
//! - [`mobility()`] calculates it from the rules, and [`published()`] has what others have found.
//!
//! All of them are in a [`Unit`], and become rows of one table ([`ValueRow`], [`value_table`]).
//!
//! ```
//! use backrank_analysis::values::{Unit, mobility};
//! use backrank_rules::{Rules, Variant};
//!
//! let variant = Variant::find("chess")?;
//! let found = mobility(&Rules::new(&variant), 0.3, Unit::usual(&variant)).unwrap();
//! let rook = found.iter().find(|found| found.piece.to_string() == "R").unwrap();
//! assert_eq!(rook.value, 5.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod beside_kind;
mod by_others;
mod comparison;
mod engine_scale;
mod fitted;
mod imbalance_values;
mod imbalances;
mod in_words;
mod interactions;
mod leaper_law;
mod mobility;
mod pair;
mod published;
mod reference;
mod regression;
mod regression_scale;
mod rows;
mod score_by_difference;
mod statements;
mod tables;
mod unit;

pub use beside_kind::{ValueBesideKind, strongest_beside};
pub use by_others::{ValueBesideOthers, ValuesByOthers};
pub(crate) use comparison::estimates_ratio;
pub use comparison::{ComparedValue, compare_values, pooled, value_differences};
pub use engine_scale::engine_centipawns;
pub use imbalance_values::{Imbalance, ImbalancePiece, ImbalanceValues, PawnOfFile, PieceAlone, ValuesAtPly};
pub use imbalances::{Imbalances, PairCounts};
pub(crate) use imbalances::{OUTCOMES, number_of};
pub use in_words::{certainty_in_words, letters_in_words, values_in_words};
pub use interactions::{HeldOutError, Interaction, Interactions, ValueBeside, ValuesBeside};
pub use leaper_law::leaper_law;
pub use mobility::{Mobility, mobility};
pub use pair::PairValue;
pub(crate) use published::publishers_of_pieces;
pub use published::{PublishedValue, PublishedValues, published, published_of};
pub use regression::{PieceValue, RegressionOptions, RegressionValues, Sample};
pub use rows::{ValueRow, pieces_of, value_rows};
pub use score_by_difference::ScoreByDifference;
pub use tables::{
    beside_table, compared_table, fit_table, imbalance_rows, imbalance_table, method_table, mobility_table,
    stage_table, value_table, write_compared_values, write_imbalances, write_positions, write_values,
};
pub use unit::Unit;
