//! Direction letters that everybody reads alike.

use super::directions::{DirectionLetter, Leap, Shape, all, choose};
use super::fairy_stockfish;

/// The codes that letters are put together from, the shorter and more usual ones first.
fn codes(shape: Shape) -> &'static [&'static str] {
    match shape {
        Shape::Straight => &["f", "b", "l", "r"],
        Shape::Diagonal => &["f", "b", "l", "r", "fl", "fr", "bl", "br"],
        Shape::Oblique => &[
            "f", "b", "l", "r", "s", "v", "fs", "bs", "lv", "rv", "fh", "bh", "lh", "rh", "fl", "fr", "bl",
            "br", "lf", "rf", "lb", "rb",
        ],
    }
}

/// Letters that select just these directions of the leaper with a step, here and in Fairy-Stockfish; none are needed for
/// all of them. The directions are in order, and there is at least one.
pub(super) fn spell(step: Leap, chosen: &[Leap]) -> String {
    let every = all(step);
    if chosen == every {
        return String::new();
    }
    let shape = Shape::of(step);
    let codes = codes(shape);
    let fits = |text: &str| {
        let letters: Vec<DirectionLetter> = text.chars().collect();
        choose(step, &letters).is_ok_and(|read| read == chosen) && {
            let mut read = fairy_stockfish::choose(&[step], &letters);
            read.sort_unstable();
            read == chosen
        }
    };
    let one = codes.iter().map(ToString::to_string);
    let two = codes.iter().flat_map(|one| codes.iter().map(move |other| format!("{one}{other}")));
    let single = |code: &&str| {
        let letters: Vec<DirectionLetter> = code.chars().collect();
        choose(step, &letters).is_ok_and(|read| read.len() == 1 && chosen.contains(&read[0]))
    };
    let singles = || codes.iter().filter(|code| single(code)).copied().collect();
    one.chain(two).find(|text| fits(text)).unwrap_or_else(singles)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every set of directions of every shape has a spelling, so each of the eight oblique ones can be said.
    #[test]
    fn every_set_of_directions_has_a_spelling_that_is_read_alike() {
        for step in [(1, 0), (1, 1), (2, 1)] {
            let every = all(step);
            for set in 1_usize..1 << every.len() {
                let chosen: Vec<Leap> = (0..every.len())
                    .filter(|place| set >> place & 1 != 0)
                    .map(|place| every[place])
                    .collect();
                let text = spell(step, &chosen);
                let letters: Vec<DirectionLetter> = text.chars().collect();
                assert_eq!(choose(step, &letters).unwrap(), chosen, "{text}");
                let mut elsewhere = fairy_stockfish::choose(&[step], &letters);
                elsewhere.sort_unstable();
                assert_eq!(elsewhere, chosen, "{text}");
            }
        }
    }
}
