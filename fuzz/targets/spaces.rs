//! What holds in every space.

use backrank_enumerate::Space;

/// Some ids of every numbering lead to setups that have these ids and are read back from their text.
pub fn there_and_back(space: &Space) {
    let len = space.len();
    if let Ok(Some(found)) = space.in_check() {
        assert!((1..=len).contains(&found.number) && space.has_check(&found.first), "{found:?}");
    }
    for numbering in space.numberings() {
        let step = (len / 16).max(1);
        let some = (0..16).map(|place| place * step).chain([len.wrapping_sub(1)]).filter(|&id| id < len);
        for id in some {
            let setup = space.unrank_by(numbering, id).expect("an id below the end");
            assert_eq!(space.rank_by(numbering, &setup), Ok(id), "{} {setup:?}", numbering.name());
            assert_eq!(space.read(&format!("{}/{}", setup.white, setup.black)), Ok(setup));
            space.notes(&setup);
            space.army().unprotected_pawns(&setup.white);
        }
        assert_eq!(space.unrank_by(numbering, len), None);
    }
}
