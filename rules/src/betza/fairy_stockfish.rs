//! How Fairy-Stockfish reads direction letters, as far as that can be told from the moves it plays: `tests/betza.py` holds
//! the two against each other.

use super::directions::{DirectionLetter, Leap, all, selects};

/// The directions that Fairy-Stockfish gives an atom of some steps: several for `K` and `Q`.
pub(super) fn choose(steps: &[Leap], letters: &[DirectionLetter]) -> Vec<Leap> {
    let is_straight = steps.iter().all(|step| step.1 == 0);
    let mut codes: Vec<&[DirectionLetter]> = Vec::new();
    let mut rest = letters;
    while let [first, after @ ..] = rest {
        // Two letters are taken together whatever follows, and on straight atoms never.
        let pair = after.first().is_some_and(|&second| !is_straight && belong_together(*first, second));
        let (code, others) = rest.split_at(1 + usize::from(pair));
        codes.push(code);
        rest = others;
    }
    let all = steps.iter().flat_map(|&step| all(step));
    all.filter(|&step| letters.is_empty() || codes.iter().any(|code| selects(code, step))).collect()
}

fn belong_together(first: DirectionLetter, second: DirectionLetter) -> bool {
    let is_vertical = |letter| matches!(letter, 'f' | 'b' | 'v');
    first == second || first == 'h' || second == 'h' || is_vertical(first) != is_vertical(second)
}
