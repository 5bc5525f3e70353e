//! Working on several numbers at a time and passing the results on in the order of the numbers.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

use thiserror::Error;

use super::window::Window;
use crate::search::NoMemory;

/// The number of results that may be finished before they can be written. It is enough for one that takes a hundred times
/// as long as the others, on as many threads as there will be.
const WINDOW: u64 = 4096;

/// Why no more games were played, or no more setups judged.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError<E> {
    /// Threads could not be started.
    #[error("cannot start threads: {0}")]
    Threads(String),
    /// There is no memory for a player's table.
    #[error(transparent)]
    Memory(#[from] NoMemory),
    /// Processing a result failed.
    #[error(transparent)]
    Output(E),
}

/// Works on the numbers of a range on several threads and passes the results to `each` in order, until it breaks off. Each
/// thread makes its own function that does the work; where that returns nothing, it was told to stop by `stop`. Results
/// that wait for their turn are then dropped. Where `each` breaks off, `stop` is set.
pub(crate) fn in_order<T: Send, E, W>(
    numbers: Range<u64>,
    threads: usize,
    stop: &AtomicBool,
    worker: impl Fn() -> W + Sync,
    mut each: impl FnMut(T) -> Result<ControlFlow<()>, E>,
) -> Result<(), RunError<E>>
where
    W: FnMut(u64) -> Result<Option<T>, NoMemory>,
{
    let threads = threads.max(1).min(numbers.end.saturating_sub(numbers.start).max(1) as usize);
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
                        // It was told to stop, so this number will never be written.
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
                    result = Err(RunError::Memory(error));
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
