//! An engine for any variant of the random-chess family, which knows nothing but the variant's file.
//!
//! An [`Engine`] is made from [`Rules`](backrank_rules::Rules) and [`Weights`] and searches the position of a
//! [`Game`](backrank_rules::Game) within [`Limits`]. One thread, fixed nodes and a cleared table give the same moves on
//! every machine.
//!
//! A [`Study`] asks for games between two [`Player`]s, the engine or programs that speak UCI; a [`Run`] plays them, and
//! a [`Recorder`] writes them down in a [`StudyDirectory`], from which a run can continue.
#![warn(missing_docs)]

mod eval;
mod limits;
mod player;
mod run;
mod score;
mod search;
mod study;
pub mod uci;
mod weights;

pub use eval::Evaluator;
pub use limits::{Clock, Limits};
pub use player::{BUILTIN, Choice, Player, PlayerError, PlayerSpec, UciOption};
pub use run::{EngineFailure, Played, RecordError, Recorded, Recorder, Run, RunError, Tally, Work};
pub use score::Score;
pub use search::{Engine, Line, NoMemory, Progress, SearchResult};
pub use study::{
    Adjudication, DrawRule, Ending, GameRecord, GamesReader, GamesWriter, MoveLimits, Odds, Opening,
    ResignRule, SetupChoice, SetupsError, Shard, Study, StudyDirectory, StudyError, StudySetups, VariantText,
};
pub use weights::{Tapered, Weights};
