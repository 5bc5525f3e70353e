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
use serde::{Deserialize, Serialize};

use crate::store::durable;
use crate::store::open_inside;

/// A lock is stale when it has not changed for so many of its holder's heartbeats.
const STALE_AFTER: u32 = 6;

/// The time between heartbeats, unless another is asked for.
pub const USUAL_HEARTBEAT: Duration = Duration::from_secs(10);

/// Every record is as long, so that rewriting one needs no more room on a full disk.
const LENGTH: usize = 512;

/// A larger file is no lock.
const LARGEST: u64 = 1 << 16;

/// What a lock says of the worker that holds it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LockHolder {
    /// Its machine, its process and a number of its own, which no other worker has.
    pub worker: String,
    /// The name of the machine.
    pub host: String,
    /// The process.
    pub process: u32,
    /// What tells this run of the machine, and the process, from others of the same name and number.
    incarnation: String,
    /// The seconds between heartbeats.
    pub every: f64,
    /// Heartbeats so far.
    beats: u64,
    /// When it began, in seconds since 1970 by its own clock.
    pub since: f64,
    /// When it last wrote this, by the same clock.
    pub now: f64,
    /// Games that it found when it began.
    pub found: u64,
    /// Games that are recorded.
    pub games: u64,
    /// The number of games at a time.
    pub threads: u64,
}

/// A lock that this process holds. It is given up when this is dropped.
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

/// What the worker tells, and is told, while it holds a lock.
#[derive(Debug, Default)]
pub struct LockProgress {
    /// Games that were found when it began.
    pub found: AtomicU64,
    /// Games that are recorded.
    pub games: AtomicU64,
    /// Whether another worker has taken the lock.
    pub lost: AtomicBool,
}

/// What came of asking for a lock.
#[derive(Debug)]
pub enum LockAnswer {
    /// It is ours.
    Held(Lock),
    /// Somebody else is at work.
    Busy(Box<LockHolder>),
    /// There is no need for it any more.
    NotNeeded,
}

impl Lock {
    /// Takes a lock. One that is held is watched: when its holder's heart beats, it is busy; when it does not, or the
    /// holder is a process of this machine that has ended, the lock is taken over. That takes up to six heartbeats.
    ///
    /// `is_needed` is asked now and then while it waits. `stop` is set when the lock turns out to be lost.
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
                Watched::Beats => return Ok(LockAnswer::Busy(Box::new(other))),
                Watched::Gone => (),
                Watched::Stale => take_away(path, &other, &holder)?,
            }
        }
    }

    /// Starts the heart.
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

    /// What no other worker is called.
    pub fn worker(&self) -> &str {
        &self.worker
    }

    /// The name of this machine.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// What is told and heard with the heartbeat.
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
            // Where this fails, the lock becomes stale.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

impl LockHolder {
    /// Reads a lock; none where there is none. One that a crash has damaged is held by nobody: its worker has no name.
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
        // What another machine has written may be no number.
        Duration::from_secs_f64(if every.is_finite() { every.clamp(0.001, 3600.0) } else { 3600.0 })
    }

    /// How long it may be silent.
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

    /// Whether it is a process of this machine that has ended; none where that cannot be known.
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
        // It stays claimed under its other name, too, as long as this process lives.
        if durable::claim(&file) {
            break file;
        }
    };
    // Who finds it after a crash must see whose it was.
    let written = holder.write(&file).and_then(|()| file.sync_all());
    let result = written.and_then(|()| match std::fs::hard_link(&own, path) {
        Ok(()) => Ok(true),
        // Over NFS the answer to a link that was made can be lost.
        Err(_) if links(&own) == Some(2) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        // Taken for litter by another machine; the caller tries again.
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

/// What became of a lock that was watched.
enum Watched {
    Beats,
    Gone,
    Stale,
}

/// Watches a lock until its holder's heart beats, or has not for too long.
fn watch(
    path: &Path,
    other: &LockHolder,
    stop: &AtomicBool,
    is_needed: &impl Fn() -> bool,
) -> io::Result<Watched> {
    if other.is_dead() == Some(true) {
        return Ok(Watched::Stale);
    }
    let begin = Instant::now();
    while begin.elapsed() < other.stale_after() {
        if stop.load(Ordering::Relaxed) {
            return Ok(Watched::Beats);
        }
        if !is_needed() {
            return Ok(Watched::Gone);
        }
        std::thread::sleep((other.every() / 5).min(Duration::from_secs(1)));
        match LockHolder::read(path)? {
            Some(now) if now.worker == other.worker && now.beats == other.beats => (),
            Some(now) if now.worker == other.worker => return Ok(Watched::Beats),
            _ => return Ok(Watched::Gone),
        }
    }
    Ok(Watched::Stale)
}

/// Takes a stale lock away. Of several who try, one succeeds; who takes away another lock than the stale one puts it back.
fn take_away(path: &Path, stale: &LockHolder, taker: &LockHolder) -> io::Result<()> {
    let away = path.with_added_extension(format!("{}.stale", taker.worker));
    match std::fs::rename(path, &away) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        result => result?,
    }
    let taken = LockHolder::read(&away)?;
    if taken.is_some_and(|taken| taken.worker != stale.worker) {
        // If a third worker has made a lock meanwhile, the one whose lock this was stops at its next heartbeat.
        let _ = std::fs::hard_link(&away, path);
    }
    match std::fs::remove_file(&away) {
        // Whoever cleans up takes it for litter.
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

/// What tells this run of this machine, with its numbers of processes, from any other: known on Linux only.
fn machine_incarnation() -> Option<String> {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    let space = std::fs::read_link("/proc/self/ns/pid").ok()?;
    Some(format!("{}/{}", boot.trim(), space.display()))
}

/// What tells a process from every other; none where it does not run.
fn incarnation(process: u32) -> Option<String> {
    let machine = machine_incarnation()?;
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name, which may hold anything, is in brackets. The state comes after it, and 19 fields later when it began.
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace();
    let state = fields.next()?;
    let began = fields.nth(18)?;
    (state != "Z" && state != "X").then(|| format!("{machine} {began}"))
}
