//! An engine, self-play and studies for any variant of the random-chess family.
//!
//! The engine knows only the variant's file: its evaluation is derived from the board, the pieces' moves and the
//! material values there. One thread, fixed nodes and a cleared table give the same moves on every machine.
//!
//! # Searching
//!
//! An [`Engine`] is made from [`Rules`](backrank_rules::Rules) and [`Weights`]. It searches the position of a
//! [`Game`](backrank_rules::Game), which knows the moves before, within [`Limits`]: nodes, depth, time or a clock, and
//! the number of lines to find.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use backrank_rules::{Game, Position, Rules, Variant};
//! use backrank_selfplay::{Engine, Limits, Weights};
//!
//! let rules = Rules::new(&Variant::find("chess960")?);
//! let position = Position::from_fen(&rules, "6k1/5ppp/8/8/8/8/5PPP/1R4K1 w - - 0 1")?;
//! let mut engine = Engine::new(&rules, &Weights::new(&rules), 1); // a table of 1 MiB
//! let limits = Limits { lines: 2, ..Limits::of_nodes(1_000) };
//! let found = engine.search(&Game::new(position), &limits, &AtomicBool::new(false), |progress| {
//!     assert!(progress.depth > 0);
//! });
//! assert_eq!(position.notation(found.best.unwrap()), "Rb8#");
//! assert_eq!(found.score.to_string(), "mate 1");
//! assert!(found.others[0].score < found.score);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With [endgame tables](backrank_endgames::EndgameTables) positions of few men are scored exactly:
//! [`Engine::with_tables`]. [`uci`] lets any program that speaks the Universal Chess Interface use the engine.
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
//! # Speed
//!
//! Build for processors with AVX2 (`RUSTFLAGS="-C target-cpu=x86-64-v3"`): the evaluation processes both sides at once
//! in 256 bits. Without AVX2 the same code works on two 128-bit halves. [`BenchPosition`] has the positions with which
//! speed is measured.

mod atlas;
mod bench;
mod cluster;
pub mod durable;
mod eval;
mod limits;
mod memory;
mod net;
mod pgn;
mod player;
mod run;
mod score;
mod search;
mod study;
mod train;
mod tune;
pub mod uci;
mod weights;

pub use atlas::{
    Atlas, AtlasDirectory, AtlasProgress, AtlasReader, AtlasRecorder, AtlasRow, AtlasRun, AtlasWriter,
    Complexity, ScoreCurve,
};
pub use bench::BenchPosition;
pub use cluster::{
    ALL_SETUPS, Gathered, GatheredStudy, LockHolder, MOST_PLANNED_GAMES, MOST_ROUNDS, MOST_TASKS,
    NotGathered, PairResults, PartPath, Plan, PlannedPart, PlannedStudy, TASKS, TaskPart, TaskRecord,
    TaskRecordPart, TaskResults, TaskState, USUAL_HEARTBEAT, WorkError, Worked, Worker,
};
pub use eval::Evaluator;
pub use limits::{Clock, Limits};
pub use memory::available_mebibytes;
pub use net::{Net, NetError};
pub use pgn::{ImportError, ImportOptions, Imported, Importer, LeftOut, Rejection};
pub use player::{BUILTIN, Choice, Player, PlayerError, PlayerSpec, UciOption, fingerprint, kill_engines};
pub use run::{
    EngineFailure, MOST_THREADS, Played, RecordError, Recorded, Recorder, Run, RunError, Tally, Work,
};
pub use score::Score;
pub use search::{Engine, Line, NoMemory, Progress, SearchResult};
pub use study::{
    Adjudication, Book, BookError, BookFormat, BookOrder, Continued, DEEPEST, DrawRule, Ending, GameRecord,
    GameScores, GamesReader, GamesWriter, ImportedGames, LARGEST_HASH, LATEST_PLY, LONGEST_MOVE,
    MOST_CENTIPAWNS, MOST_OPENING_PLIES, MissingPawns, MoveLimits, MoveScore, NoStart, Odds, Opening,
    Ratings, RecordRow, RecordedGames, ResignRule, RowsWriter, ScoresReader, ScoresWriter, SetupChoice,
    SetupsError, Shard, SourcePosition, Sprt, SprtVerdict, StartsError, Study, StudyDirectory, StudyError,
    StudySetups, StudyStarts, TimeControl, VariantText, check_below, make_below, open_inside,
};
pub use train::{Lesson, PredictionOfNet, TrainError, TrainSettings, Trained, train};
pub use tune::{Losses, Prediction, TuneError, TuneSettings, Tuned, tune};
pub use weights::{Tapered, Weights};
