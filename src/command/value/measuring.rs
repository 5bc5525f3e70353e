//! Playing the games.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use backrank_analysis::pieces::{PieceRecord, write_records};
use backrank_analysis::values::{ImbalanceValues, Imbalances, Unit};
use backrank_endgames::EndgameTables;
use backrank_engine::Weights;
use backrank_experiment::design::Design;
use backrank_experiment::options::ExperimentOptions;
use backrank_experiment::pairs::PairResults;
use backrank_experiment::pilot::{SHARE_OF_PILOT, centipawns_after, pilot_path, pilot_seed};
use backrank_experiment::plan::PlanSize;
use backrank_experiment::play::{Experiment, PlaySettings, plan_of};
use backrank_rules::{Letter, Rules, Variant};
use backrank_selfplay::study::{Odds, StudyDirectory};

use super::ValueCommand;
use crate::command::study::interrupt::Interrupt;
use crate::command::study::{ROUNDS, Until, open, play_experiment};
use crate::terminal::failure::Failure;
use crate::terminal::output::Output;

/// Measuring pieces, first by a pilot.
pub struct Measuring<'a> {
    pub command: &'a ValueCommand,
    pub letters: &'a [Letter],
    pub unit: Unit,
    /// The directory.
    pub path: PathBuf,
    pub interrupt: Interrupt,
    pub start: Instant,
    /// The endgame tables of the pilot, which serve the rest as well.
    pub tables: Option<Arc<EndgameTables>>,
}

/// The two stages.
#[derive(Clone, Copy)]
enum Stage<'p> {
    Pilot,
    /// With the pilot before it.
    Measured(Option<&'p Games>),
}

/// What games say.
pub struct Games {
    pub known: Imbalances,
    pub games: u64,
    /// How many of them are the pilot's.
    pub of_pilot: u64,
    records: Vec<PieceRecord>,
    seed: u64,
    /// What neither side has in any of them.
    pub without: Vec<Letter>,
    /// Where the values of the other pieces come from.
    pub of_anchor: Option<String>,
}

/// A game with values of the engine's, and what was measured in it.
pub type Measured = (Variant, ImbalanceValues);

/// A pilot.
pub struct Pilot {
    /// What it found in the game as it was played.
    pub measured: Measured,
    games: Games,
}

impl Measuring<'_> {
    /// The game as it is played, in which the engine has a value for each piece, and what the pilot found where there was one.
    pub fn played_by(&mut self, rules: &Rules) -> Result<(Variant, Option<Pilot>), Failure> {
        let variant = rules.variant();
        let guessed = |letter: &&Letter| variant.piece(**letter).is_some_and(|piece| piece.value.is_none());
        let guessed: Vec<Letter> = self.letters.iter().filter(guessed).copied().collect();
        if StudyDirectory::holds(&self.path)? {
            // As it was begun.
            let begun = StudyDirectory::read(&self.path)?.variant()?;
            let valued =
                with_values(variant, &guessed, |letter| begun.piece(letter).and_then(|piece| piece.value))?;
            let pilot = match StudyDirectory::holds(&pilot_path(&self.path))? {
                true => Some(self.pilot(rules, false)?),
                false => None,
            };
            return Ok((valued, pilot));
        }
        if guessed.is_empty() {
            return Ok((variant.clone(), None));
        }
        let pilot = self.pilot(rules, true)?;
        let (_, values) = &pilot.measured;
        let valued = with_values(variant, &guessed, |letter| Some(centipawns_after(rules, letter, values)))?;
        Ok((valued, Some(pilot)))
    }

    /// The pilot, after more of it has been played if it `plays`.
    fn pilot(&mut self, rules: &Rules, plays: bool) -> Result<Pilot, Failure> {
        let games = self.games(rules, Stage::Pilot, plays)?;
        Ok(Pilot { measured: (rules.variant().clone(), games.known.values(self.unit)), games })
    }

    /// The games by which the pieces are measured, with those of the pilot, after more have been played.
    pub fn measure(&mut self, rules: &Rules, pilot: Option<&Pilot>) -> Result<Games, Failure> {
        self.games(rules, Stage::Measured(pilot.map(|pilot| &pilot.games)), true)
    }

    /// The games of a stage. More are added if `plays`: the stage's share of the number that is asked for, or until so much of the time
    /// has passed since the start.
    fn games(&mut self, rules: &Rules, stage: Stage<'_>, plays: bool) -> Result<Games, Failure> {
        let is_pilot = matches!(stage, Stage::Pilot);
        let (share, path, pilot) = match stage {
            Stage::Pilot => (SHARE_OF_PILOT, &pilot_path(&self.path), None),
            Stage::Measured(pilot) => (1.0, &self.path.clone(), pilot),
        };
        let begun = StudyDirectory::holds(path)?.then(|| StudyDirectory::read(path)).transpose()?;
        let without = self.command.without.as_ref().map(|without| without.letters().to_vec());
        let mut options = ExperimentOptions { without, ..self.command.experiment.options() };
        if is_pilot {
            options.seed = Some(pilot_seed(options.seed, begun.as_ref().map(|begun| begun.seed)));
        }
        let first = options.first_study(rules, begun.as_ref())?;
        let seed = first.seed;
        let without = first.odds.as_ref().map(Odds::lacked_by_both).unwrap_or_default();
        let nodes = first.limits.nodes;
        // In earlier versions its setups were not its own.
        let pilot = pilot.filter(|pilot| pilot.seed != seed);
        let (anchor, of_anchor) = match pilot {
            Some(pilot) => (pilot.known.clone(), pilot.of_anchor.clone()),
            None => self.command.anchor(rules, nodes, &without)?,
        };
        let of_pilot = pilot.map_or(0, |pilot| pilot.games);
        let settings = PlaySettings {
            tables: self.tables.take().map_or_else(OnceLock::new, OnceLock::from),
            ..self.command.experiment.settings(rules)
        };
        let interactions = self.command.more && !is_pilot;
        let design = Design::of_pieces(rules, first, self.unit, self.letters, anchor, interactions);
        // All games are played in pairs.
        let in_pairs = |games: u64| match is_pilot {
            true => 2 * (0.5 * share * games as f64).round() as u64,
            false => games.saturating_sub(of_pilot),
        };
        let size = |games: u64| PlanSize { games: in_pairs(games), rounds: ROUNDS, tasks: 0 };
        let asked = self.command.games.filter(|_| plays).map(size);
        // Refuses a directory with other games.
        let plan = plan_of(path, &design, begun.as_ref(), asked)?;
        let mut experiment = open(path, design, &settings)?;
        if plays {
            let until = Until::Time { start: self.start, time: self.command.time.mul_f64(share) };
            play_experiment(&mut experiment, &self.interrupt, plan.as_ref().map_or(until, Until::Planned))?;
        }
        let (known, games) = (experiment.known(), experiment.games());
        let mut records = pilot.map(|pilot| pilot.records.clone()).unwrap_or_default();
        records.extend(self.records(rules, &experiment, is_pilot, &without, nodes.unwrap_or_default()));
        if plays && games > 0 && !is_pilot {
            Output::write_own(&path.join("pairs.csv"), |out| write_records(&records, out))?;
        }
        self.tables = settings.tables.get().cloned();
        Ok(Games { known, games: of_pilot + games, of_pilot, records, seed, without, of_anchor })
    }

    /// What was played of each piece.
    fn records(
        &self,
        rules: &Rules,
        experiment: &Experiment<'_>,
        is_pilot: bool,
        without: &[Letter],
        nodes: u64,
    ) -> Vec<PieceRecord> {
        let variant = rules.variant();
        let material = Weights::new(rules).material;
        let record = |(odds, results): (&Odds, PairResults)| {
            let of_pieces = odds.replaced().into_iter().flatten().map(|pair| pair.1);
            let letter = of_pieces.into_iter().find(|letter| self.letters.contains(letter))?;
            let piece = variant.piece(letter)?;
            Some(PieceRecord {
                piece: piece.name.clone(),
                letter,
                betza: piece.betza.to_string(),
                variant: variant.key.clone(),
                without: without.to_vec(),
                nodes,
                is_pilot,
                centipawns: f64::from(material[letter]),
                odds: odds.clone(),
                pairs: results.counts,
            })
        };
        experiment.at_odds().into_iter().filter_map(record).collect()
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
