//! The one search that may run.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use backrank_analysis::explorer::{MATE, page_score};
use backrank_engine::{Clock, Engine, Limits, Progress, Weights};
use backrank_rules::{Game, Move, Position, Rules, Side};
use serde::{Deserialize, Serialize};

use super::game::Place;

/// A search that nobody has asked about for so long is stopped: its page is closed.
const FORSAKEN: Duration = Duration::from_secs(4);

/// The largest number of lines.
const MOST_LINES: usize = 5;

/// What is to be searched, and for how long. Without a limit it goes on until it is stopped.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    pub place: Place,
    nodes: Option<u64>,
    milliseconds: Option<u64>,
    /// The clock of the side to move.
    clock: Option<AskedClock>,
    #[serde(default)]
    lines: usize,
    /// Whether every position of the game is to be evaluated, rather than the last one be searched.
    #[serde(default)]
    whole: bool,
}

/// A clock in milliseconds.
#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct AskedClock {
    left: u64,
    increment: u64,
}

/// What a search has found so far.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Found {
    /// The number of the search, so that a page knows its own.
    id: u64,
    running: bool,
    depth: u32,
    nodes: u64,
    /// The lines, the best first.
    lines: Vec<FoundLine>,
    /// The best move in UCI, once the search has ended.
    best: Option<String>,
    problem: Option<String>,
    /// White's evaluation of each position of the game so far, if all were asked for: in centipawns, and a mate in n plies as
    /// 30,000 − n.
    evaluations: Vec<i32>,
}

#[derive(Clone, Debug, Default, Serialize)]
struct FoundLine {
    /// For White, in pawns or moves to mate.
    score: String,
    /// The first move in UCI.
    first: String,
    moves: Vec<String>,
}

/// The search of the moment.
pub struct Search {
    /// The size of the table in MiB.
    hash: usize,
    found: Arc<Mutex<Found>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    asked_about: Instant,
    number: u64,
}

impl Search {
    pub fn new(hash: usize) -> Self {
        Self {
            hash,
            found: Arc::default(),
            stop: Arc::default(),
            thread: None,
            asked_about: Instant::now(),
            number: 0,
        }
    }

    /// Begins a search in the place of the one before.
    pub fn begin(&mut self, rules: Arc<Rules>, game: &Game<'_>, asked: &Asked) -> u64 {
        self.stop();
        self.number += 1;
        self.stop = Arc::default();
        self.found = Arc::new(Mutex::new(Found { id: self.number, running: true, ..Found::default() }));
        self.asked_about = Instant::now();
        let (stop, found, hash) = (Arc::clone(&self.stop), Arc::clone(&self.found), self.hash);
        let limits = Limits {
            nodes: asked.nodes,
            move_time: asked.milliseconds.map(Duration::from_millis),
            clock: asked.clock.map(|clock| Clock {
                left: Duration::from_millis(clock.left),
                increment: Duration::from_millis(clock.increment),
                moves_to_go: None,
            }),
            lines: asked.lines.clamp(1, MOST_LINES),
            ..Limits::default()
        };
        let (start, moves) = (game.start().to_fen(), game.moves().to_vec());
        let whole = asked.whole;
        self.thread = Some(std::thread::spawn(move || {
            let searched = Searched { rules: &rules, start: &start, moves: &moves, limits: &limits, hash };
            let ended = match whole {
                true => searched.evaluate(&stop, &found).map(|()| None),
                false => searched.search(&stop, &found),
            };
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            found.running = false;
            match ended {
                Ok(best) => found.best = best,
                Err(problem) => found.problem = Some(problem),
            }
        }));
        self.number
    }

    /// What it has found so far.
    pub fn found(&mut self) -> Found {
        self.asked_about = Instant::now();
        self.found.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Stops it, and waits until it has ended.
    pub fn stop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // A search that has panicked has found nothing more.
            let _ended = thread.join();
        }
    }

    /// Stops it if nobody asks about it any more.
    pub fn look_after(&mut self) {
        if self.thread.is_some() && self.asked_about.elapsed() > FORSAKEN {
            self.stop();
        }
    }
}

/// What is searched.
struct Searched<'a> {
    rules: &'a Rules,
    start: &'a str,
    moves: &'a [Move],
    limits: &'a Limits,
    hash: usize,
}

impl<'a> Searched<'a> {
    fn game(&self) -> Result<Game<'a>, String> {
        Ok(Game::new(Position::from_fen(self.rules, self.start).map_err(|error| error.to_string())?))
    }

    fn engine(&self) -> Result<Engine<'a>, String> {
        Engine::try_new(self.rules, &Weights::new(self.rules), self.hash).map_err(|error| error.to_string())
    }

    /// Searches the last position, and returns the best move in UCI.
    fn search(&self, stop: &AtomicBool, found: &Mutex<Found>) -> Result<Option<String>, String> {
        let mut game = self.game()?;
        self.moves.iter().for_each(|&played| game.play(played));
        let position = *game.position();
        let result = self.engine()?.search(&game, self.limits, stop, |progress| {
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            tell(&mut found, &position, progress);
        });
        Ok(result.best.map(|best| best.uci(position.board())))
    }

    /// Evaluates every position of the game, the first one first.
    fn evaluate(&self, stop: &AtomicBool, found: &Mutex<Found>) -> Result<(), String> {
        let (mut game, mut engine) = (self.game()?, self.engine()?);
        let mut moves = self.moves.iter();
        loop {
            let sign = if game.position().side_to_move() == Side::White { 1 } else { -1 };
            let evaluation = match game.outcome() {
                Some(outcome) => outcome.winner().map_or(0, |winner| match winner {
                    Side::White => MATE,
                    Side::Black => -MATE,
                }),
                None => sign * page_score(engine.search(&game, self.limits, stop, |_| ()).score),
            };
            if stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            found.lock().unwrap_or_else(PoisonError::into_inner).evaluations.push(evaluation);
            match moves.next() {
                Some(&played) => game.play(played),
                None => return Ok(()),
            }
        }
    }
}

fn tell(found: &mut Found, position: &Position<'_>, progress: &Progress) {
    let Progress { rank, depth, score, nodes, line, .. } = progress;
    (found.depth, found.nodes) = (*depth, *nodes);
    let sign = if position.side_to_move() == Side::White { 1 } else { -1 };
    let score = match score.as_moves_to_mate() {
        Some(moves) => format!("#{}", sign * moves),
        None => format!("{:+.2}", f64::from(sign * score.as_centipawns().unwrap_or(0)) / 100.0),
    };
    let mut at = *position;
    let moves = line.iter().map(|&played| {
        let text = at.notation(played);
        at.play(played);
        text
    });
    let first = line.first().map_or(String::new(), |first| first.uci(position.board()));
    let shown = FoundLine { score, first, moves: moves.collect() };
    let index = rank.saturating_sub(1);
    if found.lines.len() <= index {
        found.lines.resize(index + 1, FoundLine::default());
    }
    found.lines[index] = shown;
}
