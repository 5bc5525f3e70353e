//! Any bytes as one file of a study, of a planned experiment or of an atlas: it is read, or refused with a sentence.
//!
//! The first line of the input is the name of the file, such as `study/games.csv`; the rest is what it holds. The other files
//! are those of `seeds/files`.
#![no_main]

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use backrank_experiment::ExperimentError;
use backrank_experiment::plan::PlannedExperiment;
use backrank_selfplay::atlas::AtlasDirectory;
use backrank_selfplay::store::StoreError;
use backrank_selfplay::study::{ScoresReader, StudyDirectory};
use libfuzzer_sys::fuzz_target;

/// The files of small directories, each with its name in the first line.
const FILES: [&str; 7] = [
    include_str!("../seeds/files/study.toml"),
    include_str!("../seeds/files/games.csv"),
    include_str!("../seeds/files/scores.csv"),
    include_str!("../seeds/files/planned.toml"),
    include_str!("../seeds/files/plan.toml"),
    include_str!("../seeds/files/atlas.toml"),
    include_str!("../seeds/files/atlas.csv"),
];

/// Where they are, for this process.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("backrank-fuzz-{}", std::process::id()));
    for (name, text) in FILES.iter().filter_map(|file| file.split_once('\n')) {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("it is in a folder")).expect("a folder can be made");
        std::fs::write(path, text).expect("a file can be written");
    }
    folder
});

fn read(folder: &Path) -> Result<(), StoreError> {
    let study = folder.join("study");
    let definition = StudyDirectory::read(&study)?;
    let mut scores = ScoresReader::open(&study.join("scores.csv"))?;
    for record in StudyDirectory::read_games(&study, &definition)? {
        scores.scores_of(&record?)?;
    }
    Ok(())
}

fn read_planned(folder: &Path) -> Result<(), ExperimentError> {
    let planned = PlannedExperiment::open(&folder.join("planned"))?;
    for task in 0..planned.plan.tasks.min(4) {
        planned.parts_of(task)?;
        planned.record_of(task)?;
    }
    Ok(())
}

fn read_atlas(folder: &Path) -> Result<(), StoreError> {
    let atlas = folder.join("atlas");
    let definition = AtlasDirectory::read(&atlas)?;
    AtlasDirectory::read_rows(&atlas, &definition)?.try_for_each(|row| row.map(|_| ()))
}

fuzz_target!(|input: &[u8]| {
    let end = input.iter().position(|&byte| byte == b'\n').unwrap_or(0);
    let name = std::str::from_utf8(&input[..end]).unwrap_or("");
    let Some(file) = FILES.iter().find(|file| !name.is_empty() && file.lines().next() == Some(name)) else {
        return;
    };
    let path = FOLDER.join(name);
    std::fs::write(&path, &input[end + 1..]).expect("a file can be written");
    let read = match name.split('/').next() {
        Some("planned") => read_planned(&FOLDER),
        Some("atlas") => read_atlas(&FOLDER).map_err(ExperimentError::from),
        _ => read(&FOLDER).map_err(ExperimentError::from),
    };
    if let Err(error) = read {
        assert!(!error.to_string().is_empty());
    }
    let (_, whole) = file.split_once('\n').expect("it has a first line");
    std::fs::write(&path, whole).expect("a file can be written");
});
