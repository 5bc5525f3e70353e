//! Tables against figures that others have published.

use backrank_endgames::{Endgame, EndgameTable, EndgameTables};
use backrank_rules::{Rules, Side, Variant};

use crate::{pieces, rules};

const ORTHODOX: &str = "Q=Q R=R B=B N=N";

/// What a function says of the table of an endgame.
fn with_table<T>(rules: &Rules, text: &str, look: impl FnOnce(EndgameTable<'_>) -> T) -> T {
    let endgame = Endgame::parse(text, rules).unwrap();
    let tables = EndgameTables::build(rules, std::slice::from_ref(&endgame), 1 << 30, |_| ()).unwrap();
    look(tables.get(&endgame).unwrap())
}

fn longest(rules: &Rules, endgame: &str) -> Option<u16> {
    with_table(rules, endgame, |table| table.longest_win(Side::White).map(|longest| longest.moves))
}

#[test]
fn queen_and_rook_on_square_boards() {
    // OEIS A225551 and A225552.
    for (n, queen, rook) in [(8, 10, 16), (9, 11, 18), (10, 12, 21)] {
        let rules = rules(n, n, &pieces(ORTHODOX), "");
        assert_eq!(longest(&rules, "KQvK"), Some(queen), "queen, {n}×{n}");
        assert_eq!(longest(&rules, "KRvK"), Some(rook), "rook, {n}×{n}");
    }
}

#[test]
fn bishop_and_knight_on_square_boards() {
    // OEIS A225556.
    for (n, moves) in [(8, 33), (10, 47)] {
        let rules = rules(n, n, &pieces(ORTHODOX), "");
        assert_eq!(longest(&rules, "KBNvK"), Some(moves), "{n}×{n}");
    }
}

#[test]
fn bishop_and_knight_on_a_board_with_corners_of_one_colour() {
    // OEIS A225556, which takes the bishop to be on the colour of the corners; the other kind of bishop wins only where it
    // mates at once or nearly so.
    let rules = rules(9, 9, &pieces(ORTHODOX), "");
    let (moves, wins) = with_table(&rules, "KBNvK", |table| {
        (table.longest_win(Side::White).unwrap().moves, table.count(Side::White))
    });
    assert_eq!(moves, 29);
    assert!(wins.drawn > wins.total() / 3, "{wins:?}");
}

#[test]
fn four_men_on_the_orthodox_board() {
    let rules = Rules::new(&Variant::find("chess").unwrap());
    assert_eq!(longest(&rules, "KBBvK"), Some(19));
    assert_eq!(longest(&rules, "KQvKR"), Some(35));
    assert_eq!(longest(&rules, "KNNvK"), Some(1));
}

#[test]
fn how_many_positions_there_are() {
    let rules = Rules::new(&Variant::find("chess").unwrap());
    with_table(&rules, "KQvK", |table| {
        assert_eq!(table.count(Side::White).total(), 144_508);
        assert_eq!(table.count(Side::White).won, 144_508);
        assert_eq!(table.count(Side::Black).total(), 223_944);
    });
    // Known since the first tables of king and pawn: of 331,352 positions, 222,564 are won.
    with_table(&rules, "KPvK", |table| {
        let [white, black] = Side::BOTH.map(|side| table.count(side));
        assert_eq!((white.won, white.total()), (124_960, 163_328));
        assert_eq!((black.won, black.total()), (97_604, 168_024));
        assert_eq!(white.lost + black.lost, 0);
    });
    assert_eq!(longest(&rules, "KPvK"), Some(28));
}

/// The values of a table do not depend on the threads that made it, nor on how the program was built.
#[test]
fn the_same_bytes_everywhere() {
    let rules = Rules::new(&Variant::find("pmrc").unwrap());
    let checksums = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let endgames = Endgame::all_of_three(&rules);
        let tables = pool.install(|| EndgameTables::three_men(&rules));
        endgames
            .iter()
            .map(|endgame| (endgame.to_string(), tables.get(endgame).unwrap().checksum()))
            .collect::<Vec<_>>()
    };
    let alone = checksums(1);
    assert_eq!(alone, checksums(2));
    assert_eq!(alone, checksums(7));
    let expected = [
        ("KPvK", 0x6f27_9378_b9aa_d61d),
        ("KBvK", 0x8464_12d2_80a9_db1e),
        ("KMvK", 0xdd45_0032_db96_c73e),
        ("KNvK", 0xd6c6_93bd_7b57_cf24),
        ("KQvK", 0x5457_aa8b_c9d8_c9f8),
        ("KRvK", 0x74de_66f3_b1fb_dae2),
    ];
    assert_eq!(alone, expected.map(|(endgame, checksum)| (endgame.to_string(), checksum)));
}
