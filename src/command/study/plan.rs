//! Planning a study of a given number of games: in rounds, each by what the rounds before it have told.

use std::path::Path;

use backrank_analysis::{Imbalances, Material, Planner, Unit, thousands};
use backrank_rules::Rules;
use backrank_selfplay::cluster::{
    ALL_SETUPS, PairResults, PartPath, Plan, PlannedPart, PlannedStudy, TaskState,
};
use backrank_selfplay::study::{Odds, Study, StudyDirectory};

use super::parts::{FROM_ALL_SETUPS, Match};
use crate::command::gather::ranges;
use crate::terminal::failure::Failure;

/// The imbalances of a round are chosen one after the other, so many times.
const CHOICES: u64 = 24;

/// What a person asks of a plan.
pub struct AskedOfPlan {
    pub games: u64,
    pub rounds: u64,
    /// None to play it here.
    pub tasks: u64,
    pub unit: Unit,
}

impl AskedOfPlan {
    /// A plan without rounds so far.
    pub fn plan(&self) -> Result<Plan, Failure> {
        let Self { games, rounds, tasks, unit } = *self;
        let plan =
            Plan { games, rounds, tasks, unit: unit.to_string(), files_of_a_task: 0, parts: Vec::new() };
        plan.check_sizes().map_err(Failure::Input)?;
        Ok(plan)
    }
}

/// Plans the next round of a study, by the results of the rounds before.
pub fn add_round(plan: &mut Plan, first: &Study, known: &[(Odds, PairResults)]) -> Result<(), Failure> {
    let rules = Rules::new(&first.variant()?);
    let material = Material::of(&rules);
    let planner = Planner::new(&rules, &material);
    let mut imbalances = Imbalances::new(&material);
    known.iter().for_each(|(odds, pairs)| imbalances.add_pairs(odds, pairs.counts));
    let unit: Unit = plan
        .unit
        .parse()
        .map_err(|problem| Failure::Input(format!("the plan's unit {}: {problem}", plan.unit)))?;
    let round = plan.planned_rounds() + 1;
    let is_fixed = round == plan.rounds;
    let pairs = plan.games_of_round(round) / 2;
    let mut from_all_setups = (pairs as f64 * FROM_ALL_SETUPS).ceil() as u64;
    let at_odds = pairs - from_all_setups;
    let choices = CHOICES.min(at_odds);
    let mut choice = match is_fixed {
        true => planner.fixed(&imbalances, unit),
        false => planner.plan(&imbalances, unit),
    };
    let mut chosen: Vec<(usize, u64)> = Vec::new();
    for number in 0..choices {
        let pairs = at_odds * (number + 1) / choices - at_odds * number / choices;
        match choice.next(pairs) {
            None => from_all_setups += pairs,
            Some(candidate) => match chosen.iter_mut().find(|(other, _)| *other == candidate) {
                Some((_, all)) => *all += pairs,
                None => chosen.push((candidate, pairs)),
            },
        }
    }
    let after =
        |path: &str| plan.parts.iter().rev().find(|part| &*part.path == path).map_or(0, |part| part.end);
    let mut parts = Vec::new();
    let mut add = |path: String, odds: Option<Odds>, seed: u64, pairs: u64| {
        let start = after(&path);
        if pairs > 0 {
            let path = PartPath::try_from(path).expect("it is named by odds");
            parts.push(PlannedPart { round, path, odds, seed, start, end: start + 2 * pairs });
        }
    };
    add(ALL_SETUPS.to_string(), None, first.seed, from_all_setups);
    for (candidate, pairs) in chosen {
        let of = Match { candidate, is_fixed };
        add(of.path(&planner), Some(of.odds(&planner)), of.seed(first.seed), pairs);
    }
    plan.add_round(parts);
    Ok(())
}

/// Plans the next round if the games of those before are all gathered, and there is one. Returns whether it did.
pub fn go_on(planned: &mut PlannedStudy) -> Result<bool, Failure> {
    let states = planned.states()?;
    let is_open = |state: &TaskState| !matches!(state, TaskState::Finished | TaskState::NotPlanned);
    if planned.plan.planned_rounds() == planned.plan.rounds || states.iter().any(is_open) {
        return Ok(false);
    }
    let known = planned.results(&states)?.pairs;
    let (_locked, begun) = StudyDirectory::open(&planned.path)?;
    add_round(&mut planned.plan, &planned.study, &known)?;
    let changed = begun.changed(|spec| spec.plan = Some(planned.plan.clone()))?;
    StudyDirectory::change_plan(&planned.path, &changed)?;
    Ok(true)
}

/// What a plan is, for the person who asked for it.
pub fn describe(path: &Path, plan: &Plan) -> String {
    let Plan { games, rounds, tasks, .. } = *plan;
    let round = plan.planned_rounds();
    let of_round = plan.tasks_of_round(round);
    let parts = plan.parts.iter().filter(|part| part.round == round);
    let (all_setups, odds): (Vec<_>, Vec<_>) = parts.partition(|part| part.odds.is_none());
    let count =
        |parts: &[&PlannedPart]| thousands(parts.iter().map(|part| part.end - part.start).sum::<u64>());
    let of_round: Vec<u64> = of_round.collect();
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
