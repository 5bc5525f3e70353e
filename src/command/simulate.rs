use std::io::Write;
use std::path::{Path, PathBuf};

use backrank_analysis::games::Material;
use backrank_analysis::simulate::{Simulation, TrueValue, Truth};
use backrank_analysis::table::thousands;
use backrank_rules::files::{MAX_TEXT, read_text};
use backrank_rules::{Rules, Variant};
use backrank_selfplay::player::PlayerSpec;
use backrank_selfplay::study::{
    GamesReader, GamesWriter, Odds, Opening, SetupChoice, Study, StudyDirectory, StudySetups, StudySpec,
};
use clap::Args;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::args::studies::{Bar, SamplingArgs};
use crate::args::{Narrowing, ThreadsArg, check_played, find_variant};
use crate::terminal::failure::Failure;
use crate::terminal::notes::note;
use crate::terminal::output::Output;
use crate::terminal::reproduce::word;

/// Simulate a study: random games whose results are drawn from known piece values, to test the methods
///
/// The directory gets simulation.toml, which holds the true values, beside the files of any study. Up to the first
/// position that is sampled, the moves are random, with a preference for captures. After that nothing is captured, and
/// the result is drawn from the regression's model for the material on the board. Run an interrupted command again to
/// continue it.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank simulate pmrc --values P=1,N=3,B=3.3,R=5,M=8,Q=9 --games 2000 -o runs/sim",
))]
pub struct SimulateCommand {
    /// A key that `backrank variants` lists, or a path to a variant file
    variant: String,

    /// The value of each piece in pawns, such as P=1,N=3,B=3.3,R=5,M=8,Q=9; the bishop pair is B+B=0.5
    #[arg(long, value_delimiter = ',', required = true, value_parser = read_value)]
    values: Vec<TrueValue>,

    /// The number of games
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,

    /// The number of setups, drawn with equal probabilities; each gets the same number of games [default: one setup per
    /// game, or per pair of games]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    setups: Option<u64>,

    #[command(flatten)]
    narrowing: Narrowing,

    /// The directory to write the study to
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    /// The seed of the random numbers: the same seed gives the same games on every machine
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: u64,

    /// The pieces that each side starts without, such as `M:Q` or `P:-`; games then come in pairs, without captures
    #[arg(long, value_name = "WHITE:BLACK", allow_hyphen_values = true)]
    odds: Option<Odds>,

    /// The value of an extra pawn between equals, in Elo
    #[arg(long, value_name = "ELO", default_value_t = 60.0, allow_negative_numbers = true, value_parser = read_elo)]
    pawn_elo: f64,

    /// White's advantage, in Elo
    #[arg(long, value_name = "ELO", default_value_t = 25.0, allow_negative_numbers = true, value_parser = read_elo)]
    white_elo: f64,

    /// The standard deviation of setups' advantages for White, in Elo
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_negative_numbers = true, value_parser = read_deviation)]
    setup_elo: f64,

    /// The proportion of draws between equals
    #[arg(long, default_value_t = 0.3, allow_negative_numbers = true, value_parser = read_draws)]
    draws: f64,

    #[command(flatten)]
    sampling: SamplingArgs,

    #[command(flatten)]
    threads: ThreadsArg,
}

/// The contents of `simulation.toml`: everything that determines the games besides `study.toml`.
#[derive(PartialEq, Serialize, Deserialize)]
struct SimulationFile {
    from_ply: u32,
    quiet_plies: u32,
    #[serde(flatten)]
    truth: Truth,
}

fn read_value(text: &str) -> Result<TrueValue, String> {
    let wrong = || format!("`{text}`: a value is written as N=3");
    let (piece, pawns) = text.split_once('=').ok_or_else(wrong)?;
    let pawns = pawns.trim().parse().map_err(|_| wrong())?;
    Ok(TrueValue { piece: piece.trim().to_string(), pawns })
}

fn read_elo(text: &str) -> Result<f64, String> {
    let elo = text.parse().ok().filter(|elo: &f64| elo.abs() <= 2000.0);
    elo.ok_or_else(|| "Elo must be a number from -2000 to 2000".to_string())
}

fn read_deviation(text: &str) -> Result<f64, String> {
    let elo = text.parse().ok().filter(|elo| (0.0..=2000.0).contains(elo));
    elo.ok_or_else(|| "a standard deviation must be a number from 0 to 2000".to_string())
}

fn read_draws(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=0.99).contains(share));
    share.ok_or_else(|| "the proportion of draws must be a number from 0 to 0.99".to_string())
}

/// The number of games that are simulated before they are written.
const BATCH: u64 = 4096;

impl SimulateCommand {
    pub fn run(self) -> Result<(), Failure> {
        self.threads.start()?;
        let variant = find_variant(&self.variant)?;
        check_played(&variant)?;
        if let Some(odds) = &self.odds {
            odds.check(&variant).map_err(|problem| Failure::Input(format!("--odds {odds}: {problem}")))?;
        }
        let rules = Rules::new(&variant);
        let material = Material::of(&rules);
        let truth = Truth {
            values: self.values.clone(),
            pawn_elo: self.pawn_elo,
            white_elo: self.white_elo,
            draws: self.draws,
            setup_elo: self.setup_elo,
        };
        let sampling = self.sampling.sampling();
        let simulation = Simulation::new(&rules, &material, &truth, self.odds.clone(), sampling, self.seed)?;
        let study = self.study(&variant)?;
        let setups = StudySetups::of(&study)?;
        // This comes before anything is written, because there may be no game that can be sampled.
        let (id, setup) = setups.get(0);
        simulation.game(0, id, &setup)?;
        let mut directory = StudyDirectory::create_or_open(&self.output, &study)?;
        let (from_ply, quiet_plies) = (sampling.from_ply, sampling.quiet_plies);
        self.write_truth(&SimulationFile { from_ply, quiet_plies, truth })?;
        self.write_games(&study, &setups, &simulation)?;
        directory.write_again()?;
        drop(directory);
        let mut out = Output::stdout();
        let games = thousands(study.all_games());
        writeln!(out, "{games} games in {}; `backrank values {0}` estimates them", word(&self.output))?;
        out.finish()
    }

    /// The definition of the study.
    fn study(&self, variant: &Variant) -> Result<Study, Failure> {
        let together = if self.odds.is_some() { 2 } else { 1 };
        let setups = self.setups.unwrap_or(self.games / together);
        if setups == 0 || !self.games.is_multiple_of(setups * together) {
            let of = if together == 2 { "pairs of games" } else { "games" };
            return Err(Failure::Input(format!(
                "--games {} cannot be divided evenly among {setups} setups in {of}",
                self.games
            )));
        }
        let player = PlayerSpec {
            name: "model".to_string(),
            command: "model".to_string(),
            hash: 0,
            options: Vec::new(),
            reported: None,
            fingerprint: None,
        };
        let space = self.narrowing.space(variant)?;
        let numbering = space.default_numbering().name();
        let starts = SetupChoice::Random(setups).into();
        Ok(Study::new(StudySpec {
            constraints: self.narrowing.texts(),
            games: self.games / setups,
            pairs: self.odds.is_some(),
            seed: self.seed,
            odds: self.odds.clone(),
            pawns_in_turn: self.odds.is_some(),
            opening: Opening { plies: 0, margin: 0, balance: None },
            white: player.clone(),
            black: player,
            ..StudySpec::new(variant, starts, numbering, setups)
        })?)
    }

    /// Writes `simulation.toml`, or checks that of an earlier run.
    fn write_truth(&self, truth: &SimulationFile) -> Result<(), Failure> {
        let path = self.output.join("simulation.toml");
        if path.exists() {
            return check_truth(&path, truth);
        }
        let text = toml::to_string(truth).map_err(|error| Failure::Other(error.to_string()))?;
        let mut out = Output::own(&path)?;
        out.write_all(text.as_bytes()).map_err(|error| Failure::writing(&path, &error))?;
        out.finish()
    }

    /// Writes the games that an interrupted run has not written yet.
    fn write_games(
        &self,
        study: &Study,
        setups: &StudySetups,
        simulation: &Simulation<'_>,
    ) -> Result<(), Failure> {
        let path = StudyDirectory::games(&self.output);
        let (mut next, mut end) = (0, 0);
        if path.exists() {
            let mut reader = GamesReader::open_to_continue(&path, study)?;
            for row in reader.by_ref() {
                next = row?.game + 1;
            }
            end = reader.end();
            let written = thousands(next);
            note(format_args!("{} holds {written} games; the others will be added", self.output.display()));
        }
        let mut writer = GamesWriter::resume(&path, end, study)?;
        let bar = Bar::new("simulating", study.all_games());
        while next < study.all_games() {
            let numbers = next..study.all_games().min(next + BATCH);
            let batch: Vec<_> = numbers.map(|number| (number, setups.get(number / study.games))).collect();
            let games: Result<Vec<_>, _> =
                batch.par_iter().map(|(number, (id, setup))| simulation.game(*number, *id, setup)).collect();
            for game in &games? {
                writer.write(game)?;
            }
            next += batch.len() as u64;
            bar.set(next);
        }
        bar.finish();
        Ok(writer.finish()?)
    }
}

/// Rejects the continuation of a simulation with other parameters.
fn check_truth(path: &Path, truth: &SimulationFile) -> Result<(), Failure> {
    let wrong = |problem: String| Failure::Input(format!("{}: {problem}", path.display()));
    let text = read_text(path, MAX_TEXT).map_err(|error| wrong(error.to_string()))?;
    let begun: SimulationFile = toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    if begun != *truth {
        let problem = "the simulation was begun with other values, Elo, draws or sampling; give the same options, or \
                       another directory";
        return Err(wrong(problem.to_string()));
    }
    Ok(())
}
