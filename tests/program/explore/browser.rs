//! The page as a person uses it, in a browser.

use serde_json::{Value, json};

use super::webdriver::{Browser, ENTER, ESCAPE, UP};
use super::{STUDY, page, page_of_chess324};
use crate::common::stdout;

pub const DESKTOP: [u32; 2] = [1300, 900];
pub const PHONE: [u32; 2] = [390, 844];

/// The setup of Modern Chess: its first rank, and its FEN. Its id in the default numbering is 6944.
const RANK: &str = "RNBMKQBNR";
const FEN: &str = "rnbmkqbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBMKQBNR w AIai - 0 1 BCDFGHbcdfgh";

/// Shows the page in windows of some sizes, and checks that it keeps silent.
pub fn browse(sizes: &[[u32; 2]], test: impl Fn(&Browser)) {
    for &size in sizes {
        let Some(browser) = Browser::start(size) else { return };
        test(&browser);
        browser.close();
    }
}

/// Checks which setup is open, and that the address says so.
pub fn check_open(browser: &Browser, rank: &str) {
    browser.until(&format!("document.getElementById('setup-name').textContent === '{rank}'"));
    browser.until(&format!("location.hash.split('&')[0] === '#{rank}'"));
}

fn search(browser: &Browser, text: &str) {
    browser.enter("#search", text);
    browser.keys("#search", ENTER);
}

#[test]
fn a_setup_is_found_by_its_address_by_typing_and_by_its_reflection() {
    browse(&[DESKTOP], |browser| {
        for hash in ["6944", RANK, "rnbmkqbnr"] {
            browser.open(page(), hash);
            assert_eq!(browser.text("#setup-name"), RANK, "{hash}");
            assert_eq!(browser.text("#fen"), FEN);
        }
        assert_eq!(browser.all("#setup-ids .id"), ["#6944 in mrc", "#13434 in lex"]);
        assert!(browser.text("#setup-notes").contains("the setup of Modern Chess"));

        browser.open(page(), "BBMNNQRKR");
        for text in ["6944", "#6944", "lex 13434", "#13434 in lex", "13434 in LEX", RANK, "rnbmkqbnr", FEN] {
            search(browser, "0");
            check_open(browser, "QMBNRKRNB");
            search(browser, text);
            check_open(browser, RANK);
        }
        browser.enter("#search", "RNBMKQ?");
        let mut suggested = browser.all("#suggestions b");
        suggested.sort();
        assert_eq!(suggested, ["RNBMKQBNR", "RNBMKQBRN", "RNBMKQNBR", "RNBMKQNRB", "RNBMKQRBN", "RNBMKQRNB"]);
        search(browser, "99999");
        assert_eq!(browser.text("#toast"), "There is no setup 99999: ids are 0 to 15,119");
        check_open(browser, RANK);

        browser.click("#reflect");
        check_open(browser, "RNBQKMBNR");
        browser.back();
        check_open(browser, RANK);
        // An address that cannot be read opens the page as one that names no setup, to which it is possible to go back.
        browser.open(page(), "%zz");
        let first = browser.text("#setup-name");
        browser.open(page(), "");
        assert_eq!(browser.text("#setup-name"), first);
        search(browser, "6,944");
        check_open(browser, RANK);
        browser.back();
        assert_eq!(browser.text("#setup-name"), first);
    });
}

#[test]
fn a_setup_is_found_by_placing_pieces() {
    browse(&[DESKTOP, PHONE], |browser| {
        browser.open(page(), "0");
        browser.click("#find-tab");
        let place = |letter: &str| browser.click(&format!("#palette [data-letter={letter}]"));
        // Pieces go to the files from the left. A king on the a-file has no rook on its left: it is grey at once.
        let grey = || browser.all("#palette :disabled[data-letter]").len();
        assert_eq!(
            browser.js("return document.querySelector('#palette [data-letter=K]').disabled", &[]),
            true
        );
        assert_eq!(grey(), 1);
        for letter in ["R", "N", "B", "M"] {
            place(letter);
        }
        // One rook stands; the next must be beyond the king.
        assert_eq!(
            browser.js("return document.querySelector('#palette [data-letter=R]').disabled", &[]),
            true
        );
        for letter in ["K", "Q", "B", "N"] {
            place(letter);
        }
        check_open(browser, RANK);
        assert_eq!(browser.text("#matching"), "1 setup of 15,120");
        assert_eq!(browser.all("#table-body tr[data-setup] a"), [RANK]);

        browser.click("#clear-filter");
        assert_eq!(browser.text("#matching"), "all 15,120 setups");
        browser.show("#slots");
        browser.drag(browser.middle("#palette [data-letter=Q]"), browser.middle("#slots [data-slot='8']"));
        assert_eq!(browser.text("#matching"), "1,680 setups of 15,120");
        browser.until("document.querySelector('#slots [data-slot=\"8\"]').ariaLabel === 'i-file: queen'");
    });
}

#[test]
fn the_address_keeps_the_filter_the_tab_the_order_and_the_columns() {
    browse(&[DESKTOP], |browser| {
        let seen = || {
            let tab = "return document.querySelector('[role=tab][aria-selected=true]').id";
            let rows = browser.all("#table-body tr[data-setup]");
            let inputs = "return [...document.querySelectorAll('#ranges input')].map((input) => input.value)";
            (
                browser.js(tab, &[]),
                rows,
                browser.all("#table-head th"),
                browser.text("#matching"),
                browser.js(inputs, &[]),
            )
        };
        browser.open(page(), RANK);
        browser.click("#find-tab");
        browser.choose("#conditions select[aria-label=bishops]", "both colours");
        browser.choose("#ranges select", "score_cp");
        browser.enter("#ranges input", "20");
        browser.click("#slots [data-slot='0']");
        browser.click("#palette [data-letter=R]");
        browser.click("[data-sort=complexity]");
        browser.click(".table-bar summary");
        browser.click("#columns label:nth-child(1) input");
        let chosen = seen();
        assert!(chosen.1.len() > 5 && chosen.3 != "all 15,120 setups", "{chosen:?}");
        let address = browser.js("return location.hash", &[]);
        browser.open(page(), address.as_str().unwrap().trim_start_matches('#'));
        assert_eq!(seen(), chosen);
        check_open(browser, RANK);
        // A link on the page names a setup alone, and Back comes to where one was.
        browser.click("#table-body tr[data-setup] a");
        browser.until("location.hash.includes('&sort=')");
        assert_eq!(seen().3, chosen.3);
        browser.click("#clear-filter");
        search(browser, "0");
        browser.back();
        browser.back();
        check_open(browser, RANK);
        assert_eq!(seen(), chosen);
        // What the page does not have is left out.
        browser.open(
            page(),
            &format!("{RANK}&tab=none&sort=none&is=king:z&on=99:R&range=none:1:2&columns=none"),
        );
        assert_eq!(browser.text("#matching"), "all 15,120 setups");
    });
}

#[test]
fn setups_are_drawn_from_a_phrase_as_on_the_command_line() {
    let drawn = |game: &str, phrase: &str, more: &[&str]| -> Vec<String> {
        let arguments = [&["draw", game, "--phrase", phrase, "-n", "12", "--json"], more].concat();
        let answer: Value = serde_json::from_str(&stdout(&arguments)).unwrap();
        let row = |setup: &Value| {
            let ranks = ["white", "black"].map(|side| setup[side].as_str().unwrap());
            let label = if game == "chess324" { ranks.join("/") } else { ranks[0].to_string() };
            format!("{label} #{}", setup["id"])
        };
        answer["setups"].as_array().unwrap().iter().map(row).collect()
    };
    let draw = |browser: &Browser, phrase: &str| {
        browser.enter("#draw-phrase", phrase);
        browser.enter("#draw-number", "12");
        browser.click("#draw-form button");
        browser.until("document.querySelectorAll('#drawn li').length === 12");
        browser.all("#drawn li")
    };
    browse(&[DESKTOP, PHONE], |browser| {
        browser.open(page(), "0");
        browser.click("#find-tab");
        assert_eq!(draw(browser, "Łódź, round 3 "), drawn("pmrc", "Łódź, round 3 ", &[]));
        // What is filtered is numbered as what is narrowed, and a filter makes another draw.
        browser.choose("#conditions select[aria-label=bishops]", "both colours");
        assert!(browser.all("#drawn li").is_empty());
        let narrowed = drawn("pmrc", "a", &["--where", "opposite_colours=B,B"]);
        assert_eq!(draw(browser, "a"), narrowed);
        assert!(browser.text("#draw-rule").contains("mod 8,400"));
        browser.click("#drawn li:nth-child(2) a");
        check_open(browser, narrowed[1].split(' ').next().unwrap());
        browser.open(page_of_chess324(), "0");
        browser.click("#find-tab");
        assert_eq!(draw(browser, "a"), drawn("chess324", "a", &[]));
    });
}

#[test]
fn in_chess324_blacks_pieces_are_placed_separately() {
    browse(&[DESKTOP, PHONE], |browser| {
        browser.open(page_of_chess324(), "0");
        browser.click("#find-tab");
        assert_eq!(browser.all("#slots [data-slot]").len(), 8);
        assert_eq!(browser.all("#black-slots [data-slot]").len(), 8);
        // One rank of White's has 18 setups, one for each rank of Black's.
        for (slot, letter) in [(1, "Q"), (2, "B"), (3, "B"), (5, "N")] {
            browser.click(&format!("#slots [data-slot='{slot}']"));
            browser.click(&format!("#palette [data-letter={letter}]"));
        }
        assert_eq!(browser.text("#matching"), "18 setups of 324");
        // On Black's d-file the other bishop is possible, for White's pieces do not decide where Black's stand.
        browser.keys("#slots [data-slot='3']", UP);
        browser.until("document.activeElement.ariaLabel === 'Black’s d-file: any piece'");
        browser.keys("#black-slots [data-slot='11']", "Q");
        browser.click("#black-slots [data-slot='10']");
        browser.click("#palette [data-letter=B]");
        browser.click("#black-slots [data-slot='9']");
        browser.click("#palette [data-letter=N]");
        // The other bishop must stand on the f-file now, and the second knight on the g-file.
        check_open(browser, "RQBBKNNR/RNBQKBNR");
        assert_eq!(browser.text("#matching"), "1 setup of 324");
    });
}

#[test]
fn setups_are_filtered_and_drawn_from_what_is_left() {
    browse(&[DESKTOP], |browser| {
        browser.open(page(), "0");
        browser.click("#find-tab");
        browser.choose("#conditions select[aria-label=bishops]", "both colours");
        assert_eq!(browser.text("#matching"), "8,400 setups of 15,120");
        browser.choose("#conditions select[aria-label=king]", "b");
        let left = browser.text("#matching");
        browser.click("#open-random");
        assert_eq!(&browser.text("#setup-name")[1..2], "K");
        browser.choose("#ranges select", "score_cp");
        browser.enter("#ranges input", "90");
        let fewer = browser.text("#matching");
        assert!(fewer != left && fewer.ends_with(" setups of 15,120"), "{left}, {fewer}");
        assert_eq!(browser.text("#table-count"), fewer.replace(" setups of ", " of ") + " setups");
        // A second range of the same measure leaves fewer, or as many as before.
        browser.click("#ranges .quiet");
        browser.choose("#ranges .range:last-child select", "score_cp");
        browser.enter("#ranges .range:last-child input:nth-of-type(2)", "95");
        let number = |text: &str| text.split(' ').next().unwrap().replace(',', "").parse::<u32>().unwrap();
        assert!(number(&browser.text("#matching")) < number(&fewer), "{fewer}");
        browser.enter("#ranges .range:last-child input:nth-of-type(2)", "1000");
        assert_eq!(browser.text("#matching"), fewer);
        browser.enter("#ranges .range:last-child input", "10000");
        assert_eq!(browser.js("return document.getElementById('random').disabled", &[]), true);
    });
}

#[test]
fn the_table_sorts_scrolls_and_opens_setups_and_so_do_plots() {
    browse(&[DESKTOP], |browser| {
        browser.open(page(), "0");
        let first = "#table-body tr[data-setup] a";
        assert_eq!(browser.text(first), "QMBNRKRNB");
        browser.click("[data-sort=score_cp]");
        assert_eq!(browser.text(first), RANK, "the greatest comes first");
        browser.click("[data-sort=score_cp]");
        assert_ne!(browser.text(first), RANK);
        // Moves are sorted as they are shown: Ng3, which is h1g3 in UCI, comes before e4.
        browser.click("[data-sort=best_move]");
        assert_eq!(browser.text(first), RANK);
        browser.click("[data-sort=rank]");
        assert_eq!(browser.text(first), "BBMNNQRKR");
        let rows = browser.all(first).len();
        assert!(rows < 80, "{rows} of 15,120 rows are in the page");
        browser.js("document.getElementById('table-view').scrollTop = 1e9", &[]);
        browser.until("[...document.querySelectorAll('#table-body a')].pop().textContent === 'RQNNMKRBB'");
        browser.click("#table-body tr:last-child");
        check_open(browser, "RQNNMKRBB");
        browser.keys("#table-view", UP);
        check_open(browser, "RQNNMKBRB");

        // The setup with the greatest score is alone on the right of the plot.
        browser.open(page(), "0");
        browser.show("#scatter");
        let [x, y] = browser.middle("#scatter");
        let size = browser.js("const { clientWidth, clientHeight } = document.getElementById('scatter'); return [clientWidth, clientHeight]", &[]);
        let [width, height]: [f64; 2] = serde_json::from_value(size).unwrap();
        let edge = |range: f64| 0.02 * range;
        let (score, complexity) = (200.0, (6944 * 31 % 1709) as f64 / 100.0);
        let across = (score + edge(200.0) + 0.5) / (200.0 + 2.0 * edge(200.0) + 1.0);
        let up = (complexity + edge(17.08)) / (17.08 + 2.0 * edge(17.08));
        let at = [
            x - width / 2.0 + 54.0 + across * (width - 66.0),
            y + height / 2.0 - 40.0 - up * (height - 50.0),
        ];
        browser.drag(at, at);
        check_open(browser, RANK);
        assert!(browser.text("#scatter-note").starts_with("15,120 setups, r = "));
        assert!(browser.text("#histogram-note").starts_with("mean "));
    });
}

#[test]
fn the_moves_of_a_piece_are_shown_where_it_is_focused_or_pointed_at() {
    browse(&[DESKTOP, PHONE], |browser| {
        browser.open(page(), RANK);
        let is_shown = "!document.getElementById('piece-card').hidden";
        let fits = "const box = document.getElementById('piece-card').getBoundingClientRect();\
            return box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight";
        assert_eq!(browser.all("#pieces button").len(), 7);
        browser.show("#pieces");
        browser.js("document.querySelector('#pieces [data-piece=M]').focus({ preventScroll: true })", &[]);
        browser.until(is_shown);
        assert_eq!(browser.text("#piece-card strong"), "prime minister");
        assert_eq!(browser.text("#piece-card code"), "BN");
        assert!(browser.text("#piece-card").contains("Slides diagonally, or leaps as a knight."));
        assert_eq!(browser.all("#piece-card svg").len(), 1);
        assert_eq!(browser.js(fits, &[]), true);
        browser.keys("#pieces [data-piece=M]", ESCAPE);
        browser.until("document.getElementById('piece-card').hidden");
        browser.click("#pieces [data-piece=P]");
        browser.until(is_shown);
        assert_eq!(browser.text("#piece-card code"), "mfWcfFimfR2");
        // Where fingers point, there is no pointing without a touch.
        if browser.js("return innerWidth", &[]) == PHONE[0] {
            return;
        }
        browser.show("#board");
        browser.point(browser.middle("#board [data-square='4'][data-piece]"));
        browser.until("document.querySelector('#piece-card strong').textContent === 'king'");
        assert_eq!(browser.js(fits, &[]), true);
        browser.point(browser.middle("#status"));
        browser.until("document.getElementById('piece-card').hidden");
    });
}

/// A published game in which both sides adjust: its tags and moves as exported, and where they lead.
fn adjusted_game() -> (String, Value) {
    let games = stdout(&["export", STUDY, "--format", "pgn"]);
    let games = games.strip_prefix("[Event ").unwrap();
    let game = games.split("\n\n[Event ").find(|game| game.matches("<=>").count() == 2).unwrap();
    let moves = game.split("\n\n").nth(1).unwrap().split_whitespace().collect::<Vec<_>>();
    let moves = moves[..moves.len() - 1].join(" ");
    let replayed = stdout(&["replay", "pmrc", "--fen", tag(game, "FEN"), "--moves", &moves, "--json"]);
    (game.to_string(), serde_json::from_str(&replayed).unwrap())
}

fn tag<'a>(game: &'a str, name: &str) -> &'a str {
    game.split(&format!("[{name} \"")).nth(1).unwrap().split('"').next().unwrap()
}

#[test]
fn a_whole_game_with_adjustments_is_replayed() {
    let (game, replayed) = adjusted_game();
    let played = replayed["moves"].as_array().unwrap();
    let notation: Vec<&str> = played.iter().map(|played| played["notation"].as_str().unwrap()).collect();
    let ending = [tag(&game, "Result"), &tag(&game, "Ending").replace('-', " ")].map(String::from);
    let white = tag(&game, "FEN").split(' ').next().unwrap().rsplit('/').next().unwrap();
    browse(&[DESKTOP, PHONE], |browser| {
        browser.open(page(), white);
        browser.click("#games-tab");
        browser.click("#games .game");
        browser.until("document.querySelectorAll('#moves .move').length > 0");
        assert_eq!(browser.all("#moves .move"), notation);
        assert_eq!(browser.text("#moves .ending"), ending.join(" "));
        let right = "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));\
            return document.querySelector('#moves .current').dataset.ply";
        for ply in 1..=notation.len() {
            assert_eq!(browser.js(right, &[]), ply.to_string());
        }
        assert_eq!(browser.text("#fen"), replayed["fen"]);
        assert!(browser.text("#status").ends_with(&ending.join(", ")));
        browser.click("#first");
        assert_eq!(browser.text("#fen"), replayed["start"]);
        browser.click("#autoplay");
        browser.until("document.getElementById('ply').value >= 2");
        let copied = browser.js(
            "return new Promise((done) => { navigator.clipboard.writeText = async (text) => done(text);\
             document.getElementById('copy-pgn').click(); })",
            &[],
        );
        assert_eq!(copied.as_str().unwrap().trim_end(), format!("[Event {game}"));
    });
}

#[test]
fn castling_and_adjustments_are_shown_and_played() {
    browse(&[DESKTOP], |browser| {
        browser.open(page(), "BNBMRQKNR");
        assert_eq!(browser.all("#castling button"), ["O-O-Oc", "O-O-Og", "O-O-Oc", "O-O-Og"]);
        browser.click("#castling button");
        assert_eq!(browser.all("#board .arrow").len(), 2);
        assert_eq!(browser.all("#castling [aria-pressed=true]").len(), 1);
        browser.enter("#play-text", "e4");
        browser.keys("#play-text", ENTER);
        assert_eq!(browser.all("#board .arrow, #castling [aria-pressed=true]").len(), 0);
        browser.click("#first");
        assert_eq!(browser.all("#adjustments .white-side"), ["Ba<=>N", "Bc<=>N", "Bc<=>M"]);
        browser.click("#adjustments button:nth-child(3)");
        let adjusted = "bnbmrqknr/ppppppppp/9/9/9/9/9/PPPPPPPPP/BNMBRQKNR b EIei - 1 1 abcd";
        assert_eq!(browser.text("#fen"), adjusted);
        browser.enter("#play-text", "Ba<=>N");
        browser.keys("#play-text", ENTER);
        // A move with the mouse: the pawn from e2 to e4.
        browser.click("#board .piece[data-square='13']");
        assert_eq!(browser.all("#board .target").len(), 2);
        browser.click("#board .target[data-square='31']");
        assert_eq!(browser.all("#moves .move"), ["Bc<=>M", "Ba<=>N", "e4"]);
        browser.enter("#play-text", "Qz9");
        browser.keys("#play-text", ENTER);
        assert_eq!(browser.text("#toast"), "Qz9 is not a legal move here");
    });
}

#[test]
fn the_page_is_ready_in_ten_seconds_fits_the_window_and_labels_everything() {
    browse(&[DESKTOP, PHONE], |browser| {
        let mut ready = f64::INFINITY;
        for (theme, tab) in [("light", "setup"), ("dark", "games"), ("light", "find")] {
            browser.open(page(), "6944");
            let this_time = browser.js("return performance.getEntriesByName('ready')[0].startTime", &[]);
            ready = ready.min(this_time.as_f64().unwrap());
            browser.choose("#theme select", theme);
            browser.click(&format!("#{tab}-tab"));
            let fits = "return document.documentElement.scrollWidth <= screen.width";
            assert_eq!(browser.js(fits, &[]), true, "{tab}");
            let nameless = "return [...document.querySelectorAll('button, input, select, [role=img], [role=region]')]\
                .filter((element) => element.checkVisibility() && !element.textContent.trim() && !element.ariaLabel\
                    && !element.labels?.length && !element.title)\
                .map((element) => element.outerHTML)";
            assert_eq!(browser.js(nameless, &[]), json!([]));
        }
        // Two seconds on a machine that does nothing else; tests run beside one another, so the best of three times counts.
        assert!(ready < 10_000.0, "ready after {ready} ms");
    });
}

#[test]
fn a_damaged_page_says_so() {
    let html = std::fs::read_to_string(page()).unwrap();
    // Data that is no longer compressed by gzip.
    let damaged = html.replacen("id=\"data\">H4sI", "id=\"data\">AAAA", 1);
    assert_ne!(html, damaged);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("damaged.html");
    std::fs::write(&file, damaged).unwrap();
    browse(&[PHONE], |browser| {
        browser.load(&file, "");
        browser.until("document.body.classList.contains('failed')");
        assert!(browser.text("#problem").contains("The file may be damaged; make it again."));
    });
    // Without its end there is no program either, but a sentence.
    let cut = folder.path().join("cut.html");
    std::fs::write(&cut, &html.as_bytes()[..html.len() / 2]).unwrap();
    browse(&[PHONE], |browser| {
        browser.load(&cut, "");
        browser.until("getComputedStyle(document.getElementById('problem')).visibility === 'visible'");
        assert!(browser.text("#problem").starts_with("If this remains, the page is damaged"));
    });
}
