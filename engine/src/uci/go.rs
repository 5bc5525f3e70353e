//! `go`: what to search for, and for how long.

use std::time::Duration;

use backrank_rules::{Position, Side};

use crate::limits::{Clock, Limits};

/// The parameters of `go`. Times are in milliseconds; those by side begin with White's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    depth: Option<u64>,
    nodes: Option<u64>,
    mate: Option<u64>,
    move_time: Option<u64>,
    time: [Option<u64>; 2],
    increment: [Option<u64>; 2],
    moves_to_go: Option<u64>,
    search_moves: Vec<String>,
    /// The move must not be given before `stop`.
    pub infinite: bool,
    /// The opponent has not played its last move yet: the clock runs from `ponderhit`.
    pub ponder: bool,
}

impl Go {
    /// Reads the parameters of `go`. Unknown words are ignored. A word without its number is an error, because without
    /// the number the search might never end.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut go = Self::default();
        let mut in_moves = false;
        let mut words = text.split_ascii_whitespace();
        while let Some(word) = words.next() {
            let number = match word {
                "searchmoves" => {
                    in_moves = true;
                    continue;
                }
                "infinite" => {
                    go.infinite = true;
                    continue;
                }
                "ponder" => {
                    go.ponder = true;
                    continue;
                }
                "depth" => &mut go.depth,
                "nodes" => &mut go.nodes,
                "mate" => &mut go.mate,
                "movetime" => &mut go.move_time,
                "wtime" => &mut go.time[0],
                "btime" => &mut go.time[1],
                "winc" => &mut go.increment[0],
                "binc" => &mut go.increment[1],
                "movestogo" => &mut go.moves_to_go,
                played if in_moves => {
                    go.search_moves.push(played.to_lowercase());
                    continue;
                }
                _ => continue,
            };
            in_moves = false;
            *number = Some(words.next().and_then(whole_number).ok_or_else(|| {
                format!("go: a number is missing after `{word}`, so there is nothing to search by")
            })?);
        }
        Ok(go)
    }

    /// The limits of the search in a position, and what is wrong with the moves to search.
    pub fn limits(&self, position: &Position<'_>) -> (Limits, Vec<String>) {
        let side = match position.side_to_move() {
            Side::White => 0,
            Side::Black => 1,
        };
        let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let mut only = Vec::new();
        let mut wrong = Vec::new();
        for text in &self.search_moves {
            match position.parse_uci(text) {
                Ok(played) => only.push(played),
                Err(error) => wrong.push(format!("searchmoves: {error}")),
            }
        }
        let limits = Limits {
            nodes: self.nodes,
            depth: self.depth.map(small),
            move_time: self.move_time.map(Duration::from_millis),
            clock: self.time[side].map(|left| Clock {
                left: Duration::from_millis(left),
                increment: Duration::from_millis(self.increment[side].unwrap_or(0)),
                moves_to_go: self.moves_to_go.filter(|&moves| moves > 0).map(small),
            }),
            mate: self.mate.map(small),
            only,
            ..Limits::default()
        };
        (limits, wrong)
    }
}

/// A whole number. Negative ones become 0, as a clock that has run out may be sent.
fn whole_number(text: &str) -> Option<u64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    Some(if text.starts_with('-') { 0 } else { digits.parse().unwrap_or(u64::MAX) })
}

#[cfg(test)]
mod tests {
    use backrank_rules::{Rules, Variant};

    use super::*;

    #[test]
    fn every_form() {
        let rules = Rules::new(&Variant::find("chess").unwrap());
        let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        let position = Position::from_fen(&rules, fen).unwrap();
        let limits = |text: &str| Go::parse(text).unwrap().limits(&position).0;
        assert_eq!(limits(""), Limits::default());
        assert_eq!(limits("depth 7"), Limits::of_depth(7));
        assert_eq!(limits("nodes 18446744073709551616"), Limits::of_nodes(u64::MAX));
        assert_eq!(limits("mate 3").mate, Some(3));
        assert_eq!(limits("movetime 250").move_time, Some(Duration::from_millis(250)));
        let clock = limits("wtime 1000 btime -20 winc 10 binc 30 movestogo 0").clock.unwrap();
        assert_eq!((clock.left, clock.increment), (Duration::ZERO, Duration::from_millis(30)));
        assert_eq!(clock.moves_to_go, None);
        assert_eq!(limits("wtime 1000 winc 10").clock, None);
        let some = limits("searchmoves e7e5 G8F6 a2a4 depth 3 nonsense");
        assert_eq!(some.only.len(), 2);
        assert_eq!(some.depth, Some(3));
        let go = Go::parse("ponder infinite wtime 1").unwrap();
        assert!(go.ponder && go.infinite);
        assert!(Go::parse("depth").is_err());
        assert!(Go::parse("movetime soon").is_err());
    }
}
