//! The file of the plan, `plan.toml` in the directory of the experiment.

use std::path::{Path, PathBuf};

use backrank_selfplay::store::{
    StoreError, check_below, is_there, is_torn, make_below, read_toml, write_whole,
};
use backrank_selfplay::study::{Study, StudyDirectory};

use super::Plan;
use crate::cluster::TASKS;
use crate::error::ExperimentError;

/// The name of the file.
const PLAN: &str = "plan.toml";

/// An experiment with a plan.
#[derive(Clone, Debug)]
pub struct PlannedExperiment {
    /// Its directory.
    pub path: PathBuf,
    /// The study of the games from all setups.
    pub study: Study,
    /// The plan.
    pub plan: Plan,
}

impl PlannedExperiment {
    /// Writes this experiment to its directory, which must hold none.
    ///
    /// # Errors
    ///
    /// When the directory holds a study or an atlas, is in use by another run, or cannot be written.
    pub fn create(&self) -> Result<(), ExperimentError> {
        // The study comes last, so there is no study whose plan is missing.
        StudyDirectory::create_sharing_variant(&self.path, &self.study, || self.write_plan())?;
        Ok(())
    }

    /// Reads the experiment in a directory.
    ///
    /// # Errors
    ///
    /// When there is no study, or no valid plan.
    pub fn open(path: &Path) -> Result<Self, ExperimentError> {
        let study = StudyDirectory::read(path)?;
        let plan = Plan::read(path, &study)?.ok_or_else(|| ExperimentError::NoPlan(path.to_path_buf()))?;
        let planned = Self { path: path.to_path_buf(), study, plan };
        planned.check_directories()?;
        Ok(planned)
    }

    /// The same, if the games are divided into tasks.
    ///
    /// # Errors
    ///
    /// When there is no study, no valid plan, or one without tasks.
    pub fn open_with_tasks(path: &Path) -> Result<Self, ExperimentError> {
        let planned = Self::open(path)?;
        if planned.plan.tasks == 0 { Err(ExperimentError::NoPlan(path.to_path_buf())) } else { Ok(planned) }
    }

    /// Writes `plan.toml`. The caller must hold a lock against other runs.
    pub(crate) fn write_plan(&self) -> Result<(), StoreError> {
        let text = toml::to_string(&self.plan).expect("a plan has nothing that TOML cannot hold");
        write_whole(&self.path.join(PLAN), &text)
    }

    /// Checks that the directories of its parts and tasks are no links out of its own.
    fn check_directories(&self) -> Result<(), ExperimentError> {
        let parts = self.plan.parts.iter().map(|part| part.below(&self.path));
        for directory in parts.chain([self.tasks_path()]) {
            check_below(&self.path, &directory).map_err(StoreError::writing(&directory))?;
        }
        Ok(())
    }

    /// The directory that holds the tasks.
    pub fn tasks_path(&self) -> PathBuf {
        self.path.join(TASKS)
    }

    /// The error that the plan is wrong.
    pub(crate) fn wrong_plan(&self, problem: String) -> ExperimentError {
        ExperimentError::Plan { path: self.path.join(PLAN), problem }
    }

    /// Makes that directory.
    pub(crate) fn make_tasks_path(&self) -> Result<PathBuf, ExperimentError> {
        let tasks = self.tasks_path();
        make_below(&self.path, &tasks).map_err(StoreError::writing(&tasks))?;
        Ok(tasks)
    }
}

impl Plan {
    /// Reads the plan of the experiment in a directory; `None` if it has none. `study` is that of the games from all setups.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is not a valid plan.
    pub fn read(path: &Path, study: &Study) -> Result<Option<Self>, ExperimentError> {
        let file = path.join(PLAN);
        let (file, plan) = match is_there(&file)? {
            true => {
                let path = || file.clone();
                let plan = read_toml(&file, |problem| match is_torn::<Self>(&file) {
                    true => ExperimentError::TornPlan { path: path(), problem },
                    false => ExperimentError::Plan { path: path(), problem },
                })?;
                (file, Some(plan))
            }
            false => {
                let file = path.join("study.toml");
                let plan = Self::read_from_study(&file)?;
                (file, plan)
            }
        };
        let Some(plan) = plan else { return Ok(None) };
        match plan.check(study) {
            Ok(()) => Ok(Some(plan)),
            Err(problem) if plan.is_cut_short() => Err(ExperimentError::TornPlan { path: file, problem }),
            Err(problem) => Err(ExperimentError::Plan { path: file, problem }),
        }
    }

    /// Earlier versions kept the plan in `study.toml`, as its last table.
    fn read_from_study(file: &Path) -> Result<Option<Self>, ExperimentError> {
        let wrong = |problem| ExperimentError::Plan { path: file.to_path_buf(), problem };
        let mut study: toml::Table = read_toml(file, wrong)?;
        let plan = study.remove("plan").map(toml::Value::try_into).transpose();
        plan.map_err(|error| wrong(error.to_string()))
    }
}
