//! The atlas: a judgement of every setup of a space by search.
//!
//! An [`Atlas`] says which setups are judged, and how: the nodes, the engine, the [`ScoreCurve`] that makes an expected score of
//! centipawns. An [`AtlasRun`] judges several setups at a time: White's score, the best moves, and the [`Complexity`] of the line
//! of best play. Another engine may judge instead of the embedded one ([`JudgingEngine`]). An [`AtlasRecorder`] writes the rows into an [`AtlasDirectory`], from which a run can continue, and an
//! [`AtlasReader`] reads them.

mod complexity;
mod definition;
mod directory;
mod engine;
mod judge;
mod reader;
mod recorder;
mod row;
mod run;
mod score_curve;
mod searcher;
mod walk;

pub use complexity::Complexity;
pub use definition::Atlas;
pub use directory::AtlasDirectory;
pub use engine::JudgingEngine;
pub use reader::AtlasReader;
pub use recorder::{AtlasProgress, AtlasRecorder};
pub use row::{AtlasRow, AtlasWriter};
pub use run::AtlasRun;
pub use score_curve::ScoreCurve;
