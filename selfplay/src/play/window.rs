//! A limit on how far games may run ahead of the one that is to be written next.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A window over the numbers of games that moves on as they are written.
pub(super) struct Window {
    state: Mutex<WindowState>,
    moved: Condvar,
    size: u64,
}

struct WindowState {
    due: u64,
    closed: bool,
}

/// Closes a window when the thread that holds this panics, so that no other thread waits for its game.
pub(super) struct Closer<'a>(&'a Window);

impl Window {
    pub fn new(due: u64, size: u64) -> Self {
        Self { state: Mutex::new(WindowState { due, closed: false }), moved: Condvar::new(), size }
    }

    /// Waits until a game may begin; false if no more games may begin.
    pub fn enter(&self, number: u64) -> bool {
        let mut state = self.lock();
        while !state.closed && number >= state.due + self.size {
            state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        !state.closed
    }

    /// Sets the number of the game that is to be written next.
    pub fn move_to(&self, due: u64) {
        self.lock().due = due;
        self.moved.notify_all();
    }

    /// Lets no more games begin.
    pub fn close(&self) {
        self.lock().closed = true;
        self.moved.notify_all();
    }

    pub fn closer(&self) -> Closer<'_> {
        Closer(self)
    }

    fn lock(&self) -> MutexGuard<'_, WindowState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Closer<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.close();
        }
    }
}
