//! Why an experiment cannot be planned, played or gathered.

use std::path::PathBuf;

use backrank_analysis::AnalysisError;
use backrank_enumerate::SpaceError;
use backrank_rules::VariantError;
use backrank_selfplay::play::{RecordError, RunError};
use backrank_selfplay::store::StoreError;
use backrank_selfplay::study::{InvalidStudy, SetupsError, StartsError};
use thiserror::Error;

use crate::plan::{PlanSize, PlannedExperiment};

/// What is wrong with an experiment.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// The directory or a file of one of its studies.
    #[error(transparent)]
    Study(#[from] StoreError),
    /// What is asked cannot be played.
    #[error(transparent)]
    Invalid(#[from] InvalidStudy),
    /// The setups of its studies.
    #[error(transparent)]
    Setups(#[from] SetupsError),
    /// The starts of its games.
    #[error(transparent)]
    Starts(#[from] StartsError),
    /// Its variant.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// The space of its variant.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// Its games cannot be played or recorded.
    #[error(transparent)]
    Run(#[from] RunError<RecordError>),
    /// Its games cannot be analysed.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// The directory holds a study whose games are not planned, or not divided into tasks.
    #[error("{} holds a study that is not divided into tasks", .0.display())]
    NoPlan(PathBuf),
    /// The plan is not valid.
    #[error("{} is not a plan: {problem}", path.display())]
    Plan {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A crash has damaged the plan.
    #[error(
        "{} is not a plan: {problem}; a crash may have damaged it: the command that began the experiment writes it again, with the same \
         options", path.display()
    )]
    TornPlan {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A plan of this size is not possible.
    #[error("{0}")]
    PlanSize(String),
    /// An experiment without a plan was to be continued with one.
    #[error("{} holds an experiment that was begun without a number of games; choose another directory for one with it", .0.display())]
    BegunWithoutPlan(PathBuf),
    /// An experiment was to be continued with another plan.
    #[error(
        "{} holds an experiment that was planned with {} games in {} rounds and {} tasks, and values with {unit}; an \
         experiment keeps its plan", path.display(), begun.games, begun.rounds, begun.tasks
    )]
    OtherPlan {
        /// The directory.
        path: PathBuf,
        /// The size of its plan.
        begun: PlanSize,
        /// The unit of its plan.
        unit: String,
    },
    /// Games of a plan with tasks are missing, which one process alone does not play.
    #[error("{} is planned in {tasks} tasks, of which not all are gathered", path.display())]
    TasksLeft {
        /// The directory.
        path: PathBuf,
        /// The number of tasks.
        tasks: u64,
    },
    /// A part of the plan is not one that this game has.
    #[error("{}: the plan has {part}, which is not an imbalance of this game", path.display())]
    UnknownPart {
        /// The directory.
        path: PathBuf,
        /// The part's directory.
        part: String,
    },
    /// The tasks may have games, but none have been gathered.
    #[error("{} has no games that are gathered", .0.display())]
    NotGathered(PathBuf),
    /// There is no task with this number.
    #[error("{} has no task {task}; its tasks are 1 to {tasks}", path.display())]
    NoTask {
        /// The directory.
        path: PathBuf,
        /// The number of the task that was asked for.
        task: u64,
        /// The number of tasks.
        tasks: u64,
    },
    /// The games of the task have not been planned yet.
    #[error(
        "task {task} of {} is of round {round}, which is planned when the round before it is finished",
        path.display()
    )]
    NotPlanned {
        /// The directory.
        path: PathBuf,
        /// The number of the task.
        task: u64,
        /// Its round.
        round: u64,
    },
    /// The files that a task wrote are not valid.
    #[error("{}: {problem}", path.display())]
    Task {
        /// The file or directory.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The files of a finished task are damaged.
    #[error("{}: {problem}; the next worker plays the task again", path.display())]
    DamagedTask {
        /// The file or directory.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
}

/// Explains an error about a study. If the study has no games because those of an experiment's tasks are not gathered, the error
/// says so.
pub fn explained(error: StoreError) -> ExperimentError {
    match error {
        StoreError::NoRows { path, .. } if PlannedExperiment::open_with_tasks(&path).is_ok() => {
            ExperimentError::NotGathered(path)
        }
        error => error.into(),
    }
}
