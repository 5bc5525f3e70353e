//! Studies: what is asked, what games start from, and the records of the games.
//!
//! A [`StudySpec`] asks for games; a [`Study`] is one that was checked. It is written to `study.toml` as a [`StudyFile`]. Its
//! [`Starts`] are setups, a [`Book`] of openings, positions of [`RecordedGames`], or nothing where games were imported;
//! [`StudyStarts`] are the positions themselves.
//!
//! A [`StudyDirectory`] holds `games.csv`, with a [`GameRecord`] in each row and the columns of [`GameColumn`], and `scores.csv`,
//! with the [`GameScores`] of each game. Readers check each row against the study. [`GameRecord::positions`] goes through a game.
//!
//! ```
//! use backrank_rules::{Rules, Variant};
//! use backrank_selfplay::study::{SetupChoice, Study, StudySpec, StudyStarts};
//!
//! let chess960 = Variant::find("chess960")?;
//! let mut spec = StudySpec::new(&chess960, SetupChoice::Random(10).into(), "lex", 10);
//! spec.limits.nodes = Some(1_000);
//! spec.give_odds("N:-".parse()?);
//! spec.games = 2;
//! let study = Study::new(spec)?;
//! assert_eq!(study.all_games(), 20);
//! let starts = StudyStarts::of(&study, &Rules::new(&chess960))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
mod other_side;
mod positions;
mod record;
mod recorded;
mod row;
mod schedule;
mod scores;
mod setup_choice;
mod setups;
mod shard;
mod spec;
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
pub use definition::Study;
pub use directory::StudyDirectory;
pub use file::StudyFile;
pub use game_positions::{GamePosition, GamePositions};
pub use games::{GamesReader, GamesWriter};
pub use imported::ImportedGames;
pub use odds::{MissingPawns, Odds};
pub(crate) use other_side::start_of_mover;
pub use other_side::with_other_side_to_move;
pub use record::{Ending, GameRecord, Ratings, SourcePosition};
pub use recorded::RecordedGames;
pub(crate) use row::same;
pub(crate) use schedule::ScheduledGame;
pub use scores::{GameScores, MoveScore, ScoresReader, ScoresWriter};
pub(crate) use setup_choice::narrowed_space;
pub use setup_choice::{SetupChoice, SetupsError};
pub use setups::StudySetups;
pub use shard::Shard;
pub(crate) use spec::OPENING_HASH;
pub use spec::{MoveLimits, Opening, StudySpec, VariantText};
pub use sprt::{Sprt, SprtVerdict};
pub use start_positions::{NoStart, StartsError, StudyStarts};
pub use starts::Starts;
pub use time_control::TimeControl;
