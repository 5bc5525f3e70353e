//! The plan of an experiment of a given number of games: its rounds, and the tasks that workers of a cluster play.

mod check;
mod file;
mod part;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use backrank_analysis::values::Unit;
use serde::{Deserialize, Serialize};

pub use file::PlannedExperiment;
pub use part::{ALL_SETUPS, PartPath, PlannedPart, TaskPart};

/// The plan of an experiment: how many games of each part are played in each round, and by which task.
///
/// The imbalances of a round are chosen when all games before it are known, so the parts of later rounds are added one round
/// at a time. The tasks of a round are about equally large: its parts are lined up, and the line is cut into as many pieces as
/// there are tasks, never within a pair of games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The number of games in all rounds.
    pub games: u64,
    /// The number of rounds.
    pub rounds: u64,
    /// The number of tasks in all rounds; 0 if the experiment is played by one process.
    pub tasks: u64,
    /// The unit of the values whose intervals the imbalances are chosen to narrow, such as `R=5`.
    pub unit: String,
    /// The largest number of files that a task leaves behind.
    pub files_of_a_task: u64,
    /// The parts of each round so far.
    #[serde(default)]
    pub parts: Vec<PlannedPart>,
}

/// How large a plan is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanSize {
    /// The number of games in all rounds.
    pub games: u64,
    /// The number of rounds.
    pub rounds: u64,
    /// The number of tasks in all rounds; 0 if the experiment is played by one process.
    pub tasks: u64,
}

/// The most games that can be planned.
pub const MOST_PLANNED_GAMES: u64 = 1_000_000_000_000;
/// The most rounds of a plan.
pub const MOST_ROUNDS: u64 = 100;
/// The most tasks of a plan.
pub const MOST_TASKS: u64 = 1_000_000;

/// The number of files of a task itself: `task.toml`.
const OWN_FILES: u64 = 1;
/// The number of files of each study that a task plays a part of: `study.toml` and `games.csv`.
const FILES_OF_A_PART: u64 = 2;

impl Plan {
    /// A plan without a round so far.
    ///
    /// # Errors
    ///
    /// When the numbers are too large, or do not fit together; the text says why.
    pub fn new(size: PlanSize, unit: Unit) -> Result<Self, String> {
        let PlanSize { games, rounds, tasks } = size;
        let plan =
            Self { games, rounds, tasks, unit: unit.to_string(), files_of_a_task: 0, parts: Vec::new() };
        plan.check_sizes()?;
        Ok(plan)
    }

    /// How large it is.
    pub fn size(&self) -> PlanSize {
        let Self { games, rounds, tasks, .. } = *self;
        PlanSize { games, rounds, tasks }
    }

    /// The unit of the values.
    ///
    /// # Errors
    ///
    /// When it is no unit; the text says why.
    pub fn unit(&self) -> Result<Unit, String> {
        self.unit.parse().map_err(|problem| format!("unit = {}: {problem}", self.unit))
    }

    /// The number of rounds whose parts are known.
    pub fn planned_rounds(&self) -> u64 {
        self.parts.last().map_or(0, |part| part.round)
    }

    /// The number of games of a round, of all parts together.
    pub fn games_of_round(&self, round: u64) -> u64 {
        let until = |rounds: u64| cut(self.games / 2, rounds, self.rounds) * 2;
        until(round) - until(round - 1)
    }

    /// Adds the parts of the next round.
    ///
    /// # Panics
    ///
    /// When a part splits a pair, or is of another round.
    pub fn add_round(&mut self, parts: Vec<PlannedPart>) {
        let round = self.planned_rounds() + 1;
        assert!(parts.iter().all(|part| {
            part.round == round
                && part.start.is_multiple_of(2)
                && part.end.is_multiple_of(2)
                && part.start < part.end
        }));
        self.parts.extend(parts);
        let most =
            self.tasks_of_round(round).filter_map(|task| self.task(task)).map(|parts| parts.len()).max();
        let files = OWN_FILES + FILES_OF_A_PART * most.unwrap_or(0) as u64;
        self.files_of_a_task = self.files_of_a_task.max(files);
    }

    /// The numbers of a round's tasks, from 1.
    pub fn tasks_of_round(&self, round: u64) -> RangeInclusive<u64> {
        cut(self.tasks, round - 1, self.rounds) + 1..=cut(self.tasks, round, self.rounds)
    }

    /// The round of a task.
    pub fn round_of(&self, task: u64) -> u64 {
        (1..=self.rounds).find(|&round| self.tasks_of_round(round).contains(&task)).unwrap_or(self.rounds)
    }

    /// The games of a task, by part; `None` if its round is not planned yet, or there is no such task.
    pub fn task(&self, task: u64) -> Option<Vec<TaskPart<'_>>> {
        let round = (1..=self.planned_rounds()).find(|&round| self.tasks_of_round(round).contains(&task))?;
        let tasks = self.tasks_of_round(round);
        let of_round = || self.parts.iter().filter(|part| part.round == round);
        let pairs: u64 = of_round().map(|part| (part.end - part.start) / 2).sum();
        let (number, of) = (task - tasks.start(), tasks.end() + 1 - tasks.start());
        let own = 2 * cut(pairs, number, of)..2 * cut(pairs, number + 1, of);
        let mut parts = Vec::new();
        let mut before = 0;
        for part in of_round() {
            let games = part.end - part.start;
            let first = own.start.max(before);
            let end = own.end.min(before + games);
            if first < end {
                parts.push(TaskPart { part, games: part.start + first - before..part.start + end - before });
            }
            before += games;
        }
        Some(parts)
    }

    /// The parts of each planned study in the order of rounds; the studies in the order in which they were first planned.
    pub fn studies(&self) -> Vec<Vec<&PlannedPart>> {
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        let mut studies: Vec<Vec<&PlannedPart>> = Vec::new();
        for part in &self.parts {
            let index = *places.entry(&part.path).or_insert(studies.len());
            if index == studies.len() {
                studies.push(Vec::new());
            }
            studies[index].push(part);
        }
        studies
    }
}

/// Where a line of this length is cut to divide it into `of` equal pieces: the end of piece `number`, from 1.
fn cut(line: u64, number: u64, of: u64) -> u64 {
    (u128::from(line) * u128::from(number) / u128::from(of.max(1))) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(round: u64, path: &str, start: u64, end: u64) -> PlannedPart {
        PlannedPart { round, path: path.to_string().try_into().unwrap(), odds: None, seed: 0, start, end }
    }

    fn plan(tasks: u64) -> Plan {
        let mut plan = Plan {
            games: 100,
            rounds: 2,
            tasks,
            unit: "R=5".to_string(),
            files_of_a_task: 0,
            parts: Vec::new(),
        };
        plan.add_round(vec![part(1, ".", 0, 10), part(1, "odds/Q-M", 0, 40)]);
        plan.add_round(vec![part(2, ".", 10, 20), part(2, "odds/Q-M", 40, 44), part(2, "fixed/N-B", 0, 36)]);
        plan
    }

    #[test]
    fn every_game_belongs_to_one_task_and_tasks_are_equally_large() {
        for tasks in [2, 3, 7, 50] {
            let plan = plan(tasks);
            let mut due: BTreeMap<&str, u64> = BTreeMap::new();
            for round in 1..=2 {
                let of_round = plan.tasks_of_round(round);
                let (number, mut sizes) = (of_round.clone().count() as u64, Vec::new());
                for task in of_round {
                    assert_eq!(plan.round_of(task), round);
                    let parts = plan.task(task).unwrap();
                    assert!(2 * (parts.len() as u64) < plan.files_of_a_task);
                    sizes.push(parts.iter().map(|part| part.games.end - part.games.start).sum::<u64>());
                    for TaskPart { part, games } in parts {
                        assert_eq!(
                            std::mem::replace(due.entry(&part.path).or_default(), games.end),
                            games.start
                        );
                    }
                }
                assert!(sizes.iter().all(|size| size.abs_diff(50 / number) <= 2), "{sizes:?}");
            }
            assert_eq!(due.into_values().collect::<Vec<_>>(), [20, 36, 44]);
        }
    }

    #[test]
    fn tasks_of_unplanned_rounds_are_unknown() {
        let mut plan = plan(7);
        plan.parts.retain(|part| part.round == 1);
        assert_eq!(plan.tasks_of_round(1), 1..=3);
        assert!(plan.task(3).is_some());
        assert!([0, 4, 7, 8].iter().all(|&task| plan.task(task).is_none()));
        assert_eq!(plan.games_of_round(1) + plan.games_of_round(2), 100);
        assert_eq!(plan.studies().len(), 2);
    }
}
