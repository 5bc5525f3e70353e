//! The atlas: a judgement of every setup of a space by search.

mod complexity;
mod definition;
mod directory;
mod judge;
mod reader;
mod recorder;
mod row;
mod run;
mod score_curve;

pub use complexity::Complexity;
pub use definition::Atlas;
pub use directory::AtlasDirectory;
pub use reader::AtlasReader;
pub use recorder::{AtlasProgress, AtlasRecorder};
pub use row::{AtlasRow, AtlasWriter};
pub use run::AtlasRun;
pub use score_curve::ScoreCurve;
