use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use backrank_rules::{Game, Move, Position};
use backrank_selfplay::{Engine, Limits, Progress, Score, Weights};
use clap::Args;

use crate::args::PositionArgs;
use crate::failure::Failure;
use crate::output::Output;

/// The best move of a position, as the engine sees it
#[derive(Args)]
#[command(after_help = examples!(
    "backrank search pmrc 6944 --nodes 100000",
    "backrank search modern --depth 8",
))]
pub struct Search {
    #[command(flatten)]
    position: PositionArgs,

    /// Stop after so many nodes [default: 1000000, without another limit]
    #[arg(long)]
    nodes: Option<u64>,

    /// Stop after so many plies
    #[arg(long)]
    depth: Option<u32>,

    /// Stop after so many milliseconds
    #[arg(long, value_name = "MILLISECONDS")]
    time: Option<u64>,

    /// The size of the transposition table in mebibytes
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
}

impl Search {
    pub fn run(self) -> Result<(), Failure> {
        let (rules, space) = self.position.rules()?;
        let position = self.position.position(&rules, &space)?;
        let mut limits = Limits {
            nodes: self.nodes,
            depth: self.depth,
            move_time: self.time.map(Duration::from_millis),
            ..Limits::default()
        };
        if limits == Limits::default() {
            limits.nodes = Some(1_000_000);
        }
        let mut engine = Engine::new(&rules, &Weights::new(&rules), self.hash as usize);
        let mut out = Output::stdout();
        let start = Instant::now();
        let mut told = Ok(());
        let found = engine.search(&Game::new(position), &limits, &AtomicBool::new(false), |progress| {
            if told.is_ok() {
                told = tell(&mut out, &position, progress);
            }
        });
        told?;
        let seconds = start.elapsed().as_secs_f64();
        match found.best {
            Some(best) => {
                writeln!(out, "\nbest move    {} ({})", position.notation(best), best.uci(position.board()))?
            }
            None => writeln!(out, "\nbest move    none: the game is over")?,
        }
        writeln!(out, "score        {}", score_text(found.score))?;
        writeln!(out, "depth        {}", found.depth)?;
        writeln!(out, "line         {}", line_text(&position, &found.line))?;
        writeln!(out, "nodes        {}", found.nodes)?;
        writeln!(out, "nodes/s      {:.0}", found.nodes as f64 / seconds.max(1e-9))?;
        out.finish()
    }
}

fn tell(out: &mut Output, position: &Position<'_>, progress: &Progress) -> Result<(), Failure> {
    let Progress { depth, selective_depth, score, nodes, line, .. } = progress;
    let depths = format!("{depth}/{selective_depth}");
    writeln!(out, "{depths:<8}{:>10}{nodes:>12}  {}", score_text(*score), line_text(position, line))?;
    out.flush()?;
    Ok(())
}

/// A score in centipawns, or the moves to mate.
fn score_text(score: Score) -> String {
    match score.as_plies_to_end() {
        Some(plies) => format!("mate in {}{}", if plies < 0 { "-" } else { "" }, (plies.abs() + 1) / 2),
        None => format!("{:+}", score.as_centipawns().unwrap_or(0)),
    }
}

/// A line of play in the game's notation.
fn line_text(position: &Position<'_>, line: &[Move]) -> String {
    let mut position = *position;
    let text = line.iter().map(|&played| {
        let text = position.notation(played);
        position.play(played);
        text
    });
    text.collect::<Vec<_>>().join(" ")
}
