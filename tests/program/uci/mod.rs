//! The engine as a program that speaks UCI finds it: each test starts the process.

pub mod client;

use std::time::Duration;

use backrank_rules::{Position, Rules, Variant, catalogue};
use client::{Client, number_after, play_itself};

const NOTHING: [String; 0] = [];

#[test]
fn uci_is_answered_with_name_author_and_options() {
    let mut client = Client::start();
    client.send("uci");
    let said = client.until("uciok");
    assert!(said[0].starts_with("id name backrank "), "{said:#?}");
    assert!(said[1].starts_with("id author "), "{said:#?}");
    let variants: Vec<&str> = said
        .iter()
        .find_map(|line| line.strip_prefix("option name UCI_Variant type combo default chess var "))
        .unwrap()
        .split(" var ")
        .collect();
    let playable: Vec<String> =
        catalogue().filter(|variant| !variant.count_only).map(|variant| variant.key).collect();
    assert_eq!(variants, playable);
    for option in [
        "UCI_Chess960 type check default false",
        "VariantFile type string default <empty>",
        "BishopAdjustment type check default true",
        "WeightsFile type string default <empty>",
        "NetFile type string default <empty>",
        "EndgameTables type check default true",
        "Hash type spin default 16 min 1 max 65536",
        "Clear Hash type button",
        "Ponder type check default false",
        "Threads type spin default 1 min 1 max 1",
    ] {
        assert!(said.contains(&format!("option name {option}")), "{option}");
    }
    assert_eq!(client.ready(), NOTHING);
}

#[test]
fn right_options_are_silent_and_wrong_ones_explained() {
    let mut client = Client::start();
    for (name, value) in [
        ("Hash", "1"),
        ("hash", "33"),
        ("Threads", "1"),
        ("Ponder", "true"),
        ("UCI_Chess960", "true"),
        ("UCI_Variant", "Capablanca_Random"),
        ("uci_variant", "PM-Random"),
        ("UCI_Variant", "pmrc"),
        ("VariantFile", "<empty>"),
    ] {
        client.set(name, value);
    }
    assert_eq!(client.remarks("setoption name Clear Hash"), NOTHING);
    let before = client.fen();
    let mut wrong = |option: &str| client.remarks(&format!("setoption name {option}")).join("\n");
    assert_eq!(wrong("Hash value 0"), "Hash is a number from 1 to 65536, not `0`");
    assert_eq!(wrong("Threads value many"), "Threads is a number from 1 to 1, not `many`");
    assert_eq!(wrong("BishopAdjustment value on"), "BishopAdjustment is true or false, not `on`");
    assert_eq!(wrong("Nonsense value 1"), "no option `Nonsense`");
    assert!(wrong("UCI_Variant value pmcr").starts_with("no variant `pmcr`; did you mean"));
    assert!(wrong("UCI_Variant value chess99").starts_with("chess99 is counted and listed only"));
    assert!(wrong("WeightsFile value no/such.toml").starts_with("no/such.toml: "));
    assert!(wrong("WeightsFile value Cargo.toml").starts_with("Cargo.toml: unknown field"));
    assert!(wrong("NetFile value no/such.net").starts_with("no/such.net: "));
    assert!(wrong("NetFile value Cargo.toml").starts_with("Cargo.toml: this is no net: "));
    assert!(wrong("VariantFile value no/such/file.toml").starts_with("cannot read no/such/file.toml"));
    assert_eq!(client.fen(), before);
}

#[test]
fn an_infinite_search_answers_only_after_stop() {
    let mut client = Client::start();
    let mated = "position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
    for (position, limits) in [("position startpos", "infinite depth 1"), (mated, "infinite")] {
        client.send(position);
        client.send(&format!("go {limits}"));
        client.says_no("bestmove", Duration::from_millis(100));
        client.send("stop");
        client.best();
    }
    // A stop with nothing to stop is no stop for what comes.
    client.send("stop");
    let (_, lines) = client.go("depth 3");
    assert!(!lines.is_empty());
}

#[test]
fn stop_ends_a_search_of_every_kind_of_game() {
    for variant in ["chess", "pmrc", "mmcc", "icrc", "capablanca-random"] {
        let mut client = Client::playing(variant);
        for _ in 0..2 {
            client.send("position startpos");
            client.send("go infinite");
            client.says_no("bestmove", Duration::from_millis(50));
            client.send("stop");
            let (best, _) = client.best();
            assert_ne!(best, "(none)", "{variant}");
        }
    }
}

#[test]
fn isready_is_answered_during_a_search() {
    let mut client = Client::playing("modern");
    client.send("go infinite");
    client.until("info depth 5 ");
    for _ in 0..9 {
        assert!(client.ready().iter().all(|line| !line.starts_with("bestmove")));
    }
    client.send("uci");
    client.until("uciok");
    client.send("stop");
    client.best();
}

/// Searches that would go on for longer than a client waits.
#[test]
fn quit_and_the_end_of_input_end_it_at_any_time() {
    for begin in ["uci", "go infinite", "go ponder movetime 600000", "perft 9", "go nodes 10000000000"] {
        for closes in [false, true] {
            let mut client = Client::playing("mmcc");
            client.send(begin);
            client.says_no("bestmove", Duration::from_millis(50));
            if closes {
                client.close();
            } else {
                client.send("quit");
            }
            let status = client.end();
            assert!(status.success(), "{begin}: {status}");
            // What was searched is answered all the same.
            if begin.starts_with("go ") {
                client.best();
            }
        }
    }
}

#[test]
fn pondering_ends_by_a_hit_or_a_miss() {
    let mut client = Client::start();
    client.send("position startpos moves e2e4 e7e5");
    for (limits, answer) in [("depth 4 wtime 100 btime 100", "ponderhit"), ("movetime 600000", "stop")] {
        client.send(&format!("go ponder {limits}"));
        client.says_no("bestmove", Duration::from_millis(200));
        client.send(answer);
        assert_ne!(client.best().0, "(none)", "{limits}");
    }
    // A search that has ended by itself, before the opponent has moved.
    client.send("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    client.send("go ponder movetime 10");
    client.says_no("bestmove", Duration::from_millis(50));
    client.send("ponderhit");
    assert_eq!(client.best().0, "(none)");
}

#[test]
fn a_clock_that_has_run_out_gives_a_move_all_the_same() {
    let mut client = Client::playing("chess8400");
    for limits in ["movetime 1", "wtime 0 btime 0", "wtime -5 btime -5 winc 10"] {
        client.send("position startpos");
        assert_ne!(client.go(limits).0, "(none)", "{limits}");
    }
}

/// The endgame tables of a game take about a second to make, which only `isready` waits for.
#[test]
fn endgame_tables_are_there_after_isready_though_a_search_came_first() {
    let mut client = Client::start();
    client.send("setoption name UCI_Variant value pmrc");
    client.send("position startpos");
    assert_ne!(client.go("movetime 100").0, "(none)");
    client.ready();
    client.send("position fen 9/9/9/9/4k4/9/9/9/K6M1 w - - 0 1");
    let (_, lines) = client.go("depth 2");
    assert!(lines.iter().any(|line| line.contains(" score mate ")), "{lines:#?}");
}

#[test]
fn without_a_legal_move_bestmove_is_none() {
    let mut client = Client::start();
    client.send("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(client.go("depth 3").0, "(none)");
    client.send("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    let (best, lines) = client.go("wtime 1000 btime 1000");
    assert_eq!(best, "(none)");
    assert!(lines[0].contains(" score cp 0 "), "{lines:?}");
}

#[test]
fn senseless_commands_leave_the_position_as_it_is() {
    let mut client = Client::playing("pmrc");
    let before = client.fen();
    // A small generator of bytes, the same in every run. No newline, so that each line is one command.
    let mut state = 1u64;
    let mut byte = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    for length in 0..300 {
        let mut line: Vec<u8> = (0..length).map(|_| byte()).filter(|&byte| byte != b'\n').collect();
        line.push(b'\n');
        client.send_bytes(&line);
    }
    client.send_bytes(b"position \xff\xfe fen \x80\n");
    client.send_bytes(b"setoption name UCI_Variant value \xc3\x28\n");
    client.send_bytes(&[vec![b'x'; 3_000_000], vec![b'\n']].concat());
    client.send_bytes(&[b"position fen ".to_vec(), vec![b'1'; 900_000], vec![b'\n']].concat());
    for line in [
        "position",
        "position fen",
        "position startpos moves",
        "position startpos e2e4",
        "position fen 9/9/9/9/9/9/9/9/9 w - - 0 1",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "position fen k8/9/9/9/9/9/9/9/K8 w AZ - 0 1 zz",
        "go depth",
        "go depth x",
        "go nodes 1.5",
        "go perft -1",
        "setoption",
        "setoption name",
        "setoption name  value ",
        "ponderhit",
        "stop",
        "register later",
        "debug on",
        "perft many",
        "",
    ] {
        client.send(line);
    }
    client.send("isready");
    for line in client.until("readyok") {
        let fine = line == "readyok" || line.starts_with("info string ");
        assert!(fine && line.len() < 2_000, "{line}");
    }
    assert_eq!(client.fen(), before);
    client.send("position startpos");
    assert!(
        Position::from_fen(&rules("pmrc"), &before).unwrap().parse_uci(&client.go("nodes 500").0).is_ok()
    );
}

fn rules(key: &str) -> Rules {
    Rules::new(&Variant::find(key).unwrap())
}

#[test]
fn a_position_that_is_refused_is_not_searched() {
    let mut client = Client::start();
    let remarks = client.remarks("position startpos moves e2e4 e7e5 e4e5 g1f3");
    assert_eq!(
        remarks,
        ["position: `e4e5` is not legal here; the piece on e4 has no legal move".to_string()]
    );
    assert_eq!(client.go("depth 3").0, "(none)");
    client.send("position startpos moves e2e4");
    for refused in [
        "position startpos moves e2e4 e4e5",
        "position fen 4k3/8/8/8/8/8/8/4K2Q b - - zero 1",
        "position fen r2qk2r/pppppppp/8/8/8/8/PPPPPPPP/R2KQ2R w KQkq - 0 1",
        "position",
        "position startpos e2e4",
    ] {
        assert_eq!(client.remarks(refused).len(), 1, "{refused}");
        for limits in ["depth 3", "infinite", "ponder wtime 1000 btime 1000"] {
            client.send(&format!("go {limits}"));
            if limits != "depth 3" {
                client.says_no("bestmove", Duration::from_millis(50));
                client.send(if limits == "infinite" { "stop" } else { "ponderhit" });
            }
            let said = client.until("bestmove");
            assert_eq!(said.last().map(String::as_str), Some("bestmove (none)"), "{said:?}");
            let is_said = |line: &String| line.starts_with("info string go: there is no position to search");
            assert!(limits != "depth 3" || said.iter().any(is_said), "{said:?}");
        }
    }
    client.send("position startpos moves e2e4");
    assert_ne!(client.go("depth 3").0, "(none)");
    client.send("position startpos");
    for nothing in ["0000", "e2e9", "e2", "♔", "e1e1", "a7a8k"] {
        assert_eq!(client.remarks(&format!("position startpos moves {nothing}")).len(), 1, "{nothing}");
    }
    assert_eq!(client.remarks("position fen 8/8/8/8/8/8/8/K6k w - - 0 1 - 9").len(), 1);
    assert!(client.fen().starts_with("rnbqkbnr/pppppppp"));
}

#[test]
fn two_games_in_a_row_are_the_same_game() {
    let mut client = Client::playing("pmrc");
    let rules = rules("pmrc");
    let first = play_itself(&mut client, &rules, 40, "nodes 1000");
    let second = play_itself(&mut client, &rules, 40, "nodes 1000");
    assert_eq!(first, second);
    let mut another = Client::playing("pmrc");
    another.set("Hash", "16");
    assert_eq!(play_itself(&mut another, &rules, 40, "nodes 1000"), first);
    // By the options' roundabout way, too.
    client.set("UCI_Variant", "chess");
    client.set("UCI_Variant", "pmrc");
    assert_eq!(play_itself(&mut client, &rules, 40, "nodes 1000"), first);
}

#[test]
fn every_playable_variant_plays_by_its_rules() {
    let mut client = Client::start();
    for variant in catalogue().filter(|variant| !variant.count_only) {
        for chess960 in ["true", "false"] {
            client.set("UCI_Chess960", chess960);
            client.set("UCI_Variant", &variant.key);
            let moves = play_itself(&mut client, &Rules::new(&variant), 60, "nodes 150");
            assert!(moves.len() >= 10, "{}: {moves:?}", variant.key);
        }
    }
}

#[test]
fn without_the_adjustment_nobody_swaps() {
    let mut client = Client::playing("modern");
    client.send("perft 4");
    assert_eq!(client.until("Nodes searched").pop().unwrap(), "Nodes searched: 713549");
    assert_eq!(client.remarks("position startpos moves g1f1"), NOTHING);
    client.set("BishopAdjustment", "false");
    client.send("go perft 4");
    assert_eq!(client.until("Nodes searched").pop().unwrap(), "Nodes searched: 433729");
    assert_eq!(client.remarks("position startpos moves g1f1").len(), 1);
    let with = "rnbqkmbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBMKQBNR w AIai - 0 1 BCDFGHbcdfgh";
    assert_eq!(client.remarks(&format!("position fen {with}")), NOTHING);
    assert_eq!(client.fen(), "rnbqkmbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBMKQBNR w AIai - 0 1 -");
    play_itself(&mut client, &rules("modern").without_adjustment(), 60, "nodes 500");
    client.set("BishopAdjustment", "true");
    client.send("position startpos");
    assert_eq!(client.fen(), with);
}

#[test]
fn mates_are_found_in_moves_and_plies() {
    let mut client = Client::playing("pmrc");
    // A lone prime minister mates in three.
    let position = "position fen 9/9/9/9/9/4M4/6K2/9/8k w - - 0 1 -";
    client.send(position);
    let (_, lines) = client.go("mate 3");
    assert_eq!(number_after(lines.last().unwrap(), "mate"), Some(3), "{lines:#?}");
    // Nothing more was asked for, and an engine that goes on finds no other distance.
    client.send("ucinewgame");
    client.send(position);
    let (_, deeper) = client.go("depth 24");
    assert!(deeper.len() > lines.len(), "{deeper:#?}");
    assert_eq!(number_after(deeper.last().unwrap(), "mate"), Some(3), "{deeper:#?}");
}

#[test]
fn searchmoves_restricts_the_search_to_these_moves() {
    let mut client = Client::start();
    client.send("position startpos");
    for some in ["a2a3 h2h4", "h2h4"] {
        let (best, lines) = client.go(&format!("depth 6 searchmoves {some}"));
        assert!(some.contains(&best), "{best}");
        for line in &lines {
            let first = line.split_once(" pv ").unwrap().1.split(' ').next().unwrap();
            assert!(some.contains(first), "{line}");
        }
    }
    // The one that mates is left out, and taken afterwards.
    client.send("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    assert_ne!(client.go("depth 4 searchmoves e1e2 a1b1").0, "a1a8");
    assert_eq!(client.go("depth 4").0, "a1a8");
    let remarks = client.go("depth 2 searchmoves a1a9 e1e2").1;
    assert!(remarks[0].starts_with("info string searchmoves: `a1a9`"), "{remarks:#?}");
}

#[test]
fn nodes_and_plies_are_counted_exactly() {
    let mut client = Client::playing("chess8400");
    let (_, lines) = client.go("nodes 5000");
    assert_eq!(number_after(lines.last().unwrap(), "nodes"), Some(5_000), "{lines:#?}");
    let (_, lines) = client.go("depth 5");
    assert_eq!(number_after(lines.last().unwrap(), "depth"), Some(5), "{lines:#?}");
}

#[test]
fn commands_sent_during_a_search_are_obeyed_after_it() {
    let mut client = Client::start();
    client.send("go infinite");
    client.until("info depth 3 ");
    client.send("setoption name UCI_Variant value modern");
    client.send("position startpos moves e2e4");
    client.send("go depth 3");
    client.says_no("bestmove", Duration::from_millis(50));
    client.send("stop");
    client.best();
    let (best, _) = client.best();
    let rules = rules("modern");
    let position = Position::from_fen(&rules, &client.fen()).unwrap();
    assert!(position.parse_uci(&best).is_ok());
}

#[test]
fn castling_is_written_as_the_client_wants_it_and_read_in_any_way() {
    let mut client = Client::start();
    for (chess960, castles) in [("false", "e1g1"), ("true", "e1h1")] {
        client.set("UCI_Chess960", chess960);
        for read in ["e1g1", "e1h1"] {
            let moves = format!("position startpos moves e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 {read}");
            assert_eq!(client.remarks(&moves), NOTHING);
            assert!(client.fen().contains("/RNBQ1RK1 b "));
        }
        client.send("position fen 4k3/8/8/8/8/8/8/4K2R w H - 0 1");
        assert_eq!(client.go(&format!("depth 1 searchmoves {castles}")).0, castles);
    }
}

#[test]
fn a_file_of_ones_own_is_a_variant_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my own game.toml");
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/rules/variants/crc.toml"));
    std::fs::write(&path, text.unwrap().replace("Contemporary", "My own")).unwrap();
    let mut client = Client::start();
    client.set("VariantFile", path.to_str().unwrap());
    client.send("d");
    assert!(client.until("Fen: ").contains(&"Variant: my own game".to_string()));
    client.send("uci");
    assert!(client.until("uciok").iter().any(|line| line.contains(" var my own game var ")));
    play_itself(&mut client, &rules("crc"), 20, "nodes 200");
    client.set("UCI_Variant", "chess");
    client.set("UCI_Variant", "My Own Game");
    client.send("d");
    assert!(client.until("Fen: ").contains(&"Variant: my own game".to_string()));
    std::fs::write(&path, "name = 3").unwrap();
    assert!(!client.remarks(&format!("setoption name VariantFile value {}", path.display())).is_empty());
}

#[test]
fn the_game_starts_from_the_setup_of_its_army() {
    let mut client = Client::start();
    for (variant, rank) in [
        ("chess960", "rnbqkbnr"),
        ("pmc", "rnbqkmbnr"),
        ("pmrc", "rnbmkqbnr"),
        ("mrc", "rnbqkmbnr"),
        ("double960", "rnbqkbnr"),
    ] {
        client.set("UCI_Variant", variant);
        assert!(client.fen().starts_with(rank), "{variant}: {}", client.fen());
    }
}

#[test]
fn endgame_tables_can_be_switched_off() {
    let mut client = Client::playing("pmrc");
    // Mate is several moves away.
    let position = "position fen 9/9/9/3k5/9/9/9/9/K6Q1 w - - 0 1";
    let score = |client: &mut Client| {
        client.send(position);
        let (_, said) = client.go("depth 1");
        said.iter().rev().find(|line| line.contains(" score ")).cloned().unwrap()
    };
    let with_tables = score(&mut client);
    assert!(with_tables.contains(" score mate "), "{with_tables}");
    client.set("EndgameTables", "false");
    let without = score(&mut client);
    assert!(without.contains(" score cp "), "{without}");
    client.set("EndgameTables", "true");
    assert_eq!(score(&mut client).split(" nodes ").next(), with_tables.split(" nodes ").next());
}

#[test]
fn net_file_and_weights_file_change_the_score_as_expected() {
    let mut client = Client::playing("pmrc");
    let mut score = |options: &[(&str, &str)]| {
        options.iter().for_each(|(name, value)| client.set(name, value));
        client.send("position startpos moves e2e4");
        let (_, said) = client.go("depth 4");
        let line = said.iter().rev().find(|line| line.contains(" score ")).unwrap();
        line.split(" nps ").next().unwrap().to_string()
    };
    let with_net = score(&[]);
    let without = score(&[("NetFile", "none")]);
    assert_ne!(with_net, without);
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/engine/nets/pmrc.net");
    assert_eq!(score(&[("NetFile", shipped)]), with_net);
    assert_eq!(score(&[("NetFile", "<empty>")]), with_net);
    let weights = concat!(env!("CARGO_MANIFEST_DIR"), "/engine/weights.toml");
    assert_eq!(score(&[("WeightsFile", weights)]), without);
    assert_eq!(score(&[("NetFile", "own")]), with_net);
}
