//! Pieces that nobody plays with: asymmetric, limited, divided, with first moves, and other kings.

use crate::slow_and_fast::compare;
use crate::{pieces, rules};

#[test]
fn asymmetric_pieces() {
    let rules = rules(5, 5, &pieces("S=FfW G=WfF H=fhNrrN L=lQ U=fRbB"), "");
    compare(&rules, &["KSvK", "KGvK", "KHvK", "KLvK", "KUvK", "KvKU", "KPvK"]);
}

#[test]
fn asymmetric_pieces_against_each_other() {
    let rules = rules(4, 4, &pieces("S=FfW U=fRbB"), "");
    compare(&rules, &["KUvKS", "KSvKU", "KUUvK", "KUvKU"]);
}

#[test]
fn leapers_and_riders_of_limited_range() {
    let rules = rules(5, 5, &pieces("A=A D=D H=HW T=NN O=R2 X=Q2N E=KN"), "");
    compare(&rules, &["KAvK", "KDvK", "KHvK", "KTvK", "KOvK", "KXvK", "KEvK"]);
}

#[test]
fn pieces_that_capture_otherwise_than_they_move() {
    let rules = rules(5, 5, &pieces("C=mRcB D=cRmN W=mQ V=cQ"), "");
    compare(&rules, &["KCvK", "KDvK", "KWvK", "KVvK"]);
}

#[test]
fn a_piece_with_a_first_move_has_moved() {
    let rules = rules(5, 5, &pieces("E=FfWiAiD Z=WiR"), "");
    compare(&rules, &["KEvK", "KZvK", "KPvK"]);
}

#[test]
fn other_kings() {
    for king in ["N", "fKbF", "FD", "W", "KN", "R2"] {
        let rules = rules(4, 4, &pieces(&format!("K={king} R=R N=N")), "");
        compare(&rules, &["KvK", "KRvK", "KNvK", "KRvKN", "KPvK"]);
    }
}

#[test]
fn other_kings_that_lose_when_bare() {
    for king in ["N", "fKbF"] {
        let rules = rules(4, 4, &pieces(&format!("K={king} R=R")), "[endings]\nbare_king = true");
        compare(&rules, &["KvK", "KRvK", "KRvKR"]);
    }
}
