//! The slow generator of the tests against published and independently counted numbers.

use crate::slow::{SlowPosition, start_fen};
use backrank_rules::{FirstRank, Variant};

/// Positions of nine games and the number of their continuations: variant, FEN, depth, nodes, source.
const POSITIONS: &str = include_str!("../data/positions.csv");

#[test]
fn it_counts_what_others_counted() {
    let mut rows = 0;
    for line in POSITIONS.lines().skip(1) {
        let columns: Vec<&str> = line.split(',').collect();
        let [key, fen, depth, nodes, _source] = columns[..] else { panic!("{line}") };
        let variant = Variant::find(key).unwrap();
        let position = SlowPosition::from_fen(&variant, fen);
        assert_eq!(position.fen(), fen, "{key}");
        assert_eq!(position.perft(depth.parse().unwrap()), nodes.parse().unwrap(), "{line}");
        rows += 1;
    }
    assert_eq!(rows, 162);
}

/// The setup of a first rank, and of Black's where it is another; the text of its start.
fn start(variant: &Variant, white: &str, black: &str) -> String {
    let rank = |letters: &str| FirstRank::new(letters.as_bytes()).unwrap();
    start_fen(variant, &rank(white), &rank(black))
}

#[test]
fn starts_have_the_texts_of_the_rules() {
    let modern = Variant::find("modern").unwrap();
    assert_eq!(
        start(&modern, "RNBMKQBNR", "RNBQKMBNR"),
        "rnbqkmbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBMKQBNR w AIai - 0 1 BCDFGHbcdfgh"
    );
    let mmcc = Variant::find("mmcc").unwrap();
    assert_eq!(
        start(&mmcc, "RNEBMKMBENR", "RNEBMKMBENR"),
        "rnebmkmbenr/ppppppppppp/11/11/11/11/PPPPPPPPPPP/RNEBMKMBENR w AKak - 0 1 CDEGHIcdeghi"
    );
    let icrc = Variant::find("icrc").unwrap();
    assert_eq!(
        start(&icrc, ".QRKNBRBN.", ".NBRBNKRQ."),
        "10/1nbrbnkrq1/1pppppppp1/10/10/10/10/1PPPPPPPP1/1QRKNBRBN1/10 w CGdh - 0 1 EFGHIbcdef"
    );
}

/// The table of start positions: nodes at depth 1, 2 and so on.
const STARTS: [(&str, bool, &str, &str, &[u64]); 5] = [
    ("modern", true, "RNBMKQBNR", "RNBQKMBNR", &[28, 784, 23_679, 713_549]),
    ("modern", false, "RNBMKQBNR", "RNBQKMBNR", &[24, 576, 15_831, 433_729]),
    ("pmc", true, "RNBMKQBNR", "RNBQKMBNR", &[28, 784, 23_644, 708_884]),
    ("mmcc", true, "RNEBMKMBENR", "RNEBMKMBENR", &[36, 1_296, 46_581, 1_673_317]),
    ("chess8400", true, "NQRKMBNRB", "NQRKMBNRB", &[24, 576, 15_870, 435_304]),
];

fn count_starts(depths: std::ops::RangeInclusive<usize>) {
    for (key, with_adjustment, white, black, counts) in STARTS {
        let variant = Variant::find(key).unwrap();
        let mut position = SlowPosition::from_fen(&variant, &start(&variant, white, black));
        if !with_adjustment {
            position = position.without_adjustment();
        }
        for depth in depths.clone() {
            assert_eq!(position.perft(depth as u32), counts[depth - 1], "{key} {with_adjustment} {depth}");
        }
    }
}

#[test]
fn starts_to_depth_3() {
    count_starts(1..=3);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimization")]
fn starts_to_depth_4() {
    count_starts(4..=4);
}
