//! Playing an experiment in one process: for a given time, or by a plan.

mod part;
mod planned;
mod timed;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use backrank_analysis::games::Column;
use backrank_analysis::values::Imbalances;
use backrank_endgames::EndgameTables;
use backrank_rules::Rules;
use backrank_selfplay::play::Run;
use backrank_selfplay::store::Definition;
use backrank_selfplay::study::{Odds, Study, StudyDirectory};

use crate::design::{Design, PartId};
use crate::error::ExperimentError;
use crate::pairs::PairResults;
use crate::plan::{Plan, PlanSize, PlannedExperiment};
use part::Part;
pub use timed::{TIMES, end_of_playing};

/// What all parts of an experiment are played with.
#[derive(Debug)]
pub struct PlaySettings<'a> {
    /// The rules of the variant.
    pub rules: &'a Rules,
    /// The endgame tables, which are built when the first game needs them.
    pub tables: OnceLock<Arc<EndgameTables>>,
    /// The number of games that are played at a time.
    pub threads: usize,
}

impl<'a> PlaySettings<'a> {
    /// Settings for these rules and this number of games at a time.
    pub fn new(rules: &'a Rules, threads: usize) -> Self {
        Self { rules, tables: OnceLock::new(), threads }
    }
}

/// How far a run is, after each game.
#[derive(Clone, Copy, Debug)]
pub struct PlayProgress<'p> {
    /// The games of this run.
    pub played: u64,
    /// The games of the experiment, with those of earlier runs.
    pub games: u64,
    /// The time since the run began.
    pub elapsed: Duration,
    /// The part that is played.
    pub part: PartId,
    /// The design, which knows the part's odds and directory.
    pub design: &'p Design,
    /// The round, if the experiment has a plan.
    pub round: Option<u64>,
    /// The piece whose value is least certain, and half the width of its 95 % interval relative to the value; `None` as long as
    /// the value of a piece is unknown. Planned experiments do not estimate it.
    pub precision: Option<(Column, f64)>,
}

/// An experiment that is played by this process.
pub struct Experiment<'a> {
    path: PathBuf,
    settings: &'a PlaySettings<'a>,
    design: Design,
    /// The parts that were begun, and always the games from all setups.
    parts: BTreeMap<PartId, Part<'a>>,
    /// The studies whose definitions had to be written again.
    rewritten: Vec<PathBuf>,
}

impl<'a> Experiment<'a> {
    /// Opens the experiment in a directory, and reads the games of earlier runs. Nothing is written where there are none.
    ///
    /// # Errors
    ///
    /// When a study there is not the one of the design, is in use by another run, or cannot be read.
    pub fn open(
        path: &Path,
        design: Design,
        settings: &'a PlaySettings<'a>,
    ) -> Result<Self, ExperimentError> {
        let all: Vec<PartId> = design.parts().collect();
        let (path, parts, rewritten) = (path.to_path_buf(), BTreeMap::new(), Vec::new());
        let mut experiment = Self { path, settings, design, parts, rewritten };
        experiment.part(PartId::AllSetups)?;
        for part in all {
            let path = experiment.design.path(part).below(&experiment.path);
            if StudyDirectory::holds(&path)? && experiment.part(part)?.begin()? {
                experiment.rewritten.push(path);
            }
        }
        Ok(experiment)
    }

    /// Writes the `study.toml` of the games from all setups again that a crash has damaged, if the games that are there are
    /// those of the study. If there is no plan, one of this size is written as well.
    ///
    /// # Errors
    ///
    /// When they are not, or files cannot be read or written.
    pub fn write_again(
        path: &Path,
        design: &Design,
        plan: Option<PlanSize>,
        settings: &'a PlaySettings<'a>,
    ) -> Result<(), ExperimentError> {
        let mut part = Part::new(path, path.to_path_buf(), design.first().clone(), settings)?;
        part.write_again()?;
        if let (Some(size), Ok(None)) = (plan, Plan::read(path, design.first())) {
            first_round(path, design, size)?.write_plan()?;
        }
        Ok(())
    }

    /// The design.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// The directories of studies whose definition a crash had damaged, and which were written again.
    pub fn rewritten(&self) -> &[PathBuf] {
        &self.rewritten
    }

    /// The number of games so far.
    pub fn games(&self) -> u64 {
        self.parts.values().map(Part::games).sum()
    }

    /// The number of games so far from all setups.
    pub fn games_from_all_setups(&self) -> u64 {
        self.parts.get(&PartId::AllSetups).map_or(0, Part::games)
    }

    /// The directories of the studies that have games, the games from all setups first.
    pub fn studies(&self) -> Vec<PathBuf> {
        let begun = self.parts.values().filter(|part| part.games() > 0);
        begun.map(|part| part.path.clone()).collect()
    }

    /// What plays the games from all setups until `stop` is set, to see how much memory that takes.
    pub fn first_run<'x>(&'x self, stop: &'x AtomicBool) -> Run<'x, 'a> {
        self.parts.get(&PartId::AllSetups).expect("every experiment has it").run(stop)
    }

    /// Creates the study of the games from all setups if it is not there.
    ///
    /// # Errors
    ///
    /// When the directory is in use by another run, or cannot be written.
    pub fn begin(&mut self) -> Result<(), ExperimentError> {
        self.part(PartId::AllSetups)?.begin().map(|_| ())
    }

    /// Ends a run: puts the games on the disk, and their checksums beside them.
    ///
    /// # Errors
    ///
    /// When files cannot be written.
    pub fn finish(&mut self) -> Result<(), ExperimentError> {
        self.parts.values_mut().try_for_each(Part::finish)
    }

    /// A part, whether it was begun or not.
    fn part(&mut self, id: PartId) -> Result<&mut Part<'a>, ExperimentError> {
        if !self.parts.contains_key(&id) {
            let path = self.design.path(id).below(&self.path);
            let part = Part::new(&self.path, path, self.design.study(id), self.settings)?;
            self.parts.insert(id, part);
        }
        Ok(self.parts.get_mut(&id).expect("it was put there"))
    }

    /// The results of the pairs at odds so far.
    pub fn at_odds(&self) -> Vec<(&Odds, PairResults)> {
        (self.parts.iter())
            .filter_map(|(&id, part)| Some((self.design.odds(id)?, part.results(part.games()))))
            .filter(|(_, results)| results.counts != [[0; 3]; 3])
            .collect()
    }

    /// What is known of values by all games at odds so far.
    pub fn known(&self) -> Imbalances {
        let results = self.at_odds();
        self.design.known(results.iter().map(|(odds, results)| (*odds, results)))
    }
}

/// The plan by which the experiment in a directory is played, or continued; `None` if it is played for a time. A new plan is
/// written, with the study `first`.
///
/// `begun` is the study that the directory holds. An experiment whose plan is played to its end is continued for a time, unless
/// the same plan is asked for.
///
/// # Errors
///
/// When the plan that is asked for is not possible or not the one of the directory, when tasks are left to gather, and when files
/// cannot be read or written.
pub fn plan_of(
    path: &Path,
    design: &Design,
    begun: Option<&Study>,
    asked: Option<PlanSize>,
) -> Result<Option<Plan>, ExperimentError> {
    let Some(begun) = begun else {
        let Some(size) = asked else { return Ok(None) };
        let planned = first_round(path, design, size)?;
        planned.create()?;
        return Ok(Some(planned.plan));
    };
    begun.check_unchanged(path, design.first())?;
    let plan = match (Plan::read(path, begun), asked) {
        (Err(ExperimentError::TornPlan { .. }), Some(size)) => {
            let planned = first_round(path, design, size)?;
            let (_locked, _) = StudyDirectory::open(path)?;
            planned.write_plan()?;
            return Ok(Some(planned.plan));
        }
        (plan, _) => plan?,
    };
    match (asked, plan) {
        (None, None) => Ok(None),
        (Some(_), None) => Err(ExperimentError::BegunWithoutPlan(path.to_path_buf())),
        (Some(size), Some(plan)) if size == plan.size() && plan.unit == design.unit().to_string() => {
            Ok(Some(plan))
        }
        (Some(_), Some(plan)) => {
            Err(ExperimentError::OtherPlan { path: path.to_path_buf(), begun: plan.size(), unit: plan.unit })
        }
        (None, Some(plan)) => {
            let games: u64 = PlannedExperiment::open(path)?.gathered()?.iter().map(|study| study.games).sum();
            match plan.tasks {
                _ if games >= plan.games => Ok(None),
                0 => Ok(Some(plan)),
                tasks => Err(ExperimentError::TasksLeft { path: path.to_path_buf(), tasks }),
            }
        }
    }
}

/// An experiment with a plan of this size, and its first round. Nothing is written.
fn first_round(path: &Path, design: &Design, size: PlanSize) -> Result<PlannedExperiment, ExperimentError> {
    let mut plan = Plan::new(size, design.unit()).map_err(ExperimentError::PlanSize)?;
    plan.add_next_round(design, &[]);
    Ok(PlannedExperiment { path: path.to_path_buf(), study: design.first().clone(), plan })
}
