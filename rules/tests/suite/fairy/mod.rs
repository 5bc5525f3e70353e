//! Fairy-Stockfish as a source of legal moves: one process, spoken to over pipes.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use backrank_rules::{Variant, fairy};

/// A running engine that has been told our variants.
pub struct FairyStockfish {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    /// It reads the file when it is told its path; it is kept until the end all the same.
    _variants: tempfile::NamedTempFile,
}

impl FairyStockfish {
    /// Where the engine is: on the path, or where Debian puts games.
    pub fn find() -> Option<PathBuf> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path)
            .chain([PathBuf::from("/usr/games")])
            .map(|folder| folder.join("fairy-stockfish"))
            .find(|file| file.is_file())
    }

    /// Starts it with these variants; also says which of them it cannot play, and why.
    pub fn start(program: PathBuf, variants: &[Variant]) -> (Self, Vec<(String, String)>) {
        let mut text = String::new();
        let mut beyond_it = Vec::new();
        for variant in variants {
            match fairy::section(variant) {
                Ok(section) => text += &section,
                Err(reason) => beyond_it.push((variant.key.clone(), reason.to_string())),
            }
        }
        let mut file = tempfile::Builder::new().suffix(".ini").tempfile().expect("a temporary file");
        file.write_all(text.as_bytes()).expect("a temporary file takes the variants");

        let mut process = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("fairy-stockfish starts");
        let to = process.stdin.take().expect("its input");
        let from = BufReader::new(process.stdout.take().expect("its output"));
        let path = file.path().display().to_string();
        let mut engine = Self { process, to, from, _variants: file };
        engine.say("uci");
        engine.read_until("uciok");
        engine.say(&format!("setoption name VariantPath value {path}"));
        engine.say("setoption name UCI_Chess960 value true");
        (engine, beyond_it)
    }

    /// Goes over to a variant.
    pub fn play(&mut self, variant: &Variant) {
        let name = fairy::name(variant);
        self.say(&format!("setoption name UCI_Variant value {name}"));
        self.say("isready");
        let answer = self.read_until("readyok");
        // It says what it went over to, and nothing where it does not know the name.
        let went = answer.iter().any(|line| line.contains(&format!("variant {name} ")));
        assert!(went, "fairy-stockfish does not know the variant {name}: {answer:?}");
    }

    /// The legal moves in UCI in a position of six fields.
    pub fn legal_uci(&mut self, fen: &str) -> BTreeSet<String> {
        self.say(&format!("position fen {fen}"));
        self.say("go perft 1");
        let answer = self.read_until("Nodes searched");
        answer.iter().filter_map(|line| line.split_once(": 1")).map(|(uci, _)| uci.to_string()).collect()
    }

    fn say(&mut self, command: &str) {
        writeln!(self.to, "{command}").expect("fairy-stockfish listens");
    }

    /// The lines up to the one that begins like this.
    fn read_until(&mut self, last: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            let read = self.from.read_line(&mut line).expect("fairy-stockfish answers in text");
            assert!(read > 0, "fairy-stockfish ended before it said {last}; so far: {lines:?}");
            if line.starts_with(last) {
                return lines;
            }
            lines.push(line.trim_end().to_string());
        }
    }
}

impl Drop for FairyStockfish {
    fn drop(&mut self) {
        // It may have ended by itself; nothing is lost either way.
        let _ = writeln!(self.to, "quit");
        let _ = self.process.wait();
    }
}
