use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use backrank_engine::{Engine, Limits, Progress, Score, Weights};
use backrank_rules::{Game, Move, Position};
use clap::Args;
use serde::Serialize;

use crate::args::PositionArgs;
use crate::command::legal::MoveText;
use crate::terminal::failure::Failure;
use crate::terminal::output::{Output, print_json};

/// Search a position for its best move
#[derive(Args)]
#[command(after_help = examples!(
    "backrank search pmrc 6944 --nodes 100000",
    "backrank search modern --depth 8",
))]
pub struct SearchCommand {
    #[command(flatten)]
    position: PositionArgs,

    /// Stop after this many nodes [default: 1000000, unless there is another limit]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Stop after this depth in plies
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,

    /// Stop after this many milliseconds
    #[arg(long, value_name = "MILLISECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    time: Option<u64>,

    /// The size of the transposition table in MiB
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The result of a search.
#[derive(Serialize)]
struct SearchAnswer {
    fen: String,
    /// The best move; `None` if the game is over.
    best: Option<MoveText>,
    #[serde(flatten)]
    score: ScoreAnswer,
    depth: u32,
    line: Vec<MoveText>,
    nodes: u64,
    seconds: f64,
    nodes_per_second: u64,
}

/// A score for the side to move; one of the two fields is set.
#[derive(Serialize)]
struct ScoreAnswer {
    centipawns: Option<i32>,
    /// The number of moves to mate, negative if the side to move is mated.
    mate: Option<i32>,
}

impl SearchCommand {
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
        let mut engine = Engine::try_new(&rules, &Weights::new(&rules), self.hash as usize)?;
        let mut out = Output::stdout();
        let show_progress = !self.json;
        let start = Instant::now();
        let mut told = Ok(());
        let found = engine.search(&Game::new(position), &limits, &AtomicBool::new(false), |progress| {
            if show_progress && told.is_ok() {
                told = tell(&mut out, &position, progress);
            }
        });
        told?;
        let seconds = start.elapsed().as_secs_f64();
        let nodes_per_second = (found.nodes as f64 / seconds.max(1e-9)) as u64;
        if self.json {
            return print_json(&SearchAnswer {
                fen: position.to_fen(),
                best: found.best.map(|best| MoveText::new(&position, best)),
                score: ScoreAnswer {
                    centipawns: found.score.as_centipawns(),
                    mate: found.score.as_moves_to_mate(),
                },
                depth: found.depth,
                line: texts(&position, &found.line),
                nodes: found.nodes,
                seconds,
                nodes_per_second,
            });
        }
        match found.best {
            Some(best) => {
                writeln!(out, "\nbest move    {} ({})", position.notation(best), best.uci(position.board()))?;
            }
            None => writeln!(out, "\nbest move    none: the game is over")?,
        }
        writeln!(out, "score        {}", score_text(found.score))?;
        writeln!(out, "depth        {}", found.depth)?;
        writeln!(out, "line         {}", line_text(&position, &found.line))?;
        writeln!(out, "nodes        {}", found.nodes)?;
        writeln!(out, "nodes/s      {nodes_per_second}")?;
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

/// A score as centipawns, or as the number of moves to mate.
fn score_text(score: Score) -> String {
    match score.as_moves_to_mate() {
        Some(moves) => format!("mate in {moves}"),
        None => format!("{:+}", score.as_centipawns().unwrap_or(0)),
    }
}

/// The moves of a line of play as text.
fn texts(position: &Position<'_>, line: &[Move]) -> Vec<MoveText> {
    let mut position = *position;
    let text = line.iter().map(|&played| {
        let text = MoveText::new(&position, played);
        position.play(played);
        text
    });
    text.collect()
}

/// A line of play in the game's notation.
fn line_text(position: &Position<'_>, line: &[Move]) -> String {
    let moves: Vec<String> = texts(position, line).into_iter().map(|text| text.notation).collect();
    moves.join(" ")
}
