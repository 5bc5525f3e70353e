mod players;
mod setups;
mod summary;

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use backrank_enumerate::Space;
use backrank_rules::{Rules, Variant};
use backrank_selfplay::{Adjudication, MoveLimits, Player, Run, Study, Tally};
use clap::Args;

use crate::args::NumberingArg;
use crate::failure::Failure;
use players::PlayerArgs;
use setups::{Setups, SetupsArg};

/// Games from setups, recorded
#[derive(Args)]
pub struct Play {
    /// A key that `backrank variants` lists, or a path to a variant file
    variant: String,

    /// The directory that the study is written to
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    /// Which setups: `all`, ids as `0..100`, or so many drawn with equal chances as `random:500` [default: all]
    #[arg(long)]
    setups: Option<SetupsArg>,

    #[command(flatten)]
    numbering: NumberingArg,

    /// The number of games from each setup [default: 1, with --pairs 2]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,

    /// Each two games in a row are the same but for who plays White
    #[arg(long)]
    pairs: bool,

    /// What chance depends on: the same seed gives the same games on every machine
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: u64,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    players: PlayerArgs,

    /// A game is a draw after so many plies
    #[arg(long, value_name = "PLIES")]
    max_plies: Option<u32>,

    /// How many games are played at a time [default: as many as there are processors]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,

    /// How many seconds an engine may take to answer, beyond the time it is given for a move
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,
}

/// What a player may use for a move.
#[derive(Args)]
struct LimitArgs {
    /// Nodes for each move [default: 1000, without another limit]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=i64::MAX as u64))]
    nodes: Option<u64>,

    /// Plies to search for each move
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,

    /// Milliseconds for each move; the games then depend on the machine
    #[arg(long, value_name = "MILLISECONDS", value_parser = clap::value_parser!(u64).range(1..=i64::MAX as u64))]
    time: Option<u64>,
}

impl LimitArgs {
    fn limits(&self) -> MoveLimits {
        let &Self { nodes, depth, time } = self;
        let limits = MoveLimits { nodes, depth, time };
        if limits == MoveLimits::default() { MoveLimits { nodes: Some(1000), ..limits } } else { limits }
    }
}

impl Play {
    pub fn run(self) -> Result<(), Failure> {
        let variant = Variant::find(&self.variant)?;
        if variant.count_only {
            return Err(Failure::Input(format!(
                "{} is counted and listed only: its file says `count_only = true`",
                variant.key
            )));
        }
        let space = Space::new(&variant)?;
        let numbering = self.numbering.of(&space)?;
        let setups = Setups::new(self.setups.clone().unwrap_or_default(), self.seed, &space, numbering)?;
        let games = self.games.unwrap_or(if self.pairs { 2 } else { 1 });
        if self.pairs && games % 2 == 1 {
            return Err(Failure::Input(format!(
                "--pairs needs an even number of games from each setup, not --games {games}"
            )));
        }
        let [white, black] = self.players.specs();
        let mut study = Study {
            version: env!("CARGO_PKG_VERSION").to_string(),
            variant: variant.key.clone(),
            setups: setups.asked().to_string(),
            numbering: numbering.name().to_string(),
            games,
            pairs: self.pairs,
            seed: self.seed,
            limits: self.limits.limits(),
            adjudication: Adjudication { max_plies: self.max_plies },
            white,
            black,
            variant_text: variant.text().to_string(),
        };
        let rules = Rules::new(&variant);
        let stop = AtomicBool::new(false);
        let threads = self
            .threads
            .map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
        let setup = |index| setups.get(index);
        let timeout = Duration::from_secs(self.timeout);
        // Started once before anything is written: a player that cannot play leaves no study behind.
        for player in [&mut study.white, &mut study.black] {
            player.reported = Player::start(player, &rules, timeout)?.reported().map(str::to_string);
        }
        let run = Run { study: &study, rules: &rules, setup: &setup, threads, timeout, stop: &stop };

        let failed = |path: &std::path::Path| {
            let path = path.to_path_buf();
            move |error: std::io::Error| Failure::writing(&path, &error)
        };
        std::fs::create_dir_all(&self.output).map_err(failed(&self.output))?;
        let study_path = self.output.join("study.toml");
        if study_path.exists() {
            return Err(Failure::Input(format!("{} holds a study already", self.output.display())));
        }
        let text = toml::to_string(&study).map_err(|error| Failure::Other(error.to_string()))?;
        std::fs::write(&study_path, text).map_err(failed(&study_path))?;
        let games_path = self.output.join("games.csv");
        let file = std::fs::File::create(&games_path).map_err(failed(&games_path))?;
        let mut writer = csv::Writer::from_writer(file);
        let mut tally = Tally::default();
        run.play(0..setups.len() * games, |played| {
            tally.add(&played);
            if let Some(failure) = &played.failure {
                eprintln!("game {}: {}: {}", played.record.game, failure.name, failure.problem);
                failure.last_lines.iter().for_each(|line| eprintln!("    {line}"));
            }
            writer.serialize(&played.record).map_err(std::io::Error::other)?;
            writer.flush()
        })
        .map_err(|error| Failure::Other(error.to_string()))?;
        summary::print(&study, &tally)
    }
}
