//! Drawing setups from a phrase, so that anyone who knows the phrase can check the draw.

use std::collections::HashSet;

use backrank_rules::Setup;
use sha2::{Digest, Sha256};

use crate::numbering::Numbering;
use crate::space::Space;

/// Distinct setups drawn from a phrase by SHA-256, until there are no more: [`Space::draw_by`] begins one.
///
/// The rule, for a space with *n* setups: the numbers 1, 2, 3 and so on are tried in turn. For the number *i*, the text is the
/// phrase, `#`, and *i* in decimal digits; its bytes in UTF-8 are hashed by SHA-256, the 32 bytes of the hash are read as one
/// number, the first byte being the most significant, and the remainder on division by *n* is the id of the setup. A setup that was
/// drawn before is skipped. Nothing is done to the phrase: spaces at its ends and the case of its letters count.
///
/// A remainder is not quite equally likely: the probability of a setup differs from 1/*n* by less than a part of *n*/2²⁵⁶, which
/// for a million setups is less than one in 10⁷¹.
///
/// ```
/// use backrank_enumerate::Space;
/// use backrank_rules::Variant;
///
/// let chess960 = Space::new(&Variant::find("chess960")?)?;
/// let scharnagl = chess960.numbering("scharnagl").unwrap();
/// let drawn: Vec<_> = chess960.draw_by(scharnagl, "City Open 2026, round 3").take(2).collect();
/// assert_eq!(drawn[0].text, "City Open 2026, round 3#1");
/// assert_eq!(drawn[0].setup, chess960.unrank_by(scharnagl, drawn[0].id).unwrap());
/// assert_ne!(drawn[0].id, drawn[1].id);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Draw<'a> {
    among: Among<'a>,
    phrase: String,
    tried: u64,
    drawn: HashSet<u128>,
}

/// What is drawn among.
#[derive(Clone, Debug)]
enum Among<'a> {
    Space(&'a Space, &'a Numbering),
    /// Some setups, whose ids are their places.
    Setups(&'a [Setup]),
}

/// A setup that was drawn, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// The text that was hashed.
    pub text: String,
    /// Its hash.
    pub hash: [u8; 32],
    /// The remainder of the hash: the id of the setup.
    pub id: u128,
    /// The setup.
    pub setup: Setup,
}

impl Space {
    /// Distinct setups drawn from a phrase, as [`Draw`] says.
    pub fn draw_by<'a>(&'a self, numbering: &'a Numbering, phrase: &str) -> Draw<'a> {
        Draw::new(self, numbering, phrase)
    }
}

impl<'a> Draw<'a> {
    pub(crate) fn new(space: &'a Space, numbering: &'a Numbering, phrase: &str) -> Self {
        Self::begin(Among::Space(space, numbering), phrase)
    }

    /// Distinct setups drawn among some that are listed, by the same rule: the id of a setup is its place in the list, from 0.
    pub fn among(setups: &'a [Setup], phrase: &str) -> Self {
        Self::begin(Among::Setups(setups), phrase)
    }

    fn begin(among: Among<'a>, phrase: &str) -> Self {
        Self { among, phrase: phrase.to_string(), tried: 0, drawn: HashSet::new() }
    }
}

impl Among<'_> {
    fn len(&self) -> u128 {
        match self {
            Self::Space(space, _) => space.len(),
            Self::Setups(setups) => setups.len() as u128,
        }
    }

    fn setup(&self, id: u128) -> Option<Setup> {
        match self {
            Self::Space(space, numbering) => space.unrank_by(numbering, id),
            Self::Setups(setups) => setups.get(usize::try_from(id).ok()?).copied(),
        }
    }
}

impl Iterator for Draw<'_> {
    type Item = Drawn;

    fn next(&mut self) -> Option<Drawn> {
        let setups = self.among.len();
        while (self.drawn.len() as u128) < setups {
            self.tried += 1;
            let text = format!("{}#{}", self.phrase, self.tried);
            let hash: [u8; 32] = Sha256::digest(text.as_bytes()).into();
            let id = remainder(&hash, setups);
            if self.drawn.insert(id) {
                let setup = self.among.setup(id)?;
                return Some(Drawn { text, hash, id, setup });
            }
        }
        None
    }
}

impl Drawn {
    /// The hash in hexadecimal digits, as tools print it.
    pub fn hex(&self) -> String {
        self.hash.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The remainder of a number, its most significant byte first, on division by another, bit by bit.
fn remainder(number: &[u8; 32], divisor: u128) -> u128 {
    let mut rest = 0_u128;
    for byte in number {
        for bit in (0..8).rev() {
            // The rest is less than the divisor, so that twice the rest and one is less than twice the divisor.
            let carry = rest >> 127 != 0;
            rest = rest << 1 | u128::from(byte >> bit & 1);
            if carry || rest >= divisor {
                rest = rest.wrapping_sub(divisor);
            }
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use backrank_rules::Variant;

    use super::*;

    #[test]
    fn remainders() {
        let mut number = [0; 32];
        number[31] = 10;
        assert_eq!(remainder(&number, 7), 3);
        assert_eq!(remainder(&number, 1), 0);
        // 2^256 - 1 is the product of 2^128 - 1 and 2^128 + 1.
        assert_eq!(remainder(&[255; 32], u128::MAX), 0);
        assert_eq!(remainder(&[255; 32], 1 << 127), (1 << 127) - 1);
        assert_eq!(remainder(&[255; 32], 960), 255);
        assert_eq!(remainder(&[255; 32], u128::MAX - 1), 3);
    }

    #[test]
    fn every_setup_is_drawn_once() {
        let space = Space::new(&Variant::find("pmc").unwrap()).unwrap();
        let mut ids: Vec<u128> =
            space.draw_by(space.default_numbering(), "all").map(|drawn| drawn.id).collect();
        ids.sort_unstable();
        assert_eq!(ids, (0..space.len()).collect::<Vec<u128>>());
        // As among the same setups in a list.
        let setups: Vec<Setup> = space.iter().collect();
        let drawn = |draw: Draw<'_>| draw.map(|drawn| (drawn.id, drawn.setup)).collect::<Vec<_>>();
        let numbering = space.numbering("lex").unwrap();
        let listed: Vec<Setup> = (0..space.len()).filter_map(|id| space.unrank_by(numbering, id)).collect();
        assert_eq!(drawn(Draw::among(&listed, "all")), drawn(space.draw_by(numbering, "all")));
        assert_eq!(Draw::among(&[], "all").next(), None);
        assert_eq!(drawn(Draw::among(&setups, "all")).len(), setups.len());
    }
}
