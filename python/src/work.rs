//! Work that takes long.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::prelude::*;

use crate::errors::failed;

/// The time between checks for Ctrl-C.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// Works without the interpreter's lock, on this number of threads, or one for each processor.
///
/// The threads live only as long as the work: a process that forks later has none that its child would miss. Ctrl-C sets
/// the flag that the work is given, and raises its exception when the work has ended.
pub fn work<T: Send>(
    py: Python<'_>,
    threads: usize,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        let stop = AtomicBool::new(false);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(failed)?;
        let (send, receive) = channel();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                // The receiver is there until the result has come.
                let _ = send.send(pool.install(|| work(&stop)));
            });
            let mut interrupted = Ok(());
            loop {
                match receive.recv_timeout(BETWEEN_LOOKS) {
                    Ok(result) => return interrupted.map(|()| result),
                    Err(RecvTimeoutError::Disconnected) => return Err(failed("the work ended early")),
                    Err(RecvTimeoutError::Timeout) if interrupted.is_ok() => {
                        interrupted = Python::attach(|py| py.check_signals());
                        stop.store(interrupted.is_err(), Ordering::Relaxed);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                }
            }
        })
    })
}
