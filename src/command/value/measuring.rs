//! Playing the games.

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use backrank_analysis::values::{ImbalanceValues, Imbalances, Unit};
use backrank_endgames::EndgameTables;
use backrank_experiment::design::Design;
use backrank_experiment::options::ExperimentOptions;
use backrank_experiment::pilot::{SHARE_OF_PILOT, centipawns_after, pilot_path};
use backrank_experiment::play::{self, PlaySettings};
use backrank_rules::{Letter, Rules, Variant};
use backrank_selfplay::study::StudyDirectory;

use super::ValueCommand;
use crate::command::play::{check_memory, threads};
use crate::command::study::interrupt::Interrupt;
use crate::command::study::{open, play_for};
use crate::terminal::failure::Failure;

/// Measuring pieces, first by a pilot.
pub struct Measuring<'a> {
    pub command: &'a ValueCommand,
    pub letters: &'a [Letter],
    pub unit: Unit,
    pub interrupt: Interrupt,
    pub start: Instant,
    /// The endgame tables of the pilot, which serve the rest as well.
    pub tables: Option<Arc<EndgameTables>>,
}

/// What games say.
pub struct Games {
    pub known: Imbalances,
    pub games: u64,
    /// Where the values of the other pieces come from.
    pub of_anchor: Option<String>,
}

/// A game with values of the engine's, and what was measured in it.
pub type Measured = (Variant, ImbalanceValues);

impl Measuring<'_> {
    /// The game as it is played, in which the engine has a value for each piece, and what the pilot found where there was one.
    pub fn played_by(&mut self, rules: &Rules, path: &Path) -> Result<(Variant, Option<Measured>), Failure> {
        let variant = rules.variant();
        let guessed = |letter: &&Letter| variant.piece(**letter).is_some_and(|piece| piece.value.is_none());
        let guessed: Vec<Letter> = self.letters.iter().filter(guessed).copied().collect();
        let pilot = pilot_path(path);
        if StudyDirectory::holds(path)? {
            // As it was begun.
            let begun = StudyDirectory::read(path)?.variant()?;
            let valued = with_values(variant, &guessed, |letter| begun.piece(letter).and_then(|piece| piece.value))?;
            let pilot = match StudyDirectory::holds(&pilot)? {
                true => Some(self.games(rules, &pilot, None)?.known.values(self.unit)),
                false => None,
            };
            return Ok((valued, pilot.map(|values| (variant.clone(), values))));
        }
        if guessed.is_empty() {
            return Ok((variant.clone(), None));
        }
        let time = self.command.time.mul_f64(SHARE_OF_PILOT);
        let values = self.games(rules, &pilot, Some(time))?.known.values(self.unit);
        let valued =
            with_values(variant, &guessed, |letter| Some(centipawns_after(rules, letter, &values)))?;
        Ok((valued, Some((variant.clone(), values))))
    }

    /// The games of an experiment, to which more are added so that everything takes `time` since the start.
    pub fn games(&mut self, rules: &Rules, path: &Path, time: Option<Duration>) -> Result<Games, Failure> {
        let begun = StudyDirectory::holds(path)?.then(|| StudyDirectory::read(path)).transpose()?;
        let ValueCommand { nodes, seed, threads: asked, .. } = *self.command;
        let options = ExperimentOptions { nodes, seed, ..ExperimentOptions::default() };
        let first = options.first_study(rules, begun.as_ref())?;
        let nodes = first.limits.nodes;
        let (anchor, of_anchor) = self.command.anchor(rules, nodes)?;
        let settings = PlaySettings {
            tables: self.tables.take().map_or_else(OnceLock::new, OnceLock::from),
            ..PlaySettings::new(rules, threads(asked))
        };
        let design = Design::of_pieces(rules, first, self.unit, self.letters, anchor);
        // Refuses a directory with other games.
        play::plan_of(path, &design, begun.as_ref(), None)?;
        let mut experiment = open(path, design, &settings)?;
        if let Some(time) = time {
            check_memory(&experiment.first_run(self.interrupt.stop))?;
            experiment.begin()?;
            let played = play_for(&mut experiment, &self.interrupt, self.start, time);
            let finished = experiment.finish();
            played?;
            finished?;
        }
        let (known, games) = (experiment.known(), experiment.games());
        self.tables = settings.tables.get().cloned();
        Ok(Games { known, games, of_anchor })
    }
}

/// The game in which the engine takes these pieces for so many centipawns.
fn with_values(
    variant: &Variant,
    letters: &[Letter],
    value: impl Fn(Letter) -> Option<i32>,
) -> Result<Variant, Failure> {
    letters.iter().try_fold(variant.clone(), |variant, &letter| match value(letter) {
        Some(centipawns) => {
            variant.with_value(letter, centipawns).map_err(|error| Failure::Input(error.to_string()))
        }
        None => Ok(variant),
    })
}
