//! The thread that searches.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::thread::JoinHandle;
use std::time::Instant;

use backrank_endgames::EndgameTables;
use backrank_rules::{Game, Position, Rules};

use super::input::Event;
use super::output::Lines;
use super::text::{Info, MoveStyle};
use crate::limits::Limits;
use crate::memory::available_mebibytes;
use crate::search::{Engine, NoMemory, SearchResult};
use crate::weights::Weights;

/// The jobs of the worker, which it does one after another.
pub enum Job<'r> {
    /// Make the engine, with a table of this many mebibytes and its endgame tables, and report it.
    Ready(usize),
    /// Forget what was learnt.
    Clear,
    /// Search a game's position.
    Search { game: Box<Game<'r>>, limits: Limits, mebibytes: usize, style: MoveStyle },
    /// Count the sequences of moves from a position.
    Perft { position: Box<Position<'r>>, depth: u32, style: MoveStyle },
}

/// The worker of a session.
pub struct SearchWorker<'r, 's, 'o> {
    pub rules: &'r Rules,
    pub weights: Weights,
    /// Its endgame tables, which all engines of the session share.
    pub tables: TablesToCome,
    pub to_do: Receiver<Job<'r>>,
    pub events: Sender<Event>,
    /// Set to end a job early.
    pub stop: &'s AtomicBool,
    pub out: &'s Lines<'o>,
    /// The engine and the size of its table, once it was needed.
    pub engine: Option<(Engine<'r>, usize)>,
}

/// Endgame tables that are made in a thread of their own when they are first asked for.
pub enum TablesToCome {
    /// None are wanted.
    Unwanted,
    /// Nobody has asked for them.
    Unasked,
    /// They are being made.
    Making(JoinHandle<EndgameTables>),
    /// They are there: all engines of the session get the same.
    Made(Arc<EndgameTables>),
}

impl TablesToCome {
    /// The tables of some rules, if they are wanted and made already, or if it may wait for them.
    fn get(&mut self, rules: &Rules, waits: bool) -> Option<Arc<EndgameTables>> {
        if let Self::Unasked = self {
            let rules = rules.clone();
            // Nobody waits for it when the session ends.
            *self = Self::Making(std::thread::spawn(move || EndgameTables::for_play(&rules)));
        }
        if let Self::Making(thread) = self
            && (waits || thread.is_finished())
            && let Self::Making(thread) = std::mem::replace(self, Self::Unwanted)
        {
            let made = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            *self = Self::Made(Arc::new(made));
        }
        match self {
            Self::Made(tables) => Some(tables.clone()),
            _ => None,
        }
    }
}

/// Perft of fewer plies than this is so quick that it need not be stopped.
const QUICK: u32 = 3;

impl<'r> SearchWorker<'r, '_, '_> {
    /// Works until there is nobody left to give it a job.
    pub fn work(mut self) {
        let _gone_on_panic = GoneOnPanic(self.events.clone());
        while let Ok(job) = self.to_do.recv() {
            match job {
                Job::Ready(mebibytes) => {
                    self.engine(mebibytes, true);
                    self.out.send(format_args!("readyok"));
                }
                Job::Clear => {
                    if let Some((engine, _)) = &mut self.engine {
                        engine.clear();
                    }
                }
                Job::Search { game, limits, mebibytes, style } => {
                    let found = self.search(&game, &limits, mebibytes, style);
                    // When nobody listens, the session is over, and so is this loop.
                    let _ = self.events.send(Event::Done(Some(found)));
                }
                Job::Perft { position, depth, style } => {
                    let nodes = self.perft(&position, depth, style);
                    // The session must know first: whoever has read the last line may send the next command at once.
                    let _ = self.events.send(Event::Done(None));
                    match nodes {
                        Some(nodes) => self.out.send(format_args!("\nNodes searched: {nodes}")),
                        None => self.out.remark("perft: stopped"),
                    }
                }
            }
        }
    }

    /// The engine. A table of another size needs another engine; if there is no memory for it, the table is smaller. An engine
    /// that does not wait for its endgame tables gets them once they are made.
    fn engine(&mut self, mebibytes: usize, waits: bool) -> &mut Engine<'r> {
        let tables = self.tables.get(self.rules, waits);
        // The old table is freed before the new one is made.
        self.engine.take_if(|(_, before)| *before != mebibytes);
        let rules = self.rules;
        let weights = &self.weights;
        let out = self.out;
        let make = || {
            let (engine, size) = largest(mebibytes, |size| Engine::try_new(rules, weights, size).ok());
            if size < mebibytes {
                out.remark(&format!("{}: it gets {size} MiB, the largest that fits", NoMemory { mebibytes }));
            }
            (engine, mebibytes)
        };
        let (engine, _) = self.engine.get_or_insert_with(make);
        engine.set_tables(tables);
        engine
    }

    fn search(
        &mut self,
        game: &Game<'r>,
        limits: &Limits,
        mebibytes: usize,
        style: MoveStyle,
    ) -> SearchResult {
        let (out, stop) = (self.out, self.stop);
        let start = Instant::now();
        let position = game.position();
        let mut told = None;
        // Tables take longer to make than a search may that is to end at a time, or as soon as it is told to.
        let is_bounded = limits.nodes.is_some() || limits.depth.is_some();
        let waits = is_bounded && limits.move_time.is_none() && limits.clock.is_none();
        let found = self.engine(mebibytes, waits).search(game, limits, stop, |progress| {
            let info = Info {
                rank: (limits.lines > 1).then_some(progress.rank),
                depth: progress.depth,
                selective_depth: Some(progress.selective_depth),
                score: progress.score,
                nodes: progress.nodes,
                elapsed: progress.elapsed,
                hashfull: Some(progress.hashfull),
                line: &progress.line,
            };
            told = Some(progress.nodes);
            out.send(format_args!("{}", info.text(position, style)));
        });
        // The result of a depth that was cut short.
        if told != Some(found.nodes) {
            let info = Info {
                rank: (limits.lines > 1).then_some(1),
                depth: found.depth,
                selective_depth: None,
                score: found.score,
                nodes: found.nodes,
                elapsed: start.elapsed(),
                hashfull: None,
                line: &found.line,
            };
            out.send(format_args!("{}", info.text(position, style)));
        }
        found
    }

    /// Perft with a line for each move; `None` if it was stopped.
    fn perft(&self, position: &Position<'_>, depth: u32, style: MoveStyle) -> Option<u64> {
        let mut nodes = u64::from(depth == 0);
        if depth > 0 {
            for played in position.legal_moves() {
                let below = self.count(&position.after(played), depth - 1)?;
                self.out.send(format_args!("{}: {below}", style.text(position, played)));
                nodes += below;
            }
        }
        Some(nodes)
    }

    /// Perft; `None` if it was stopped.
    fn count(&self, position: &Position<'_>, depth: u32) -> Option<u64> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        if depth <= QUICK {
            return Some(position.perft(depth));
        }
        position.legal_moves().into_iter().map(|played| self.count(&position.after(played), depth - 1)).sum()
    }
}

/// Makes something of the requested size, or else of the largest size for which there is memory, less an eighth that is
/// left to others. Returns the size, too.
fn largest<T>(asked: usize, make: impl Fn(usize) -> Option<T>) -> (T, usize) {
    let available = available_mebibytes().map_or(usize::MAX, |mebibytes| mebibytes as usize);
    if asked <= available
        && let Some(made) = make(asked)
    {
        return (made, asked);
    }
    // The largest size that can be made lies between these two.
    let (mut fits, mut fails) = (0, asked.min(available.saturating_add(1)));
    while fails - fits > 1 {
        let middle = fits + (fails - fits) / 2;
        if make(middle).is_some() { fits = middle } else { fails = middle }
    }
    let size = (fits - fits / 8).max(1);
    (make(size).expect("memory for the smallest table"), size)
}

/// Reports that the worker has gone when a panic ends it, so that nobody waits for it.
struct GoneOnPanic(Sender<Event>);

impl Drop for GoneOnPanic {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.0.send(Event::Gone);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_as_large_as_asked_for_or_as_there_is_memory() {
        let below = |limit: usize| move |size: usize| (size <= limit).then_some(size);
        assert_eq!(largest(16, below(100)), (16, 16));
        assert_eq!(largest(1000, below(800)), (700, 700));
        assert_eq!(largest(1000, below(1)), (1, 1));
        let far_too_much = usize::MAX >> 20;
        let (_, size) = largest(far_too_much, Some);
        assert!(available_mebibytes().is_none_or(|available| size as u64 <= available), "{size}");
    }
}
