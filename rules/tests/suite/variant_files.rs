//! What is wrong with variant files, and what the errors say would be right.

use backrank_rules::{CastlingEnd, Letter, Variant};

/// A game in which lines are replaced.
fn parse(changes: &[(&str, &str)]) -> Result<Variant, String> {
    let mut text = Variant::find("chess").unwrap().text().to_string();
    for (line, other) in changes {
        assert!(text.contains(line), "{line}");
        text = text.replace(line, other);
    }
    Variant::parse("t", "t.toml", &text).map_err(|error| error.to_string())
}

const KING: &str = "K = { name = \"king\", betza = \"K\", royal = true }";
const KNIGHT: &str = "N = { name = \"knight\", betza = \"N\", value = 370 }";
const PAWNS: &str = "promotes_to = \"QRBN\"";

#[test]
fn near_misses_are_named() {
    for (line, other, place, said) in [
        (KING, "K = \"K\"", "14:5", "did you mean `K = { name = \"king\", betza = \"K\", royal = true }`?"),
        (KING, "K = \"king\"", "14:5", "`K = { name = \"king\", betza = \"K\", royal = true }`"),
        (KNIGHT, "N = \"fhNrlbK\"", "18:5", "`N = { name = \"knight\", betza = \"fhNrlbK\" }`"),
        (KNIGHT, "N = \"Guard\"", "18:5", "`N = { name = \"Guard\", betza = \"…\" }`"),
        (KNIGHT, "N = 3", "18:5", "expected a table such as { name = \"rook\", betza = \"R\" }"),
        (KNIGHT, "N = { name = \"knight\", beta = \"N\" }", "18:24", "did you mean `betza`?"),
        (PAWNS, "promote_to = \"Q\"", "22:1", "did you mean `promotes_to`?"),
        (PAWNS, "Promotes-To = \"Q\"", "22:1", "did you mean `promotes_to`?"),
        ("[board]", "[bord]", "8:2", "did you mean `board`?"),
        ("[board]", "[xyz]", "8:2", "unknown field `xyz`, expected one of"),
    ] {
        let error = parse(&[(line, other)]).unwrap_err();
        assert!(error.starts_with(&format!("t.toml:{place}: ")) && error.contains(said), "{other}: {error}");
    }
}

#[test]
fn repetition_is_a_draw_or_nothing() {
    let draws = |ending: &str| {
        parse(&[("[setup]", &format!("{ending}\n[setup]"))]).map(|variant| variant.repetition_draws)
    };
    assert_eq!(draws(""), Ok(true));
    assert_eq!(draws("[endings]\nrepetition = \"draw\""), Ok(true));
    assert_eq!(draws("[endings]\nrepetition = \"none\""), Ok(false));
    let error = draws("[endings]\nrepetition = \"loss\"").unwrap_err();
    assert!(
        error.contains("`loss`: the third occurrence of a position is a `draw`, or `none` ends the game"),
        "{error}"
    );
}

/// A pawn on the rank before the last could not move if there were nothing for it to become.
#[test]
fn pawns_become_something() {
    let error = parse(&[(PAWNS, "promotes_to = \"\"")]).unwrap_err();
    assert!(error.starts_with("t.toml:22:15: "), "{error}");
    assert!(error.contains("name some, as in promotes_to = \"BNQR\""), "{error}");

    let alone = "name = \"t\"\nsource = \"t\"\n[board]\nfiles = 4\nranks = 6\n[pieces]\n\
                 K = { name = \"king\", betza = \"K\", royal = true }\n[pawn]\n[setup]\nfirst_rank = \"..K.\"\n";
    for pawns in ["", "promotes_to = \"\"\n"] {
        let text = alone.replace("[pawn]\n", &format!("[pawn]\n{pawns}"));
        let error = Variant::parse("t", "t.toml", &text).unwrap_err();
        assert_eq!((error.line, error.column), (6, 1), "{error}");
        assert!(error.problem.contains("there is none but the king"), "{error}");
        // What is only counted has no pawns that could be stuck.
        Variant::parse("t", "t.toml", &format!("count_only = true\n{text}")).unwrap();
    }
}

#[test]
fn pawns_move_in_ways_that_have_a_name() {
    let error = parse(&[(PAWNS, "moves = \"sideways\"")]).unwrap_err();
    assert!(error.starts_with("t.toml:22:9: `sideways`: pawns move \"orthodox\""), "{error}");
    assert!(parse(&[(PAWNS, "moves = \"orthodox\"")]).unwrap().pawn.is_orthodox());
    let berolina = parse(&[(PAWNS, "moves = \"berolina\"")]).unwrap();
    assert!(!berolina.pawn.is_orthodox() && !berolina.is_orthodox());
    assert_eq!(backrank_rules::fairy::section(&berolina).unwrap_err().to_string(), "Berolina pawns");
    let georgian = parse(&[(PAWNS, "en_passant = false")]).unwrap();
    assert!(!georgian.pawn.en_passant && !georgian.pawn.is_orthodox());
}

#[test]
fn a_goal_is_where_it_is_said_to_be_for_each_side() {
    let goal = |squares: &str| {
        let goal = format!("[endings]\ngoal = {{ piece = \"K\", squares = {squares} }}\n\n[setup]");
        parse(&[("[setup]", &goal)]).map(|variant| variant.goal.unwrap().squares)
    };
    let [white, black] = goal("\"d4, e4\"").unwrap();
    assert_eq!((white, white.iter().count()), (black, 2));
    let [white, black] = goal("{ white = \"a8 h8\", black = \"a1\" }").unwrap();
    assert_eq!((white.iter().count(), black.iter().count()), (2, 1));
    for (squares, said) in [
        ("\"d9\"", "`d9` is not a square of a board of 8×8"),
        ("{ white = \"a8\", black = \"\" }", "a goal has squares"),
        ("{ white = \"a8\" }", "a text for both sides is expected"),
    ] {
        let error = goal(squares).unwrap_err();
        assert!(error.starts_with("t.toml:25:") && error.contains(said), "{error}");
    }
}

#[test]
fn moves_that_others_read_otherwise_are_named_with_their_place() {
    assert!(backrank_rules::catalogue().all(|variant| variant.warnings().is_empty()));
    for (betza, column) in
        [("\"NrlbK\"", 34), ("'NrlbK'", 34), ("\"\\u004ErlbK\"", 32), ("\"\"\"NrlbK\"\"\"", 32)]
    {
        let variant = parse(&[(KNIGHT, &format!("N = {{ name = \"knight\", betza = {betza} }}"))]).unwrap();
        let [warning] = variant.warnings() else { panic!("{betza}") };
        assert_eq!((warning.line, warning.column, warning.piece), (18, column, Letter::N), "{betza}");
        assert_eq!(warning.warning.alike, "blrWbF");
    }
}

#[test]
fn pawns_start_on_one_of_two_ranks_where_there_is_room() {
    let with = |lines: &str| parse(&[("symmetry = \"mirror\"", &format!("symmetry = \"mirror\"\n{lines}"))]);
    assert_eq!(with("pawn_ranks = [2, 3]").unwrap().pawn_choices, [0xff; 2]);
    for (ranks, said) in [
        ("[2, 4]", "pawns start on rank 2 or on the next one, which is pawn_ranks = [2, 3]"),
        ("[3, 2]", "which is pawn_ranks = [2, 3]"),
        ("[]", "which is pawn_ranks = [2, 3]"),
    ] {
        let error = with(&format!("pawn_ranks = {ranks}")).unwrap_err();
        assert!(error.starts_with("t.toml:27:14: ") && error.contains(said), "{error}");
    }
    for (board, said) in [
        ("ranks = 5", "there is no room for pawns on rank 3"),
        ("ranks = 8\nfirst_rank = 3", "there is no room for pawns on rank 5"),
    ] {
        let error = parse(&[
            ("ranks = 8", board),
            ("symmetry = \"mirror\"", "symmetry = \"mirror\"\npawn_ranks = [2, 3]"),
        ]);
        assert!(error.as_ref().is_err_and(|error| error.contains(said)), "{error:?}");
    }
    let several = |ranks: &str| {
        parse(&[
            ("first_rank = \"RNBQKBNR\"", ranks),
            ("symmetry = \"mirror\"", "symmetry = \"mirror\"\npawn_ranks = [2, 3]"),
        ])
    };
    let none = several("ranks = [\"RNBQKBNR\"]").unwrap_err();
    assert!(none.contains("there are no pawns, and so none that start on one of two ranks"), "{none}");
    let apart = several("ranks = [\"RNBQKBNR\", \"PPPP....\", \"....PPPP\"]").unwrap_err();
    assert!(apart.contains("the pawns already start on several ranks, which `ranks` says"), "{apart}");
    let some = several("ranks = [\"RNBQKBNR\", \"PP....PP\"]").unwrap();
    assert_eq!(some.pawn_choices, [0b1100_0011; 2]);
}

#[test]
fn castling_ends_on_files_or_some_steps_away() {
    let right = "right = { king = \"g\", partner = \"f\", notation = \"O-O\" }";
    let with = |end: &str| parse(&[(right, &format!("right = {{ {end}, notation = \"O-O\" }}"))]);
    assert_eq!(with("king_steps = 3").unwrap().castling.unwrap().right.end, CastlingEnd::Steps(3));
    for (end, said) in [
        ("king_steps = 0", "king_steps is 1 to 7 here"),
        ("king_steps = 8", "king_steps is 1 to 7 here"),
        (
            "king = \"g\"",
            "castling ends on files, as in king = \"g\", partner = \"f\", or after a number of the king's steps",
        ),
        (
            "king = \"g\", partner = \"f\", king_steps = 2",
            "or after a number of the king's steps, as in king_steps = 2",
        ),
        ("king = \"g\", partner = \"g\"", "king and partner cannot land on one file"),
    ] {
        let error = with(end).unwrap_err();
        assert!(error.starts_with("t.toml:36:") && error.contains(said), "{end}: {error}");
    }
    assert!(with("partner = \"f\"").is_err());
}
