//! Checking a plan, whoever wrote it.

use std::collections::BTreeMap;

use backrank_selfplay::study::{Odds, Study};

use super::{
    ALL_SETUPS, FILES_OF_A_PART, MOST_PLANNED_GAMES, MOST_ROUNDS, MOST_TASKS, OWN_FILES, Plan, PlannedPart,
};

impl Plan {
    /// Checks what is asked of a plan: its numbers of games, rounds and tasks.
    ///
    /// # Errors
    ///
    /// When they are too large, or do not fit together; the text says why.
    pub(super) fn check_sizes(&self) -> Result<(), String> {
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

    /// Whether games of the last round are missing, as when the end of the file is.
    pub(super) fn is_cut_short(&self) -> bool {
        let round = self.planned_rounds().max(1);
        let of_round = self.parts.iter().filter(|part| part.round == round);
        let games = of_round.map(|part| part.end.saturating_sub(part.start)).fold(0, u64::saturating_add);
        games < self.games_of_round(round)
    }

    /// Checks a plan that was read from a file. `study` is that of the games from all setups.
    ///
    /// # Errors
    ///
    /// When no experiment could have such a plan; the text says why.
    pub(crate) fn check(&self, study: &Study) -> Result<(), String> {
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
            let of_part = study.changed(|spec| *spec = spec.part(part.odds.clone(), part.seed));
            let of_part = of_part.map_err(|problem| format!("part {number}, {}: {problem}", part.path))?;
            if end > of_part.all_games() {
                return wrong(format!("end = {end}, but its study has {} games", of_part.all_games()));
            }
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
}
