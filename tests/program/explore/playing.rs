//! Moves on the page: as they are written, and as they are made on the board.

use serde_json::{Value, json};

use super::browser::{DESKTOP, PHONE, browse, check_open};
use super::replay::node;
use super::webdriver::{Browser, ENTER};
use super::{page, page_of, page_with_scores};
use crate::common::backrank;

/// Where a line leads by `backrank replay`.
fn replayed(game: &str, setup: &str, moves: &str) -> String {
    let output = backrank(&["replay", game, setup, "--json", "--moves", moves]).output().unwrap();
    match output.status.success() {
        true => {
            let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
            answer["fen"].as_str().unwrap().to_string()
        }
        false => "not read".to_string(),
    }
}

#[test]
fn lines_are_read_as_replay_reads_them() {
    let italian = "1.e4 e5 2.Nf3 Nc6 3.Bc4 Bc5";
    let castled = |castling: &str| format!("{italian} {castling}");
    let chess: Vec<String> = [
        italian,
        "e2e4 e7e5 g1f3",
        "1. e4 e5 2. Nf3! Nc6?! 3. Ng1-f3",
        "1.e4 e5 2.Ng1-f3 Nb8-c6 3.Bc4 Nf6 4.Ng5 d5 5.ed5 Nxd5 6.N:f7",
        "e4 d5 ed5 Qd5 Nc3 Qe5+",
        "1.a4 b5 2.ab5 a6 3.bxa6 Bb7 4.a7 Nc6 5.a8Q",
        "1.a4 b5 2.axb5 a6 3.b6 Bb7 4.bxc7 Nc6 5.cxd8=N",
        "1.a4 b5 2.axb5 a6 3.b6 Bb7 4.bxc7 Nc6 5.cxd8",
        "1...e5",
        "Qz9",
        "e5",
        "1.Nc3 a6 2.Nd5 a5 3.Nf3 a4 4.Nd4 a3 5.Nb5 axb2 6.Nxc7",
        "1.Nc3 a6 2.e3 a5 3.Ne2",
        "1.Nc3 a6 2.e3 a5 3.Nge2",
    ]
    .map(String::from)
    .into_iter()
    .chain(["0-0", "O-O", "o-o", "e1g1", "e1h1", "O-O-O", "4.0-0", "Ke1g1", "Rg1"].map(castled))
    .collect();
    let adjustments = [
        "Ba<=>N",
        "Bc<=>N",
        "Bc<=>M",
        "Bc<=>Mb",
        "B=M",
        "B=N",
        "Ba=N",
        "B=RN",
        "a1b1",
        "b1a1",
        "O-O-Oc",
        "O-O-Og",
        "0-0-0",
        "O-O-O",
        "O-M-O",
        "1.Nd3 Nd7 2.O-O-Oc",
        "1.e4 e6 2.Nd3",
    ]
    .map(String::from);
    let folder = tempfile::tempdir().unwrap();
    let games = [
        ("chess", "RNBQKBNR", page_of("chess", folder.path()), chess),
        ("pmrc", "BNBMRQKNR", page().to_path_buf(), adjustments.to_vec()),
    ];
    for (game, setup, page, lines) in games {
        let mut arguments = vec![page.to_str().unwrap(), setup];
        arguments.extend(lines.iter().map(String::as_str));
        let Some(read) = node("reading.mjs", &arguments) else { return };
        let read: Vec<&str> = read.lines().collect();
        assert_eq!(read.len(), lines.len());
        for (line, read) in lines.iter().zip(read) {
            assert_eq!(read, replayed(game, setup, line), "{game}: {line}");
        }
        // What a game in PGN has beside its moves, `replay` does not read.
        let pgn = format!(
            "[Event \"?\"] {{ a comment }} {} $1 (e3 {{other}} (d3)) *",
            lines[0].replace(' ', " $2 ")
        );
        let read = node("reading.mjs", &[page.to_str().unwrap(), setup, &pgn]).unwrap();
        assert_eq!(read.trim_end(), replayed(game, setup, &lines[0]), "{pgn}");
    }
}

/// The middle of a square of the board.
fn square(browser: &Browser, name: &str, files: usize) -> [f64; 2] {
    let (file, rank) = (name.as_bytes()[0] - b'a', name[1..].parse::<usize>().unwrap() - 1);
    browser.middle(&format!("#board .square[data-square='{}']", rank * files + usize::from(file)))
}

fn play(browser: &Browser, text: &str) {
    browser.enter("#play-text", text);
    browser.keys("#play-text", ENTER);
}

#[test]
fn pieces_are_dragged_and_kings_castle_where_they_land_or_onto_the_rook() {
    let folder = tempfile::tempdir().unwrap();
    let chess = page_of("chess", folder.path());
    browse(&[DESKTOP, PHONE], |browser| {
        browser.open(&chess, "");
        let pointer = if browser.js("return innerWidth", &[]) == PHONE[0] { "touch" } else { "mouse" };
        let drag = |from: &str, to: &str| {
            browser.show("#board");
            browser.drag_with(pointer, square(browser, from, 8), square(browser, to, 8));
        };
        drag("e2", "e4");
        assert_eq!(browser.all("#moves .move"), ["e4"]);
        // A piece that cannot go there goes back.
        drag("e7", "e4");
        assert_eq!(browser.all("#moves .move"), ["e4"]);
        play(browser, "1...e5 2.Nf3 Nc6 3.Bc4 Bc5");
        for to in ["g1", "h1"] {
            drag("e1", to);
            assert_eq!(browser.all("#moves .move").last().unwrap(), "O-O", "{to}");
            assert!(browser.text("#fen").contains("RNBQ1RK1"));
            browser.click("#back");
        }
        for text in ["0-0", "e1g1", "4.O-O"] {
            play(browser, text);
            assert_eq!(browser.text("#status"), "4. O-O · Black to move", "{text}");
            browser.click("#back");
        }
        // By two clicks, too.
        browser.click("#board .piece[data-square='4']");
        browser.click("#board .target[data-square='6']");
        assert_eq!(browser.text("#status"), "4. O-O · Black to move");
        play(browser, "Qz9");
        assert_eq!(browser.text("#toast"), "Qz9 is not a legal move here");
    });
}

#[test]
fn the_board_is_played_on_with_the_keyboard() {
    let folder = tempfile::tempdir().unwrap();
    let chess = page_of("chess", folder.path());
    browse(&[DESKTOP], |browser| {
        browser.open(&chess, "");
        let [right, up] = ["\u{e014}", "\u{e013}"];
        browser.keys("#board .square[data-square='0']", &[right.repeat(4), up.to_string()].concat());
        let focused = "return document.activeElement.ariaLabel";
        assert_eq!(browser.js(focused, &[]), "e2, white pawn");
        browser.keys("#board .square[data-square='12']", &[ENTER, up, up].concat());
        assert_eq!(browser.js(focused, &[]), "e4, empty, can go here");
        browser.keys("#board .square[data-square='28']", ENTER);
        assert_eq!(browser.all("#moves .move"), ["e4"]);
    });
}

#[test]
fn the_address_keeps_the_line_the_game_and_the_place_in_it() {
    browse(&[DESKTOP], |browser| {
        let seen = || {
            let ply = browser.js("return document.getElementById('ply').value", &[]);
            (browser.all("#moves .move"), ply, browser.text("#fen"), browser.text("#line-title"))
        };
        let reload = || {
            let hash = browser.js("return location.hash", &[]);
            browser.open(page(), hash.as_str().unwrap().trim_start_matches('#'));
        };
        browser.open(page(), "RNBMKQBNR");
        play(browser, "1.e4 d6 2.f4 e6 3.Bg<=>Q");
        browser.click("#back");
        browser.until("location.hash.endsWith('&line=e2e4.d8d6.f2f4.e8e6.g1f1&ply=4')");
        let line = seen();
        reload();
        assert_eq!(seen(), line);
        // Back comes to the line, and forward to the setup without one.
        browser.click("#reflection a");
        check_open(browser, "RNBQKMBNR");
        assert_eq!(seen().0, [""; 0]);
        browser.back();
        check_open(browser, "RNBMKQBNR");
        assert_eq!(seen(), line);

        browser.click("#games-tab");
        browser.click("#games .game");
        browser.until("document.querySelectorAll('#moves .move').length > 20");
        browser.click("#forward");
        browser.click("#forward");
        browser.until("location.hash.endsWith('&game=6944&ply=2')");
        let game = seen();
        reload();
        browser.until("document.querySelectorAll('#moves .move').length > 20");
        assert_eq!(seen(), game);
        // The next game is that of the next setup in the table.
        browser.click("#game-after");
        browser.until("document.getElementById('line-title').textContent.startsWith('Game 6945 ')");
        browser.click("#game-before");
        browser.until("document.getElementById('line-title').textContent.startsWith('Game 6944 ')");
        browser.click("#only-adjusted");
        for _ in 0..3 {
            let before = browser.text("#line-title");
            browser.click("#game-after");
            let expression =
                format!("document.getElementById('line-title').textContent !== {}", json!(before));
            browser.until(&expression);
            assert!(browser.all("#moves .move").iter().any(|text| text.contains("<=>")));
        }
        // What cannot be read is left out.
        browser.open(page(), "RNBMKQBNR&line=e2e4.e2e4&ply=7&game=none&beside=none");
        assert_eq!(seen().0, [""; 0]);
    });
}

#[test]
fn the_first_rank_of_the_board_is_arranged() {
    browse(&[DESKTOP], |browser| {
        browser.open(page(), "RNBMKQBNR");
        browser.show("#board");
        browser.click("#arrange");
        let drag = |from: &str, to: &str| browser.drag(square(browser, from, 9), square(browser, to, 9));
        drag("b1", "a1");
        check_open(browser, "NRBMKQBNR");
        // A rook must stand on either side of the king, so that another piece moves as well.
        drag("b1", "h1");
        browser.until("document.getElementById('toast').textContent.includes('with it')");
        assert_eq!(&browser.text("#setup-name")[7..8], "R");
        browser.click("#arrange");
        drag("a2", "a3");
        assert_eq!(browser.all("#moves .move"), ["a3"]);
        // A piece of the palette is placed on the board.
        browser.open(page(), "RNBMKQBNR");
        browser.click("#find-tab");
        browser.show("#palette");
        browser.drag(browser.middle("#palette [data-letter=Q]"), square(browser, "i1", 9));
        assert_eq!(browser.text("#matching"), "1,680 setups of 15,120");
        assert_eq!(browser.all("#found li").len(), 6);
    });
}

#[test]
fn presets_filter_and_sort_by_what_is_reliable() {
    browse(&[DESKTOP], |browser| {
        browser.open(page(), "RNBMKQBNR");
        browser.click("#find-tab");
        let column = |key: &str| -> Vec<f64> {
            let at = format!(
                "const at = [...document.querySelectorAll('#table-head button')].findIndex((button) => button.dataset.sort === '{key}');\
                 return [...document.querySelectorAll('#table-body tr[data-setup]')].map((row) => Number(row.children[at].textContent))"
            );
            serde_json::from_value(browser.js(&at, &[])).unwrap()
        };
        browser.click("[data-preset=sharp]");
        assert!(browser.text("#matching").starts_with("1,"));
        let values = column("complexity");
        assert!(values.is_sorted() && values[0] == 0.0, "{values:?}");
        browser.click("[data-preset=quiet]");
        let values = column("complexity");
        assert!(values.is_sorted_by(|one, other| one >= other) && values[0] > 17.0, "{values:?}");
        browser.click("[data-preset=orthodox-like]");
        assert_eq!(browser.all("#found b")[..2], ["RNBMKQBNR", "RNBQKMBNR"]);
        browser.until("location.hash.endsWith('&range=likeness:5:&sort=-likeness')");
        browser.click("[data-preset=fair]");
        assert!(browser.all("#found li").len() > 1);
        // Without an atlas nobody has judged them.
        let folder = tempfile::tempdir().unwrap();
        browser.open(&page_of("chess960", folder.path()), "");
        assert_eq!(browser.all("[data-preset]:disabled"), ["fair", "sharp", "quiet"]);
    });
}

#[test]
fn two_setups_are_seen_side_by_side() {
    browse(&[DESKTOP, PHONE], |browser| {
        browser.open(page(), "RNBMKQBNR");
        browser.click("#keep");
        browser.click("#reflect");
        check_open(browser, "RNBQKMBNR");
        assert_eq!(browser.all("#sides-head a"), ["RNBMKQBNR", "RNBQKMBNR"]);
        assert!(browser.all("#sides-body tr").len() > 8);
        let hash = browser.js("return location.hash", &[]);
        assert_eq!(hash, "#RNBQKMBNR&beside=RNBMKQBNR");
        browser.open(page(), hash.as_str().unwrap().trim_start_matches('#'));
        browser.click("#exchange");
        check_open(browser, "RNBMKQBNR");
        assert_eq!(browser.all("#sides-head a"), ["RNBQKMBNR", "RNBMKQBNR"]);
        browser.click("#forget");
        browser.until("document.getElementById('side-by-side').hidden");
    });
}

#[test]
fn evaluations_are_shown_along_a_game_with_scores() {
    browse(&[DESKTOP], |browser| {
        browser.open(page_with_scores(), "RNBMKQBNR");
        browser.click("#games-tab");
        browser.click("#games .game");
        browser.until("!document.getElementById('evaluation-side').hidden");
        browser.click("#last");
        browser.click("#back");
        let now = browser.text("#evaluation-now");
        assert!(now.starts_with(['+', '−', '#', '0']), "{now}");
        browser.show("#evaluation");
        let at = browser.middle("#evaluation");
        browser.drag(at, at);
        let [ply, last]: [f64; 2] = serde_json::from_value(browser.js(
            "return [Number(document.getElementById('ply').value), Number(document.getElementById('ply').max)]",
            &[],
        ))
        .unwrap();
        assert!((ply - last / 2.0).abs() < 2.0, "{ply} of {last}");
        // A move of one's own is no part of the game.
        browser.click("#first");
        play(browser, "e3");
        browser.until("document.getElementById('evaluation-side').hidden");
    });
}
