//! Which pieces can give checkmate on their own.

use backrank_rules::{Board, PieceKind, Rules, Side, Square, Stalemate};

use crate::endgame::{Endgame, Man, is_royal};
use crate::known::KnownTables;
use crate::table::{LongestWin, WinsDrawsLosses, position};
use crate::tables::{EndgameTables, TablesError};
use crate::value::Code;

/// What one piece can do to a bare king.
///
/// "On its own" means that the piece and the bare king are alone on the board. Its own king is not there, and the piece
/// has to move whenever it is its turn. The ending by a bare king is left out, because this is about checkmate.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LonePiece {
    /// The piece.
    pub kind: PieceKind,
    /// The number of positions, symmetric ones included, in which it checkmates on its own.
    pub checkmates: u64,
    /// One of these positions as FEN, with its own king far away.
    pub example: Option<String>,
    /// The longest mate that it forces on its own, from positions in which it is to move.
    pub forced_alone: Option<LongestWin>,
    /// The positions that it wins, draws and loses with the help of its king, when it is to move.
    pub with_king: WinsDrawsLosses,
    /// The longest mate that it forces with the help of its king.
    pub forced_with_king: Option<LongestWin>,
}

impl LonePiece {
    /// Every piece of a game except king and pawn.
    ///
    /// # Errors
    ///
    /// When there is not enough memory for the tables, which take a few MiB.
    ///
    /// ```
    /// use backrank_endgames::LonePiece;
    /// use backrank_rules::{Letter, Rules, Variant};
    ///
    /// let rules = Rules::new(&Variant::find("pmrc")?);
    /// let pieces = LonePiece::all(&rules)?;
    /// let able = pieces.iter().filter(|piece| piece.checkmates > 0);
    /// assert!(able.map(|piece| rules.letter_of(piece.kind)).eq([Letter::M]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn all(rules: &Rules) -> Result<Vec<Self>, TablesError> {
        let mut variant = rules.variant().clone();
        // A piece that mates alone does so whatever else ends the game.
        (variant.bare_king, variant.stalemate, variant.goal, variant.checks) =
            (false, Stalemate::Draw, None, 0);
        let rules = Rules::new(&variant);
        let with_king = Endgame::all_of_three(&rules).into_iter().filter(|endgame| !endgame.has_pawns());
        let with_king: Vec<Endgame> = with_king.collect();
        let without_king = |endgame: &Endgame| {
            let is_there = |man: &&Man| man.side == Side::Black || !is_royal(&rules, man.kind);
            Endgame::of(&rules, endgame.men().iter().filter(is_there).copied())
        };
        let alone: Vec<Endgame> = with_king.iter().map(without_king).collect();
        let all = [with_king.as_slice(), &alone].concat();
        let tables = EndgameTables::build(&rules, &all, u64::MAX, |_| ())?;
        Ok(with_king
            .iter()
            .zip(&alone)
            .map(|(with_king, alone)| found(&rules, &tables, with_king, alone))
            .collect())
    }
}

fn found(rules: &Rules, tables: &EndgameTables, with_king: &Endgame, alone: &Endgame) -> LonePiece {
    let [piece, bare] = *alone.men() else { unreachable!("a piece and a king") };
    let king = Man { side: Side::White, kind: with_king.men()[0].kind };
    let squares = || rules.board().all_squares().iter();
    let is_mate = |placed: &[(Man, Square)]| tables.code(placed, Side::Black) == Some(Code::loss(0));
    let pairs = squares().flat_map(|from| squares().map(move |to| [(piece, from), (bare, to)]));
    let mates: Vec<_> = pairs.filter(|placed| placed[0].1 != placed[1].1 && is_mate(placed)).collect();
    let example = mates.first().and_then(|&[piece, bare]| {
        let with = squares().map(|square| [(king, square), piece, bare]);
        let with = with.filter(|placed| placed[0].1 != piece.1 && placed[0].1 != bare.1 && is_mate(placed));
        with.max_by_key(|placed| distance(rules.board(), placed[0].1, bare.1))
    });
    let [with_king, alone] = [with_king, alone].map(|endgame| tables.get(endgame).expect("a table of each"));
    LonePiece {
        kind: piece.kind,
        checkmates: mates.len() as u64,
        example: example.map(|placed| position(rules, &placed, Side::Black, None).to_fen()),
        // With Black to move nothing was forced, because the position was given.
        forced_alone: alone.longest_win(Side::White).filter(|longest| longest.to_move == Side::White),
        with_king: with_king.count(Side::White),
        forced_with_king: with_king.longest_win(Side::White),
    }
}

/// The moves of an orthodox king between two squares.
fn distance(board: Board, one: Square, other: Square) -> usize {
    let files = board.file_of(one).0.abs_diff(board.file_of(other).0);
    usize::from(files).max(board.rank_of(one).abs_diff(board.rank_of(other)))
}
