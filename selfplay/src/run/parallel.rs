//! Playing several games at a time and passing them on in the order of their numbers.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;

use thiserror::Error;

use super::Run;
use super::game::{Played, Seats};
use super::window::Window;
use crate::search::NoMemory;

/// The number of games that may be finished before they can be written. It is enough for one game that is a hundred
/// times as long as the others, on as many threads as there will be.
const WINDOW: u64 = 4096;

/// Why no more games were played.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError<E> {
    /// Threads could not be started.
    #[error("cannot start threads: {0}")]
    Threads(String),
    /// There is no memory for a player's table.
    #[error(transparent)]
    Memory(#[from] NoMemory),
    /// Processing a game failed.
    #[error(transparent)]
    Output(E),
}

impl Run<'_, '_> {
    /// Plays the games in a range of numbers and passes them to `each` in order, until it breaks off. Games that are
    /// then being played, or wait for their turn, are dropped.
    ///
    /// # Errors
    ///
    /// When `each` fails, or no thread can be started. The failure of a player is part of the game.
    pub fn play<E>(
        &self,
        games: Range<u64>,
        mut each: impl FnMut(Played) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), RunError<E>> {
        let threads = self.threads.max(1).min(games.end.saturating_sub(games.start).max(1) as usize);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| RunError::Threads(error.to_string()))?;
        let tables = if games.is_empty() { None } else { self.tables_needed() };
        let next = AtomicU64::new(games.start);
        let window = Window::new(games.start, WINDOW);
        let (send, receive) = mpsc::channel();
        let mut result = Ok(ControlFlow::Continue(()));
        pool.in_place_scope(|scope| {
            for _ in 0..threads {
                let send = send.clone();
                let (next, window, games) = (&next, &window, &games);
                scope.spawn(move |_| {
                    let _close_if_it_panics = window.closer();
                    let mut seats = Seats::new(self, tables);
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= games.end || !window.enter(number) {
                            return;
                        }
                        let Some(played) = seats.play(number).transpose() else {
                            // It was told to stop, so this game will never be written.
                            return window.close();
                        };
                        if send.send(played).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(send);
            let mut waiting = BTreeMap::new();
            let mut due = games.start;
            for played in receive {
                let played = match played {
                    Ok(played) => played,
                    Err(error) => {
                        result = Err(RunError::Memory(error));
                        self.stop.store(true, Ordering::Relaxed);
                        window.close();
                        continue;
                    }
                };
                waiting.insert(played.record.game, played);
                while let Some(played) = waiting.remove(&due) {
                    due += 1;
                    if matches!(result, Ok(ControlFlow::Continue(()))) {
                        result = each(played).map_err(RunError::Output);
                        if !matches!(result, Ok(ControlFlow::Continue(()))) {
                            self.stop.store(true, Ordering::Relaxed);
                            window.close();
                        }
                    }
                }
                window.move_to(due);
            }
        });
        result.map(|_| ())
    }
}
