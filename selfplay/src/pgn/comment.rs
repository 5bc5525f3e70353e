//! The scores of moves in the comments of a PGN.

use backrank_rules::Side;

use crate::score::Score;
use crate::study::MoveScore;

/// The score of a move, from the comment after it: `[%eval 0.35]` or `[%eval #-3]` for White, as Lichess writes it, or
/// `+0.31/8 0.5s` for the side that moved, as cutechess and fastchess do.
pub(super) fn score_in(comment: &str, mover: Side) -> Option<MoveScore> {
    match comment.split_once("[%eval ") {
        Some((_, rest)) => eval(rest.split_once(']')?.0.trim(), mover),
        None => cutechess(comment.split_ascii_whitespace().next()?),
    }
}

/// `0.35`, `#-3` or `0.35,20` with the depth, for White, after the move.
fn eval(text: &str, mover: Side) -> Option<MoveScore> {
    let (score, depth) = text.split_once(',').unwrap_or((text, "0"));
    let for_mover = |number: i32| if mover == Side::White { number } else { -number };
    let score = match score.strip_prefix('#') {
        Some(moves) => {
            // A side that mates in n moves does so in 2n plies after its own move, and in 2n − 1 after the other's.
            let moves = for_mover(moves.parse::<i16>().ok()?.into());
            match moves {
                0 => Score::mate_in(1),
                1.. => Score::mate_in(2 * moves + 1),
                _ => Score::mated_in(-2 * moves),
            }
        }
        None => Score::centipawns(for_mover(centipawns(score)?)),
    };
    Some(MoveScore { score, depth: depth.parse().ok()? })
}

/// `+0.31/8`, or `-M4/10` with the plies to mate, for the side that moved.
fn cutechess(text: &str) -> Option<MoveScore> {
    let (score, depth) = text.trim_end_matches([',', ';']).split_once('/')?;
    if !score.starts_with(['+', '-']) && !score.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let plies = |text: &str| text.parse::<u16>().ok().filter(|&plies| plies < 1_000).map(i32::from);
    let score = match (score.strip_prefix("+M"), score.strip_prefix("-M")) {
        (Some(won), _) => Score::mate_in(plies(won)?),
        (_, Some(lost)) => Score::mated_in(plies(lost)?),
        _ => Score::centipawns(centipawns(score)?),
    };
    Some(MoveScore { score, depth: depth.parse().ok()? })
}

/// A number of pawns in centipawns.
fn centipawns(pawns: &str) -> Option<i32> {
    let pawns: f64 = pawns.parse().ok()?;
    pawns.is_finite().then(|| (100.0 * pawns).round().clamp(-30_000.0, 30_000.0) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_those_of_the_side_that_moved() {
        let read = |text: &str, mover| score_in(text, mover).map(|score| score.to_string());
        for (text, white, black) in [
            ("[%eval 0.35] [%clk 0:01:00]", Some("35/0"), Some("-35/0")),
            (" [%clk 0:01:00] [%eval -1.5,20]", Some("-150/20"), Some("150/20")),
            // White mates with its third move from here on.
            ("[%eval #3]", Some("M7/0"), Some("-M6/0")),
            ("[%eval #-1]", Some("-M2/0"), Some("M3/0")),
            ("+0.31/8 0.5s", Some("31/8"), Some("31/8")),
            ("-M4/10 0.12s, book", Some("-M4/10"), Some("-M4/10")),
            ("+M5/12", Some("M5/12"), Some("M5/12")),
            ("0.00/21, n=7", Some("0/21"), Some("0/21")),
            ("book", None, None),
            ("a move of 1/2 hearts", None, None),
            ("1/", None, None),
            ("+M99999/3", None, None),
            ("[%eval NaN]", None, None),
            ("[%eval #99999999999]", None, None),
            ("[%eval 0.3", None, None),
            ("", None, None),
        ] {
            assert_eq!(read(text, Side::White).as_deref(), white, "{text}");
            assert_eq!(read(text, Side::Black).as_deref(), black, "{text}");
        }
        assert_eq!(score_in("ÿ/þ", Side::White), None);
    }
}
