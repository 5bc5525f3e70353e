//! Studies whose games are compressed.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::*;

fn backrank(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_backrank"));
    command.args(arguments);
    command
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A study, and the same with its games compressed.
fn plain_and_compressed() -> (TempDir, [String; 2], Vec<u8>) {
    let (folder, one, other) = twice();
    let whole = games(&one, &STUDY);
    std::fs::create_dir(&other).unwrap();
    std::fs::copy(one.join("study.toml"), other.join("study.toml")).unwrap();
    std::fs::write(other.join("games.csv.gz"), gzip(&whole)).unwrap();
    (folder, [one, other].map(|path| path.to_str().unwrap().to_string()), whole)
}

#[test]
fn every_command_reads_a_compressed_study_as_any_other() {
    let (folder, studies, whole) = plain_and_compressed();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    for command in [
        &["values", "--bootstrap", "50", "--json"][..],
        &["setups", "--permutations", "99", "--json"],
        &["export", "--format", "pgn"],
        &["export", "--format", "epd"],
    ] {
        let said = studies.each_ref().map(|study| {
            let output = backrank(command).arg(study).assert().success();
            String::from_utf8(output.get_output().stdout.clone()).unwrap()
        });
        assert!(said[0] == said[1] && said[0].len() > 1000, "{command:?}");
    }
    let page = path("report.html");
    backrank(&["report", &studies[1], "--bootstrap", "0", "-o", &page]).assert().success();
    assert!(std::fs::read_to_string(page).unwrap().contains("24 games were read"));
    let merged = path("merged");
    backrank(&["merge", &studies[1], "-o", &merged]).assert().success();
    assert!(std::fs::read(Path::new(&merged).join("games.csv")).unwrap() == whole);
}

#[test]
fn a_compressed_study_that_is_whole_is_not_played_on_and_one_that_is_not_is_refused() {
    let (_folder, [plain, compressed], whole) = plain_and_compressed();
    for study in [&plain, &compressed] {
        let output = play(&[study]).assert().success();
        let says = stderr(output.get_output());
        assert!(says.contains("nothing is left to play"), "{says}");
    }
    assert!(!Path::new(&compressed).join("games.csv").exists());

    let file = Path::new(&compressed).join("games.csv.gz");
    let rows: Vec<&[u8]> = whole.split_inclusive(|&byte| byte == b'\n').collect();
    let part = gzip(&rows[..6].concat());
    std::fs::write(&file, &part).unwrap();
    let says = refusal(&[&compressed]);
    assert!(says.contains("games.csv.gz is compressed") && says.contains("before game 5 of 24"), "{says}");
    assert!(std::fs::read(&file).unwrap() == part);
    assert!(!Path::new(&compressed).join("games.csv").exists());
}

#[test]
fn a_compressed_file_that_is_cut_off_or_damaged_or_one_too_many_is_named() {
    let (folder, [plain, compressed], whole) = plain_and_compressed();
    let file = Path::new(&compressed).join("games.csv.gz");
    let csv = folder.path().join("values.csv");
    let values = ["values", &compressed, "--csv", csv.to_str().unwrap()];
    let refused = |says: &str| {
        let output = backrank(&values).assert().code(2).stdout("");
        let said = stderr(output.get_output());
        assert!(said.contains(says) && !csv.exists(), "{said}");
    };
    let packed = gzip(&whole);
    let mut flipped = packed.clone();
    // Of the checksum at the end: every row can be read, and still it is not what was written.
    flipped[packed.len() - 6] ^= 1;
    for bytes in [&packed[..packed.len() / 2], &packed[..packed.len() - 3], &flipped, b"", b"game,setup\n"] {
        std::fs::write(&file, bytes).unwrap();
        refused("the compressed file is damaged or truncated");
        assert!(refusal(&[&compressed]).contains("games.csv.gz, line "));
    }
    std::fs::write(&file, &packed).unwrap();
    std::fs::write(Path::new(&compressed).join("games.csv"), &whole).unwrap();
    refused("games.csv.gz both exist");
    assert!(refusal(&[&compressed]).contains("games.csv.gz both exist"));
    // Compressed under the name of what is not.
    std::fs::write(Path::new(&plain).join("games.csv"), &packed).unwrap();
    assert!(refusal(&[&plain]).contains("games.csv, line 1: this is not the heading of games.csv"));
}
