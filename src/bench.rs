use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use backrank_analysis::thousands;
use backrank_rules::{Game, Position, Rules, Variant};
use backrank_selfplay::{Engine, Limits, Weights};
use clap::Args;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::output::{Output, print_json};
use crate::table::{TableColumn, print};

/// Measure the engine's speed and the fingerprint of its search: the nodes it takes for fixed positions
///
/// The same version takes the same number of nodes on every machine; the nodes per second are those of this machine.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank bench",
    "backrank bench --depth 3 --nodes-only",
))]
pub struct BenchCommand {
    /// Search every position to this depth in plies instead of the depth in the file of positions
    #[arg(short, long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,

    /// The number of positions that are searched at a time, each by an engine of its own
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,

    /// Print only the fingerprint
    #[arg(long, conflicts_with = "json")]
    nodes_only: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The file of positions.
#[derive(Deserialize)]
struct Positions {
    position: Vec<BenchPosition>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BenchPosition {
    variant: String,
    fen: String,
    depth: u32,
}

#[derive(Serialize)]
struct Searched {
    variant: String,
    fen: String,
    depth: u32,
    nodes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct Totals {
    positions: Vec<Searched>,
    nodes: u64,
    seconds: f64,
    nodes_per_second: u64,
}

static POSITIONS: &str = include_str!("../data/bench.toml");

/// Fingerprints are comparable only with the same size of table.
const MEBIBYTES: usize = 16;

impl BenchCommand {
    pub fn run(self) -> Result<(), Failure> {
        let Positions { position: entries } =
            toml::from_str(POSITIONS).expect("the file of positions that is built in is right");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads.into()).build();
        let pool = pool.map_err(|error| Failure::Other(format!("cannot start threads: {error}")))?;
        let start = Instant::now();
        let search = |entry| search(entry, self.depth);
        let positions: Vec<Searched> = pool.install(|| entries.into_par_iter().map(search).collect());
        let seconds = start.elapsed().as_secs_f64();
        let nodes = positions.iter().map(|searched| searched.nodes).sum();
        let totals =
            Totals { positions, nodes, seconds, nodes_per_second: (nodes as f64 / seconds.max(1e-9)) as u64 };
        if self.json {
            return print_json(&totals);
        }
        let mut out = Output::stdout();
        if self.nodes_only {
            writeln!(out, "{nodes}")?;
        } else {
            totals.print(&mut out)?;
        }
        out.finish()
    }
}

impl Totals {
    fn print(&self, out: &mut Output) -> Result<(), Failure> {
        use TableColumn::{Number, Text};
        let columns =
            [Text("variant"), Number("depth"), Number("nodes"), Number("nodes/s"), Text("position")];
        let rows = self.positions.iter().map(|searched| {
            let per_second = searched.nodes as f64 / searched.seconds.max(1e-9);
            vec![
                searched.variant.clone(),
                searched.depth.to_string(),
                thousands(searched.nodes),
                thousands(per_second as u128),
                searched.fen.clone(),
            ]
        });
        print(out, &columns, rows)?;
        writeln!(out, "\nnodes        {}", self.nodes)?;
        writeln!(out, "seconds      {:.1}", self.seconds)?;
        writeln!(out, "nodes/s      {}", self.nodes_per_second)?;
        Ok(())
    }
}

/// Searches a position with an engine that knows nothing of the others.
fn search(entry: BenchPosition, depth: Option<u32>) -> Searched {
    let BenchPosition { variant, fen, depth: usual } = entry;
    let depth = depth.unwrap_or(usual);
    let rules = Rules::new(&Variant::find(&variant).expect("a variant of the catalogue"));
    let position = Position::from_fen(&rules, &fen).expect("a position of its variant");
    let mut engine = Engine::new(&rules, &Weights::new(&rules), MEBIBYTES);
    let start = Instant::now();
    let limits = Limits::of_depth(depth);
    let found = engine.search(&Game::new(position), &limits, &AtomicBool::new(false), |_| ());
    Searched { variant, fen, depth, nodes: found.nodes, seconds: start.elapsed().as_secs_f64() }
}
