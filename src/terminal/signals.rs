//! Handling the signals that end a program: SIGINT, which Ctrl-C sends, and SIGTERM.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use backrank_selfplay::player::kill_engines;
use backrank_selfplay::store::durable::Unpublished;

use crate::terminal::failure::Failure;

/// The function that is called instead of ending the program.
static ON_SIGNAL: Mutex<Option<OnSignal>> = Mutex::new(None);

struct OnSignal {
    act: Box<dyn Fn() + Send>,
    /// Whether SIGTERM calls it as well.
    on_termination: bool,
}

/// The files to remove when the program is ended.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on Ctrl-C calls this function instead of ending the program.
///
/// # Errors
///
/// When the operating system does not let the program listen for signals.
pub fn on_interrupt(act: impl Fn() + Send + 'static) -> Result<(), Failure> {
    call(act, false)
}

/// A flag that from now on Ctrl-C sets, which then does not end the program.
///
/// # Errors
///
/// When the operating system does not let the program listen for signals.
pub fn interrupted() -> Result<&'static AtomicBool, Failure> {
    flag(false)
}

/// A flag that from now on Ctrl-C sets and SIGTERM, too, which schedulers send.
///
/// # Errors
///
/// When the operating system does not let the program listen for signals.
pub fn interrupted_or_terminated() -> Result<&'static AtomicBool, Failure> {
    flag(true)
}

fn flag(on_termination: bool) -> Result<&'static AtomicBool, Failure> {
    let flag: &'static AtomicBool = Box::leak(Box::new(AtomicBool::new(false)));
    call(move || flag.store(true, Ordering::Relaxed), on_termination)?;
    Ok(flag)
}

fn call(act: impl Fn() + Send + 'static, on_termination: bool) -> Result<(), Failure> {
    *lock(&ON_SIGNAL) = Some(OnSignal { act: Box::new(act), on_termination });
    listen().map_err(|error| Failure::Other(format!("cannot listen for signals: {error}")))
}

/// A file that is removed if a signal ends the program while this value lives.
pub struct RemovedOnSignal(PathBuf);

impl RemovedOnSignal {
    /// Creates a temporary file. A signal that arrives meanwhile waits until the file is registered, and then removes
    /// it.
    pub fn create(
        make: impl FnOnce() -> std::io::Result<Unpublished>,
    ) -> std::io::Result<(Unpublished, Self)> {
        listen()?;
        let mut unfinished = lock(&UNFINISHED);
        let file = make()?;
        let path = file.path().to_path_buf();
        unfinished.push(path.clone());
        Ok((file, Self(path)))
    }
}

impl Drop for RemovedOnSignal {
    fn drop(&mut self) {
        lock(&UNFINISHED).retain(|path| *path != self.0);
    }
}

/// Removes all registered files, for code that ends the program itself. No further file is created while the returned
/// value lives.
pub fn remove_unfinished() -> impl Drop {
    let mut unfinished = lock(&UNFINISHED);
    for path in unfinished.drain(..) {
        let _ = std::fs::remove_file(path);
    }
    unfinished
}

/// Starts the thread that waits for signals, once.
#[cfg(unix)]
fn listen() -> std::io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};

    static LISTENING: Mutex<bool> = Mutex::new(false);
    let mut listening = lock(&LISTENING);
    if *listening {
        return Ok(());
    }
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    std::thread::Builder::new().name("signals".to_string()).spawn(move || {
        for signal in signals.forever() {
            match &*lock(&ON_SIGNAL) {
                Some(on_signal) if signal == SIGINT || on_signal.on_termination => (on_signal.act)(),
                _ => {
                    let _no_more = (remove_unfinished(), kill_engines());
                    // Ends the program by the signal itself, so that the shell sees which one it was.
                    let _ = signal_hook::low_level::emulate_default_handler(signal);
                }
            }
        }
    })?;
    *listening = true;
    Ok(())
}

/// Without Unix signals, the system ends the program at once.
#[cfg(not(unix))]
fn listen() -> std::io::Result<()> {
    Ok(())
}
