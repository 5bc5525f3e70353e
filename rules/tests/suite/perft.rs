//! Move counts against those of other programs.

use backrank_rules::{FirstRank, Position, Rules, Setup, Variant};

#[test]
fn positions_of_the_reference() {
    let rows: Vec<&str> = include_str!("../data/positions.csv").lines().skip(1).collect();
    assert_eq!(rows.len(), 162);
    for row in rows {
        let [variant, fen, depth, nodes, _] = row.split(',').collect::<Vec<_>>()[..] else {
            panic!("five columns: {row}");
        };
        let rules = Rules::new(&Variant::find(variant).unwrap());
        let position = Position::from_fen(&rules, fen).unwrap_or_else(|error| panic!("{row}: {error}"));
        assert_eq!(position.to_fen(), fen);
        assert_eq!(position.perft(depth.parse().unwrap()), nodes.parse::<u64>().unwrap(), "{row}");
    }
}

fn counts(variant: &str, rank: &str, rotate: bool, adjustment: bool, expected: &[u64]) {
    let mut rules = Rules::new(&Variant::find(variant).unwrap());
    if !adjustment {
        rules = rules.without_adjustment();
    }
    let white = FirstRank::new(rank.as_bytes()).unwrap();
    let black = if rotate { white.reversed() } else { white };
    let position = Position::new(&rules, &Setup { white, black }).unwrap();
    for (depth, &nodes) in (1..).zip(expected) {
        assert_eq!(position.perft(depth), nodes, "{variant} {rank} depth {depth}");
        let divided: u64 = position.divide(depth).iter().map(|&(_, nodes)| nodes).sum();
        assert_eq!(divided, nodes, "{variant} {rank} depth {depth}, divided");
    }
    assert_eq!(position.perft(0), 1);
}

#[test]
fn modern_with_adjustment() {
    counts("modern", "RNBMKQBNR", true, true, &[28, 784, 23_679, 713_549]);
}

#[test]
fn modern_without_adjustment() {
    counts("modern", "RNBMKQBNR", true, false, &[24, 576, 15_831, 433_729, 13_403_293]);
}

#[test]
fn prime_ministers_chess() {
    counts("pmc", "RNBMKQBNR", true, true, &[28, 784, 23_644, 708_884]);
}

#[test]
fn modern_ministers_courier_chess() {
    counts("mmcc", "RNEBMKMBENR", true, true, &[36, 1_296, 46_581, 1_673_317]);
}

#[test]
fn chess8400() {
    counts("chess8400", "NQRKMBNRB", false, true, &[24, 576, 15_870, 435_304, 13_428_176]);
}

#[test]
fn chess() {
    counts("chess", "RNBQKBNR", false, true, &[20, 400, 8_902, 197_281, 4_865_609]);
}

/// Counted by Fairy-Stockfish's Berolina Chess (pyffish 0.0.90): the start, and positions in which both sides castle, promote and
/// take en passant.
#[test]
fn berolina_pawns() {
    let rules = Rules::new(&Variant::find("berolina960").unwrap());
    for (fen, nodes) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &[30, 900, 28_328][..]),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", &[55, 2_386, 128_666]),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[18, 259, 4_573]),
    ] {
        let position = Position::from_fen(&rules, fen).unwrap();
        for (depth, &nodes) in (1..).zip(nodes) {
            assert_eq!(position.perft(depth), nodes, "{fen} depth {depth}");
        }
    }
}

/// Positions of the Chess Programming Wiki with counts known to every chess program.
#[test]
fn chess_positions_full_of_special_cases() {
    let rules = Rules::new(&Variant::find("chess").unwrap());
    for (fen, depth, nodes) in [
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4_085_603),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422_333),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2_103_487),
    ] {
        assert_eq!(Position::from_fen(&rules, fen).unwrap().perft(depth), nodes, "{fen}");
    }
}
