use std::io::Write;
use std::time::Instant;

use backrank_rules::{Move, Position};
use clap::Args;
use rayon::prelude::*;
use serde::Serialize;

use crate::args::PositionArgs;
use crate::command::legal::MoveText;
use crate::terminal::failure::Failure;
use crate::terminal::notes::note;
use crate::terminal::output::{Output, print_json};
use crate::terminal::processors::read_threads;

/// Count the sequences of legal moves of a given length
#[derive(Args)]
#[command(after_help = examples!(
    "backrank perft pmrc 6944 --depth 4",
    "backrank perft modern --depth 3 --divide --no-adjustment",
))]
pub struct PerftCommand {
    #[command(flatten)]
    position: PositionArgs,

    /// The length in plies
    #[arg(short, long)]
    depth: u32,

    /// Also print the count of each first move
    #[arg(long)]
    divide: bool,

    /// The number of threads
    #[arg(long, default_value_t = 1, value_parser = read_threads)]
    threads: u16,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct PerftAnswer {
    fen: String,
    depth: u32,
    nodes: u64,
    seconds: f64,
    nodes_per_second: u64,
    /// The counts of the first moves, with --divide.
    moves: Option<Vec<DividedMove>>,
}

/// A first move, and the number of sequences that begin with it.
#[derive(Serialize)]
struct DividedMove {
    #[serde(flatten)]
    text: MoveText,
    nodes: u64,
}

impl PerftCommand {
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
        let nodes_per_second = nodes as f64 / seconds.max(1e-9);
        if self.json {
            let divided_move = |&(played, nodes): &(Move, u64)| DividedMove {
                text: MoveText::new(&position, played),
                nodes,
            };
            return print_json(&PerftAnswer {
                fen: position.to_fen(),
                depth: self.depth,
                nodes,
                seconds,
                nodes_per_second: nodes_per_second as u64,
                moves: self.divide.then(|| divided.iter().map(divided_move).collect()),
            });
        }
        let mut out = Output::stdout();
        if self.divide {
            for (played, nodes) in &divided {
                writeln!(out, "{}: {nodes}", played.uci(position.board()))?;
            }
            writeln!(out)?;
        }
        writeln!(out, "Nodes searched: {nodes}")?;
        out.finish()?;
        note(format_args!("{seconds:.3} s, {:.1} million nodes a second", nodes_per_second / 1e6));
        Ok(())
    }
}

/// Perft for each legal move. A task is a move and a reply, so that there are enough tasks to keep all threads busy.
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
