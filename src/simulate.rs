use std::io::Write;
use std::path::PathBuf;

use backrank_analysis::{Material, Simulation, TrueValue, Truth, thousands};
use backrank_enumerate::Space;
use backrank_rules::{Rules, Setup, Variant};
use backrank_selfplay::{GamesWriter, Odds, Opening, PlayerSpec, Study, StudyDirectory};
use clap::Args;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::failure::Failure;
use crate::output::Output;
use crate::studies::{Bar, SamplingArgs};

/// A study whose truth is known: quick games for their material, results drawn from the model of regression
///
/// The directory gets simulation.toml, with what is true, beside the files of any study. Games are played by chance until
/// the first position that sampling takes, captures preferred; from then on nothing is taken, and the result is drawn
/// for what is on the board.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank simulate pmrc --values P=1,N=3,B=3.3,R=5,M=8,Q=9 --games 2000 -o runs/sim",
))]
pub struct Simulate {
    /// A key that `backrank variants` lists, or a path to a variant file
    variant: String,

    /// What pieces are worth, in pawns: P=1,N=3,B=3.3,R=5,M=8,Q=9; a pair of bishops as B+B=0.5
    #[arg(long, value_delimiter = ',', required = true, value_parser = read_value)]
    values: Vec<TrueValue>,

    /// The number of games
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,

    /// The number of setups, drawn with equal chances; each gets as many games [default: a setup for each game, or for
    /// each pair]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    setups: Option<u64>,

    /// The directory that the study is written to
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    /// What chance depends on: the same seed gives the same games on every machine
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: u64,

    /// What the sides start without, as `M:Q` or `P:-`; games are then in pairs, and nothing is taken in them
    #[arg(long, value_name = "WHITE:BLACK")]
    odds: Option<Odds>,

    /// What a pawn more is worth between equals, in Elo
    #[arg(long, value_name = "ELO", default_value_t = 60.0, value_parser = read_elo)]
    pawn_elo: f64,

    /// What White's side is worth, in Elo
    #[arg(long, value_name = "ELO", default_value_t = 25.0, value_parser = read_elo)]
    white_elo: f64,

    /// The standard deviation of what a setup is worth to White, in Elo
    #[arg(long, value_name = "ELO", default_value_t = 0.0, value_parser = read_elo)]
    setup_elo: f64,

    /// The share of draws between equals
    #[arg(long, default_value_t = 0.3, value_parser = read_draws)]
    draws: f64,

    #[command(flatten)]
    sampling: SamplingArgs,
}

fn read_value(text: &str) -> Result<TrueValue, String> {
    let wrong = || format!("`{text}`: a value is written as N=3");
    let (piece, pawns) = text.split_once('=').ok_or_else(wrong)?;
    let pawns = pawns.trim().parse().map_err(|_| wrong())?;
    Ok(TrueValue { piece: piece.trim().to_string(), pawns })
}

fn read_elo(text: &str) -> Result<f64, String> {
    let elo = text.parse().ok().filter(|elo: &f64| elo.abs() <= 2000.0);
    elo.ok_or_else(|| "Elo is a number from -2000 to 2000".to_string())
}

fn read_draws(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=0.99).contains(share));
    share.ok_or_else(|| "the share of draws is a number from 0 to 0.99".to_string())
}

/// Games that are made between two writings.
const BATCH: u64 = 4096;

impl Simulate {
    pub fn run(self) -> Result<(), Failure> {
        let variant = Variant::find(&self.variant)?;
        if variant.count_only {
            let key = &variant.key;
            return Err(Failure::Input(format!(
                "{key} is counted and listed only: its file says `count_only = true`"
            )));
        }
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
        let space = Space::new(&variant)?;
        let study = self.study(&variant, &space)?;
        let directory = StudyDirectory::create(&self.output, &study)?;
        self.write_truth(&truth)?;
        self.write_games(&study, &space, &simulation)?;
        drop(directory);
        let mut out = Output::stdout();
        let games = thousands(study.all_games());
        writeln!(out, "{games} games in {}; `backrank values {0}` estimates them", self.output.display())?;
        out.finish()
    }

    /// What is asked, as any other study says it.
    fn study(&self, variant: &Variant, space: &Space) -> Result<Study, Failure> {
        let together = if self.odds.is_some() { 2 } else { 1 };
        let setups = self.setups.unwrap_or(self.games / together);
        if setups == 0 || !self.games.is_multiple_of(setups * together) {
            let of = if together == 2 { "pairs of games" } else { "games" };
            return Err(Failure::Input(format!(
                "--games {} cannot be shared out to {setups} setups in {of}",
                self.games
            )));
        }
        let player = PlayerSpec {
            name: "model".to_string(),
            command: "model".to_string(),
            hash: 0,
            options: Vec::new(),
            reported: None,
        };
        let numbering = space.default_numbering().name();
        Ok(Study {
            games: self.games / setups,
            pairs: self.odds.is_some(),
            seed: self.seed,
            odds: self.odds.clone(),
            opening: Opening { plies: 0, margin: 0 },
            white: player.clone(),
            black: player,
            ..Study::new(variant, format!("random:{setups}"), numbering, setups)
        })
    }

    fn write_truth(&self, truth: &Truth) -> Result<(), Failure> {
        let path = self.output.join("simulation.toml");
        let text = toml::to_string(truth).map_err(|error| Failure::Other(error.to_string()))?;
        let mut out = Output::open(Some(&path))?;
        out.write_all(text.as_bytes()).map_err(|error| Failure::writing(&path, &error))?;
        out.finish()
    }

    fn write_games(&self, study: &Study, space: &Space, simulation: &Simulation<'_>) -> Result<(), Failure> {
        let mut writer = GamesWriter::resume(&StudyDirectory::games(&self.output), 0)?;
        let bar = Bar::new("simulating", study.all_games());
        // The same setups that `backrank random` draws for this seed.
        let mut chance = ChaCha8Rng::seed_from_u64(study.seed);
        let numbering = space.default_numbering();
        let mut setup: Option<(u64, u128, Setup)> = None;
        let mut next = 0;
        while next < study.all_games() {
            let mut batch = Vec::new();
            for number in next..study.all_games().min(next + BATCH) {
                let index = number / study.games;
                if setup.is_none_or(|(before, ..)| before != index) {
                    let drawn = space.random(&mut chance);
                    let drawn =
                        drawn.ok_or_else(|| Failure::Input("there is no setup to draw".to_string()))?;
                    setup = Some((index, space.rank_by(numbering, &drawn)?, drawn));
                }
                batch.extend(setup.map(|(_, id, setup)| (number, id, setup)));
            }
            let games: Vec<_> =
                batch.par_iter().map(|(number, id, setup)| simulation.game(*number, *id, setup)).collect();
            for game in &games {
                writer.write(game)?;
            }
            next += games.len() as u64;
            bar.set(next);
        }
        bar.finish();
        Ok(())
    }
}
