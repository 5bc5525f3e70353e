//! The quick tables against a bare king, held against full tables position for position.

use backrank_endgames::{Endgame, EndgameTables, EndgameValue, Man};
use backrank_rules::{Rules, Side, Square, Variant};
use rayon::prelude::*;

use crate::{pieces, rules};

/// Compares all placements of some endgames' men, legal or not; the number of positions won by White and of all.
fn compare(rules: &Rules, endgames: &[&str]) -> Vec<[usize; 2]> {
    let compare_one = |text: &&str| {
        let endgame = [Endgame::parse(text, rules).unwrap()];
        let full = EndgameTables::build(rules, &endgame, 1 << 30, |_| ()).unwrap();
        let quick = EndgameTables::build_for_probing(rules, &endgame, 1 << 30).unwrap();
        assert!(quick.get(&endgame[0]).is_none(), "{text}: the table is a full one");
        assert!(quick.bytes() < full.bytes() / 2);
        let [one, two, three, four] = *endgame[0].men() else { panic!("{text}: not four men") };
        let squares: Vec<Square> = rules.board().all_squares().iter().collect();
        let compare_with_first_on = |&first: &Square| {
            let mut counts = [0; 2];
            for (&second, &third) in
                squares.iter().flat_map(|second| squares.iter().map(move |third| (second, third)))
            {
                for &fourth in &squares {
                    let men = [(one, first), (two, second), (three, third), (four, fourth)];
                    for side in Side::BOTH {
                        let value = quick.probe_men(&men, side);
                        assert_eq!(value, full.probe_men(&men, side), "{text}: {men:?}, {side} to move");
                        counts[0] += usize::from(matches!(
                            value,
                            Some(EndgameValue::Win { .. } | EndgameValue::Loss { .. })
                        ));
                        counts[1] += usize::from(value.is_some());
                    }
                }
            }
            counts
        };
        let counts = squares.par_iter().map(compare_with_first_on);
        counts.reduce(|| [0; 2], |one, other| std::array::from_fn(|index| one[index] + other[index]))
    };
    endgames.iter().map(compare_one).collect()
}

#[test]
fn orthodox_pieces() {
    let five = rules(5, 5, &pieces("Q=Q R=R B=B N=N M=BN"), "");
    let counts = compare(&five, &["KBNvK", "KBBvK", "KNNvK", "KvKBN", "KMNvK", "KQRvK", "KRNvK", "KBQvK"]);
    assert!(counts[0][0] > counts[0][1] / 4, "{counts:?}");
    assert_eq!(counts[3], counts[0]);
    let wide = rules(6, 4, &pieces("R=R B=B N=N"), "");
    compare(&wide, &["KBNvK", "KRNvK"]);
    let tall = rules(3, 7, &pieces("R=R B=B N=N"), "");
    compare(&tall, &["KBNvK", "KRNvK"]);
}

#[test]
fn asymmetric_pieces() {
    let rules = rules(4, 5, &pieces("S=FfW G=WfF H=fhNrrN L=lQ U=fRbB"), "");
    compare(&rules, &["KSGvK", "KSSvK", "KHLvK", "KLUvK", "KvKUS", "KUHvK"]);
}

#[test]
fn leapers_and_riders_of_limited_range() {
    let rules = rules(5, 5, &pieces("A=A D=D H=HW T=NN O=R2 X=Q2N E=WDD"), "");
    compare(&rules, &["KADvK", "KHTvK", "KTOvK", "KOXvK", "KEEvK", "KEDvK"]);
}

#[test]
fn pieces_that_capture_otherwise_than_they_move() {
    let rules = rules(5, 4, &pieces("C=mRcB D=cRmN W=mQ V=cQ"), "");
    compare(&rules, &["KCDvK", "KWVvK", "KCCvK", "KDVvK"]);
}

#[test]
fn a_piece_with_a_first_move_has_moved() {
    let rules = rules(5, 5, &pieces("E=FfWiAiD Z=WiR"), "");
    compare(&rules, &["KEZvK", "KEEvK"]);
}

#[test]
fn other_kings() {
    for king in ["N", "fKbF", "FD", "W", "KN", "mWcF", "KiR"] {
        let rules = rules(4, 4, &pieces(&format!("K={king} R=R N=N S=FfW")), "");
        compare(&rules, &["KRNvK", "KNSvK", "KvKRS"]);
    }
}

/// Kings that ride and bare kings that lose have full tables.
#[test]
fn what_the_quick_tables_do_not_cover() {
    let riding = rules(4, 4, &pieces("K=R2 R=R N=N"), "");
    let losing = rules(4, 4, &pieces("R=R N=N"), "[endings]\nbare_king = true");
    for (rules, text) in [(&riding, "KRNvK"), (&losing, "KRNvK"), (&riding, "KRvKN")] {
        let endgame = Endgame::parse(text, rules).unwrap();
        let tables =
            EndgameTables::build_for_probing(rules, std::slice::from_ref(&endgame), 1 << 30).unwrap();
        assert!(tables.get(&endgame).is_some(), "{text}");
    }
}

#[test]
fn tables_for_play() {
    let pmrc = Rules::new(&Variant::find("pmrc").unwrap());
    let tables = EndgameTables::for_play(&pmrc);
    let has = |text: &str| {
        let endgame = Endgame::parse(text, &pmrc).unwrap();
        let squares = pmrc.board().all_squares().iter().step_by(20);
        let men: Vec<(Man, Square)> = endgame.men().iter().copied().zip(squares).collect();
        tables.probe_men(&men, Side::White).or(tables.probe_men(&men, Side::Black)).is_some()
    };
    for text in ["KQvK", "KPvK", "KvKN", "KBNvK", "KBBvK", "KNNvK", "KvKNB"] {
        assert!(has(text), "{text}");
    }
    for text in ["KMNvK", "KRBvK", "KPNvK", "KNvKB", "KBBNvK"] {
        assert!(!has(text), "{text}");
    }
    let mmcc = Rules::new(&Variant::find("mmcc").unwrap());
    assert_eq!(EndgameTables::for_play(&mmcc).max_men(), 3);
}

/// OEIS A225556 has 33 for bishop and knight; two bishops take 19.
#[test]
fn longest_mates_on_the_orthodox_board() {
    let rules = Rules::new(&Variant::find("chess").unwrap());
    let tables = EndgameTables::for_play(&rules);
    let squares: Vec<Square> = rules.board().all_squares().iter().collect();
    for (text, moves) in [("KBNvK", 33), ("KBBvK", 19)] {
        let [king, one, other, bare] = *Endgame::parse(text, &rules).unwrap().men() else { panic!("{text}") };
        let longest_with_king_on = |&on: &Square| {
            let pairs = squares.iter().flat_map(|&first| squares.iter().map(move |&second| (first, second)));
            let placed = pairs.flat_map(|(first, second)| {
                squares.iter().map(move |&third| [(king, on), (one, first), (other, second), (bare, third)])
            });
            placed.filter_map(|men| tables.probe_men(&men, Side::White)?.moves()).max()
        };
        assert_eq!(squares.par_iter().map(longest_with_king_on).max(), Some(Some(moves)), "{text}");
    }
}
