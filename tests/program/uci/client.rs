//! A program at the other end of the engine's UCI: it starts the process and speaks with it line by line.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use backrank_rules::{Position, Rules};

/// Longer than anything takes on the slowest machine; only a failing test waits for it.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Client {
    process: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Client {
    pub fn start() -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_backrank"))
            .arg("uci")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines() {
                if sender.send(line.unwrap()).is_err() {
                    return;
                }
            }
        });
        Self { input: process.stdin.take(), process, lines }
    }

    /// A client that has chosen a variant.
    pub fn playing(variant: &str) -> Self {
        let mut client = Self::start();
        client.set("UCI_Variant", variant);
        client
    }

    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    /// Ends the input.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// Sets an option, which nothing may be said against.
    pub fn set(&mut self, name: &str, value: &str) {
        self.send(&format!("setoption name {name} value {value}"));
        assert_eq!(self.ready(), [] as [String; 0]);
    }

    /// The lines up to one that begins so.
    pub fn until(&self, beginning: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self
                .lines
                .recv_timeout(PATIENCE)
                .unwrap_or_else(|_| panic!("no line `{beginning}…` after {lines:#?}"));
            lines.push(line);
            if lines.last().unwrap().starts_with(beginning) {
                return lines;
            }
        }
    }

    /// What was said before `readyok`.
    pub fn ready(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// What is said of a line, remarks alone.
    pub fn remarks(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.ready()
            .iter()
            .map(|line| line.strip_prefix("info string ").expect("a remark").to_string())
            .collect()
    }

    /// The position as `d` shows it.
    pub fn fen(&mut self) -> String {
        self.send("d");
        self.until("Fen: ").pop().unwrap()["Fen: ".len()..].to_string()
    }

    /// Sends `go …` and returns the best move and all lines of the search.
    pub fn go(&mut self, limits: &str) -> (String, Vec<String>) {
        self.send(&format!("go {limits}"));
        self.best()
    }

    /// The best move once it comes, and the lines before it.
    pub fn best(&self) -> (String, Vec<String>) {
        let mut lines = self.until("bestmove");
        let last = lines.pop().unwrap();
        (last.split(' ').nth(1).unwrap().to_string(), lines)
    }

    /// Asserts that for a while nothing that begins so is said.
    pub fn says_no(&self, beginning: &str, time: Duration) {
        let end = Instant::now() + time;
        loop {
            match self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(line) => assert!(!line.starts_with(beginning), "{line}"),
                Err(RecvTimeoutError::Timeout) => return,
                Err(RecvTimeoutError::Disconnected) => panic!("it has ended"),
            }
        }
    }

    /// How the process ends.
    pub fn end(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.process.try_wait().unwrap() {
                return status;
            }
            assert!(start.elapsed() < PATIENCE, "it does not end");
            thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The number after a word of an `info` line.
pub fn number_after(line: &str, word: &str) -> Option<i64> {
    line.split(' ').skip_while(|&other| other != word).nth(1)?.parse().ok()
}

/// Plays a game against itself from the start of a variant, each move of it and of each principal variation held against
/// the rules; returns its moves.
pub fn play_itself(client: &mut Client, rules: &Rules, plies: usize, limits: &str) -> Vec<String> {
    client.send("ucinewgame");
    client.send("position startpos");
    let mut position = Position::from_fen(rules, &client.fen()).unwrap();
    let mut moves: Vec<String> = Vec::new();
    while moves.len() < plies && position.outcome().is_none() {
        client.send(&format!("position startpos moves {}", moves.join(" ")));
        let (best, lines) = client.go(limits);
        for line in &lines {
            let mut position = position;
            let Some((_, variation)) = line.split_once(" pv ") else { continue };
            for text in variation.split(' ') {
                let played = position.parse_uci(text);
                position.play(played.unwrap_or_else(|error| panic!("{position}\n{line}\n{error}")));
            }
        }
        let played = position.parse_uci(&best).unwrap_or_else(|error| panic!("{position}\n{error}"));
        position.play(played);
        moves.push(best);
        assert_eq!(client.ready(), [] as [String; 0]);
    }
    moves
}
