//! Constraints as people write them, and what the errors say would be right.

use backrank_enumerate::{BruteForce, Constraint, Space};
use backrank_rules::Variant;

fn icrc() -> Variant {
    Variant::find("icrc").unwrap()
}

/// The number of setups that satisfy a constraint, or what is wrong with it.
fn count(text: &str) -> Result<u128, String> {
    let constraint: Constraint =
        text.parse().map_err(|error: backrank_enumerate::ConstraintError| error.to_string())?;
    let constraints = std::slice::from_ref(&constraint);
    let space = Space::narrowed(&icrc(), constraints).map_err(|error| error.to_string())?;
    assert_eq!(space.len(), BruteForce::new(&icrc(), constraints).unwrap().count(&|_| ()), "{text}");
    Ok(space.len())
}

/// The first rank of this game is `.RNBQKBNR.`: a pattern has a letter for each of the ten files, or for each of the eight
/// pieces.
#[test]
fn patterns_of_a_game_with_empty_files() {
    for (whole, compact) in [
        ("fixed=.R......R.", "fixed=R......R"),
        ("fixed=..........", "fixed=........"),
        ("fixed=.RNBQKBNR.", "fixed=RNBQKBNR"),
        ("fixed=.....K....", "fixed=....K..."),
        ("differs_from=.RNBQKBNR.,4", "differs_from=RNBQKBNR,4"),
    ] {
        let setups = count(whole).unwrap();
        assert!(setups > 0, "{whole}");
        assert_eq!(count(compact), Ok(setups), "{compact}");
    }
    for (text, said) in [
        (
            "fixed=.R......R",
            "it has 9 letters; it takes 10, one for each file as in .RNBQKBNR., or 8, one for each piece",
        ),
        ("fixed=R........R", "file a is empty in .RNBQKBNR., so it takes `.` there"),
        ("fixed=.NBQKCABN.", "there is no C on the first rank, which has BKNQR"),
        ("differs_from=.RNBQKBN..,4", "a whole rank is expected"),
        ("differs_from=RNBQKBN.,4", "a whole rank is expected"),
        ("differs_from=RNBQKBN,4", "it has 7 letters; it takes 10"),
    ] {
        let error = count(text).unwrap_err();
        assert!(error.contains(said), "{text}: {error}");
    }
}

#[test]
fn near_misses_are_named() {
    let form = |name: &str, file: &str, line: &str| {
        format!(
            "did you mean `{name}`? It is written {{ {name} = {file} }} in a file, and {name}={line} elsewhere"
        )
    };
    for (text, said) in [
        ("opposite_colors=B,B", form("opposite_colours", "\"B,B\"", "B,B")),
        ("Opposite-Colours=B,B", form("opposite_colours", "\"B,B\"", "B,B")),
        ("same_color=B,B", form("same_colour", "\"B,B\"", "B,B")),
        ("no_checks", form("no_check", "true", "true")),
        ("nocheck", form("no_check", "true", "true")),
        ("betwen=K,R,R", form("between", "\"K,R,R\"", "K,R,R")),
        ("upto_reflection", form("up_to_reflection", "true", "true")),
        ("king_safe", "known are between, opposite_colours, ".to_string()),
    ] {
        let error = count(text).unwrap_err();
        assert!(error.contains(&said), "{text}: {error}");
    }
    for (constraints, said) in [
        ("[{ opposite_colors = \"B,B\" }]", "did you mean `opposite_colours`?"),
        ("[\"between=K,R,R\"]", "a constraint is a table; did you mean { between = \"K,R,R\" }?"),
        ("[\"no_check\"]", "did you mean { no_check = true }?"),
        ("[{ between = [\"K\", \"R\", \"R\"] }]", "did you mean \"K,R,R\"?"),
        ("{ between = \"K,R,R\" }", "expected a list in brackets, such as [{ between = \"K,R,R\" }]"),
        ("\"between=K,R,R\"", "expected a list in brackets"),
        ("[{ fixed = \"R......R.\" }]", "it has 9 letters"),
    ] {
        let text = icrc().text().replace("[{ between = \"K,R,R\" }]", constraints);
        let variant = Variant::parse("icrc", "icrc.toml", &text).unwrap();
        let error = Space::new(&variant).unwrap_err().to_string();
        assert!(error.starts_with("icrc.toml:27:") && error.contains(said), "{constraints}: {error}");
    }
}
