//! Finding the studies of an experiment: games from all setups, and games at odds in the folders below.

use std::io::Read;
use std::path::{Path, PathBuf};

use backrank_rules::files::open_file;
use backrank_selfplay::study::StudyDirectory;

use crate::cluster::TASKS;
use crate::pilot::PILOT;

/// The studies in some directories: the directories themselves, and the studies with games in the folders below each, in the
/// order of their names. The tasks of a cluster are left out, because their games are gathered in the experiment's studies, and so is
/// a pilot, in which a piece was played with another value of the engine's.
///
/// A directory without any study is kept, so that reading it gives an error that names it. A directory is left out if only
/// studies below it have games, as may be when those of a cluster are gathered, or if it only holds the folders of studies.
pub fn find_studies(directories: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = directories.to_vec();
    for directory in directories {
        let before = found.len();
        add_below(directory, &mut found);
        if found.len() > before && matches!(StudyDirectory::recorded(directory), Ok(None)) {
            found.retain(|path| path != directory);
        }
    }
    let is_study = |path: &PathBuf| path.join("study.toml").is_file();
    match found.iter().any(is_study) {
        true => found.into_iter().filter(|path| is_study(path) || !path.is_dir()).collect(),
        false => found,
    }
}

fn add_below(directory: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let mut folders: Vec<PathBuf> = folders.map(|entry| entry.path()).collect();
    folders.sort();
    for folder in folders.into_iter().filter(|folder| !folder.ends_with(TASKS) && !folder.ends_with(PILOT)) {
        if has_games(&folder) && !found.contains(&folder) {
            found.push(folder.clone());
        }
        add_below(&folder, found);
    }
}

/// Whether a folder holds a study with at least one game.
fn has_games(folder: &Path) -> bool {
    // The heading is far shorter.
    let mut start = Vec::new();
    let games = open_file(&folder.join("games.csv"));
    let read = games.and_then(|games| games.take(1 << 12).read_to_end(&mut start));
    let heading = start.iter().position(|&byte| byte == b'\n');
    let has_row = read.is_ok() && heading.is_some_and(|end| end + 1 < start.len());
    folder.join("study.toml").is_file() && (has_row || folder.join("games.csv.gz").is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn studies_with_games_are_found_and_tasks_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let study = |name: &str, games: Option<&str>| {
            std::fs::create_dir_all(path(name)).unwrap();
            std::fs::write(path(name).join("study.toml"), "").unwrap();
            if let Some(games) = games {
                std::fs::write(path(name).join("games.csv"), games).unwrap();
            }
        };
        study("whole", Some("game\n0\n"));
        study("whole/odds/Q", Some("game\n0\n"));
        study("whole/fixed/N", Some("game\n0\n"));
        study("whole/odds/R", Some("game\n"));
        study("whole/tasks/1", Some("game\n0\n"));
        study("odds-first", None);
        study("odds-first/odds/Q", Some("game\n0\n"));
        study("new", None);
        std::fs::create_dir(path("empty")).unwrap();
        for (directories, found) in [
            (&["whole"][..], &["whole", "whole/fixed/N", "whole/odds/Q"][..]),
            (&["odds-first"], &["odds-first/odds/Q"]),
            (&["whole/odds/Q", "whole/odds/Q"], &["whole/odds/Q", "whole/odds/Q"]),
            (&["new"], &["new"]),
            (&["empty"], &["empty"]),
            (&["missing", "whole/odds"], &["missing", "whole/odds/Q"]),
            (&[""], &["odds-first/odds/Q", "whole", "whole/fixed/N", "whole/odds/Q"]),
        ] {
            let directories: Vec<PathBuf> = directories.iter().map(|name| path(name)).collect();
            let found: Vec<PathBuf> = found.iter().map(|name| path(name)).collect();
            assert_eq!(find_studies(&directories), found);
        }
    }
}
