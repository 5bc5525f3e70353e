//! Playing a planned study in one process, without tasks.

use std::path::Path;
use std::sync::atomic::Ordering;

use backrank_analysis::thousands;
use backrank_selfplay::cluster::{Plan, PlannedStudy};
use backrank_selfplay::study::StudyDirectory;

use super::parts::{Common, Part, Parts};
use super::plan::add_round;
use crate::args::studies::Bar;
use crate::terminal::failure::Failure;
use crate::terminal::reproduce::word;

/// Plays the rest of a plan, and returns the number of games played.
pub fn play(parts: &mut Parts<'_>, common: &Common<'_>) -> Result<u64, Failure> {
    let path = parts.games.path.clone();
    let mut planned = PlannedStudy::open(&path)?;
    let mut played = 0;
    let bar = Bar::new("playing", planned.plan.games);
    let before: u64 = planned.gathered()?.iter().map(|study| study.games).sum();
    let rounds = planned.plan.rounds;
    loop {
        let round = planned.plan.planned_rounds();
        // Those of earlier rounds, too: the last games of one may have been lost with the power.
        for planned_part in &planned.plan.parts {
            let part = parts.planned(&planned_part.path)?;
            part.begin()?;
            let left = planned_part.end.saturating_sub(part.games());
            if left == 0 {
                continue;
            }
            part.play(left, |_| {
                played += 1;
                let games = thousands(before + played);
                bar.tell(
                    before + played,
                    format!("{games} games, round {round} of {rounds}, {}", planned_part.path),
                );
            })?;
            if common.stop.load(Ordering::Relaxed) {
                return Ok(played);
            }
        }
        // The plan of the next round depends on them.
        parts.all_mut().try_for_each(Part::sync)?;
        if round == rounds {
            bar.finish();
            return Ok(played);
        }
        let known = planned.pairs_of_games()?;
        add_round(&mut planned.plan, &planned.study, &known)?;
        let study = planned.study.changed(|spec| spec.plan = Some(planned.plan.clone()))?;
        StudyDirectory::change_plan(&path, &study)?;
    }
}

/// The games of a planned study that are left to play: all of them, or none.
pub fn rest(path: &Path, plan: &Plan) -> Result<Option<Plan>, Failure> {
    let games: u64 = PlannedStudy::open(path)?.gathered()?.iter().map(|study| study.games).sum();
    if games >= plan.games {
        return Ok(None);
    }
    if plan.tasks == 0 {
        return Ok(Some(plan.clone()));
    }
    let (path, tasks) = (word(path), plan.tasks);
    Err(Failure::Input(format!(
        "{path} is planned in {tasks} tasks, of which not all are gathered: `backrank work {path}` plays them here, \
         `backrank cluster {path}` writes a job script, and `backrank gather {path}` puts them together"
    )))
}
