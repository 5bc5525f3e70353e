//! The numbers of each side's first rank.

use backrank_rules::{Setup, Side};

use super::Space;
use crate::error::NotInSpace;
use crate::numbering::Numbering;

impl Space {
    /// The ids of White's rank and of Black's, each among the ranks that a side can have.
    ///
    /// ```
    /// use backrank_enumerate::Space;
    /// use backrank_rules::Variant;
    ///
    /// let double960 = Space::new(&Variant::find("double960")?)?;
    /// let scharnagl = double960.numbering("scharnagl").unwrap();
    /// let setup = double960.read("RNBQKBNR/BBQNNRKR")?;
    /// assert_eq!(double960.rank_sides(scharnagl, &setup)?, [518, 0]);
    /// assert_eq!(double960.unrank_sides(scharnagl, [518, 0])?, setup);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the setup is not in the space, or the setups are listed.
    pub fn rank_sides(&self, numbering: &Numbering, setup: &Setup) -> Result<[u128; 2], NotInSpace> {
        self.rank(setup)?;
        let ranked = |side, rank| self.rank_side(numbering, side, rank).map(u128::from);
        Ok([ranked(Side::White, &setup.white)?, ranked(Side::Black, &setup.black)?])
    }

    /// The setup whose ranks have these ids, White's and Black's.
    ///
    /// # Errors
    ///
    /// When there is no such rank, the two do not go together, or the setups are listed.
    pub fn unrank_sides(&self, numbering: &Numbering, ids: [u128; 2]) -> Result<Setup, NotInSpace> {
        let side = |side: Side| {
            let (id, ranks) = (ids[side as usize], self.tables[side as usize].len());
            match u64::try_from(id) {
                Ok(id) if id < ranks => Ok(self.unrank_side(numbering, side, id)),
                _ => Err(NotInSpace::SideId { ids, side, numbering: numbering.name().to_string(), ranks }),
            }
        };
        let setup = Setup { white: side(Side::White)?, black: side(Side::Black)? };
        self.rank(&setup).map(|_| setup)
    }
}
