use super::*;

fn targets(text: &str) -> Vec<(i8, i8)> {
    let betza: Betza = text.parse().unwrap();
    betza.rays().iter().map(|ray| (ray.dx, ray.dy)).collect()
}

#[test]
fn atoms_have_four_or_eight_directions() {
    for (text, directions) in [
        ("W", 4),
        ("F", 4),
        ("D", 4),
        ("A", 4),
        ("H", 4),
        ("G", 4),
        ("N", 8),
        ("C", 8),
        ("L", 8),
        ("J", 8),
        ("Z", 8),
        ("K", 8),
        ("R", 4),
        ("B", 4),
        ("Q", 8),
        ("RN", 12),
        ("BN", 12),
    ] {
        assert_eq!(targets(text).len(), directions, "{text}");
    }
}

#[test]
fn ranges() {
    for (text, range) in [
        ("W", 1),
        ("R", Ray::ENDLESS),
        ("NN", Ray::ENDLESS),
        ("N0", Ray::ENDLESS),
        ("R4", 4),
        ("W3", 3),
        ("B15", 15),
    ] {
        let betza: Betza = text.parse().unwrap();
        assert!(betza.rays().iter().all(|ray| ray.range == range), "{text}");
    }
}

#[test]
fn directions() {
    assert_eq!(targets("fW"), [(0, 1)]);
    assert_eq!(targets("sW"), [(-1, 0), (1, 0)]);
    assert_eq!(targets("flW"), [(-1, 0), (0, 1)]);
    assert_eq!(targets("fF"), [(-1, 1), (1, 1)]);
    assert_eq!(targets("flF"), [(-1, 1)]);
    assert_eq!(targets("flbrF"), [(-1, 1), (1, -1)]);
    assert_eq!(targets("lrF").len(), 4);
    for backwards in ["bF", "rlbF", "brlF", "rblF", "bsF", "sbF"] {
        assert_eq!(targets(backwards), [(-1, -1), (1, -1)], "{backwards}");
    }
    assert_eq!(targets("ffN"), [(-1, 2), (1, 2)]);
    assert_eq!(targets("fsN"), [(-2, 1), (2, 1)]);
    assert_eq!(targets("fhN").len(), 4);
    assert_eq!(targets("vN"), [(-1, -2), (-1, 2), (1, -2), (1, 2)]);
    assert_eq!(targets("rrN"), [(2, -1), (2, 1)]);
    assert_eq!(targets("fK"), [(0, 1), (-1, 1), (1, 1)]);
    assert_eq!(targets("rlbR"), [(-1, 0), (0, -1), (1, 0)]);
}

#[test]
fn move_and_capture_modifiers() {
    let pawn_like: Betza = "mfWcfF".parse().unwrap();
    assert!(pawn_like.rays().iter().all(|ray| ray.moves != ray.captures));
    let both: Betza = "mcW".parse().unwrap();
    assert!(both.rays().iter().all(|ray| ray.moves && ray.captures));
}

#[test]
fn errors_name_the_place() {
    for (text, column) in [
        ("", 1),
        ("X", 1),
        ("Np", 2),
        ("hN", 1),
        ("fshN", 3),
        ("fhbhhN", 5),
        ("fhF", 2),
        ("NfhF", 3),
        ("pN", 1),
        ("Njj", 2),
        ("jW", 1),
        ("jR", 1),
        ("npR", 1),
        ("qR", 1),
        ("tR", 1),
        ("t[FR", 4),
        ("Nt[ZW2", 6),
        ("t[FW]", 4),
        ("t[RB]", 3),
        ("ft[FR]", 1),
        ("nt[FR]", 1),
        ("R99", 2),
        ("WFé", 3),
        ("K K", 2),
    ] {
        assert_eq!(text.parse::<Betza>().unwrap_err().column, column, "{text}");
    }
}

/// Each of the eight oblique directions has a name of its own, the longer part last.
#[test]
fn oblique_directions() {
    for (letters, direction) in [
        ("fl", (-2, 1)),
        ("fr", (2, 1)),
        ("bl", (-2, -1)),
        ("br", (2, -1)),
        ("lf", (-1, 2)),
        ("rf", (1, 2)),
        ("lb", (-1, -2)),
        ("rb", (1, -2)),
    ] {
        assert_eq!(targets(&format!("{letters}N")), [direction], "{letters}N");
    }
    for (one, other) in [
        ("fN", "ffN"),
        ("bN", "bbN"),
        ("lN", "llN"),
        ("rN", "rrN"),
        ("fbN", "vN"),
        ("lrN", "sN"),
        ("fhN", "flfrlfrfN"),
        ("flbrN", "brflN"),
        ("frrfN", "rffrN"),
        ("ffrrN", "lfrfbrfrN"),
        ("rlbN", "sbbN"),
        ("hrN", "rfbrlbflN"),
        ("hlN", "lffrrbblN"),
        ("fN", "lfrfN"),
    ] {
        assert_eq!(targets(one), targets(other), "{one} {other}");
    }
}

/// Betza's own texts, and others' for the same pieces.
#[test]
fn pieces_of_different_armies() {
    let moves = |text: &str| {
        let mut moves = targets(text);
        moves.sort_unstable();
        moves.dedup();
        moves
    };
    let charging_knight = moves("ffNfsNblrWbF");
    assert_eq!(charging_knight.len(), 9);
    for text in ["fhNrlbK", "fhNbsK", "fhNlrbK", "fhNbrlK", "fhNsbK", "fhNsWbK"] {
        assert_eq!(moves(text), charging_knight, "{text}");
    }
    // A rook ahead and to the sides, a king behind.
    for text in ["frlRrlbK", "fsRrlbK", "fsRbK", "flrRbsK"] {
        assert_eq!(moves(text), [(-1, -1), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 0)], "{text}");
    }
    assert_eq!(moves("fbNF"), moves("ffNbbNF"), "Fibnif");
    assert_eq!(moves("fhNfrlRK").len(), 4 + 8, "Colonel");
}

#[test]
fn what_is_read_otherwise_elsewhere_is_said() {
    let warnings = |text: &str| -> Vec<String> {
        text.parse::<Betza>().unwrap().warnings().iter().map(ToString::to_string).collect()
    };
    for plain in ["K", "fK", "frlR", "fN", "frN", "fbN", "flbrF", "bsF", "fhN", "hrN", "FfWiAiD", "sK", "rlK"]
    {
        assert_eq!(warnings(plain), [""; 0], "{plain}");
    }
    assert_eq!(
        warnings("fhNrlbK"),
        ["`rlbK` has 5 directions, but 5 others in Fairy-Stockfish; `blrWbF` is read alike everywhere"]
    );
    assert_eq!(
        warnings("misfN0frQ3"),
        [
            "`misfN0` has 6 directions, but none in Fairy-Stockfish; `mibsfhN0` is read alike everywhere",
            "`frQ3` has 3 directions, but 2 in Fairy-Stockfish; `frR3frB3` is read alike everywhere",
        ]
    );
}

#[test]
fn what_stands_in_between() {
    let passages = |text: &str| {
        let betza: Betza = text.parse().unwrap();
        let mut passages: Vec<Passage> = betza.rays().iter().map(|ray| ray.passage).collect();
        passages.dedup();
        passages
    };
    assert_eq!(passages("nN"), [Passage::Lame]);
    // Nothing is between neighbours, and a ride stops anyway.
    assert_eq!(passages("nWnRnF3"), [Passage::Free]);
    assert_eq!(passages("nNN"), [Passage::Lame]);
    assert_eq!(passages("jDjN"), [Passage::Jump]);
    assert_eq!(passages("mRcpR"), [Passage::Free, Passage::Hop]);
    assert_eq!(passages("gQ"), [Passage::Grasshopper]);

    let griffon: Betza = "t[FR]".parse().unwrap();
    assert_eq!(griffon.rays().len(), 4 * 3);
    let bent: Vec<_> = griffon.rays().iter().filter(|ray| (ray.dx, ray.dy) == (1, 1)).collect();
    let passages: Vec<Passage> = bent.iter().map(|ray| ray.passage).collect();
    assert_eq!(passages, [Passage::Free, Passage::Bent { dx: 0, dy: 1 }, Passage::Bent { dx: 1, dy: 0 }]);
    assert!(bent[1..].iter().all(|ray| ray.range == Ray::ENDLESS));
    assert!(!griffon.is_colour_bound() && "t[AB]".parse::<Betza>().unwrap().is_colour_bound());
}
