//! Which games of a study each worker of a cluster plays.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::{Deref, Range, RangeInclusive};
use std::path::{Path, PathBuf};

use backrank_rules::Variant;
use serde::{Deserialize, Serialize};

use crate::study::{Odds, Study, StudySpec};

/// How the games of a study, and of the studies at odds in directories below its own, are shared out among tasks.
///
/// The study is played in rounds. The imbalances of a round are chosen when all games before it are known, so the parts of
/// later rounds are added one round at a time. The tasks of a round are about equally large: its parts are lined up, and
/// the line is cut into as many pieces as there are tasks, never within a pair of games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The number of games in all rounds.
    pub games: u64,
    /// The number of rounds.
    pub rounds: u64,
    /// The number of tasks in all rounds; none where the study is played by one process.
    pub tasks: u64,
    /// The unit of the values whose intervals imbalances are chosen to shorten, such as `R=5`.
    pub unit: String,
    /// The largest number of files that a task leaves behind.
    pub files_of_a_task: u64,
    /// What is played, in the order of rounds.
    #[serde(default)]
    pub parts: Vec<PlannedPart>,
}

/// Some games in a row of one study.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedPart {
    /// The round, from 1.
    pub round: u64,
    /// The study's directory below that of the plan: `.` for the games from all setups, or for example `odds/Q-2N+4P`.
    pub path: PartPath,
    /// What the sides start without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub odds: Option<Odds>,
    /// The seed of the study.
    pub seed: u64,
    /// The number of the first game, which is even.
    pub start: u64,
    /// The number after that of the last game, which is even.
    pub end: u64,
}

/// What a task plays of one study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskPart<'p> {
    /// The part of the plan.
    pub part: &'p PlannedPart,
    /// The numbers of the games.
    pub games: Range<u64>,
}

/// The path of the games from all setups.
pub const ALL_SETUPS: &str = ".";

/// The directories below a study's own for games at odds.
const AT_ODDS: [&str; 2] = ["odds", "fixed"];

/// The most games that can be planned.
pub const MOST_PLANNED_GAMES: u64 = 1_000_000_000_000;
/// The most rounds of a plan.
pub const MOST_ROUNDS: u64 = 100;
/// The most tasks of a plan.
pub const MOST_TASKS: u64 = 1_000_000;

/// The directory of a part, below that of its study: `.`, `odds/NAME` or `fixed/NAME`, where the name is one that we give. No
/// such path leads out of the study's directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PartPath(String);

impl TryFrom<String> for PartPath {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let is_name = |name: &str| {
            (1..=100).contains(&name.len())
                && name.bytes().all(|letter| letter.is_ascii_alphanumeric() || b"+-=".contains(&letter))
        };
        let is_below =
            || text.split_once('/').is_some_and(|(at, name)| AT_ODDS.contains(&at) && is_name(name));
        if text == ALL_SETUPS || is_below() {
            return Ok(Self(text));
        }
        Err(format!(
            "`{}` is no directory of a plan: these are `.`, `odds/NAME` and `fixed/NAME`",
            text.escape_debug()
        ))
    }
}

impl From<PartPath> for String {
    fn from(path: PartPath) -> Self {
        path.0
    }
}

impl Deref for PartPath {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PartPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl PartialEq<PartPath> for String {
    fn eq(&self, other: &PartPath) -> bool {
        *self == other.0
    }
}

/// The files of a task beside those of its studies: `task.toml`.
const OWN_FILES: u64 = 1;
/// The files of each study that a task plays a part of: `study.toml` and `games.csv`.
const FILES_OF_A_PART: u64 = 2;

impl Plan {
    /// Checks what is asked of a plan: its numbers of games, rounds and tasks.
    ///
    /// # Errors
    ///
    /// When they are too large, or do not fit together; the text says why.
    pub fn check_sizes(&self) -> Result<(), String> {
        let Self { games, rounds, tasks, .. } = *self;
        for (key, number, least, most) in [
            ("games", games, 2, MOST_PLANNED_GAMES),
            ("rounds", rounds, 1, MOST_ROUNDS),
            ("tasks", tasks, 0, MOST_TASKS),
        ] {
            if !(least..=most).contains(&number) {
                return Err(format!("{key} = {number}: it must be from {least} to {most}"));
            }
        }
        if games % 2 == 1 {
            return Err(format!(
                "games = {games}: games at odds are played in pairs, so the number must be even"
            ));
        }
        if tasks > 0 && tasks < rounds {
            return Err(format!(
                "tasks = {tasks}: each of {rounds} rounds needs a task; ask for fewer rounds"
            ));
        }
        let too_few = |round: &u64| {
            let tasks = self.tasks_of_round(*round);
            let tasks = (tasks.end() + 1).saturating_sub(*tasks.start());
            self.games_of_round(*round) < 2 * tasks.max(1)
        };
        match (1..=rounds).find(too_few) {
            None => Ok(()),
            Some(round) => Err(format!(
                "round {round} would have {} games: too few for its tasks, which play a pair at least",
                self.games_of_round(round)
            )),
        }
    }

    /// Checks a plan that was read from the file of a study, whoever wrote it.
    ///
    /// # Errors
    ///
    /// When it is none that we could have written; the text says why.
    pub(crate) fn check(&self, study: &StudySpec, variant: &Variant) -> Result<(), String> {
        self.check_sizes()?;
        let mut begun: BTreeMap<&str, &PlannedPart> = BTreeMap::new();
        let mut round = (1, 0);
        for (number, part) in (1..).zip(&self.parts) {
            let wrong = |problem: String| Err(format!("part {number}, {}: {problem}", part.path));
            if part.round != round.0 {
                if part.round != round.0 + 1
                    || round.1 != self.games_of_round(round.0)
                    || part.round > self.rounds
                {
                    return wrong(format!(
                        "round = {} cannot follow {} games of round {}",
                        part.round, round.1, round.0
                    ));
                }
                round = (part.round, 0);
            }
            let PlannedPart { start, end, .. } = *part;
            if start >= end || end > self.games || start % 2 == 1 || end % 2 == 1 {
                return wrong(format!(
                    "start = {start} and end = {end} are no games of a plan of {}",
                    self.games
                ));
            }
            let before = begun.insert(&part.path, part);
            let due = before.map_or(0, |before| before.end);
            if start != due {
                return wrong(format!("start = {start}, but the games before it end with {due}"));
            }
            if before.is_some_and(|before| (&before.odds, before.seed) != (&part.odds, part.seed)) {
                return wrong("its odds and its seed must be the same in all rounds".to_string());
            }
            if part.seed > i64::MAX as u64 {
                return wrong(format!("seed = {} is too large", part.seed));
            }
            let name = part.odds.as_ref().map_or(ALL_SETUPS.to_string(), Odds::directory);
            if part.path.rsplit('/').next() != Some(name.as_str()) {
                return wrong(format!("the directory of these odds is {name}"));
            }
            let of_part = study.part(part.odds.clone(), part.seed);
            if end > of_part.all_games() {
                return wrong(format!("end = {end}, but its study has {} games", of_part.all_games()));
            }
            of_part.check(variant).map_err(|problem| format!("part {number}, {}: {problem}", part.path))?;
            round.1 += end - start;
        }
        if round.1 != self.games_of_round(round.0) {
            let due = self.games_of_round(round.0);
            return Err(format!("round {} has {} games, and should have {due}", round.0, round.1));
        }
        let most = OWN_FILES + FILES_OF_A_PART * self.parts.len() as u64;
        if self.files_of_a_task > most {
            return Err(format!("files_of_a_task = {}, but a task has at most {most}", self.files_of_a_task));
        }
        Ok(())
    }

    /// The number of rounds whose parts are known.
    pub fn planned_rounds(&self) -> u64 {
        self.parts.last().map_or(0, |part| part.round)
    }

    /// The numbers of games of a round, of all parts together.
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

    /// What a task plays; none where its round is not planned yet, or there is no such task.
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

    /// The directories of the planned studies, the games from all setups first, each with its parts in their order.
    pub fn studies(&self) -> Vec<Vec<&PlannedPart>> {
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        let mut studies: Vec<Vec<&PlannedPart>> = Vec::new();
        for part in &self.parts {
            let place = *places.entry(&part.path).or_insert(studies.len());
            if place == studies.len() {
                studies.push(Vec::new());
            }
            studies[place].push(part);
        }
        studies
    }
}

impl PlannedPart {
    /// Its directory below that of a study or of a task.
    pub fn below(&self, path: &Path) -> PathBuf {
        if &*self.path == ALL_SETUPS { path.to_path_buf() } else { path.join(&*self.path) }
    }

    /// The whole study of which it is a part; `first` is that of the games from all setups, which holds the plan.
    pub fn study(&self, first: &Study) -> Study {
        first.part(self.odds.clone(), self.seed)
    }
}

impl TaskPart<'_> {
    /// The study of these games alone.
    pub fn study(&self, first: &Study) -> Study {
        self.part.study(first).with_games(self.games.clone())
    }
}

/// The first of so many cuts of a line into equal pieces: `number` of `of`.
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
    fn tasks_have_every_game_once_and_are_equally_large() {
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
    fn what_is_not_planned_is_no_task() {
        let mut plan = plan(7);
        plan.parts.retain(|part| part.round == 1);
        assert_eq!(plan.tasks_of_round(1), 1..=3);
        assert!(plan.task(3).is_some());
        assert!([0, 4, 7, 8].iter().all(|&task| plan.task(task).is_none()));
        assert_eq!(plan.games_of_round(1) + plan.games_of_round(2), 100);
        assert_eq!(plan.studies().len(), 2);
    }
}
