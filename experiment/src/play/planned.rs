//! Playing an experiment by its plan, without tasks.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use backrank_selfplay::study::Odds;

use super::{Experiment, Part, PlayProgress};
use crate::error::ExperimentError;
use crate::pairs::PairResults;
use crate::plan::{Plan, PlannedExperiment};

impl Experiment<'_> {
    /// Plays what is left of the plan, and plans each round when those before it are played. Returns the number of games
    /// that were played; if `stop` is set, that may not be all.
    ///
    /// # Errors
    ///
    /// When there is no plan, it is not one of this game, or a file cannot be read or written.
    pub fn play_plan(
        &mut self,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&PlayProgress<'_>),
    ) -> Result<u64, ExperimentError> {
        let begin = Instant::now();
        let mut planned = PlannedExperiment::open(&self.path)?;
        // The plan's unit chooses imbalances, whatever unit the values are printed in now.
        let unit = planned.plan.unit().map_err(|problem| planned.wrong_plan(problem))?;
        self.design = self.design.clone().with_unit(unit);
        let before = self.games();
        let mut played = 0;
        loop {
            let round = planned.plan.planned_rounds();
            // Parts of earlier rounds as well, because a power failure may have taken their last games.
            for planned_part in &planned.plan.parts {
                let unknown = || ExperimentError::UnknownPart {
                    path: self.path.clone(),
                    part: planned_part.path.to_string(),
                };
                let id = self.design.part_at(&planned_part.path).ok_or_else(unknown)?;
                let part = self.part(id)?;
                part.begin()?;
                let left = planned_part.end.saturating_sub(part.games());
                if left == 0 {
                    continue;
                }
                // Borrowed apart from the design, which progress is told of.
                let part = self.parts.get_mut(&id).expect("it was begun");
                let design = &self.design;
                part.play(left, stop, || {
                    played += 1;
                    progress(&PlayProgress {
                        played,
                        games: before + played,
                        elapsed: begin.elapsed(),
                        part: id,
                        design,
                        round: Some(round),
                        precision: None,
                    });
                })?;
                if stop.load(Ordering::Relaxed) {
                    return Ok(played);
                }
            }
            // The next round's plan depends on these games.
            self.parts.values_mut().try_for_each(Part::sync)?;
            if round == planned.plan.rounds {
                return Ok(played);
            }
            let results = self.results_of(&planned.plan);
            planned.plan.add_next_round(&self.design, &results);
            planned.write_plan()?;
        }
    }

    /// The results of the planned games at odds. There may be more games, of a round whose plan was lost and is made again by
    /// the same results.
    fn results_of(&self, plan: &Plan) -> Vec<(Odds, PairResults)> {
        let results = plan.studies().into_iter().filter_map(|parts| {
            let part = self.parts.get(&self.design.part_at(&parts[0].path)?)?;
            Some((parts[0].odds.clone()?, part.results(parts.last()?.end)))
        });
        results.collect()
    }
}
