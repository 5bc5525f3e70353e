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
