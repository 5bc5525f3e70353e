//! The variant files that come with the toolkit.

use backrank_rules::{Variant, catalogue};

#[test]
fn every_file_is_a_variant() {
    assert_eq!(catalogue().count(), 23);
    for variant in catalogue() {
        assert_eq!(variant.piece(b'K').map(|king| king.royal), Some(true), "{}", variant.key);
    }
}

#[test]
fn case_and_hyphens_do_not_matter_in_a_key() {
    for name in ["pm-random", "pmrandom", "PM_Random"] {
        assert_eq!(Variant::find(name).unwrap().key, "pm-random");
    }
}

#[test]
fn rules_that_could_not_be_played_are_refused() {
    let text = Variant::find("mmcc").unwrap().text().to_string();
    for (from, to, problem) in [
        ("piece = \"B\"", "piece = \"E\"", "has no moves of its first move only"),
        ("piece = \"B\"", "piece = \"K\"", "is not the king"),
        ("[castling]", "[castling]\npartner = \"K\"", "other than a king"),
        ("O-O-Oi", "O-O-Oc", "are both written `O-O-Oc`"),
    ] {
        assert!(text.contains(from), "{from}");
        let error = Variant::parse("t", "t.toml", &text.replace(from, to)).unwrap_err();
        assert!(error.problem.contains(problem), "{}", error.problem);
    }
}
