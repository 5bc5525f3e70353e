//! What is refused, and in which words.

use backrank_endgames::{Endgame, EndgameTables, LonePiece};
use backrank_rules::{Rules, Variant};

use crate::{pieces, rules};

#[test]
fn endgames_that_are_none() {
    let rules = Rules::new(&Variant::find("chess").unwrap());
    for (text, error) in [
        ("", "``: 0 of `v`; one divides White's pieces from Black's, as in `KQvK`"),
        ("KQ", "`KQ`: 0 of `v`; one divides White's pieces from Black's, as in `KQvK`"),
        ("KvKvK", "`KvKvK`: 2 of `v`; one divides White's pieces from Black's, as in `KQvK`"),
        ("KMvK", "`KMvK`: `M` is not a piece of the game; pieces are P, B, K, N, Q and R"),
        ("kqvk", "`kqvk`: `k` is not a piece of the game; pieces are P, B, K, N, Q and R"),
        ("KévK", "`KévK`: `é` is not a piece of the game; pieces are P, B, K, N, Q and R"),
        ("QvK", "`QvK`: White has 0 kings; a side has one"),
        ("KQvKK", "`KQvKK`: Black has 2 kings; a side has one"),
        ("KQQQvKRR", "`KQQQvKRR`: 7 pieces; at most 6 with both kings"),
    ] {
        assert_eq!(Endgame::parse(text, &rules).unwrap_err().to_string(), error);
    }
}

#[test]
fn tables_that_take_too_much_memory() {
    let rules = Rules::new(&Variant::find("chess").unwrap());
    let endgames = ["KRvK", "KQRvKQ"].map(|text| Endgame::parse(text, &rules).unwrap());
    let error =
        EndgameTables::build(&rules, &endgames, 100 << 20, |_| panic!("nothing is made")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "KQRvKQ and the endgames that it leads to take 671 MiB of memory; 100 MiB are allowed"
    );
}

/// What leads to what is told as it is made, the fewest men first.
#[test]
fn progress_names_what_is_made() {
    let rules = Rules::new(&Variant::find("chess").unwrap());
    let told = std::cell::RefCell::new(Vec::new());
    let endgame = Endgame::parse("KvKP", &rules).unwrap();
    EndgameTables::build(&rules, &[endgame], 1 << 30, |progress| {
        told.borrow_mut().push(progress.endgame.to_string());
    })
    .unwrap();
    let mut told = told.into_inner();
    told.dedup();
    assert_eq!(told, ["KvK", "KBvK", "KNvK", "KQvK", "KRvK", "KPvK"]);
}

/// A game of kings, pawns and one kind of piece, which is all that a pawn can become.
#[test]
fn games_with_hardly_any_pieces() {
    let rules = rules(4, 4, &pieces("W=W"), "");
    assert_eq!(LonePiece::all(&rules).unwrap().len(), 1);
    let all = Endgame::all_of_three(&rules);
    assert_eq!(all.iter().map(ToString::to_string).collect::<Vec<_>>(), ["KPvK", "KWvK"]);
    assert_eq!(EndgameTables::three_men(&rules).max_men(), 3);
}
