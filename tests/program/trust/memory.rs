//! Files and engines without an end: they take no more memory than is stated, and are told of in a sentence.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::*;

/// More than the program needs for anything here.
const ENOUGH: u64 = 700;

fn check(ran: &Ran, what: &str, says: &str) {
    assert!([Some(1), Some(2)].contains(&ran.code), "{what}: {ran:?}");
    assert!(ran.stderr.contains(says), "{what}: {}", ran.stderr.chars().take(500).collect::<String>());
    assert!(ran.stderr.len() < 10_000, "{what}: a sentence of {} bytes", ran.stderr.len());
    assert!(ran.mebibytes < ENOUGH, "{what}: {} MiB", ran.mebibytes);
}

#[test]
fn a_file_without_an_end_is_given_up() {
    let folder = folder();
    let zero = "/dev/zero";
    for (command, says) in [
        (&["count", zero][..], "more than 1 MiB"),
        (&["show", zero], "more than 1 MiB"),
        (&["play", "mini.toml", "-o", "s", "--setups", zero], "more than 64 MiB"),
        (&["play", "chess", "-o", "s", "--openings", zero], "openings come from a file whose name ends in"),
        (
            &["play", "mini.toml", "-o", "s", "--white-option", "WeightsFile=/dev/zero"],
            "a device, not a file",
        ),
        (&["play", "mini.toml", "-o", "s", "--net", zero], "a device, not a file"),
        (&["tune", "s", "--start", zero, "-o", "w.toml"], "a device, not a file"),
    ] {
        check(&run(folder.path(), command), &format!("{command:?}"), says);
    }
    // Regular files that are as large as that.
    let huge = folder.path().join("huge.toml");
    std::fs::File::create(&huge).unwrap().set_len(3 << 30).unwrap();
    for (command, says) in [
        (&["count", "huge.toml"][..], "more than 1 MiB"),
        (&["play", "mini.toml", "-o", "s", "--setups", "huge.toml"], "more than 64 MiB"),
        (&["play", "mini.toml", "-o", "s", "--white-option", "WeightsFile=huge.toml"], "more than 1 MiB"),
        (&["play", "mini.toml", "-o", "s", "--net", "huge.toml"], "more than 64 MiB"),
    ] {
        check(&run(folder.path(), command), &format!("{command:?}"), says);
    }
    assert!(!folder.path().join("s").exists());
    succeed(folder.path(), &["play", "mini.toml", "-o", "s", "--setups", "0..2", "--nodes", "20"]);
    std::fs::copy(&huge, folder.path().join("s/study.toml")).unwrap_or_else(|_| {
        std::fs::rename(&huge, folder.path().join("s/study.toml")).unwrap();
        0
    });
    check(&run(folder.path(), &["values", "s"]), "study.toml", "study.toml: it has more than 64 MiB");
}

/// A compressed file of a heading and one line that is much longer than memory should ever be.
fn bomb(path: &Path, start: &str) {
    let mut file = GzEncoder::new(std::fs::File::create(path).unwrap(), Compression::fast());
    file.write_all(start.as_bytes()).unwrap();
    let piece = vec![b'0'; 1 << 20];
    for _ in 0..2_000 {
        file.write_all(&piece).unwrap();
    }
    file.finish().unwrap();
}

#[test]
fn a_line_without_an_end_is_given_up() {
    let folder = folder();
    succeed(folder.path(), &["play", "mini.toml", "-o", "s", "--setups", "0..2", "--nodes", "20"]);
    let games = folder.path().join("s/games.csv");
    let text = std::fs::read_to_string(&games).unwrap();
    let (heading, _) = text.split_once('\n').unwrap();
    std::fs::remove_file(&games).unwrap();
    for start in [format!("{heading}\n"), String::new()] {
        bomb(&folder.path().join("s/games.csv.gz"), &start);
        for command in [
            &["values", "s"][..],
            &["play", "s"],
            &["explore", "s", "-o", "e.html"],
            &["merge", "s", "-o", "m"],
        ] {
            let ran = run(folder.path(), command);
            check(&ran, &format!("{command:?}"), "games.csv.gz: it has a line of more than 16 MiB");
        }
    }
    succeed(folder.path(), &["atlas", "mini.toml", "-o", "a", "--setups", "0..2", "--nodes", "20"]);
    std::fs::remove_file(folder.path().join("a/atlas.csv")).unwrap();
    bomb(&folder.path().join("a/atlas.csv.gz"), "");
    bomb(&folder.path().join("table.csv.gz"), "white_rank,score\n");
    for command in [&["atlas", "a"][..], &["explore", "mini.toml", "table.csv.gz", "-o", "e.html"]] {
        check(&run(folder.path(), command), &format!("{command:?}"), "a line of more than 16 MiB");
    }
    // One that is not compressed, of which only the end is looked at.
    let big = plan(folder.path());
    std::fs::File::create(big.join("games.csv")).unwrap().set_len(3 << 30).unwrap();
    check(&run(folder.path(), &["status", "big"]), "status", "its last row has more than 16 MiB");
}

#[test]
fn uci_options_take_no_more() {
    let folder = folder();
    let mut uci = command(folder.path(), &["uci"]);
    std::fs::write(
        folder.path().join("said"),
        "uci\nsetoption name VariantFile value /dev/zero\nsetoption name WeightsFile value /dev/zero\n\
         setoption name NetFile value /dev/zero\nsetoption name UCI_Variant value /dev/zero\nisready\nquit\n",
    )
    .unwrap();
    uci.stdin(std::fs::File::open(folder.path().join("said")).unwrap());
    let ran = finish(uci, &["uci"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.ends_with("readyok\n") && ran.mebibytes < ENOUGH, "{ran:?}");
    assert!(ran.stdout.contains("more than 1 MiB"));
    assert_eq!(ran.stdout.matches("a device, not a file").count(), 3, "{}", ran.stdout);
}

#[test]
fn engines_that_talk_without_end_are_given_up() {
    let folder = folder();
    let script = |text: &str| std::fs::write(folder.path().join("engine.sh"), text).unwrap();
    let study =
        ["play", "chess960", "-o", "s", "--setups", "0..4", "--timeout", "3", "--black", "sh engine.sh"];
    for (text, says) in [
        (
            "exec yes option name Another type string default xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "more options than can be kept",
        ),
        ("exec tr '\\0' x < /dev/zero", "did not say `uciok` within 3 s"),
        ("exec yes info depth 1 nodes 1", "did not say `uciok` within 3 s"),
        ("exec yes id name endless", "did not say `uciok` within 3 s"),
        ("printf 'id name '; exec head -c 300000000 /dev/zero", "it ended before it said `uciok`"),
    ] {
        script(text);
        check(&run(folder.path(), &study), text, says);
        assert!(!folder.path().join("s").exists(), "{text}");
    }
}

#[test]
fn threads_are_bounded() {
    let folder = folder();
    for command in [
        &["play", "mini.toml", "-o", "s", "--threads", "10000"][..],
        &["atlas", "mini.toml", "-o", "s", "--threads", "1025"],
        &["list", "mini.toml", "--threads", "65535"],
        &["study", "mini.toml", "--threads", "0"],
        &["perft", "mini.toml", "1", "--threads", "99999999999"],
        &["verify", "mini.toml", "--threads", "10000"],
    ] {
        let says = refusal(folder.path(), command);
        assert!(
            says.contains("from 1 to 1024") || says.contains("unexpected argument"),
            "{command:?}: {says}"
        );
    }
    assert!(
        refusal(folder.path(), &["play", "mini.toml", "-o", "s", "--threads", "10000"])
            .contains("from 1 to 1024")
    );
}
