//! Self-play and studies for any variant of the random-chess family.
//!
//! # Playing studies
//!
//! A [`Study`] defines the games: the setups, the players, the limits for each move, the seed. Two [`Player`]s play
//! them, each of which is the engine or a program that speaks UCI. A [`Run`] plays several games at a time, and a
//! [`Recorder`] records them in the order of their numbers in a [`StudyDirectory`], from which a run can continue. The
//! same study gives the same bytes, whatever the number of threads, shards or interruptions.
//!
//! [`GamesReader`] reads the games, each as a [`GameRecord`].
//!
//! # Clusters
//!
//! A [`Study`] can hold a [`Plan`] of tasks. A [`Worker`] plays a task, in its own directory until it is finished, and
//! [`PlannedStudy::gather`] combines finished tasks. Workers can run on several machines with a shared file system,
//! where a job scheduler starts and kills them.
//!
//! # Judging setups
//!
//! An [`Atlas`] judges every setup of a space by search: White's score, the best moves, and the [`Complexity`] of the
//! line of best play. An [`AtlasRun`] judges several setups at a time; an [`AtlasDirectory`] holds the rows, and a run
//! can continue from there.
//!
mod atlas;
mod cluster;
mod pgn;
mod play;
mod player;
pub mod store;
mod study;
mod training;

pub use atlas::{
    Atlas, AtlasDirectory, AtlasProgress, AtlasReader, AtlasRecorder, AtlasRow, AtlasRun, AtlasWriter,
    Complexity, ScoreCurve,
};
pub use cluster::{
    ALL_SETUPS, Gathered, GatheredStudy, LockHolder, MOST_PLANNED_GAMES, MOST_ROUNDS, MOST_TASKS,
    NotGathered, PairResults, PartPath, Plan, PlannedPart, PlannedStudy, TASKS, TaskPart, TaskRecord,
    TaskRecordPart, TaskResults, TaskState, USUAL_HEARTBEAT, WorkError, Worked, Worker,
};
pub use pgn::{ImportError, ImportOptions, Imported, Importer, LeftOut, Rejection};
pub use play::{
    EngineFailure, MOST_THREADS, Played, RecordError, Recorded, Recorder, Run, RunError, Tally, Work,
};
pub use player::{BUILTIN, Choice, Player, PlayerError, PlayerSpec, UciOption, fingerprint, kill_engines};
pub use store::{
    Definition, Directory, Kind, RecordRow, RowsWriter, StudyError, check_below, make_below, open_inside,
};
pub use study::{
    Adjudication, Book, BookError, BookFormat, BookOrder, ColumnOwner, ColumnValue, DEEPEST, DrawRule,
    Ending, GameColumn, GamePosition, GamePositions, GameRecord, GameScores, GamesReader, GamesWriter,
    ImportedGames, InvalidStudy, LARGEST_HASH, LATEST_PLY, LONGEST_MOVE, MOST_CENTIPAWNS, MOST_OPENING_PLIES,
    MissingPawns, MoveLimits, MoveScore, NoStart, Odds, Opening, OutOfRange, Ratings, RecordedGames,
    ResignRule, ScoresReader, ScoresWriter, SetupChoice, SetupsError, Shard, SourcePosition, Sprt,
    SprtVerdict, Starts, StartsError, Study, StudyDirectory, StudyFile, StudySetups, StudySpec, StudyStarts,
    TimeControl, VariantText,
};
pub use training::{TrainError, TrainPhase, TrainSettings, TuneError, TuneSettings, train, tune};
