//! Why a command fails, and its exit code.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use backrank_analysis::AnalysisError;
use backrank_analysis::setups::GroupError;
use backrank_analysis::simulate::SimulationError;
use backrank_engine::NoMemory;
use backrank_enumerate::{NotInSpace, SpaceError};
use backrank_experiment::plan::PlanSize;
use backrank_experiment::{ExperimentError, explained};
use backrank_rules::{FenError, FindError, SetupError, VariantError, printable};
use backrank_selfplay::import::ImportError;
use backrank_selfplay::player::PlayerError;
use backrank_selfplay::store::StoreError;
use backrank_selfplay::study::{BookError, InvalidStudy, SetupsError, StartsError};
use parquet::errors::ParquetError;

use super::reproduce::word;

/// Why a command failed.
pub enum Failure {
    /// The user's input is wrong: exit code 2.
    Input(String),
    /// Something else went wrong: exit code 1.
    Other(String),
    /// It was stopped, or another process is doing the work, so running it again can succeed. Exit code 75,
    /// `EX_TEMPFAIL` of sysexits.h, tells job schedulers to try again.
    Again(String),
    /// The reader of the output has gone, as after `| head`. This is not a failure.
    OutputClosed,
}

impl Failure {
    /// Prints the message on stderr and returns the exit code.
    pub fn report(self) -> ExitCode {
        let (message, code) = match self {
            Self::Input(message) => (message, 2),
            Self::Other(message) => (message, 1),
            Self::Again(message) => (message, 75),
            Self::OutputClosed => return ExitCode::SUCCESS,
        };
        // If stderr cannot be written, there is nobody to tell.
        let _ = writeln!(io::stderr(), "error: {}", printable(&message));
        ExitCode::from(code)
    }

    /// A file that could not be written.
    pub fn writing(path: &Path, error: &io::Error) -> Self {
        let text = error.to_string();
        // What follows is the path of the temporary file.
        let what = text.split_once(" at path ").map_or(text.as_str(), |(what, _)| what);
        Self::Other(format!("cannot write {}: {what}", path.display()))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::OutputClosed,
            _ => Self::Other(error.to_string()),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let error = match explained(error) {
            ExperimentError::Study(error) => error,
            error => return error.into(),
        };
        let message = with_advice(&error);
        match error {
            StoreError::Read { .. } | StoreError::Write { .. } | StoreError::Locked(_) => {
                Self::Other(message)
            }
            _ => Self::Input(message),
        }
    }
}

/// What is wrong with a directory, and the command or the option that helps.
fn with_advice(error: &StoreError) -> String {
    let advice = match error {
        StoreError::OtherEngine { .. } => " with -o".to_string(),
        StoreError::OtherOptions { what, .. } => format!(
            "\nTo continue it, give its directory, no variant and no options. To begin another {what}, choose another \
             directory with -o."
        ),
        StoreError::Torn { what, .. } => {
            format!(": the command that began the {what}, with the same options and with -o, writes it again")
        }
        _ => String::new(),
    };
    format!("{error}{advice}")
}

impl From<ExperimentError> for Failure {
    fn from(error: ExperimentError) -> Self {
        let advice = match &error {
            ExperimentError::NoPlan(_) => {
                "; `backrank study … --games N --tasks N` creates one that is".to_string()
            }
            ExperimentError::TornPlan { .. } => " and with -o".to_string(),
            ExperimentError::BegunWithoutPlan(_) | ExperimentError::OtherPlan { .. } => {
                "; choose another directory with -o".to_string()
            }
            ExperimentError::TasksLeft { path, .. } => format!(
                ": `backrank work {path}` plays them here, `backrank cluster {path}` writes a job script, and `backrank gather \
                 {path}` puts them together",
                path = word(path)
            ),
            ExperimentError::NotGathered(path) => format!(
                "; `backrank gather {path}` gathers those of finished tasks while others are played, and `backrank status \
                 {path}` says how far they are and what pieces are worth so far",
                path = word(path)
            ),
            ExperimentError::NotPlanned { path, .. } => {
                format!("; `backrank gather {}` plans it", word(path))
            }
            _ => String::new(),
        };
        match error {
            ExperimentError::Study(error) => error.into(),
            ExperimentError::Setups(error) => error.into(),
            ExperimentError::Starts(error) => error.into(),
            ExperimentError::Analysis(error) => error.into(),
            ExperimentError::Run(error) => Self::Other(error.to_string()),
            ExperimentError::BegunWithoutPlan(path) => Self::Input(format!(
                "{} holds a study without a plan, but --games asks for one{advice}",
                path.display()
            )),
            ExperimentError::OtherPlan { path, begun: PlanSize { games, rounds, tasks }, unit } => {
                Self::Input(format!(
                    "{} holds a study that was planned with --games {games} --rounds {rounds} --tasks {tasks} --unit {unit}, and \
                     a study keeps its plan{advice}",
                    path.display()
                ))
            }
            error => Self::Input(format!("{error}{advice}")),
        }
    }
}

impl From<BookError> for Failure {
    fn from(error: BookError) -> Self {
        match error {
            BookError::Read { .. } => Self::Other(error.to_string()),
            BookError::Over { .. } => Self::Input(format!("{error}; --opening-plies takes fewer of them")),
            _ => Self::Input(error.to_string()),
        }
    }
}

impl From<SetupsError> for Failure {
    fn from(error: SetupsError) -> Self {
        Self::Input(match error {
            SetupsError::InCheck { .. } => {
                format!("{error}, or give --skip-checks, which leaves them out and says how many")
            }
            error => error.to_string(),
        })
    }
}

impl From<FindError> for Failure {
    fn from(error: FindError) -> Self {
        const KNOWN: &str = "`backrank variants` lists them, and a path to a variant file works too";
        Self::Input(match &error {
            FindError::Unknown { nearest, .. } if nearest.is_empty() => format!("{error}; {KNOWN}"),
            FindError::Unknown { .. } => format!("{error} ({KNOWN})"),
            _ => error.to_string(),
        })
    }
}

impl From<StartsError> for Failure {
    fn from(error: StartsError) -> Self {
        match error {
            StartsError::Setups(error) => error.into(),
            StartsError::Book(error) => error.into(),
            StartsError::Recorded(error) => error.into(),
        }
    }
}

impl From<ImportError> for Failure {
    fn from(error: ImportError) -> Self {
        match error {
            ImportError::Study(error) => error.into(),
            ImportError::Read { .. } | ImportError::Stopped => Self::Other(error.to_string()),
            _ => Self::Input(error.to_string()),
        }
    }
}

impl From<AnalysisError> for Failure {
    fn from(error: AnalysisError) -> Self {
        match error {
            AnalysisError::Study(error) => error.into(),
            _ => Self::Input(error.to_string()),
        }
    }
}

impl From<PlayerError> for Failure {
    fn from(error: PlayerError) -> Self {
        match error {
            PlayerError::Memory(error) => error.into(),
            _ => Self::Input(error.to_string()),
        }
    }
}

impl From<ParquetError> for Failure {
    fn from(error: ParquetError) -> Self {
        match error {
            ParquetError::External(error) => match error.downcast::<io::Error>() {
                Ok(error) => Self::from(*error),
                Err(error) => Self::Other(error.to_string()),
            },
            error => Self::Other(error.to_string()),
        }
    }
}

impl From<NoMemory> for Failure {
    fn from(error: NoMemory) -> Self {
        Self::Other(format!("{error}; give a smaller --hash"))
    }
}

macro_rules! wrong_input {
    ($($error:ty),*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::Input(error.to_string())
            }
        })*
    };
}

wrong_input!(
    FenError,
    GroupError,
    InvalidStudy,
    NotInSpace,
    SetupError,
    SimulationError,
    SpaceError,
    VariantError
);
