//! The commands that look things up: what they take for a setup, and what they say of ids.

use std::io::Write;
use std::process::Stdio;

use assert_cmd::assert::OutputAssertExt;
use backrank_rules::Variant;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::common::{backrank, refusal, stdout, stdout_beside_notes};

fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

const MODERN: &str = "rnbmkqbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBMKQBNR";

#[test]
fn published_numbers_are_those_of_the_default_numbering() {
    assert!(stdout(&["show", "pmrc", "6944"]).contains("\nwhite        RNBMKQBNR\n"));
    assert!(stdout(&["show", "pmrc", "2264"]).contains("\nwhite        BNBMRQKNR\n"));
    assert!(stdout(&["show", "mrc", "6944"]).contains("\nblack        RNBQKMBNR\n"));
    let ids =
        "\nid           13434 in lex\nid           6944 in mrc (recovered from the two published numbers)\n";
    assert!(stdout(&["show", "pmrc", "RNBMKQBNR"]).contains(ids));
    let shown = parse(&stdout(&["show", "pmrc", "6944", "--json"]));
    assert_eq!(shown["ids"], json!({ "lex": 13_434, "mrc": 6944 }));
    assert_eq!(shown["numbering_notes"], json!({ "mrc": "recovered from the two published numbers" }));
    assert_eq!(stdout(&["list", "pmrc", "--range", "..1", "--format", "ranks"]), "QMBNRKRNB\n");
    assert_eq!(stdout(&["list", "pmrc", "--range", "15119..", "--format", "ranks"]), "RKRNNBBMQ\n");
}

#[test]
fn index_says_what_a_setup_is_in_every_numbering() {
    let all = stdout(&["index", "pmrc", "RNBMKQBNR"]);
    assert_snapshot!(all);
    let fen = format!("{MODERN} w AIai - 0 1");
    for setup in ["6944", "rnbmkqbnr", MODERN, &fen] {
        assert_eq!(stdout(&["index", "pmrc", setup]), all);
    }
    assert_eq!(stdout(&["index", "pmrc", "13434", "--numbering", "lex"]), all);
    assert_eq!(
        parse(&stdout(&["index", "mrc", "6944", "--json"])),
        json!({
            "variant": "mrc",
            "white": "RNBMKQBNR",
            "black": "RNBQKMBNR",
            "ids": { "lex": 13_434, "mrc": 6944 },
            "numbering_notes": { "mrc": "recovered from the two published numbers" },
        })
    );
}

/// One number for scripts.
#[test]
fn index_prints_one_number_where_a_numbering_is_named() {
    let id = |setup, numbering| stdout(&["index", "pmrc", setup, "--numbering", numbering]);
    assert_eq!((id("RNBMKQBNR", "lex"), id(MODERN, "mrc")), ("13434\n".into(), "6944\n".into()));
}

#[test]
fn fens_of_starting_positions_are_setups() {
    let fen = |game: &str, setup: &str| stdout(&["show", game, setup, "--fen"]);
    for (game, setup) in [
        ("pmrc", "2264"),
        ("icrc", "QRKNBRBN"),
        ("mmcc", "0"),
        ("double960", "RNBQKBNR/BBQNNRKR"),
        ("pmc", "PMC2"),
    ] {
        let start = fen(game, setup);
        assert_eq!(fen(game, start.trim()), start);
    }
    for (game, fen) in [
        ("pmrc", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"),
        ("chess960", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1"),
        ("chess960", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"),
        ("chess960", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1"),
    ] {
        assert_snapshot!(refusal(&["show", game, fen]));
    }
}

#[test]
fn setups_of_independent_sides_up_to_reflection() {
    let with = |arguments: &[&'static str]| [arguments, &["--where", "up_to_reflection"]].concat();
    assert_eq!(stdout(&with(&["count", "double960"])), "460800\n");
    assert_eq!(stdout(&with(&["list", "double960", "--format", "ranks"])).lines().count(), 460_800);
    let setup = "BBQNNRKR/RNBQKBNR";
    let id = stdout(&with(&["index", "double960", setup, "--numbering", "lex"]));
    let shown = parse(&stdout(&[&with(&["show", "double960", "--json"])[..], &[id.trim()]].concat()));
    assert_eq!((&shown["white"], &shown["black"]), (&json!("BBQNNRKR"), &json!("RNBQKBNR")));
    assert_snapshot!(refusal(&with(&["index", "double960", "RKRNNQBB/RNBKQBNR"])));
}

/// Each side's rank has its number in Chess960.
#[test]
fn setups_of_independent_sides_have_a_number_for_each() {
    let setup = "RNBQKBNR/BBQNNRKR";
    let all = stdout(&["index", "double960", setup]);
    assert_eq!(
        all,
        "white        RNBQKBNR\nblack        BBQNNRKR\nid           794900 in lex\n\
         id           518/0 in scharnagl (497280 for both)\n"
    );
    for same in ["518/0", " 518/0", "0518/00", "794900"] {
        assert_eq!(stdout(&["index", "double960", same]), all, "{same}");
    }
    for same in ["497280", "518/0"] {
        assert_eq!(stdout(&["index", "double960", same, "--numbering", "scharnagl"]), all, "{same}");
    }
    assert_eq!(stdout(&["index", "double960", setup, "--numbering", "scharnagl"]), "518/0\n");
    let shown = parse(&stdout(&["show", "double960", "518/518", "--json"]));
    assert_eq!((&shown["white"], &shown["black"]), (&json!("RNBQKBNR"), &json!("RNBQKBNR")));
    assert_eq!(shown["ids"], json!({ "lex": 795_708, "scharnagl": 497_798 }));
    assert_eq!(shown["side_ids"], json!({ "scharnagl": [518, 518] }));
    assert!(
        stdout_beside_notes(&["perft", "double960", "518/0", "--depth", "1"])
            .starts_with("Nodes searched: 20\n")
    );

    // Where one rank follows from the other, both numbers must say so.
    assert!(stdout(&["show", "chess960", "518/518"]).contains("\nid           518 in scharnagl\n"));
    for (game, ids, more, said) in [
        (
            "double960",
            "960/3",
            None,
            "960/3: there is no 960 for White; the ranks of a side have the numbers 0 to 959 in scharnagl",
        ),
        ("double960", "3/9600000000000000000000000000000000000000000", None, "for Black; the ranks"),
        ("double960", "518/518/518", None, "ranks, not 8"),
        ("chess960", "518/534", None, "Black's RNBKQBNR does not go with White's RNBQKBNR"),
        ("chess324", "3/17", None, "give --numbering lex if it is meant"),
        ("double960", "518/518", Some("up_to_reflection"), "give --numbering lex if it is meant"),
        ("pmc", "0/0", None, "these setups are listed one by one"),
    ] {
        let mut arguments = vec!["show", game, ids];
        arguments.extend(more.into_iter().flat_map(|constraint| ["--where", constraint]));
        let refused = refusal(&arguments);
        assert!(refused.contains(said), "{game} {ids}: {refused}");
    }
    assert!(stdout(&["show", "chess324", "3/17", "--numbering", "lex", "--fen"]).starts_with("rqnnkbbr/"));
}

/// A note says once which moves other programs read otherwise, and `--quiet` that it is not wanted.
#[test]
fn moves_that_others_read_otherwise_are_noted() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("charging.toml");
    let text = Variant::find("chess").unwrap().text().replace("betza = \"N\"", "betza = \"fhNbsK\"");
    std::fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    let note = format!(
        "note: {file}:18:36: N: `bsK` has 5 directions, but 4 in Fairy-Stockfish; `blrWbF` is read alike everywhere\n"
    );
    for arguments in
        [&["count", file][..], &["count", file, file], &["show", file], &["legal", file], &["verify", file]]
    {
        backrank(arguments).assert().success().stderr(note.clone());
        backrank(&[&["--quiet"], arguments].concat()).assert().success().stderr("");
    }
}

/// Programs that hold numbers as floats would round an id beyond 2^53.
#[test]
fn large_ids_are_text_in_json() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wide.toml");
    let pieces: String = ('A'..='M')
        .filter(|&letter| letter != 'K')
        .map(|letter| format!("{letter} = {{ name = \"{letter}\", betza = \"W\" }}\n"))
        .collect();
    let text = format!(
        "name = \"Wide\"\nsource = \"a test\"\ncount_only = true\n[board]\nfiles = 13\nranks = 8\n[pieces]\n\
         K = {{ name = \"king\", betza = \"K\", royal = true }}\n{pieces}\
         [setup]\nfirst_rank = \"ABCDEFGHIJKLM\"\nsymmetry = \"independent\"\n"
    );
    std::fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    // 13! squared.
    let setups = "38775788043632640000";
    assert_eq!(stdout(&["count", file]), format!("{setups}\n"));
    assert_eq!(parse(&stdout(&["count", file, "--json"]))[0]["setups"], json!(setups));
    let last = "38775788043632639999";
    let listed = stdout(&["list", file, "--format", "jsonl", "--range", &format!("{last}..")]);
    assert_eq!(parse(&listed)["id"], json!(last));
    assert_eq!(parse(&stdout(&["index", file, last, "--json"]))["ids"]["lex"], json!(last));
    let shown = parse(&stdout(&["show", file, last, "--json"]));
    assert_eq!((&shown["ids"]["lex"], &shown["reflection"]["id"]), (&json!(last), &json!(0)));
    // Up to 2^53 they are numbers.
    let at = 1_u64 << 53;
    let shown = parse(&stdout(&["show", file, &at.to_string(), "--json"]));
    assert_eq!(shown["ids"]["lex"], json!(at));
    let shown = parse(&stdout(&["show", file, &(at + 1).to_string(), "--json"]));
    assert_eq!(shown["ids"]["lex"], json!((at + 1).to_string()));
}

#[test]
fn random_draws_boards() {
    assert_snapshot!(stdout(&["random", "pmrc", "-n", "2", "--seed", "7", "--show"]));
}

#[test]
fn the_same_setups_are_drawn_in_any_numbering() {
    let ranks = |numbering| {
        let drawn = stdout(&["random", "pmrc", "-n", "20", "--seed", "7", "--numbering", numbering]);
        drawn.lines().map(|line| line.split(',').nth(1).unwrap().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(ranks("lex"), ranks("mrc"));
}

#[cfg(unix)]
#[test]
fn a_pipe_is_a_variant_file() {
    let mut count = backrank(&["count", "/dev/stdin"]);
    let mut count = count.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let text = Variant::find("chess960").unwrap().text().to_string();
    count.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    count.wait_with_output().unwrap().assert().success().stdout("960\n");
}

/// The file of a study from before a numbering was known has the same key, and is not refuted for that.
#[test]
fn verify_leaves_out_numbers_of_a_numbering_that_a_file_does_not_have() {
    let folder = tempfile::tempdir().unwrap();
    let text = Variant::find("pmrc").unwrap().text().to_string();
    let start = text.find("[[setup.numberings]]").unwrap();
    let end = start + text[start..].find("[[setup.notes]]").unwrap();
    let file = folder.path().join("pmrc.toml");
    std::fs::write(&file, format!("{}{}", &text[..start], &text[end..])).unwrap();
    let verified = stdout(&["verify", file.to_str().unwrap()]);
    assert!(verified.contains("15,120") && !verified.contains("2,264"), "{verified}");
}

#[test]
fn verify_uses_as_many_threads_as_it_is_told() {
    let verified = |threads| stdout(&["verify", "crc", "mrc", "--threads", threads]);
    assert_eq!(verified("1"), verified("3"));
    assert_snapshot!(refusal(&["verify", "--threads", "0"]));
    let claims = parse(&stdout(&["verify", "mrc", "--json"]));
    let numbers = claims.as_array().unwrap().iter().filter(|claim| claim["numbering"] == "mrc");
    let numbers: Vec<_> =
        numbers.map(|claim| (claim["setup"].as_str().unwrap(), &claim["space"], &claim["verdict"])).collect();
    let confirmed = json!("confirmed");
    assert_eq!(numbers, [("RNBMKQBNR", &json!(6944), &confirmed), ("BNBMRQKNR", &json!(2264), &confirmed)]);
}
