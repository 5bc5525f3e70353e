//! A program with which lines of text are exchanged. It may end, hang or write too much.

use std::collections::VecDeque;
use std::io::{BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::conversation::{Conversation, is_awaited, lines};
use crate::player::PlayerError;

/// The number of lines that are kept to be shown when something goes wrong.
const KEPT_LINES: usize = 20;
/// The number of lines that are read before they are asked for.
const LINES_AHEAD: usize = 1024;
/// How often a waiting thread checks whether it should stop.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// The time that a program has to read what it is told.
const WRITE_TIMEOUT: Duration = Duration::from_secs(5);
/// The time that a program has to end when it is told to.
const QUIT_GRACE: Duration = Duration::from_millis(500);

/// A running program.
pub(in crate::player) struct Process {
    child: Child,
    to: ChildStdin,
    lines: Receiver<String>,
    said: Arc<Mutex<VecDeque<String>>>,
    /// The thread that reads its standard error.
    stderr: JoinHandle<()>,
}

impl Process {
    /// Starts a command line.
    pub fn start(command: &str) -> Result<Self, PlayerError> {
        let not_a_command = |problem: String| PlayerError::Command { command: command.to_string(), problem };
        let words = shell_words::split(command).map_err(|error| not_a_command(error.to_string()))?;
        let (program, arguments) =
            words.split_first().ok_or_else(|| not_a_command("it is empty".to_string()))?;
        let failed = |error| PlayerError::Start { command: command.to_string(), error };
        let mut command = Command::new(find(program));
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        {
            // Ctrl-C is for this program, which then tells its engines to quit; it must not look like a crash of
            // theirs. And whatever a script has started ends with the script.
            use std::os::unix::process::CommandExt;
            command.process_group(0);
            #[cfg(target_os = "linux")]
            {
                let end_with_us = || {
                    let kill = Some(rustix::process::Signal::KILL);
                    Ok(rustix::process::set_parent_process_death_signal(kill)?)
                };
                // SAFETY: between fork and exec it does nothing but one system call, which takes no lock and no memory.
                unsafe { command.pre_exec(end_with_us) };
            }
        }
        let mut running = running();
        let mut child = command.spawn().map_err(failed)?;
        running.push(child.id());
        drop(running);
        let to = child.stdin.take().expect("its input is piped");
        #[cfg(unix)]
        {
            // Who does not read what it is told must not keep us waiting. Where this fails, it may.
            use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
            let _ = fcntl_getfl(&to).and_then(|flags| fcntl_setfl(&to, flags | OFlags::NONBLOCK));
        }
        let stdout = child.stdout.take().expect("its output is piped");
        let stderr = child.stderr.take().expect("its errors are piped");
        let said = Arc::new(Mutex::new(VecDeque::new()));
        let (send, lines) = sync_channel(LINES_AHEAD);
        let (from_stdout, from_stderr) = (Arc::clone(&said), Arc::clone(&said));
        thread::spawn(move || read_lines(stdout, &from_stdout, Some(&send)));
        let stderr = thread::spawn(move || read_lines(stderr, &from_stderr, None));
        Ok(Self { child, to, lines, said, stderr })
    }

    /// The last lines that it wrote.
    pub fn last_lines(&self) -> Vec<String> {
        self.said.lock().map(|said| said.iter().cloned().collect()).unwrap_or_default()
    }
}

impl Conversation for Process {
    /// Writes a line. If the program has gone, that shows when its answer is awaited. One that does not read for seconds is
    /// killed: it would hang, and we with it.
    fn say(&mut self, line: &str) {
        let text = format!("{line}\n");
        let mut left = text.as_bytes();
        let begin = Instant::now();
        while !left.is_empty() {
            match self.to.write(left) {
                Ok(0) => return,
                Ok(written) => left = &left[written..],
                Err(error) if error.kind() == ErrorKind::Interrupted => (),
                Err(error) if error.kind() == ErrorKind::WouldBlock && begin.elapsed() < WRITE_TIMEOUT => {
                    thread::sleep(Duration::from_millis(1));
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return kill_group(self.child.id()),
                Err(_) => return,
            }
        }
    }

    fn wait_for(
        &mut self,
        awaited: &'static str,
        timeout: Duration,
        stop: Option<&AtomicBool>,
        mut each: impl FnMut(&str),
    ) -> Result<String, PlayerError> {
        let begin = Instant::now();
        loop {
            let left = timeout.saturating_sub(begin.elapsed());
            if left.is_zero() {
                return Err(PlayerError::Silent { awaited, seconds: timeout.as_secs() });
            }
            if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Err(PlayerError::Stopped);
            }
            match self.lines.recv_timeout(left.min(POLL_INTERVAL)) {
                Ok(line) if is_awaited(&line, awaited) => return Ok(line),
                Ok(line) => each(&line),
                Err(RecvTimeoutError::Timeout) => (),
                Err(RecvTimeoutError::Disconnected) => {
                    // What it wrote to its standard error as it ended may still be on its way.
                    let deadline = Instant::now() + QUIT_GRACE;
                    while !self.stderr.is_finished() && Instant::now() < deadline {
                        thread::sleep(Duration::from_millis(1));
                    }
                    return Err(PlayerError::Ended { awaited });
                }
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.say("quit");
        let deadline = Instant::now() + QUIT_GRACE;
        let mut has_ended = false;
        while !has_ended && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
            has_ended = !matches!(self.child.try_wait(), Ok(None));
        }
        let id = self.child.id();
        if !has_ended {
            kill_group(id);
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
        running().retain(|other| *other != id);
    }
}

/// The programs that are running, by the numbers of their processes.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn running() -> MutexGuard<'static, Vec<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills a program and whatever it has started.
#[cfg(unix)]
fn kill_group(process: u32) {
    let process = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(process) = process {
        let _ = rustix::process::kill_process_group(process, rustix::process::Signal::KILL);
    }
}

/// Without process groups, a program is killed by itself, when it is no longer needed.
#[cfg(not(unix))]
fn kill_group(_: u32) {}

/// Kills all engines, for code that ends the program at once. None is started any more while the returned value lives.
pub fn kill_engines() -> impl Drop {
    let running = running();
    running.iter().for_each(|&process| kill_group(process));
    running
}

/// The program on the path, or in the folder in which Debian puts games, which is not always on the path.
fn find(program: &str) -> PathBuf {
    let games = Path::new("/usr/games").join(program);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).any(|folder| folder.join(program).is_file());
    if !on_path && !program.contains('/') && games.is_file() { games } else { PathBuf::from(program) }
}

fn read_lines(from: impl Read, said: &Mutex<VecDeque<String>>, send: Option<&SyncSender<String>>) {
    for line in lines(BufReader::new(from)) {
        if let Ok(mut said) = said.lock() {
            if said.len() == KEPT_LINES {
                said.pop_front();
            }
            said.push_back(line.clone());
        }
        if send.is_some_and(|send| send.send(line).is_err()) {
            return;
        }
    }
}
