//! Processing numbers in parallel, and passing on the results in the order of the numbers.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

use backrank_engine::NoMemory;
use thiserror::Error;

use super::window::Window;
use crate::player::PlayerError;
use crate::study::NoStart;

/// The number of results that may be finished before they can be written. This is enough even if one result takes a
/// hundred times as long as the others on a machine with many cores.
const WINDOW: u64 = 4096;

/// The most threads that are started.
pub const MOST_THREADS: usize = 1024;

/// Why an engine did not judge a setup.
#[derive(Debug, Error)]
#[error("setup {setup} could not be judged: {error}")]
pub struct JudgeError {
    /// The setup's id.
    pub setup: u128,
    /// What the engine did.
    pub error: PlayerError,
}

/// Why a run ended early.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError<E> {
    /// Threads could not be started.
    #[error("cannot start threads: {0}")]
    Threads(String),
    /// There is not enough memory for a player's transposition table.
    #[error(transparent)]
    Memory(#[from] NoMemory),
    /// A game has no position to start from.
    #[error(transparent)]
    Start(NoStart),
    /// The engine that judges setups failed.
    #[error(transparent)]
    Judge(#[from] JudgeError),
    /// The weights by which openings are judged cannot be read.
    #[error(transparent)]
    Weights(PlayerError),
    /// Processing a result failed.
    #[error(transparent)]
    Output(E),
}

/// Processes the numbers of a range on several threads and passes the results to `each` in order, until `each` returns
/// `Break`. Each thread creates its own worker. A worker returns `None` if `stop` told it to stop; results that wait
/// for their turn are then discarded. If `each` returns `Break`, `stop` is set.
pub(crate) fn in_order<T: Send, E, W, F>(
    numbers: Range<u64>,
    threads: usize,
    stop: &AtomicBool,
    worker: impl Fn() -> W + Sync,
    mut each: impl FnMut(T) -> Result<ControlFlow<()>, E>,
) -> Result<(), RunError<E>>
where
    W: FnMut(u64) -> Result<Option<T>, F>,
    F: Into<RunError<E>> + Send,
{
    let threads =
        threads.clamp(1, MOST_THREADS).min(numbers.end.saturating_sub(numbers.start).max(1) as usize);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| RunError::Threads(error.to_string()))?;
    let next = AtomicU64::new(numbers.start);
    let window = Window::new(numbers.start, WINDOW);
    let (send, receive) = mpsc::channel();
    let mut result = Ok(ControlFlow::Continue(()));
    pool.in_place_scope(|scope| {
        for _ in 0..threads {
            let send = send.clone();
            let (next, window, numbers, worker) = (&next, &window, &numbers, &worker);
            scope.spawn(move |_| {
                let _close_if_it_panics = window.closer();
                let mut work = worker();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= numbers.end || !window.enter(number) {
                        return;
                    }
                    let Some(done) = work(number).transpose() else {
                        // The worker was told to stop, so this number will never be written.
                        return window.close();
                    };
                    if send.send((number, done)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let mut waiting = BTreeMap::new();
        let mut due = numbers.start;
        for (number, done) in receive {
            let done = match done {
                Ok(done) => done,
                Err(error) => {
                    result = Err(error.into());
                    stop.store(true, Ordering::Relaxed);
                    window.close();
                    continue;
                }
            };
            waiting.insert(number, done);
            while let Some(done) = waiting.remove(&due) {
                due += 1;
                if matches!(result, Ok(ControlFlow::Continue(()))) {
                    result = each(done).map_err(RunError::Output);
                    if !matches!(result, Ok(ControlFlow::Continue(()))) {
                        stop.store(true, Ordering::Relaxed);
                        window.close();
                    }
                }
            }
            window.move_to(due);
        }
    });
    result.map(|_| ())
}
