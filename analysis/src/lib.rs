//! Piece values and setup statistics of random-chess games, from recorded studies.
//!
//! A study is a directory that `backrank-selfplay` writes: `study.toml` defines the games, and `games.csv` has a row
//! for each. This crate reads studies, replays every game by the rules, and estimates
//!
//! - **piece values** ([`values`]), by an ordered logit on the material of quiet positions, by matches at material odds and by
//!   mobility;
//! - **setups** ([`setups`]): White's score from each with an interval, whether setups differ by more than chance, and the features
//!   with which the score is associated, also grouped by any columns of the setups;
//! - **atlases** ([`atlas`]): the distribution and the noise of the scores and complexities that search gives setups, the features
//!   with which they are associated, and their agreement with games;
//! - **the report** ([`report`]), a page of HTML with all of this;
//! - **the checkup** ([`checkup`]), a page on what a game is like before it is studied;
//! - **the explorer** ([`explorer`]), a page on which every setup can be found, compared and replayed.
//!
//! Modules import in one direction: [`stats`] knows no other; on it stand [`table`], on that [`games`], and on these [`fit`], which
//! fits models to games; then come [`values`] and [`setups`], and on setups [`atlas`]; [`report`] and [`explorer`] show all of it, [`findings`] fill a report from one
//! reading of games, and [`planner`] says which imbalances to play next.
//!
//! Every estimate has an interval ([`Estimate`](stats::Estimate)) and the number of games behind it. `METHODS.md` beside this
//! crate's source states each method with its formula, its assumptions and its source; simulated studies ([`simulate`]) test that the
//! intervals cover the truth.
//!
//! # From a study to piece values
//!
//! ```no_run
//! use backrank_analysis::fit::Clustering;
//! use backrank_analysis::games::{Sampling, Studies};
//! use backrank_analysis::values::{RegressionOptions, Sample};
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
//! use backrank_analysis::games::Material;
//! use backrank_analysis::values::{Imbalances, Unit};
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
//! use backrank_analysis::setups::{SetupGames, SetupName};
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

pub mod atlas;
pub mod checkup;
mod error;
pub mod explorer;
pub mod findings;
pub mod fit;
pub mod games;
mod page;
pub mod pieces;
pub mod planner;
pub mod report;
pub mod setups;
pub mod sheet;
pub mod simulate;
pub mod stats;
pub mod table;
pub mod values;

pub use error::AnalysisError;
