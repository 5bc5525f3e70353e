//! Piece values and setup statistics of random-chess games, from recorded studies.
//!
//! A study is a directory that `backrank-selfplay` writes: `study.toml` defines the games, and `games.csv` has a row
//! for each. This crate reads studies, replays every game by the rules, and estimates
//!
//! - **piece values**, by an ordered logit on the material of quiet positions ([`Sample`], [`RegressionValues`]), by
//!   matches at material odds ([`Imbalances`]) and by mobility ([`mobility()`]);
//! - **setups**: White's score from each with an interval, whether setups differ by more than chance, and the features
//!   with which the score is associated ([`SetupGames`], [`SetupStatistics`]), also grouped by any columns of the
//!   setups ([`SetupGroups`]);
//! - **atlases**: the distribution and the noise of the scores and complexities that search gives setups, the features
//!   with which they are associated, and their agreement with games ([`AtlasStatistics`], [`JudgedSetups`]);
//! - **the report**, a page of HTML with all of this ([`Report`]);
//! - **the explorer**, a page on which every setup can be found, compared and replayed ([`Explorer`]).
//!
//! Every estimate has an interval ([`Estimate`]) and the number of games behind it. `METHODS.md` beside this crate's source
//! states each method with its formula, its assumptions and its source; simulated studies ([`Simulation`]) test that the
//! intervals cover the truth.
//!
//! # From a study to piece values
//!
//! ```no_run
//! use backrank_analysis::{Clustering, RegressionOptions, Sample, Sampling, Studies};
//!
//! let studies = Studies::open(&["runs/all".into()])?;
//! let mut sample = Sample::new(&studies.material, Clustering::Game);
//! studies.read(Sampling::default(), &mut |_bytes| (), &mut |game| sample.add(&game))?;
//! for piece in sample.values(RegressionOptions::default(), &|_replicate| ()).pieces {
//!     if let Some(pawns) = piece.pawns {
//!         println!("{}: {pawns:.2} pawns", piece.piece);
//!     }
//! }
//! # Ok::<(), backrank_analysis::AnalysisError>(())
//! ```
//!
//! # Games without a study
//!
//! The estimators also take bare counts. A match at the odds of a knight and one at the odds of a pawn, given as the
//! results of the side with the piece in pairs of games, determine the knight's value in pawns:
//!
//! ```
//! use backrank_analysis::{Imbalances, Material, Unit};
//! use backrank_rules::{Rules, Variant};
//!
//! let rules = Rules::new(&Variant::find("chess")?);
//! let mut matches = Imbalances::new(&Material::of(&rules));
//! // Lost, drawn and won as White, and with each of these as Black.
//! matches.add_pairs(&"P:-".parse()?, [[30, 10, 20], [10, 60, 40], [20, 30, 90]]);
//! matches.add_pairs(&"N:-".parse()?, [[5, 5, 10], [5, 20, 40], [10, 40, 175]]);
//! let values = matches.values(Unit::PAWNS);
//! let knight = values.pieces.iter().find(|found| found.piece.to_string() == "N").unwrap();
//! let pawns = knight.value.unwrap();
//! assert!(pawns.interval.contains(pawns.value) && pawns.value > 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! White's score from setups needs their ids, ranks and results:
//!
//! ```
//! use backrank_analysis::{SetupGames, SetupName};
//! use backrank_rules::Variant;
//!
//! let mut games = SetupGames::default();
//! for (id, rank, results) in [(518, "RNBQKBNR", [55, 20, 25]), (534, "RNBKQBNR", [45, 30, 25])] {
//!     let name = SetupName { id, white: rank.to_string(), black: rank.to_string() };
//!     games.add_results(&name, results);
//! }
//! let variant = Variant::find("chess960")?;
//! let by_queen = games.grouped(&variant, &["queen".to_string()])?;
//! assert_eq!(by_queen.groups.len(), 2);
//! assert_eq!(by_queen.groups[0].score.value, 0.65);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod atlas;
mod error;
mod explorer;
mod findings;
mod fit;
mod games;
mod planner;
mod report;
mod setups;
mod simulate;
mod stats;
mod table;
mod values;

pub use atlas::*;
pub use error::AnalysisError;
pub use explorer::*;
pub use findings::*;
pub use fit::{Clustering, Model};
pub use games::*;
pub use planner::*;
pub use report::Report;
pub use setups::*;
pub use simulate::*;
pub use stats::*;
pub use table::*;
pub use values::*;
