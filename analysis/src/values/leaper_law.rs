//! What a short-range leaper is worth by its number of moves.

use std::collections::BTreeMap;

use backrank_rules::{Betza, Passage};

/// The value of a piece that only steps and leaps, in centipawns, by H. G. Muller's law: (33 + 0.69 N) N for N squares to which it
/// goes. Where it does not both move and capture, moving counts one third and capturing two thirds, as he found as well. `None`
/// for a piece that rides, hops, is lame or leaps further than two squares.
///
/// Source: H. G. Muller, "Short-range leapers", on chessvariants.org and talkchess.com; he fitted it to games by engines, with a
/// pawn of 100 and a knight of 308.
///
/// ```
/// use backrank_analysis::values::leaper_law;
///
/// let law = |betza: &str| betza.parse().ok().and_then(|betza| leaper_law(&betza)).map(f64::round);
/// assert_eq!((law("WA"), law("N"), law("W"), law("C")), (Some(308.0), Some(308.0), Some(143.0), None));
/// assert_eq!(law("mWcF"), Some(143.0));
/// ```
pub fn leaper_law(betza: &Betza) -> Option<f64> {
    let mut squares: BTreeMap<(i8, i8), [bool; 2]> = BTreeMap::new();
    for ray in betza.rays().iter().filter(|ray| !ray.first_move_only) {
        if ray.range != 1 || ray.passage != Passage::Free || ray.dx.abs().max(ray.dy.abs()) > 2 {
            return None;
        }
        let [moves, captures] = squares.entry((ray.dx, ray.dy)).or_default();
        *moves |= ray.moves;
        *captures |= ray.captures;
    }
    let thirds = squares.values().map(|&[moves, captures]| u8::from(moves) + 2 * u8::from(captures));
    let number = thirds.map(f64::from).sum::<f64>() / 3.0;
    Some((33.0 + 0.69 * number) * number)
}
