//! The processors and the memory that this process may use.

use backrank_selfplay::play::MOST_THREADS;

/// Reads a number of threads, or of games at a time.
pub fn read_threads(text: &str) -> Result<u16, String> {
    let threads = text.parse().ok().filter(|&threads: &u16| (1..=MOST_THREADS).contains(&threads.into()));
    threads.ok_or_else(|| format!("it is a number from 1 to {MOST_THREADS}"))
}

/// The number of processors that this process may use: those that Slurm gave the task, but no more than the process's
/// affinity and control groups allow.
pub fn processors() -> usize {
    let allowed = std::thread::available_parallelism().map_or(1, usize::from);
    let given = std::env::var("SLURM_CPUS_PER_TASK").ok().and_then(|text| text.parse().ok());
    given.filter(|&given: &usize| given > 0).map_or(allowed, |given| given.min(allowed)).min(MOST_THREADS)
}
