//! Draws are worth nothing to either side: exactly 0, however much material is on the board.

use backrank_engine::{Limits, Score};
use backrank_rules::{Game, Outcome, Rules, Termination, Variant};

use crate::{position, rules, search, search_move};

const DEPTH: u32 = 10;

fn game<'r>(rules: &'r Rules, fen: &str, moves: &str) -> Game<'r> {
    let mut game = Game::new(position(rules, fen));
    for text in moves.split_ascii_whitespace() {
        let played = game.position().parse_uci(text).unwrap_or_else(|error| panic!("{fen} {moves}: {error}"));
        game.play(played);
    }
    game
}

fn score(key: &str, fen: &str) -> Score {
    let rules = rules(key);
    search(&game(&rules, fen, ""), &Limits::of_depth(DEPTH)).score
}

/// The position is a draw for the engine, and a line of best moves from it ends in one by the rules.
#[track_caller]
fn assert_drawn_by(key: &str, fen: &str, line: &str, termination: Termination) {
    assert_eq!(score(key, fen), Score::DRAW, "{key} {fen}");
    let rules = rules(key);
    let end = game(&rules, fen, line);
    assert_eq!(end.outcome(), Some(Outcome::draw(termination)), "{key} {fen} {line}");
}

#[test]
fn without_a_move_and_out_of_check() {
    for (key, fen) in [
        ("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"),
        ("crc", "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1"),
        ("icrc", "9k/7Q2/8K1/10/10/10/10/10/10/10 b - - 0 1"),
    ] {
        let rules = rules(key);
        let found = search(&game(&rules, fen, ""), &Limits::of_depth(DEPTH));
        assert_eq!((found.best, found.score), (None, Score::DRAW), "{fen}");
    }
}

#[test]
fn stalemate_that_cannot_be_helped() {
    use Termination::Stalemate;
    // The pawn is lost unless its king keeps it, and that leaves the other no move.
    assert_drawn_by("chess", "5k2/5P2/4K3/8/8/8/8/8 w - - 0 1", "e6f6", Stalemate);
    assert_drawn_by("crc", "8/8/8/8/8/3k4/4p3/4K3 b - - 0 1", "d3e3", Stalemate);
    assert_drawn_by("capablanca84000", "5k4/5P4/4K5/10/10/10/10/10 w - - 0 1", "e6f6", Stalemate);
}

#[test]
fn stalemate_traps() {
    use Termination::Stalemate;
    // Two rooks down, White gives its queen, too: its king has no move, and the other has to take.
    assert_drawn_by("chess", "7k/8/8/4r3/4r3/1q6/8/K5Q1 w - - 0 1", "g1g7 h8g7", Stalemate);
    assert_drawn_by("pmrc", "8k/9/9/9/4r4/4r4/1q7/9/K6Q1 w - - 0 1", "h1h8 i9h8", Stalemate);
    // So does Black, with a minister that would be of no use otherwise.
    assert_drawn_by("modern", "k6q1/9/1Q7/4R4/4R4/9/9/9/8K b - - 0 1", "h9h2 i1h2", Stalemate);
}

#[test]
fn material_that_cannot_mate() {
    for (key, fen) in [
        ("chess", "8/8/3k4/8/8/3K4/8/8 w - - 0 1"),
        ("chess", "8/8/3k4/8/8/3K1N2/8/8 w - - 0 1"),
        ("chess960", "8/8/3k1b2/8/8/3K4/8/8 w - - 0 1"),
        // Bishops on one colour, on either side.
        ("chess", "8/8/3k1b2/8/7B/3K4/8/8 w - - 0 1"),
        ("pmrc", "9/9/3kb4/9/4B4/3K5/2B6/9/9 w - - 0 1"),
        ("icrc", "10/10/3k6/10/10/10/3K1N4/10/10/10 b - - 0 1"),
        ("mmcc", "11/11/3k7/11/11/3K7/11/11 w - - 0 1"),
    ] {
        let rules = rules(key);
        let game = game(&rules, fen, "");
        assert!(game.position().is_insufficient_material(), "{key} {fen}");
        let found = search(&game, &Limits::of_depth(DEPTH));
        assert_eq!(found.score, Score::DRAW, "{key} {fen}");
    }
}

#[test]
fn the_last_piece_that_could_mate_is_taken() {
    use Termination::InsufficientMaterial;
    assert_drawn_by("chess", "8/8/8/8/7k/8/1q6/K7 w - - 0 1", "a1b2", InsufficientMaterial);
    assert_drawn_by("chess", "8/8/8/3N4/7k/8/1q6/K7 w - - 0 1", "a1b2", InsufficientMaterial);
    assert_drawn_by("pmrc", "9/9/9/9/3b5/8k/9/1m7/K8 w - - 0 1", "a1b2", InsufficientMaterial);
    assert_drawn_by("carreblanca", "10/10/10/10/7k2/10/1c8/K9 w - - 0 1", "a1b2", InsufficientMaterial);
}

#[test]
fn perpetual_check() {
    use Termination::Repetition;
    // Black is a rook ahead and about to mate.
    let fen = "6k1/6p1/8/7Q/8/8/rq6/6K1 w - - 0 1";
    let round = "h5e8 g8h7 e8h5 h7g8 ";
    assert_drawn_by("chess", fen, &round.repeat(2), Repetition);
    let fen = "7k1/7p1/9/8Q/9/9/9/rq7/7K1 w - - 0 1";
    let round = "i6f9 h9i8 f9i6 i8h9 ";
    assert_drawn_by("modern", fen, &round.repeat(2), Repetition);
}

/// The move by which a position comes up for the third time draws, whoever is a queen or a rook ahead; for the second
/// time it does not yet.
#[test]
fn the_third_time_of_a_position() {
    for (key, fen, round) in [
        ("chess", "r3k3/pppp4/8/8/8/8/PPPP4/R2QK3 w - - 0 1", "d1e2 e8d8 e2d1 d8e8"),
        ("mmcc", "4rk5/4pp5/11/11/11/11/4PP5/3RRK5 w - - 0 1", "d1c1 f8g8 c1d1 g8f8"),
    ] {
        let rules = rules(key);
        for times in [2, 3] {
            let moves = vec![round; times - 1].join(" ");
            let (before, last) = moves.rsplit_once(' ').unwrap();
            let mut game = game(&rules, fen, before);
            let last = game.position().parse_uci(last).unwrap();
            let score = search_move(&game, last, &Limits::of_depth(6)).score;
            game.play(last);
            assert_eq!(game.repetitions(), times, "{key}");
            if times == 3 {
                assert_eq!(score, Score::DRAW, "{key}");
            } else {
                assert!(score < Score::centipawns(-200), "{key}: {score}");
            }
        }
    }
}

/// Where repetition is no draw, checks without an end save nobody: the side that is about to mate is ahead.
#[test]
fn perpetual_check_where_games_go_on() {
    let text = format!("{}\n[endings]\nrepetition = \"none\"\n", Variant::find("chess").unwrap().text());
    let rules = Rules::new(&Variant::parse("on", "on.toml", &text).unwrap());
    let fen = "6k1/6p1/8/7Q/8/8/rq6/6K1 w - - 0 1";
    let on = search(&game(&rules, fen, ""), &Limits::of_depth(DEPTH)).score;
    assert!(on < Score::centipawns(-200), "{on}");
    assert_eq!(score("chess", fen), Score::DRAW);
}

/// The fiftieth move of each side draws, unless it mates.
#[test]
fn fifty_moves() {
    assert_eq!(score("chess", "7k/R7/6K1/8/8/8/8/8 w - - 99 80"), Score::mate_in(1));
    // The mate is on the fifth ply, which may be the hundredth without a capture or a pawn move, and not the next.
    let rules = rules("pmrc");
    let limits = Limits { mate: Some(3), depth: Some(24), ..Limits::default() };
    for (clock, expected) in [(0, Score::mate_in(5)), (95, Score::mate_in(5)), (96, Score::DRAW)] {
        let fen = format!("9/9/9/9/9/4M4/6K2/9/8k w - - {clock} 80 -");
        assert_eq!(search(&game(&rules, &fen, ""), &limits).score, expected, "{fen}");
    }
    // A queen more, but no mate and nothing to take in the seven plies that are left; in the other position a pawn moves.
    assert_eq!(score("chess", "4k3/8/8/8/8/8/8/Q3K3 w - - 93 80"), Score::DRAW);
    assert!(score("chess", "4k3/8/8/8/8/8/P7/Q3K3 w - - 93 80") > Score::centipawns(500));
}

/// Where a bare king loses, it draws by taking the last piece of the other side at once.
#[test]
fn bare_kings() {
    assert_drawn_by("mmcc", "11/11/11/11/11/3k7/1r9/K10 w - - 0 1", "a1b2", Termination::BareKing);
    let rules = rules("mmcc");
    for (fen, expected) in [
        // Rook takes rook and is taken; with a knight left White would not be bare, so that taking back is too late.
        ("11/11/3k7/4r6/11/4R6/4K6/11 w - - 0 1", Score::DRAW),
        ("11/11/3k7/4r6/11/4R6/4K5N/11 w - - 0 1", Score::mate_in(1)),
    ] {
        let game = game(&rules, fen, "");
        let takes = game.position().parse_uci("e3e5").unwrap();
        assert_eq!(search_move(&game, takes, &Limits::of_depth(6)).score, expected, "{fen}");
    }
}
