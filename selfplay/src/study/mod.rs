//! Studies: what is asked, and the record of what was played.

mod adjudication;
mod definition;
mod directory;
mod error;
mod games;
mod odds;
mod record;
mod schedule;
mod shard;

pub use adjudication::{Adjudication, DrawRule, ResignRule};
pub use definition::{MoveLimits, Opening, Study, VariantText};
pub use directory::StudyDirectory;
pub use error::StudyError;
pub use games::{GamesReader, GamesWriter};
pub use odds::Odds;
pub use record::{Ending, GameRecord};
pub(crate) use schedule::Place;
pub use shard::Shard;
