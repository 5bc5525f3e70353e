//! The page on which games are played: `serve`.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use ureq::Agent;

use crate::common::refusal;
use crate::explore::webdriver::Browser;

/// A server, which ends with the test.
struct Server {
    child: Child,
    address: String,
    agent: Agent,
}

impl Server {
    fn start(games: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_backrank"));
        command.arg("serve").args(games).args(["--port", "0", "--hash", "4"]).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut address = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
        let agent = Agent::config_builder().http_status_as_error(false).build().into();
        Self { child, address: address.trim().to_string(), agent }
    }

    /// The status and the text of what is at a path.
    fn get(&self, path: &str, headers: &[(&str, &str)]) -> (u16, String) {
        let mut request = self.agent.get(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut response = request.call().unwrap();
        (response.status().as_u16(), response.body_mut().read_to_string().unwrap())
    }

    fn post(&self, path: &str, body: &Value) -> (u16, String) {
        let mut response = self.agent.post(format!("{}{path}", self.address)).send_json(body).unwrap();
        (response.status().as_u16(), response.body_mut().read_to_string().unwrap())
    }

    fn ask(&self, path: &str, body: &Value) -> Value {
        let (status, text) = self.post(path, body);
        assert_eq!(status, 200, "{text}");
        serde_json::from_str(&text).unwrap()
    }

    fn search(&self) -> Value {
        serde_json::from_str(&self.get(&format!("{}search", self.address), &[]).1).unwrap()
    }

    /// The best move after some nodes.
    fn best(&self, place: &Value, nodes: u64) -> String {
        let id = self.ask("search", &json!({ "place": place, "nodes": nodes }));
        loop {
            let found = self.search();
            assert_eq!(found["id"], id);
            if !found["running"].as_bool().unwrap() {
                return found["best"].as_str().unwrap().to_string();
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _status = self.child.wait();
    }
}

#[test]
fn a_game_with_an_adjustment_is_played_to_its_end() {
    let server = Server::start(&["pmrc"]);
    // Bishops on one colour: an adjustment is possible at once.
    let start = server.ask("position", &json!({ "game": 0, "start": "RNBQKMBNR" }));
    assert_eq!((&start["to_move"], &start["files"]), (&"white".into(), &9.into()));
    assert!(start["setup"].as_str().unwrap().ends_with("(mrc)"), "{start}");
    let white_at = |square: &str| {
        start["pieces"]
            .as_array()
            .unwrap()
            .iter()
            .find(|piece| piece[0] == square && piece[1] == "white")
            .cloned()
    };
    let adjustment = start["legal"].as_array().unwrap().iter().find(|found| {
        let from = white_at(found["from"].as_str().unwrap()).unwrap();
        from[2] == "B" && white_at(found["to"][0].as_str().unwrap()).is_some()
    });
    let mut moves = vec![adjustment.expect("an adjustment")["uci"].as_str().unwrap().to_string()];
    let place = |moves: &[String]| json!({ "game": 0, "start": start["start"], "moves": moves });
    let last = loop {
        let now = server.ask("position", &place(&moves));
        assert_eq!(now["played"].as_array().unwrap().len(), moves.len());
        if !now["result"].is_null() {
            break now;
        }
        // White thinks more, and one of them may err.
        let nodes = if now["to_move"] == "white" { 400 } else { 20 };
        moves.push(server.best(&place(&moves), nodes));
        assert!(moves.len() < 2000);
    };
    assert_eq!(last["legal"], json!([]));
    let (status, pgn) =
        server.post("pgn", &json!({ "place": place(&moves), "white": "you", "black": "the \"engine\"" }));
    assert_eq!(status, 200);
    let result = last["result"].as_str().unwrap();
    assert!(pgn.contains(&format!("[Result \"{result}\"]\n")) && pgn.trim_end().ends_with(result), "{pgn}");
    assert!(pgn.contains("[Variant \"pmrc\"]") && pgn.contains("[Black \"the \\\"engine\\\"\"]"), "{pgn}");
    // As it was saved it is read again.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.pgn");
    std::fs::write(&file, &pgn).unwrap();
    let to = folder.path().join("study");
    let import = ["import", file.to_str().unwrap(), "--variant", "pmrc", "-o", to.to_str().unwrap()];
    crate::common::stdout(&import);
    let games = std::fs::read_to_string(to.join("games.csv")).unwrap();
    assert!(games.contains(&moves.join(" ")), "{games}");
}

/// A person plays White on the page: adjusts a bishop, castles, promotes or whatever it takes, and wins against an engine that hardly
/// thinks.
#[test]
fn a_whole_game_is_won_on_the_page() {
    let server = Server::start(&["pmrc"]);
    let Some(browser) = Browser::start([1280, 900]) else { return };
    browser.go(&server.address);
    browser.until("document.querySelectorAll('#board .square').length === 81");
    let start = "RNBQKMBNR";
    browser.enter("#start", start);
    browser.choose("#level", "n100");
    browser.click("#new button");
    browser.until("document.querySelector('#setup').textContent.startsWith('setup ')");
    let square = |name: &str| {
        let (file, rank) = (usize::from(name.as_bytes()[0] - b'a'), name[1..].parse::<usize>().unwrap() - 1);
        format!("#board .square[data-square='{}']", 9 * rank + file)
    };
    browser.until(&format!(
        "document.querySelector(\"{}\").getAttribute('aria-label') === 'a1, white rook'",
        square("a1")
    ));
    let mut moves: Vec<String> = Vec::new();
    let place = |moves: &[String]| json!({ "game": 0, "start": start, "moves": moves });
    let mut kinds = [0; 2];
    let last = loop {
        for text in browser.all("#moves button").iter().skip(moves.len()) {
            let mut after = place(&moves);
            after["text"] = text.as_str().into();
            let after = server.ask("position", &after);
            moves.push(
                after["played"].as_array().unwrap().last().unwrap()["uci"].as_str().unwrap().to_string(),
            );
        }
        let now = server.ask("position", &place(&moves));
        if !now["result"].is_null() {
            break now;
        }
        assert!(moves.len() < 600);
        if now["to_move"] == "white" {
            let legal = now["legal"].as_array().unwrap();
            let at = |square: &Value| {
                now["pieces"].as_array().unwrap().iter().find(|piece| piece[0] == *square).cloned()
            };
            let adjusts = |found: &&Value| {
                at(&found["from"]).unwrap()[2] == "B"
                    && at(&found["to"][0]).is_some_and(|other| other[1] == "white")
            };
            let adjustment = legal.iter().find(adjusts).filter(|_| kinds[0] == 0);
            let chosen = adjustment.unwrap_or_else(|| {
                let best = server.best(&place(&moves), 3000);
                legal.iter().find(|found| found["uci"] == best).unwrap()
            });
            kinds[usize::from(adjustment.is_none())] += 1;
            let [from, to] = [&chosen["from"], &chosen["to"][0]].map(|name| square(name.as_str().unwrap()));
            // By two clicks and by dragging, in turn.
            if moves.len().is_multiple_of(4) {
                browser.drag(browser.middle(&from), browser.middle(&to));
            } else {
                for square in [from, to] {
                    let at = browser.middle(&square);
                    browser.drag(at, at);
                }
            }
            if let Some(letter) = chosen["promotes_to"].as_str() {
                let name = &server.ask("drawings", &json!(0))["names"][letter];
                browser.until("document.querySelector('#promotion').open");
                browser.click(&format!("#pieces button[aria-label='{}']", name.as_str().unwrap()));
            }
        }
        browser.until(&format!("document.querySelectorAll('#moves button').length > {}", moves.len()));
    };
    assert_eq!(last["result"], "1-0", "{last}");
    assert_eq!(kinds[0], 1);
    browser.until("document.querySelector('#status').textContent.startsWith('White wins')");
    assert_eq!(browser.text("#problem"), "");
    // An earlier position is looked at.
    browser.click("#moves li:nth-child(10) button");
    browser.click("#analyse");
    browser.until("document.querySelectorAll('#lines li').length === 3");
    for colours in ["light", "dark"] {
        browser.in_colours(colours);
        browser.check_access(&format!("a game with analysis, {colours}"));
    }
    assert!(browser.text("#status").starts_with("After move 10 of "), "{}", browser.text("#status"));
    // A page that is gone asks no more.
    browser.go("about:blank");
    std::thread::sleep(Duration::from_secs(6));
    assert_eq!(server.search()["running"], false);
}

/// Whoever has no time left loses, unless the other side cannot mate at all.
#[test]
fn a_flag_falls_by_the_rules_of_play() {
    let server = Server::start(&["chess"]);
    for (fen, on_time) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", ["0-1", "1-0"]),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", ["1/2-1/2", "1-0"]),
    ] {
        let place = json!({ "game": 0, "start": fen });
        let shown = server.ask("position", &place);
        for (at, side) in ["white", "black"].into_iter().enumerate() {
            assert_eq!(shown["on_time"][at][0], on_time[at], "{fen}");
            let saved = json!({ "place": place, "white": "a", "black": "b", "flag": side });
            let pgn = server.post("pgn", &saved).1;
            let [result, why] =
                [format!("[Result \"{}\"]", on_time[at]), "[Termination \"time forfeit\"]".to_string()];
            assert!(pgn.contains(&result) && pgn.contains(&why), "{pgn}");
        }
    }
    // With a clock that is nearly over the engine still answers in time.
    let begin = Instant::now();
    let clock = json!({ "left": 300, "increment": 0 });
    server.ask("search", &json!({ "place": { "game": 0, "start": "" }, "clock": clock }));
    while server.search()["running"] == true {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(server.search()["best"].is_string() && begin.elapsed() < Duration::from_secs(20));

    let Some(browser) = Browser::start([1280, 900]) else { return };
    browser.go(&server.address);
    browser.until("document.querySelectorAll('#board .square').length === 64");
    browser.enter("#start", "");
    browser.choose("#side", "both");
    browser.choose("#time", "own");
    browser.enter("#own-time", "4+1");
    browser.click("#new button");
    browser.until("!document.querySelector('#clock-top').hidden");
    assert_eq!(browser.all(".clock b"), ["4.0", "4.0"]);
    browser.enter("#typed", "1.e4");
    browser.keys("#typed", crate::explore::webdriver::ENTER);
    browser.until("document.querySelector('#status').textContent === 'White wins: time'");
    let clocks = browser.all(".clock b");
    // White got a second for its move, for which no clock ran yet.
    assert_eq!(clocks, ["0.0", "5.0"]);
    let at = browser.middle("#board .square[data-square='52']");
    browser.drag(at, browser.middle("#board .square[data-square='36']"));
    assert_eq!(browser.all("#moves button"), ["e4"], "the game is over");
    browser.click("#take-back");
    browser.until("document.querySelector('#status').textContent === 'White to move'");
    assert_eq!(browser.all(".clock b"), ["4.0", "4.0"]);
    browser.check_access("a game with clocks");
}

/// The games of a study are opened, and evaluated from the first position to the last.
#[test]
fn recorded_games_are_opened_and_annotated() {
    let folder = tempfile::tempdir().unwrap();
    let study = folder.path().join("study");
    let study = study.to_str().unwrap();
    crate::common::stdout(&["play", "pmrc", "--setups", "0..60", "--nodes", "20", "--quiet", "-o", study]);
    let server = Server::start(&["chess", study]);
    let games: Value = serde_json::from_str(&server.get(&format!("{}games", server.address), &[]).1).unwrap();
    assert_eq!([&games[0]["recorded"], &games[1]["recorded"]], [false, true]);
    let listed = server.ask("recorded", &json!({ "game": 1, "from": 0 }));
    assert_eq!((listed["games"].as_array().unwrap().len(), &listed["next"]), (50, &50.into()));
    let rest = server.ask("recorded", &json!({ "game": 1, "from": 50 }));
    assert_eq!((rest["games"].as_array().unwrap().len(), &rest["next"]), (10, &Value::Null));
    assert_eq!(server.ask("recorded", &json!({ "game": 0, "from": 0 }))["games"], json!([]));
    for number in [60, u64::MAX] {
        let (status, answer) = server.post("recorded-game", &json!({ "game": 1, "number": number }));
        assert!(status == 400 && answer.contains("there is no recorded game"), "{answer}");
    }
    let shortest =
        listed["games"].as_array().unwrap().iter().min_by_key(|game| game["plies"].as_u64()).unwrap();
    let (number, plies) = (&shortest["number"], shortest["plies"].as_u64().unwrap() as usize);

    let Some(browser) = Browser::start([1280, 900]) else { return };
    browser.go(&server.address);
    browser.until("document.querySelectorAll('#board .square').length === 64");
    browser.choose("#game", "1");
    browser.until("document.querySelectorAll('#recorded button').length === 50");
    browser.click(&format!("#recorded [data-number='{number}']"));
    browser.until(&format!("document.querySelectorAll('#moves button').length === {plies}"));
    assert!(browser.text("#players").ends_with(shortest["ending"].as_str().unwrap()));
    browser.choose("#annotate-nodes", "1000");
    browser.click("#annotate");
    browser.until("document.querySelector('#evaluation-note').textContent.includes('inaccurac')");
    // Who thinks so little errs.
    assert!(!browser.all("#moves abbr").is_empty());
    assert!(browser.all("#evaluation .error").len() >= browser.all("#moves abbr").len());
    browser.click("#moves li:nth-child(3) button");
    browser.until("document.querySelector('#status').textContent.startsWith('After move 3 of ')");
    assert!(browser.text("#evaluation-now").starts_with(['+', '−', '#', '0']));
    browser.check_access("an annotated game");
}

#[test]
fn moves_are_read_as_people_write_them() {
    let server = Server::start(&["chess960", "cwda-fide-clobberers"]);
    let after = |start: &str, moves: &[&str], text: &str| {
        let (status, answer) =
            server.post("position", &json!({ "game": 0, "start": start, "moves": moves, "text": text }));
        let answer: Value = serde_json::from_str(&answer).unwrap();
        match status {
            200 => answer["played"].as_array().unwrap().last().unwrap()["uci"].as_str().unwrap().to_string(),
            _ => answer["problem"].as_str().unwrap().to_string(),
        }
    };
    assert_eq!(after("518", &[], "e4"), "e2e4");
    assert_eq!(after("518", &["e2e4"], "1...e5"), "e7e5");
    assert_eq!(after("518", &["e2e4", "e7e5", "g1f3", "b8c6"], "3.Bc4"), "f1c4");
    let open = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5"];
    assert_eq!(after("518", &open, "0-0"), "e1h1");
    assert!(after("518", &[], "Qh5").contains("Qh5"));
    // The king is dropped where he lands, or on the rook.
    let position = server.ask("position", &json!({ "game": 0, "start": "518", "moves": open }));
    let castling = position["legal"].as_array().unwrap().iter().find(|found| found["uci"] == "e1h1").unwrap();
    assert_eq!(castling["to"], json!(["h1", "g1"]));
    for (body, says) in [
        (json!({ "game": 7, "start": "518" }), "there is no game 7"),
        (json!({ "game": 0, "start": "960" }), "there is no setup 960"),
        (json!({ "game": 0, "start": "518", "moves": ["e2e5"] }), "e2e5"),
        (json!({ "game": 0 }), "the request is not as expected"),
        (json!({ "game": 0, "start": "8/8 w - - 0 1" }), "ranks"),
    ] {
        let (status, answer) = server.post("position", &body);
        assert_eq!(status, 400, "{answer}");
        assert!(answer.contains(says), "{body}: {answer}");
    }
    let (status, _) = server.post("position", &json!({ "game": 0, "start": "x".repeat(1 << 17) }));
    assert_eq!(status, 400);
    let clobberers = server.ask("drawings", &json!(1));
    assert!(clobberers["shapes"]["D"].is_string() && clobberers["names"]["F"] == "fad", "{clobberers}");
}

/// Who does not know the address finds nothing, and no page of another site can ask.
#[test]
fn only_the_page_itself_is_answered() {
    let server = Server::start(&["chess"]);
    let host = server.address.trim_start_matches("http://").split('/').next().unwrap().to_string();
    let (status, page) = server.get(&server.address, &[]);
    assert!(status == 200 && page.contains("<svg id=\"board\""), "{page}");
    for file in
        ["style.css", "look.css", "program.mjs", "board.mjs", "rules.mjs", "dom.mjs", "evaluation.mjs"]
    {
        assert_eq!(server.get(&format!("{}{file}", server.address), &[]).0, 200);
    }
    let own = format!("http://{host}");
    let games = format!("{}games", server.address);
    assert_eq!(server.get(&games, &[("Origin", own.as_str())]).0, 200);
    assert_eq!(server.get(&games, &[("Origin", "http://elsewhere.example")]).0, 404);
    assert_eq!(server.get(&games, &[("Host", "elsewhere.example")]).0, 404);
    for path in ["", "games", "0123456789abcdef0123456789abcdef/games"] {
        assert_eq!(server.get(&format!("http://{host}/{path}"), &[]).0, 404, "{path}");
    }
}

/// A page that is closed asks no more, and its search ends.
#[test]
fn a_search_that_nobody_asks_about_is_stopped() {
    let server = Server::start(&["chess"]);
    server.ask("search", &json!({ "place": { "game": 0, "start": "" }, "lines": 3 }));
    let begin = Instant::now();
    while server.search()["lines"].as_array().unwrap().len() < 3 {
        assert!(begin.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(server.search()["running"], true);
    std::thread::sleep(Duration::from_secs(6));
    assert_eq!(server.search()["running"], false);
    // Another one takes the place of the one before.
    server.ask("search", &json!({ "place": { "game": 0, "start": "" } }));
    assert_eq!(server.ask("stop", &Value::Null)["running"], false);
}

#[test]
fn what_cannot_be_served_is_refused() {
    for (arguments, says) in [
        (&["nonsense"][..], "nonsense"),
        (&["xiangqi"], "counted and listed only"),
        (&["chess", "--hash", "0"], "--hash"),
    ] {
        let error = refusal(&[&["serve", "--port", "0", "--once"], arguments].concat());
        assert!(error.contains(says), "{arguments:?}: {error}");
    }
}
