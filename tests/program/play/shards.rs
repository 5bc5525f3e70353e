//! Studies that are played in parts.

use super::*;

#[test]
fn shards_put_together_are_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let study = [&STUDY[..], &["--setups", "0..9"]].concat();
    let study: Vec<&str> = [&study[..1], &study[3..]].concat();
    let whole = games(Path::new(&path("whole")), &study);
    let shards: Vec<String> = (1..=8).map(|shard| path(&format!("s{shard}"))).collect();
    for (shard, directory) in (1..=8).zip(&shards) {
        games(Path::new(directory), &[&study[..], &["--shard", &format!("{shard}/8")]].concat());
    }
    let merge = |shards: &[&str], to: &str| {
        Command::new(env!("CARGO_BIN_EXE_backrank"))
            .arg("merge")
            .args(shards)
            .args(["-o", to])
            .output()
            .unwrap()
    };
    let mut all: Vec<&str> = shards.iter().map(String::as_str).collect();
    all.reverse();
    assert!(merge(&all, &path("merged")).status.success());
    assert!(std::fs::read(folder.path().join("merged/games.csv")).unwrap() == whole);
    let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(text("merged/study.toml"), text("whole/study.toml"));

    let (third, torn) = (path("s3"), path("torn"));
    games(
        Path::new(&path("other")),
        &["pmrc", "--nodes", "9", "--setups", "0..9", "--pairs", "--shard", "8/8"],
    );
    std::fs::create_dir(&torn).unwrap();
    std::fs::copy(format!("{third}/study.toml"), format!("{torn}/study.toml")).unwrap();
    let rows = std::fs::read(format!("{third}/games.csv")).unwrap();
    std::fs::write(format!("{torn}/games.csv"), &rows[..rows.len() - 9]).unwrap();
    let damaged = path("damaged");
    std::fs::create_dir(&damaged).unwrap();
    std::fs::copy(format!("{third}/study.toml"), format!("{damaged}/study.toml")).unwrap();
    let other_start = String::from_utf8(rows).unwrap().replacen(" w ", " b ", 1);
    std::fs::write(format!("{damaged}/games.csv"), other_start).unwrap();
    let without_third: Vec<&str> = all.iter().copied().filter(|shard| *shard != third).collect();
    let other = path("other");
    for (shards, says) in [
        (without_third.clone(), "no shard has games 4 to 5"),
        ([&all[..], &[third.as_str()]].concat(), "which another shard has"),
        (all[1..].to_vec(), "no shard has games 14 to 17"),
        (
            [&all[1..], &[other.as_str()]].concat(),
            "do not belong to the same study: limits.nodes is 60 in one and 9",
        ),
        ([&without_third[..], &[torn.as_str()]].concat(), "is not complete: its next game is 5 of 6"),
        ([&without_third[..], &[damaged.as_str()]].concat(), "games.csv, line 2: fen is "),
        (vec![folder.path().to_str().unwrap()], "holds no study"),
    ] {
        let refused = merge(&shards, &path("refused"));
        assert_eq!(refused.status.code(), Some(2));
        assert!(stderr(&refused).contains(says), "{}", stderr(&refused));
        assert!(!folder.path().join("refused").exists());
    }
}
