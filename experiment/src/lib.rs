//! Experiments: the games that measure what pieces are worth and which setups are fair, and how they are played.
//!
//! An experiment is a directory of studies of one variant. The directory itself is the study of games from all setups. Each
//! directory below `odds/` and `fixed/` is a study of games at one imbalance: in those of the exploratory sample the imbalances
//! are chosen by the results so far, in those of the confirmatory sample all at once.
//!
//! # Design
//!
//! A [`Design`](design::Design) knows every part that can be played, with its directory, its seed and its study. It divides a
//! number of games among the parts by what is known so far.
//!
//! ```
//! use backrank_experiment::design::{Design, ImbalanceSample, PartId};
//! use backrank_experiment::options::ExperimentOptions;
//! use backrank_rules::{Rules, Variant};
//!
//! let rules = Rules::new(&Variant::find("chess960")?);
//! let options = ExperimentOptions { nodes: Some(300), ..ExperimentOptions::default() };
//! let first = options.first_study(&rules, None)?;
//! let design = Design::new(&rules, first, "R=5".parse()?);
//! let nothing_known = design.known([]);
//! let round = design.round(ImbalanceSample::Exploratory, 1000, &nothing_known);
//! // A fifth of the games is from all setups.
//! assert_eq!((round[0].part, round[0].pairs), (PartId::AllSetups, 200));
//! for allocation in &round[1..4] {
//!     let odds = design.odds(allocation.part).unwrap();
//!     println!("{} pairs at {odds}, in {}", allocation.pairs, design.path(allocation.part));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Playing
//!
//! An [`Experiment`](play::Experiment) is played for a time by [`play_until`](play::Experiment::play_until), or by its
//! [`Plan`](plan::Plan) of a number of games by [`play_plan`](play::Experiment::play_plan). Either can be stopped, and continued
//! later.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use std::time::{Duration, Instant};
//!
//! use backrank_experiment::design::Design;
//! use backrank_experiment::options::ExperimentOptions;
//! use backrank_experiment::play::{Experiment, PlaySettings};
//! use backrank_rules::{Rules, Variant};
//!
//! let directory = tempfile::tempdir()?;
//! let rules = Rules::new(&Variant::find("chess960")?);
//! let first = ExperimentOptions { nodes: Some(5), ..Default::default() }.first_study(&rules, None)?;
//! let settings = PlaySettings::new(&rules, 2);
//! let design = Design::new(&rules, first, "R=5".parse()?);
//! let mut experiment = Experiment::open(directory.path(), design, &settings)?;
//! let end = Instant::now() + Duration::from_millis(100);
//! let played = experiment.play_until(end, &AtomicBool::new(false), &mut |_progress| ())?;
//! experiment.finish()?;
//! assert_eq!(experiment.games(), played);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Clusters
//!
//! The games of each round of a plan can be divided into tasks. A [`Worker`](cluster::Worker) plays a task, on whichever machine
//! that sees the directory; [`gather`](plan::PlannedExperiment::gather) adds the games of finished tasks to the studies, and
//! [`plan_next_round`](plan::PlannedExperiment::plan_next_round) chooses the imbalances of the next round. The studies have the same
//! bytes as if one process had played the plan.
//!
//! # Findings
//!
//! [`find_studies`](studies::find_studies) finds the studies of an experiment; `backrank-analysis` says what they show.

mod error;

pub mod cluster;
pub mod design;
pub mod options;
pub mod pairs;
pub mod pilot;
pub mod plan;
pub mod play;
pub mod rounds;
pub mod studies;

pub use error::{ExperimentError, explained};
