//! Studies: their definitions, and the records of their games.

mod adjudication;
mod book;
mod checks;
mod columns;
mod definition;
mod directory;
mod file;
mod game_positions;
mod games;
mod imported;
mod known_engines;
mod odds;
mod positions;
mod record;
mod recorded;
mod row;
mod schedule;
mod scores;
mod setup_choice;
mod setups;
mod shard;
mod sprt;
mod start_positions;
mod starts;
mod time_control;
mod variant_file;

pub use adjudication::{Adjudication, DrawRule, ResignRule};
pub use book::{Book, BookError, BookFormat, BookOrder};
pub(crate) use checks::within;
pub use checks::{
    DEEPEST, InvalidStudy, LARGEST_HASH, LATEST_PLY, LONGEST_MOVE, MOST_CENTIPAWNS, MOST_OPENING_PLIES,
    OutOfRange,
};
pub use columns::{ColumnOwner, ColumnValue, GameColumn};
pub(crate) use definition::OPENING_HASH;
pub use definition::{MoveLimits, Opening, Study, StudySpec, VariantText};
pub use directory::StudyDirectory;
pub use file::StudyFile;
pub use game_positions::{GamePosition, GamePositions};
pub use games::{GamesReader, GamesWriter};
pub use imported::ImportedGames;
pub use odds::{MissingPawns, Odds};
pub use record::{Ending, GameRecord, Ratings, SourcePosition};
pub use recorded::RecordedGames;
pub(crate) use row::same;
pub(crate) use schedule::Place;
pub use scores::{GameScores, MoveScore, ScoresReader, ScoresWriter};
pub(crate) use setup_choice::narrowed_space;
pub use setup_choice::{SetupChoice, SetupsError};
pub use setups::StudySetups;
pub use shard::Shard;
pub use sprt::{Sprt, SprtVerdict};
pub use start_positions::{NoStart, StartsError, StudyStarts};
pub use starts::Starts;
pub use time_control::TimeControl;
