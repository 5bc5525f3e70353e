//! The scores of moves in the comments of a PGN.

use backrank_engine::Score;
use backrank_rules::Side;

use crate::study::MoveScore;

/// The score of a move, from the comment after it: `[%eval 0.35]` or `[%eval #-3]` for White, as Lichess writes it,
/// `[%eval 35,12]` in centipawns, as ChessBase does, or `+0.31/8 0.5s` for the side that moved, as cutechess and fastchess
/// do. Where a comment is prose it has no score.
pub(crate) fn score_in(comment: &str, mover: Side) -> Option<MoveScore> {
    match comment.split_once("[%eval ") {
        Some((_, rest)) => eval(rest.split_once(']')?.0.trim(), mover),
        None => cutechess(comment),
    }
}

/// `0.35`, `#-3` or `-M3`, or with the depth, `0.35,20`, for White, after the move.
fn eval(text: &str, mover: Side) -> Option<MoveScore> {
    let (score, depth) =
        text.split_once(',').map_or((text, None), |(score, depth)| (score, Some(depth.trim())));
    let for_mover = |number: i32| if mover == Side::White { number } else { -number };
    let mate = score.strip_prefix('#').map(str::to_string).or_else(|| {
        score
            .split_once('M')
            .filter(|(sign, _)| sign.len() <= 1)
            .map(|(sign, moves)| format!("{sign}{moves}"))
    });
    let score = match mate {
        Some(moves) => {
            // A side that mates in n moves does so in 2n plies after its own move, and in 2n − 1 after the other's.
            let moves = for_mover(moves.parse::<i16>().ok()?.into());
            match moves {
                0 => Score::mate_in(1),
                1.. => Score::mate_in(2 * moves + 1),
                _ => Score::mated_in(-2 * moves),
            }
        }
        None => {
            let pawns = centipawns(score)?;
            let is_in_centipawns = depth.is_some() && !score.contains('.');
            Score::centipawns(for_mover(if is_in_centipawns { pawns / 100 } else { pawns }))
        }
    };
    Some(MoveScore { score, depth: depth.unwrap_or("0").parse().ok()? })
}

/// `+0.31/8`, or `-M4/10` with the plies to mate, for the side that moved. The line of play may stand before it, as in
/// `(Nf3) +0.31/8`, and the time after it.
fn cutechess(comment: &str) -> Option<MoveScore> {
    let mut words = comment.split_ascii_whitespace();
    let mut word = words.next()?;
    if let Some(inner) = word.strip_prefix('(').and_then(|word| word.strip_suffix(')')) {
        word = if inner.contains('/') { inner } else { words.next()? };
    }
    let (score, depth) = word.trim_end_matches([',', ';']).split_once('/')?;
    let is_signed = score.starts_with(['+', '-']);
    // `3/4 of all games` is prose, and so is `0.5/1 of a pawn`; the time is a number.
    let is_prose =
        words.next().is_some_and(|next| next.starts_with(char::is_alphabetic) && !next.contains('='));
    if !is_signed && is_prose && !word.ends_with([',', ';']) {
        return None;
    }
    let plies = |text: &str| text.parse::<u16>().ok().filter(|&plies| plies < 1_000).map(i32::from);
    let score = match (score.strip_prefix("+M"), score.strip_prefix("-M")) {
        (Some(won), _) => Score::mate_in(plies(won)?),
        (_, Some(lost)) => Score::mated_in(plies(lost)?),
        _ => {
            let (whole, part) = score.split_once(['.', ','])?;
            let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
            let digits = whole.trim_start_matches(['+', '-']);
            if part.is_empty() || !is_number(part) || !is_number(digits) {
                return None;
            }
            Score::centipawns(centipawns(&format!("{whole}.{part}"))?)
        }
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
            // Lichess's pawns need no point, ChessBase's centipawns have a depth.
            ("[%eval 2]", Some("200/0"), Some("-200/0")),
            ("[%eval 27,20] [%emt 0:00:12]", Some("27/20"), Some("-27/20")),
            ("[%eval 0.27,20]", Some("27/20"), Some("-27/20")),
            ("[%eval -M1]", Some("-M2/0"), Some("M3/0")),
            ("+0,35/12 0.1s", Some("35/12"), Some("35/12")),
            ("(Nf3) +0.31/12 5", Some("31/12"), Some("31/12")),
            ("(+0.31/12)", Some("31/12"), Some("31/12")),
            ("0.00/1 0s", Some("0/1"), Some("0/1")),
            ("+0.31/8 book", Some("31/8"), Some("31/8")),
            ("+.31/8", Some("31/8"), Some("31/8")),
            ("3/4 of all games start so", None, None),
            ("1/2 a mistake", None, None),
            ("12/24 and so on", None, None),
            ("38/21 0.4s", None, None),
            ("0.5/1 of the points", None, None),
            ("2.Nf3/8", None, None),
            ("(-0.44 → 0.06) Inaccuracy.", None, None),
            ("[%evp 0,2,19,-12]", None, None),
            ("+0.31|8", None, None),
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
