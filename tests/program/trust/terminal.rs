//! Names, notes and lines from files on a terminal, in a spreadsheet, and in a command to be typed.

use super::*;

/// What terminals obey: escapes, control characters of both kinds, and overrides of direction.
const EVIL: &str = "\\u001b]0;owned\\u0007\\u001b[2J\\u009b31m\\u202eevil\\u2066\\u0008";

fn assert_safe(what: &str, ran: &Ran) {
    for (stream, text) in [("stdout", &ran.stdout), ("stderr", &ran.stderr)] {
        let obeyed = |letter: &char| {
            (letter.is_control() && !"\n\t".contains(*letter)) || "\u{202e}\u{2066}".contains(*letter)
        };
        let found: Vec<char> = text.chars().filter(obeyed).collect();
        assert!(found.is_empty(), "{what}, {stream}: {found:?} in {text:?}");
    }
}

/// The game with such names everywhere that there can be any.
fn evil_game(folder: &Path) {
    let game = MINI.lines().map(|line| match line.split_once(" = ") {
        Some((key @ ("name" | "source"), _)) => format!("{key} = \"{EVIL}\""),
        _ => line.replacen("name = \"", &format!("name = \"{EVIL}"), 1),
    });
    let game: Vec<String> = game.collect();
    std::fs::write(folder.join("evil.toml"), game.join("\n") + "\n").unwrap();
}

#[test]
fn nothing_that_comes_from_a_file_moves_the_cursor() {
    let folder = folder();
    evil_game(folder.path());
    let game = "evil.toml";
    let study = ["play", game, "-o", "s", "--setups", "0..4", "--games", "4", "--nodes", "20"];
    assert_safe("play", &succeed(folder.path(), &study));
    let toml = folder.path().join("s/study.toml");
    change(&toml, "name = \"builtin\"", &format!("name = \"{EVIL}\""));
    let games = folder.path().join("s/games.csv");
    let evil: String = toml_string(EVIL);
    let rows = std::fs::read_to_string(&games).unwrap().replace(",builtin,", &format!(",{evil},"));
    for (name, rows) in [
        ("whole", rows.clone()),
        ("wrong", rows.replace("0-1", &evil).replace("1-0", &evil)),
        ("torn", rows.replace('\n', &format!("{evil}\n"))),
    ] {
        std::fs::write(&games, rows).unwrap();
        for command in [
            &["play", "s"][..],
            &["values", "s"],
            &["setups", "s"],
            &["export", "s", "--format", "pgn", "-o", "g.pgn"],
            &["merge", "s", "-o", "m"],
            &["report", "s", "-o", "r.html"],
            &["explore", "s", "-o", "e.html"],
        ] {
            assert_safe(&format!("{name}: {command:?}"), &run(folder.path(), command));
        }
    }
    for command in [
        &["show", game, "0"][..],
        &["index", game, "0"],
        &["count", game],
        &["variants"],
        &["list", game, "--range", "0..2"],
        &["random", game],
        &["legal", game, "0"],
        &["perft", game, "0", "1"],
        &["search", game, "0", "--nodes", "100"],
        &["verify", game],
        &["atlas", game, "-o", "a", "--setups", "0..2", "--nodes", "20"],
        &["show", "no\x1b[2Jsuch"],
        &["endgame", game, "KvK"],
    ] {
        assert_safe(&format!("{command:?}"), &run(folder.path(), command));
    }
    // A broken file, whose lines are shown.
    std::fs::write(folder.path().join("broken.toml"), format!("name = \"{evil}\" oops\n")).unwrap();
    std::fs::write(folder.path().join("ids"), format!("{evil}\n")).unwrap();
    for command in [&["count", "broken.toml"][..], &["play", game, "-o", "x", "--setups", "ids"]] {
        assert_safe(&format!("{command:?}"), &run(folder.path(), command));
    }
    // JSON keeps what there is.
    let shown = succeed(folder.path(), &["verify", game, "--json"]).stdout;
    assert!(!shown.contains('\x1b') && shown.contains("\\u001b"), "{shown}");
}

/// A TOML string's value.
fn toml_string(text: &str) -> String {
    format!("text = \"{text}\"").parse::<toml::Table>().unwrap()["text"].as_str().unwrap().to_string()
}

#[test]
fn what_engines_say_is_shown_and_not_obeyed() {
    let folder = folder();
    let script = "printf 'id name \\033[2Jevil\\noption name UCI_Chess960 type check default false\\nuciok\\n'\n\
        while read -r word rest; do case $word in isready) echo readyok;; go) printf 'info string \\033]0;x\\007\\nbestmove \\033[2J\\n';; quit) exit;; esac; done\n";
    std::fs::write(folder.path().join("engine.sh"), script).unwrap();
    let study = ["play", "chess960", "-o", "s", "--setups", "0..4", "--black", "sh engine.sh"];
    let ran = run(folder.path(), &study);
    assert!(ran.code == Some(1), "{ran:?}");
    assert_safe("play", &ran);
    let log = std::fs::read_to_string(folder.path().join("s/failures.log")).unwrap();
    assert!(log.contains("\\u{1b}[2J") && !log.contains('\x1b'), "{log:?}");
}

#[test]
fn cells_of_tables_for_people_are_no_formulas() {
    let folder = folder();
    std::fs::write(folder.path().join("formula.toml"), MINI.replacen("name = \"", "name = \"=1+1|", 1))
        .unwrap();
    succeed(folder.path(), &["verify", "formula.toml", "--csv", "v.csv"]);
    let table = std::fs::read_to_string(folder.path().join("v.csv")).unwrap();
    assert!(table.contains(",'=1+1|"), "{table}");
    succeed(
        folder.path(),
        &["play", "mini.toml", "-o", "s", "--setups", "0..6", "--games", "4", "--nodes", "20"],
    );
    succeed(folder.path(), &["values", "s", "--csv", "values.csv"]);
    succeed(folder.path(), &["setups", "s", "--csv", "setups.csv"]);
    for name in ["values.csv", "setups.csv"] {
        let text = std::fs::read_to_string(folder.path().join(name)).unwrap();
        let mut rows = csv::Reader::from_reader(text.as_bytes());
        for cell in rows.records().flat_map(|row| row.unwrap().iter().map(String::from).collect::<Vec<_>>()) {
            let is_formula =
                cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.parse::<f64>().is_err();
            assert!(!is_formula && !cell.starts_with('\''), "{name}: {cell}");
        }
    }
}

#[test]
fn the_command_that_reproduces_a_page_can_be_typed() {
    let folder = folder();
    let study = "a study; rm *";
    succeed(
        folder.path(),
        &["play", "mini.toml", "-o", study, "--setups", "0..6", "--games", "4", "--nodes", "20"],
    );
    let pages = [
        (&["report", study, "-o", "the page.html"][..], "backrank report 'a study; rm *' -o 'the page.html'"),
        (&["-q", "report", study, "-o", "q.html"], "backrank report 'a study; rm *' -o q.html"),
        (&["report", study, "--quiet", "-o", "r.html"], "backrank report 'a study; rm *' -o r.html"),
    ];
    for (arguments, line) in pages {
        succeed(folder.path(), arguments);
        let page = std::fs::read_to_string(folder.path().join(arguments[arguments.len() - 1])).unwrap();
        let escaped = line.replace('\'', "&#39;");
        let other = line.replace('\'', "&#x27;");
        assert!(page.contains(line) || page.contains(&escaped) || page.contains(&other), "{line}");
    }
}
