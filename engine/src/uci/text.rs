//! Moves and search results as text.

use backrank_rules::{Bitboard, Move, MoveKind, Position, Side};

use crate::score::Score;

/// How moves are written.
#[derive(Clone, Copy)]
pub struct MoveStyle {
    /// Whether castling is always written as the king taking its partner.
    chess960: bool,
    /// The squares of kings and their partners at the start of the game.
    kings: Bitboard,
    partners: Bitboard,
}

impl MoveStyle {
    /// The style for games that start from a position.
    pub fn new(start: &Position<'_>, chess960: bool) -> Self {
        Self {
            chess960,
            kings: Side::BOTH.into_iter().map(|side| start.king(side)).collect(),
            partners: start.castling(),
        }
    }

    /// A legal move of a position.
    /// Outside Chess960, castling is written with the square on which the king lands, as programs for orthodox chess
    /// expect. This is done only if king and partner stand where they start the game and the king goes at least two
    /// squares. Otherwise that text might be another move, and the king takes its partner.
    pub fn text(&self, position: &Position<'_>, played: Move) -> String {
        let board = position.board();
        let castling = position.rules().variant().castling.as_ref();
        if let Some(castling) = castling.filter(|_| played.kind == MoveKind::Castling && !self.chess960)
            && self.kings.contains(played.from)
            && self.partners.contains(played.to)
            && let Some((_, partner)) = position.piece_at(played.to)
        {
            let landing = castling.landing(partner, played.to < played.from);
            let [king, partner] = [played.from, played.to].map(|square| board.file_of(square));
            let (lands, _) = landing.end.files(king, partner, board.files());
            if lands.0.abs_diff(king.0) >= 2 {
                let square = board.square(lands, board.rank_of(played.from));
                return board.square_name(played.from) + &board.square_name(square);
            }
        }
        played.uci(board)
    }

    /// A line of play, with a space before each move.
    pub fn line(&self, position: &Position<'_>, line: &[Move]) -> String {
        let mut position = *position;
        let mut text = String::new();
        for &played in line {
            text.push(' ');
            text.push_str(&self.text(&position, played));
            position.play(played);
        }
        text
    }
}

/// What is reported of a search; missing values are left out.
pub struct Info<'a> {
    pub rank: Option<usize>,
    pub depth: u32,
    pub selective_depth: Option<u32>,
    pub score: Score,
    pub nodes: u64,
    pub elapsed: std::time::Duration,
    pub hashfull: Option<u32>,
    pub line: &'a [Move],
}

impl Info<'_> {
    /// The `info` line.
    pub fn text(&self, position: &Position<'_>, style: MoveStyle) -> String {
        let mut text = format!("info depth {}", self.depth);
        if let Some(depth) = self.selective_depth {
            text += &format!(" seldepth {depth}");
        }
        if let Some(rank) = self.rank {
            text += &format!(" multipv {rank}");
        }
        let (nodes, nanoseconds) = (self.nodes, self.elapsed.as_nanos().max(1));
        let per_second = u128::from(nodes) * 1_000_000_000 / nanoseconds;
        let milliseconds = self.elapsed.as_millis();
        text += &format!(" score {} nodes {nodes} nps {per_second} time {milliseconds}", self.score);
        if let Some(hashfull) = self.hashfull {
            text += &format!(" hashfull {hashfull}");
        }
        if !self.line.is_empty() {
            text += " pv";
            text += &style.line(position, self.line);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use backrank_rules::{Rules, Variant};

    use super::*;

    /// How castling on each side of a king is written, from the setup of the variant's army.
    fn castling(key: &str, fen: &str, chess960: bool) -> Vec<String> {
        let variant = Variant::find(key).unwrap();
        let rules = Rules::new(&variant).castling_from_anywhere();
        let start = Position::new(&rules, &variant.written_setup()).unwrap();
        let style = MoveStyle::new(&start, chess960);
        let position = Position::from_fen(&rules, fen).unwrap();
        let castlings = position.legal_moves().into_iter().filter(|played| played.kind == MoveKind::Castling);
        castlings.map(|played| style.text(&position, played)).collect()
    }

    #[test]
    fn orthodox_castling_is_written_as_other_programs_expect() {
        let chess = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(castling("chess", chess, false), ["e1c1", "e1g1"]);
        assert_eq!(castling("chess", chess, true), ["e1a1", "e1h1"]);
        let black = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1";
        assert_eq!(castling("chess", black, false), ["e8c8", "e8g8"]);
        // The king or a rook stands elsewhere than at the start.
        assert_eq!(castling("chess", "4k3/8/8/8/8/8/8/R4K1R w HA - 0 1", false), ["f1a1", "f1h1"]);
        assert_eq!(castling("chess", "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1", false), ["e1b1", "e1g1"]);
        let modern = "4k4/9/9/9/9/9/9/9/R3K3R w IA - 0 1";
        assert_eq!(castling("modern", modern, false), ["e1c1", "e1g1"]);
        let mmcc = "5k5/11/11/11/11/11/11/R4K4R w KA - 0 1";
        assert_eq!(castling("mmcc", mmcc, false), ["f1c1", "f1i1"]);
        assert_eq!(castling("mmcc", mmcc, true), ["f1a1", "f1k1"]);
        // A bede stays on its colour, so the king goes to b8.
        let clobberers = "d3k2d/8/8/8/8/8/8/4K3 b ha - 0 1";
        assert_eq!(castling("cwda-fide-clobberers", clobberers, false), ["e8b8", "e8g8"]);
    }
}
