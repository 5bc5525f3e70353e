//! The page's own code replays every game as ours does.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use super::{STUDY, page};
use crate::common::{backrank, lacks};
use assert_cmd::assert::OutputAssertExt;
use backrank_analysis::explorer::Explorer;
use backrank_enumerate::Space;
use backrank_rules::{Game, Position, Rules, StartFen, catalogue};
use backrank_selfplay::study::StudyDirectory;

/// Of so many games one is compared move by move: the notation of each move, and how many were legal.
const EACH: u64 = 60;

/// What a script of ours prints in node; none where there is no node.
pub fn node(script: &str, arguments: &[&str]) -> Option<String> {
    if lacks("node", "nodejs") {
        return None;
    }
    let script = format!("{}/tests/program/explore/{script}", env!("CARGO_MANIFEST_DIR"));
    let output = Command::new("node").arg(script).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn every_game_ends_on_the_page_as_it_ended_here() {
    let Some(replayed) = node("replay.mjs", &[page().to_str().unwrap(), &EACH.to_string()]) else { return };
    let study = StudyDirectory::read(Path::new(STUDY)).unwrap();
    let rules = Rules::new(&study.variant().unwrap());
    let mut lines = replayed.lines();
    let mut games = 0;
    for record in StudyDirectory::read_games(Path::new(STUDY), &study).unwrap() {
        let record = record.unwrap();
        let mut game = Game::new(Position::from_fen(&rules, &record.fen).unwrap());
        let mut moves = String::new();
        for text in record.moves.split(' ') {
            let position = *game.position();
            let played = position.parse_uci(text).unwrap();
            if record.game.is_multiple_of(EACH) {
                let blank = if moves.is_empty() { "" } else { " " };
                let legal = position.count_legal_moves();
                write!(moves, "{blank}{}:{legal}", position.notation(played)).unwrap();
            }
            game.play(played);
        }
        let mut expected = format!("{}\t{}", record.game, game.position());
        if record.game.is_multiple_of(EACH) {
            write!(expected, "\t{moves}").unwrap();
        }
        assert_eq!(lines.next(), Some(expected.as_str()));
        games += 1;
    }
    assert_eq!((games, lines.next()), (15_120, None));
}

#[test]
fn every_setup_of_every_game_is_set_up_on_the_page_as_here() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let output = page.to_str().unwrap();
    for variant in catalogue() {
        let space = Space::new(&variant).unwrap();
        if space.len() > Explorer::MAX_LISTED {
            continue;
        }
        backrank(&["explore", &variant.key, "-o", output]).assert().success();
        let Some(set_up) = node("start.mjs", &[output, &EACH.to_string()]) else { return };
        let (fen, rules) = (StartFen::new(&variant), Rules::new(&variant));
        let mut lines = set_up.lines();
        for (id, setup) in space.iter().enumerate() {
            let mut expected = fen.of(&setup);
            if (id as u64).is_multiple_of(EACH) {
                let start = Position::new(&rules, &setup).unwrap();
                write!(expected, "\t{}", start.count_legal_moves()).unwrap();
            }
            assert_eq!(lines.next(), Some(expected.as_str()), "{}", variant.key);
        }
        assert_eq!(lines.next(), None, "{}", variant.key);
    }
}
