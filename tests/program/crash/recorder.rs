//! Running a command with `recorder.c` in its process.

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use super::*;

/// The library, once for all tests; `None` where there is no C compiler.
fn library() -> Option<&'static Path> {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    let make = || {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        // Another process may be making it.
        let made = folder.join(format!("recorder-{}.so", std::process::id()));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/crash/recorder.c");
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"]).arg(&made).arg(source);
        let output = compiler.args(["-lpthread"]).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        let library = folder.join("recorder.so");
        std::fs::rename(made, &library).unwrap();
        library
    };
    (!lacks("cc", "gcc")).then(|| LIBRARY.get_or_init(make).as_path())
}

/// A command whose operations below its folder are counted.
fn watched(folder: &Path, line: &str) -> Option<Command> {
    let mut command = backrank(folder, line);
    command.env("LD_PRELOAD", library()?).env("CRASH_FOLDER", folder.canonicalize().unwrap());
    Some(command)
}

/// Runs a command to its end and gives the log of its operations; `None` where that is not possible.
pub fn record(folder: &Path, line: &str) -> Option<Vec<u8>> {
    let log = tempfile::NamedTempFile::new().unwrap();
    let output = watched(folder, line)?.env("CRASH_LOG", log.path()).output().unwrap();
    assert!(output.status.success(), "{line}: {}", stderr(&output));
    Some(std::fs::read(log.path()).unwrap())
}

/// Runs a command that is killed before an operation, counted from 1. Returns false if it has ended before.
pub fn kill_at(folder: &Path, line: &str, operation: usize) -> bool {
    let command =
        watched(folder, line).map(|mut command| command.env("CRASH_AT", operation.to_string()).output());
    let Some(output) = command else { return false };
    let output = output.unwrap();
    let is_killed = output.status.signal() == Some(9);
    assert!(is_killed || output.status.success(), "{line}: {}", stderr(&output));
    is_killed
}
