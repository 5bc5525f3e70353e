use std::io::Write;
use std::time::Instant;

use backrank_rules::{Move, Position};
use clap::Args;
use rayon::prelude::*;

use crate::args::PositionArgs;
use crate::failure::Failure;
use crate::notes::note;
use crate::output::Output;

/// How many ways a game can go on for so many plies
#[derive(Args)]
#[command(after_help = examples!(
    "backrank perft pmrc 6944 --depth 4",
    "backrank perft modern --depth 3 --divide --no-adjustment",
))]
pub struct Perft {
    #[command(flatten)]
    position: PositionArgs,

    /// The number of plies
    #[arg(short, long)]
    depth: u32,

    /// Also for each first move
    #[arg(long)]
    divide: bool,

    /// How many threads count
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,
}

impl Perft {
    pub fn run(self) -> Result<(), Failure> {
        let (rules, space) = self.position.rules()?;
        let position = self.position.position(&rules, &space)?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads.into()).build();
        let pool = pool.map_err(|error| Failure::Other(format!("cannot start threads: {error}")))?;
        let start = Instant::now();
        let divided =
            if self.depth == 0 { Vec::new() } else { pool.install(|| divide(&position, self.depth)) };
        let nodes: u64 = if self.depth == 0 { 1 } else { divided.iter().map(|(_, nodes)| nodes).sum() };
        let seconds = start.elapsed().as_secs_f64();
        let mut out = Output::stdout();
        if self.divide {
            for (played, nodes) in &divided {
                writeln!(out, "{}: {nodes}", played.uci(position.board()))?;
            }
            writeln!(out)?;
        }
        writeln!(out, "Nodes searched: {nodes}")?;
        out.finish()?;
        let a_second = nodes as f64 / seconds.max(1e-9) / 1e6;
        note(format_args!("{seconds:.3} s, {a_second:.1} million nodes a second"));
        Ok(())
    }
}

/// Perft for each legal move. A task is a move and a reply: there are enough of them to keep threads busy.
fn divide(position: &Position<'_>, depth: u32) -> Vec<(Move, u64)> {
    let below = |played: Move| {
        let next = position.after(played);
        match depth {
            1 => 1,
            2 | 3 => next.perft(depth - 1),
            _ => next.legal_moves().par_iter().map(|&reply| next.after(reply).perft(depth - 2)).sum(),
        }
    };
    position.legal_moves().into_par_iter().map(|played| (played, below(played))).collect()
}
