//! What a plan is, in words.

use std::path::Path;

use backrank_analysis::table::thousands;
use backrank_experiment::plan::{Plan, PlannedPart};

use crate::terminal::ranges::ranges;

/// Describes a plan, and its last round.
pub fn describe(path: &Path, plan: &Plan) -> String {
    let Plan { games, rounds, tasks, .. } = *plan;
    let round = plan.planned_rounds();
    let parts = plan.parts.iter().filter(|part| part.round == round);
    let (all_setups, odds): (Vec<_>, Vec<_>) = parts.partition(|part| part.odds.is_none());
    let count =
        |parts: &[&PlannedPart]| thousands(parts.iter().map(|part| part.end - part.start).sum::<u64>());
    let of_round: Vec<u64> = plan.tasks_of_round(round).collect();
    format!(
        "{}: {} games in {tasks} tasks of about {} games, {}\nround {round} has tasks {}: {} games from all setups, and {} \
         at {} imbalances",
        path.display(),
        thousands(games),
        thousands(games / tasks.max(1)),
        if rounds == 1 { "in one round".to_string() } else { format!("in {rounds} rounds") },
        ranges(&of_round),
        count(&all_setups),
        count(&odds),
        odds.len(),
    )
}
