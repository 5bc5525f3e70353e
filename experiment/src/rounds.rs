//! The rounds of a planned experiment, each chosen by the results of the rounds before it.

use backrank_rules::Rules;
use backrank_selfplay::study::{Odds, StudyDirectory};

use crate::cluster::TaskState;
use crate::design::{Design, ImbalanceSample};
use crate::error::ExperimentError;
use crate::pairs::PairResults;
use crate::plan::{Plan, PlannedExperiment, PlannedPart};

impl Plan {
    /// Adds the next round, by the results of pairs at odds in the rounds before it. The imbalances of the last round are the
    /// confirmatory sample.
    pub fn add_next_round(&mut self, design: &Design, results: &[(Odds, PairResults)]) {
        let round = self.planned_rounds() + 1;
        let sample = match round == self.rounds {
            true => ImbalanceSample::Confirmatory,
            false => ImbalanceSample::Exploratory,
        };
        let known = design.known(results.iter().map(|(odds, pairs)| (odds, pairs)));
        let allocations = design.round(sample, self.games_of_round(round) / 2, &known);
        let parts = allocations.into_iter().map(|allocation| {
            let path = design.path(allocation.part);
            let before = self.parts.iter().rev().find(|part| part.path == path);
            let start = before.map_or(0, |part| part.end);
            PlannedPart {
                round,
                odds: design.odds(allocation.part).cloned(),
                seed: design.seed(allocation.part),
                path,
                start,
                end: start + 2 * allocation.pairs,
            }
        });
        self.add_round(parts.collect());
    }
}

impl PlannedExperiment {
    /// Its design.
    ///
    /// # Errors
    ///
    /// When the variant or the unit is not valid.
    pub fn design(&self) -> Result<Design, ExperimentError> {
        let rules = Rules::new(&self.study.variant()?);
        let unit = self.plan.unit().map_err(|problem| self.wrong_plan(problem))?;
        Ok(Design::new(&rules, self.study.clone(), unit))
    }

    /// Plans the next round if there is one and all tasks before it are finished. Returns whether it did.
    ///
    /// # Errors
    ///
    /// When files cannot be read or written, or another run is using the directory.
    pub fn plan_next_round(&mut self) -> Result<bool, ExperimentError> {
        let states = self.states()?;
        let is_open = |state: &TaskState| !matches!(state, TaskState::Finished | TaskState::NotPlanned);
        if self.plan.planned_rounds() == self.plan.rounds || states.iter().any(is_open) {
            return Ok(false);
        }
        let results = self.results(&states)?.pairs;
        let (_locked, _) = StudyDirectory::open(&self.path)?;
        self.plan.add_next_round(&self.design()?, &results);
        self.write_plan()?;
        Ok(true)
    }
}
