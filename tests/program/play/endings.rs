//! Each way in which a game can end, in a recorded game.

use backrank_rules::{Game, GameResult, Move, Position, Rules, Setup, Side, Termination, Variant};
use backrank_selfplay::study::Ending;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;

/// A game so small that aimless moves end it soon, in which it ends by these rules besides mate and draws.
fn small(endings: &str) -> String {
    format!(
        r#"name = "Small chess"
source = "this test"

[board]
files = 5
ranks = 6

[pieces]
K = {{ name = "king", betza = "K", royal = true }}
R = {{ name = "rook", betza = "R" }}
N = {{ name = "knight", betza = "N" }}

[setup]
first_rank = "RNKNR"
symmetry = "mirror"
constraints = [{{ fixed = "RNKNR" }}]

[endings]
{endings}
"#
    )
}

/// Aimless moves from the start that end as wanted and no other way.
fn aimless_game(rules: &Rules, wanted: Termination) -> Game<'_> {
    let army = rules.variant().armies[0];
    let start = Position::new(rules, &Setup { white: army, black: army }).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..1000 {
        let mut game = Game::new(start);
        loop {
            let ends = |played: &Move| {
                let mut game = game.clone();
                game.play(*played);
                game.outcome().map(|outcome| outcome.termination)
            };
            let moves = game.position().legal_moves();
            if let Some(&last) = moves.iter().find(|played| ends(played) == Some(wanted)) {
                game.play(last);
                return game;
            }
            let moves: Vec<Move> = moves.into_iter().filter(|played| ends(played).is_none()).collect();
            if moves.is_empty() {
                break;
            }
            game.play(moves[rng.random_range(0..moves.len())]);
        }
    }
    panic!("no game ends by {wanted}");
}

/// The row of the one game that engines play by a script.
fn scripted(folder: &Path, variant: &Path, name: &str, moves: &[String], options: &[&str]) -> Vec<u8> {
    let (script, directory) = (folder.join(format!("{name}.txt")), folder.join(name));
    std::fs::write(&script, moves.join(" ")).unwrap();
    let engine = engine(&format!("script {}", script.display()));
    let study = [variant.to_str().unwrap(), "--engine", &engine, "--opening-plies", "0"];
    let played = games(&directory, &[&study[..], options].concat());
    // Going on with it holds the row against the rules.
    play(&[directory.to_str().unwrap()]).assert().success();
    played
}

#[test]
fn every_way_to_end_is_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.toml");
    let variant = |endings: &str| {
        std::fs::write(&path, small(endings)).unwrap();
        Variant::open(&path).unwrap()
    };
    // Only imported games end in the other ways.
    let played = |ending: &Ending| {
        use Ending::{Adjudication, EngineFailure, Rules, Time};
        matches!(ending, Rules(_) | Adjudication | Time | EngineFailure)
    };
    for ending in Ending::ALL.into_iter().filter(played) {
        let rules = Rules::new(&variant(match ending {
            Ending::Rules(Termination::BareKing) => "bare_king = true",
            Ending::Rules(Termination::Goal) => "goal = { piece = \"K\", squares = \"c3 c4\" }",
            Ending::Rules(Termination::Checks) => "checks = 2",
            _ => "",
        }));
        let wanted = match ending {
            Ending::Rules(termination) => termination,
            // Cut short, or with a move that is not legal.
            _ => Termination::Checkmate,
        };
        let game = aimless_game(&rules, wanted);
        let outcome = game.outcome().unwrap();
        let mut moves: Vec<String> = game.moves().iter().map(|played| played.uci(rules.board())).collect();
        let (mut options, mut result) = (vec![], outcome.result);
        match ending {
            Ending::Rules(_) => (),
            Ending::Adjudication => {
                options = vec!["--max-plies", "3"];
                moves.truncate(3);
                result = GameResult::Draw;
            }
            Ending::Time => {
                options = vec!["--tc", "0.5"];
                moves.truncate(4);
                moves.push("late".to_string());
                result = GameResult::Win(Side::Black);
            }
            _ => {
                moves.truncate(4);
                moves.push("a1a1".to_string());
                result = GameResult::Win(Side::Black);
            }
        }
        let played = scripted(folder.path(), &path, &ending.to_string(), &moves, &options);
        if matches!(ending, Ending::Time | Ending::EngineFailure) {
            moves.pop();
        }
        assert_eq!(column(&played, "termination"), [ending.to_string()]);
        assert_eq!(column(&played, "result"), [result.to_string()], "{ending}");
        assert_eq!(column(&played, "moves"), [moves.join(" ")], "{ending}");
        assert_eq!(column(&played, "plies"), [moves.len().to_string()], "{ending}");
    }
}

#[test]
fn a_side_without_its_queen_resigns() {
    let (_folder, one, _) = twice();
    let odds = ["crc", "--odds", "Q:-", "--games", "2", "--nodes", "50", "--resign", "300,3"];
    let played = games(&one, &odds);
    assert_eq!(column(&played, "result"), ["0-1", "1-0"]);
    assert_eq!(column(&played, "termination"), ["adjudication", "adjudication"]);
    // Three moves of its own after the eight plies that are drawn.
    assert_eq!(column(&played, "plies"), ["13", "14"]);
}

#[test]
fn even_scores_on_both_sides_end_in_an_agreed_draw() {
    let (_folder, one, _) = twice();
    let engine = engine("");
    let played = games(&one, &["crc", "--engine", &engine, "--setups", "0..1", "--draw", "10,4,0"]);
    assert_eq!(column(&played, "termination"), ["adjudication"]);
    assert_eq!(column(&played, "result"), ["1/2-1/2"]);
    assert_eq!(column(&played, "plies"), ["20"], "when ten moves have been played");
}

#[test]
fn endgame_tables_adjudicate_only_if_asked_to() {
    let (folder, one, other) = twice();
    let path = folder.path().join("small.toml");
    std::fs::write(&path, small("")).unwrap();
    // A king and a rook against a king, from the first move on.
    let odds = "R+N+N+R+P+P+P+P+P:N+N+R+P+P+P+P+P";
    let study =
        [path.to_str().unwrap(), "--odds", odds, "--games", "2", "--nodes", "200", "--opening-plies", "0"];
    let played = games(&one, &study);
    assert_eq!(column(&played, "termination"), ["checkmate"; 2]);
    assert_eq!(column(&played, "result"), ["0-1", "1-0"]);
    let adjudicated = games(&other, &[&study[..], &["--adjudicate-tables"]].concat());
    assert_eq!(column(&adjudicated, "termination"), ["adjudication"; 2]);
    assert_eq!(column(&adjudicated, "result"), column(&played, "result"));
    assert_eq!(column(&adjudicated, "plies"), ["0"; 2]);
    let question = std::fs::read_to_string(other.join("study.toml")).unwrap();
    assert!(question.contains("[adjudication]\ntables = true\n"), "{question}");
}
