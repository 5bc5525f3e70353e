//! Locks that work between machines: a file that only one worker can make, with a heartbeat.
//!
//! `link` either gives a file a second name or fails because that name is taken, also on NFS, where nothing else is as sure.
//! The worker that holds a lock rewrites it every few seconds. Whoever waits for it watches whether it changes, with a
//! clock of its own, so that the clocks of machines need not agree.

use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use backrank_rules::files::read_file;
use backrank_selfplay::store::{durable, open_inside};
use serde::{Deserialize, Serialize};

/// A lock is stale when it has not changed for this many of its holder's heartbeats.
const STALE_AFTER: u32 = 6;

/// The time between heartbeats, unless another is asked for.
pub const USUAL_HEARTBEAT: Duration = Duration::from_secs(10);

/// The length of every lock in bytes, so that rewriting one needs no more room on a full disk.
const LENGTH: usize = 512;

/// The largest file that is read as a lock.
const LARGEST: u64 = 1 << 16;

/// The worker that holds a lock, as the lock's file describes it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LockHolder {
    /// Its unique name: its machine, its process and a random number.
    pub worker: String,
    /// The name of the machine.
    pub host: String,
    /// The number of its process.
    pub process: u32,
    /// What tells this process from others with the same number, before or after the machine was started again.
    incarnation: String,
    /// The seconds between heartbeats.
    pub every: f64,
    /// The number of heartbeats so far.
    beats: u64,
    /// When it began, in seconds since 1970 by its own clock.
    pub since: f64,
    /// When it last wrote this, by the same clock.
    pub now: f64,
    /// The number of games that were recorded when it began.
    pub found: u64,
    /// The number of games that are recorded now.
    pub games: u64,
    /// The number of games that it plays at a time.
    pub threads: u64,
}

/// A lock that this process holds until the value is dropped.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    worker: String,
    host: String,
    progress: Arc<LockProgress>,
    /// Dropped to end the heartbeat.
    end: Option<Sender<()>>,
    heart: Option<JoinHandle<()>>,
}

/// What a worker shares with the thread that writes its heartbeats.
#[derive(Debug, Default)]
pub struct LockProgress {
    /// The number of games that were recorded when it began.
    pub found: AtomicU64,
    /// The number of games that are recorded now.
    pub games: AtomicU64,
    /// Whether another worker has taken the lock.
    pub lost: AtomicBool,
}

/// The answer to a request for a lock.
#[derive(Debug)]
pub enum LockAnswer {
    /// This process holds the lock now.
    Held(Lock),
    /// Another worker holds it, and is alive.
    Busy(Box<LockHolder>),
    /// The lock is not needed any more.
    NotNeeded,
}

impl Lock {
    /// Takes a lock. If another worker holds it, the lock is watched: after a heartbeat the answer is that it is busy. It is taken
    /// over if there is no heartbeat for six times the usual interval, or if its holder is a process of this machine that has
    /// ended.
    ///
    /// `is_needed` is called now and then meanwhile. `stop` is set if another worker takes the lock over later.
    ///
    /// # Errors
    ///
    /// When the directory cannot be written.
    pub fn take(
        path: &Path,
        every: Duration,
        threads: usize,
        stop: &'static AtomicBool,
        is_needed: impl Fn() -> bool,
    ) -> io::Result<LockAnswer> {
        let holder = LockHolder::this_process(every, threads);
        loop {
            if !is_needed() {
                return Ok(LockAnswer::NotNeeded);
            }
            if let Some(file) = make(path, &holder)? {
                return Ok(LockAnswer::Held(Self::beat(path, file, holder, stop)?));
            }
            let Some(other) = LockHolder::read(path)? else { continue };
            match watch(path, &other, stop, &is_needed)? {
                WatchOutcome::Beats => return Ok(LockAnswer::Busy(Box::new(other))),
                WatchOutcome::Gone => (),
                WatchOutcome::Stale => take_away(path, &other, &holder)?,
            }
        }
    }

    /// Starts the thread that writes heartbeats.
    fn beat(path: &Path, file: File, holder: LockHolder, stop: &'static AtomicBool) -> io::Result<Self> {
        let progress = Arc::new(LockProgress::default());
        let (end, ended) = channel();
        let (worker, told, lock) = (holder.worker.clone(), Arc::clone(&progress), path.to_path_buf());
        let (every, host) = (holder.every(), holder.host.clone());
        let mut holder = holder;
        let heart = std::thread::Builder::new().name("heartbeat".to_string()).spawn(move || {
            while ended.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                let is_other =
                    |other: LockHolder| ![holder.worker.as_str(), ""].contains(&other.worker.as_str());
                if LockHolder::read(&lock).is_ok_and(|other| other.is_none_or(is_other)) {
                    told.lost.store(true, Ordering::Relaxed);
                    return stop.store(true, Ordering::Relaxed);
                }
                holder.beats += 1;
                holder.now = seconds();
                holder.found = told.found.load(Ordering::Relaxed);
                holder.games = told.games.load(Ordering::Relaxed);
                // A beat that cannot be written is missed; it takes several before the lock is stale.
                let _ = holder.write(&file);
            }
        })?;
        Ok(Self { path: path.to_path_buf(), worker, host, progress, end: Some(end), heart: Some(heart) })
    }

    /// The unique name of this worker.
    pub fn worker(&self) -> &str {
        &self.worker
    }

    /// The name of this machine.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// What is shared with the thread that writes heartbeats.
    pub fn progress(&self) -> &LockProgress {
        &self.progress
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        self.end = None;
        if let Some(heart) = self.heart.take() {
            let _ = heart.join();
        }
        let is_ours = LockHolder::read(&self.path);
        if matches!(is_ours, Ok(Some(holder)) if holder.worker == self.worker) {
            // If this fails, the lock becomes stale after a while.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

impl LockHolder {
    /// Reads a lock; `None` if there is none. The holder of a lock that a crash has damaged has no name.
    ///
    /// # Errors
    ///
    /// When it is there and cannot be read.
    pub fn read(path: &Path) -> io::Result<Option<Self>> {
        match read_file(path, LARGEST) {
            Ok(bytes) => {
                let holder = std::str::from_utf8(&bytes).ok().and_then(|text| toml::from_str(text).ok());
                Ok(Some(holder.unwrap_or_default()))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The time between heartbeats.
    fn every(&self) -> Duration {
        let every = if self.worker.is_empty() { USUAL_HEARTBEAT.as_secs_f64() } else { self.every };
        // The file may hold anything, also what is no number.
        Duration::from_secs_f64(if every.is_finite() { every.clamp(0.001, 3600.0) } else { 3600.0 })
    }

    /// The time without a heartbeat after which it counts as dead.
    fn stale_after(&self) -> Duration {
        self.every() * STALE_AFTER
    }

    /// Whether its last heartbeat is so long ago that it must be dead, if the clocks agree.
    pub fn seems_stale(&self) -> bool {
        seconds() - self.now > self.stale_after().as_secs_f64() || self.is_dead() == Some(true)
    }

    fn this_process(every: Duration, threads: usize) -> Self {
        let process = std::process::id();
        let host = host();
        let number = RandomState::new().build_hasher().finish();
        Self {
            worker: format!("{host}-{process}-{:08x}", number as u32),
            host,
            process,
            incarnation: incarnation(process).unwrap_or_default(),
            every: every.as_secs_f64(),
            beats: 0,
            since: seconds(),
            now: seconds(),
            found: 0,
            games: 0,
            threads: threads as u64,
        }
    }

    /// Whether it is a process of this machine that has ended, as far as can be known.
    pub(super) fn is_surely_dead(&self) -> bool {
        self.is_dead() == Some(true)
    }

    /// Whether it is a process of this machine that has ended; `None` if that cannot be known.
    fn is_dead(&self) -> Option<bool> {
        let machine = self.incarnation.split(' ').next()?;
        if self.host != host() || machine.is_empty() || machine != machine_incarnation()? {
            return None;
        }
        Some(incarnation(self.process).is_none_or(|process| process != self.incarnation))
    }

    fn write(&self, file: &File) -> io::Result<()> {
        let mut text = toml::to_string(self).map_err(io::Error::other)?.into_bytes();
        text.resize(LENGTH.max(text.len() + 1), b' ');
        if let Some(last) = text.last_mut() {
            *last = b'\n';
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::FileExt::write_all_at(file, &text, 0)
        }
        #[cfg(not(unix))]
        {
            use std::io::{Seek, Write};
            let mut file = file;
            file.rewind()?;
            file.write_all(&text)
        }
    }
}

/// Makes a lock, unless there is one.
fn make(path: &Path, holder: &LockHolder) -> io::Result<Option<File>> {
    let own = path.with_added_extension(&holder.worker);
    let file = loop {
        let file = open_inside(&own, OpenOptions::new().write(true).create(true).truncate(true))?;
        // The claim also holds for the lock's name, as long as this process lives.
        if durable::claim(&file) {
            break file;
        }
    };
    // On the disk before it is a lock, so that after a crash its holder is known.
    let written = holder.write(&file).and_then(|()| file.sync_all());
    let result = written.and_then(|()| match std::fs::hard_link(&own, path) {
        Ok(()) => Ok(true),
        // On NFS the link may have been made although the answer was lost.
        Err(_) if links(&own) == Some(2) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        // Another machine has removed it as litter; the caller tries again.
        Err(error) if error.kind() == io::ErrorKind::NotFound && !own.exists() => Ok(false),
        Err(error) => Err(error),
    });
    let _ = std::fs::remove_file(&own);
    Ok(result?.then_some(file))
}

#[cfg(unix)]
fn links(path: &Path) -> Option<u64> {
    std::fs::metadata(path).ok().map(|file| std::os::unix::fs::MetadataExt::nlink(&file))
}

#[cfg(not(unix))]
fn links(_: &Path) -> Option<u64> {
    None
}

/// What was seen of a lock while it was watched.
enum WatchOutcome {
    Beats,
    Gone,
    Stale,
}

/// Watches a lock until its holder writes a heartbeat, or has not done so for too long.
fn watch(
    path: &Path,
    other: &LockHolder,
    stop: &AtomicBool,
    is_needed: &impl Fn() -> bool,
) -> io::Result<WatchOutcome> {
    if other.is_dead() == Some(true) {
        return Ok(WatchOutcome::Stale);
    }
    let begin = Instant::now();
    while begin.elapsed() < other.stale_after() {
        if stop.load(Ordering::Relaxed) {
            return Ok(WatchOutcome::Beats);
        }
        if !is_needed() {
            return Ok(WatchOutcome::Gone);
        }
        std::thread::sleep((other.every() / 5).min(Duration::from_secs(1)));
        match LockHolder::read(path)? {
            Some(now) if now.worker == other.worker && now.beats == other.beats => (),
            Some(now) if now.worker == other.worker => return Ok(WatchOutcome::Beats),
            _ => return Ok(WatchOutcome::Gone),
        }
    }
    Ok(WatchOutcome::Stale)
}

/// Removes a stale lock. If several workers try, one succeeds. A worker that has removed another lock than the stale one puts it
/// back.
fn take_away(path: &Path, stale: &LockHolder, taker: &LockHolder) -> io::Result<()> {
    let away = path.with_added_extension(format!("{}.stale", taker.worker));
    match std::fs::rename(path, &away) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        result => result?,
    }
    let taken = LockHolder::read(&away)?;
    if taken.is_some_and(|taken| taken.worker != stale.worker) {
        // If a third worker has made a lock meanwhile, the holder of this one stops at its next heartbeat.
        let _ = std::fs::hard_link(&away, path);
    }
    match std::fs::remove_file(&away) {
        // Another worker may have removed it as litter.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

fn seconds() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64())
}

/// The machine's name.
#[cfg(unix)]
fn host() -> String {
    let name = rustix::system::uname();
    let name: String = name.nodename().to_string_lossy().chars().take(64).collect();
    name.replace(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-', "_")
}

#[cfg(not(unix))]
fn host() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_else(|_| "localhost".to_string())
}

/// What tells the processes of this machine, since it was started, from those of others with the same numbers. Known on Linux
/// only.
fn machine_incarnation() -> Option<String> {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    let space = std::fs::read_link("/proc/self/ns/pid").ok()?;
    Some(format!("{}/{}", boot.trim(), space.display()))
}

/// What tells a process from every other; `None` if it does not run.
fn incarnation(process: u32) -> Option<String> {
    let machine = machine_incarnation()?;
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The process's name, which may hold anything, is in brackets. Its state comes next, and 19 fields later the time it began.
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace();
    let state = fields.next()?;
    let began = fields.nth(18)?;
    (state != "Z" && state != "X").then(|| format!("{machine} {began}"))
}
