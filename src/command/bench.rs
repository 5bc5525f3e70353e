use std::io::Write;
use std::time::Instant;

use backrank_analysis::table::thousands;
use backrank_engine::BenchPosition;
use clap::Args;
use rayon::prelude::*;
use serde::Serialize;

use crate::terminal::failure::Failure;
use crate::terminal::output::{Output, print_json};
use crate::terminal::processors::read_threads;
use crate::terminal::table::{TableColumn, print};

/// Measure the engine's speed, and the fingerprint of its search: the number of nodes it takes for fixed positions
///
/// The same version takes the same number of nodes on every machine, but the nodes per second depend on the machine.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank bench",
    "backrank bench --depth 3 --nodes-only",
))]
pub struct BenchCommand {
    /// Search every position to this depth in plies instead of the depth in the file of positions
    #[arg(short, long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,

    /// The number of positions that are searched at a time, each by its own engine
    #[arg(long, default_value_t = 1, value_parser = read_threads)]
    threads: u16,

    /// Print only the fingerprint
    #[arg(long, conflicts_with = "json")]
    nodes_only: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
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

impl BenchCommand {
    pub fn run(self) -> Result<(), Failure> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads.into()).build();
        let pool = pool.map_err(|error| Failure::Other(format!("cannot start threads: {error}")))?;
        let start = Instant::now();
        let search = |position| search(position, self.depth);
        let positions: Vec<Searched> =
            pool.install(|| BenchPosition::all().into_par_iter().map(search).collect());
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

/// Searches a position to a depth, or to the depth in the file.
fn search(position: BenchPosition, depth: Option<u32>) -> Searched {
    let depth = depth.unwrap_or(position.depth);
    let start = Instant::now();
    let nodes = position.search(depth).nodes;
    let seconds = start.elapsed().as_secs_f64();
    let BenchPosition { variant, fen, .. } = position;
    Searched { variant, fen, depth, nodes, seconds }
}
