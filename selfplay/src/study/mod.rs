//! Studies: what is asked, and the record of what was played.

mod adjudication;
mod book;
mod definition;
mod directory;
mod error;
mod games;
mod odds;
mod record;
mod recorded;
mod row;
mod schedule;
mod setup_choice;
mod setups;
mod shard;
mod sprt;
mod starts;
mod time_control;

pub use adjudication::{Adjudication, DrawRule, ResignRule};
pub use book::{Book, BookError, BookOrder};
pub use definition::{MoveLimits, Opening, Study, VariantText};
pub use directory::StudyDirectory;
pub use error::StudyError;
pub use games::{GamesReader, GamesWriter};
pub use odds::{MissingPawns, Odds};
pub use record::{Ending, GameRecord, SourcePosition};
pub use recorded::RecordedGames;
pub(crate) use row::same;
pub(crate) use schedule::Place;
pub use setup_choice::{SetupChoice, SetupsError};
pub use setups::StudySetups;
pub use shard::Shard;
pub use sprt::{Sprt, SprtVerdict};
pub use starts::{StartsError, StudyStarts};
pub use time_control::TimeControl;
