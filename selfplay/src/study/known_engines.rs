//! Which engines of which studies this person has begun to play with on this machine.
//!
//! A study's file names the commands of its players, and anybody can have written it: an archive that is unpacked belongs to
//! whoever unpacked it. So a study alone never makes a command run. What was named on the command line is written down outside
//! of it, in the person's own directory of states, and is run again where a study in the same place names the same.

use std::fmt::Write;
use std::fs::{OpenOptions, create_dir_all};
use std::io;
use std::path::{Path, PathBuf};

use backrank_rules::files::{MAX_TEXT, read_text};

use super::spec::StudySpec;
use crate::player::PlayerSpec;
use crate::store::open_inside;
use crate::store::sha256;

impl StudySpec {
    /// The players that are programs of their own, with the side that each has in the first game.
    pub fn engines(&self) -> Vec<(&'static str, &PlayerSpec)> {
        let players = [("white", &self.white), ("black", &self.black)];
        let engines = players
            .into_iter()
            .filter(|(_, player)| !player.is_builtin() && self.starts.imported().is_none());
        engines.collect()
    }

    /// Whether the engines of a study in a directory were written down by [`StudySpec::remember_engines`]; true where it has none.
    pub fn knows_engines(&self, directory: &Path) -> bool {
        let known = || {
            let (file, text) = record(&states()?, directory, self)?;
            Some(read_text(&file, MAX_TEXT).ok()? == text)
        };
        self.engines().is_empty() || known() == Some(true)
    }

    /// Writes down that this person has named the engines of a study, which is in this directory.
    ///
    /// # Errors
    ///
    /// When there is no place to write it to.
    pub fn remember_engines(&self, directory: &Path) -> io::Result<()> {
        if self.knows_engines(directory) {
            return Ok(());
        }
        let nowhere = || io::Error::new(io::ErrorKind::NotFound, "there is no HOME");
        let states = states().ok_or_else(nowhere)?;
        let (file, text) = record(&states, directory, self).ok_or_else(nowhere)?;
        create_dir_all(&states)?;
        let file = open_inside(&file, OpenOptions::new().write(true).create(true).truncate(true))?;
        io::Write::write_all(&mut &file, text.as_bytes())
    }
}

/// The directory for such records: `$XDG_STATE_HOME/backrank/engines`.
fn states() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || Some(variable("HOME")?.join(".local/state"));
    let states = variable("XDG_STATE_HOME").or_else(home).or_else(|| variable("LOCALAPPDATA"));
    Some(states?.join("backrank").join("engines"))
}

/// The record of a study's engines: its file, and what it says; none where the directory is not there.
fn record(states: &Path, directory: &Path, study: &StudySpec) -> Option<(PathBuf, String)> {
    let mut text = format!("study {:?}\n", directory.canonicalize().ok()?);
    for (side, PlayerSpec { command, options, .. }) in study.engines() {
        writeln!(text, "{side} {command:?}").ok()?;
        for option in options {
            writeln!(text, "  {:?} {:?}", option.name, option.value).ok()?;
        }
        // The same words mean another program elsewhere.
        if command.contains('/') {
            writeln!(text, "  from {:?}", std::env::current_dir().ok()?).ok()?;
        }
    }
    Some((states.join(&sha256(text.as_bytes())[..32]), text))
}

#[cfg(test)]
mod tests {
    use backrank_rules::Variant;

    use super::*;
    use crate::player::UciOption;
    use crate::study::SetupChoice;

    #[test]
    fn a_different_directory_command_or_option_makes_a_different_record() {
        let folder = tempfile::tempdir().unwrap();
        let of = |directory: &str, command: &str, options: &[(&str, &str)]| {
            let directory = folder.path().join(directory);
            create_dir_all(&directory).unwrap();
            let chess = Variant::find("chess").unwrap();
            let mut study = StudySpec::new(&chess, SetupChoice::All.into(), "lex", 1);
            study.black.command = command.to_string();
            let option = |&(name, value): &(&str, &str)| UciOption { name: name.into(), value: value.into() };
            study.black.options = options.iter().map(option).collect();
            record(folder.path(), &directory, &study).unwrap()
        };
        let one = of("a", "engine", &[]);
        assert_eq!(of("b/../a", "engine", &[]), one, "the same directory by another name");
        let others = [
            of("b", "engine", &[]),
            of("a", "engine x", &[]),
            of("a", "./engine", &[]),
            of("a", "engine", &[("Log", "/etc/passwd")]),
            of("a", "engine", &[("Log", "x")]),
            // What is written in one word is not what is written in two.
            of("a", "engine\"\n  \"Log\" \"x", &[]),
        ];
        for (index, other) in others.iter().enumerate() {
            assert!(*other != one && others[..index].iter().all(|before| before.0 != other.0), "{index}");
        }
    }
}
