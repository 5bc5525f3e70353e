//! Weights, multiplied out for the board and the pieces of one game.

use backrank_rules::{
    Bitboard, Letter, MAX_SQUARES, Passage, Piece, PieceKind, Ray, Rules, Shifts, Side, Square,
};

use super::geometry::{Masks, around, set};
use super::inputs::{DANGER_INPUTS, WINNABLE_INPUTS};
use super::packed::PackedScore;
use super::phase::{HEAVY, phase_of};
use crate::weights::{Tapered, Weights};

/// A score for each square.
pub(super) type PieceSquareTable = Box<[PackedScore; MAX_SQUARES]>;

/// The weights that concern a kind of piece.
#[derive(Clone, Debug)]
pub(super) struct KindTerms {
    pub royal: bool,
    /// Material and piece-square table, for each side.
    pub places: [PieceSquareTable; 2],
    /// Mobility: the score by the number of squares that it attacks.
    pub mobility: [PackedScore; MAX_SQUARES],
    /// The square root of its value in hundreds of centipawns.
    pub strength: f32,
    /// What it adds to the phase of the game.
    pub phase: i32,
}

#[derive(Clone, Debug)]
pub(super) struct Prepared {
    /// The pawn, then the variant's pieces.
    pub kinds: Vec<KindTerms>,
    /// The kinds except the pawn and the king, the most valuable first.
    pub attacking: Vec<PieceKind>,
    /// The light ones.
    pub light: Vec<PieceKind>,
    /// Those that never leave their colour.
    pub bound_to_colour: Vec<PieceKind>,
    /// Those that ride along files, and not along diagonals.
    pub file_riders: Vec<PieceKind>,
    /// The values in an exchange.
    pub exchange_values: Vec<i32>,
    /// The kinds, the least valuable first.
    pub by_value: Vec<PieceKind>,
    /// For each kind, the number of attacking kinds that are worth more by at least [`WORTH_MORE`].
    pub worth_more: Vec<usize>,
    /// The phase of the full armies.
    pub full_phase: i32,
    /// The squares around each side's king, by where it stands.
    pub king_zones: [Masks; 2],
    /// The squares that are one king's step away.
    pub king_steps: Masks,
    /// The king's side of the board: each side's own half, on the king's file and the two on either side.
    pub flanks: [Masks; 2],
    /// The four corners of the board.
    pub board_corners: Bitboard,
    /// For each square, the rest of its rank towards the nearer edge.
    pub corners: Masks,
    /// The weights that are not multiplied out above.
    pub weights: Weights<PackedScore>,
    /// The weights of king danger, in the order of [`DangerInputs`](super::inputs::DangerInputs).
    pub danger: [f32; DANGER_INPUTS.len()],
    /// The weights that say how winnable an endgame is, in 256ths and in the order of
    /// [`WinnableInputs`](super::inputs::WinnableInputs).
    pub winnable: [i32; WINNABLE_INPUTS.len()],
    /// For each square, its distance from the middle in files and in ranks.
    pub from_middle: Box<[u8; MAX_SQUARES]>,
    pub dark: Bitboard,
    pub shifts: Shifts,
}

/// The value of a king in an exchange: more than all other pieces together.
const KING_VALUE: i32 = 20_000;

/// How much a piece is worth: different things matter to knights, to rooks and to queens.
///
/// The limits are not numbers of pawns, because a pawn is worth 76 centipawns in some games and 103 in others. In all of
/// them, bishops are worth 360 to 440, rooks 520 to 600, and compounds with a rook or a bishop 930 or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PieceClass {
    Light,
    Heavy,
    Great,
}

/// From this value on, in centipawns, a piece is great.
const GREAT: f32 = 650.0;

impl PieceClass {
    fn of(letter: Letter, weights: &Weights) -> Self {
        match weights.material[letter] {
            value if value < HEAVY => Self::Light,
            value if value < GREAT => Self::Heavy,
            _ => Self::Great,
        }
    }

    /// The weights that are its own.
    fn weights(self, weights: &Weights) -> ClassWeights {
        match self {
            Self::Light => ClassWeights {
                worth: weights.light,
                inward: weights.inward,
                advanced: weights.advanced,
                mobility: weights.mobility,
                immobility: weights.immobility,
            },
            Self::Heavy => ClassWeights {
                worth: weights.heavy,
                inward: weights.heavy_inward,
                advanced: weights.heavy_advanced,
                mobility: weights.heavy_mobility,
                immobility: weights.heavy_immobility,
            },
            Self::Great => ClassWeights {
                worth: weights.great,
                inward: weights.great_inward,
                advanced: weights.great_advanced,
                mobility: weights.great_mobility,
                immobility: weights.great_immobility,
            },
        }
    }
}

/// The weights of one class of pieces.
struct ClassWeights {
    worth: Tapered,
    inward: Tapered,
    advanced: Tapered,
    mobility: Tapered,
    immobility: Tapered,
}

/// A piece is threatened by one that is worth less by this, in centipawns: a rook by a bishop, but not a bishop by a knight.
const WORTH_MORE: i32 = 100;

impl Prepared {
    pub fn new(rules: &Rules, weights: &Weights) -> Self {
        let variant = rules.variant();
        let board = rules.board();
        let value = |letter: Letter| weights.material[letter];
        let pawn_value = value(Letter::PAWN);
        let mut kinds = vec![pawn_terms(rules, weights)];
        let mut exchange_values = vec![pawn_value.round() as i32];
        for piece in &variant.pieces {
            kinds.push(piece_terms(rules, weights, piece));
            exchange_values.push(if piece.royal { KING_VALUE } else { value(piece.letter).round() as i32 });
        }
        let chosen = |has: &dyn Fn(&Piece) -> bool| -> Vec<PieceKind> {
            let pieces = variant.pieces.iter().filter(|&piece| !piece.royal && has(piece));
            pieces.filter_map(|piece| rules.kind_of(piece.letter)).collect()
        };
        let rides = |piece: &Piece, dx: i8, dy: i8| {
            let is_such =
                |ray: &Ray| ray.range > 1 && ray.passage == Passage::Free && (ray.dx, ray.dy) == (dx, dy);
            piece.betza.rays().iter().any(is_such)
        };
        let mut attacking = chosen(&|_| true);
        attacking.sort_by_key(|&kind| -exchange_values[kind.index()]);
        let worth_more = exchange_values
            .iter()
            .map(|&worth| {
                attacking.iter().filter(|&&kind| exchange_values[kind.index()] >= worth + WORTH_MORE).count()
            })
            .collect();
        let full_phase: i32 = Side::BOTH
            .into_iter()
            .flat_map(|side| variant.start_letters(side))
            .filter_map(|letter| rules.kind_of(letter))
            .map(|kind| kinds[kind.index()].phase)
            .sum();
        let near = |dx: i32, dy: i32| dx.abs() <= 1 && dy.abs() <= 1 && (dx, dy) != (0, 0);
        let ranks = board.ranks();
        let from_own_side =
            |side: Side, rank: usize| if side == Side::White { rank } else { ranks - 1 - rank };
        let mut by_value: Vec<PieceKind> = rules.kinds().collect();
        by_value.sort_by_key(|&kind| exchange_values[kind.index()]);
        Self {
            kinds,
            attacking,
            light: chosen(&|piece| PieceClass::of(piece.letter, weights) == PieceClass::Light),
            bound_to_colour: chosen(&|piece| piece.betza.is_colour_bound()),
            file_riders: chosen(&|piece| rides(piece, 0, 1) && !rides(piece, 1, 1)),
            exchange_values,
            by_value,
            worth_more,
            full_phase: full_phase.max(1),
            king_zones: Side::BOTH.map(|side| {
                let forward = if side == Side::White { 1 } else { -1 };
                around(board, |dx, dy| dx.abs() <= 1 && (-1..=2).contains(&(dy * forward)))
            }),
            king_steps: around(board, near),
            flanks: Side::BOTH.map(|side| {
                let half = set(board, |_, rank| from_own_side(side, rank) < ranks.div_ceil(2));
                let mut flanks = around(board, |dx, _| dx.abs() <= 2);
                flanks.iter_mut().for_each(|flank| *flank &= half);
                flanks
            }),
            board_corners: {
                let is_end = |place: usize, all: usize| place == 0 || place == all - 1;
                set(board, |file, rank| is_end(file, board.files()) && is_end(rank, ranks))
            },
            corners: {
                let left_half = set(board, |file, _| 2 * file < board.files());
                let mut corners = around(board, |dx, dy| dy == 0 && dx < 0);
                let right = around(board, |dx, dy| dy == 0 && dx > 0);
                for square in board.all_squares() & !left_half {
                    corners[square.index()] = right[square.index()];
                }
                corners
            },
            weights: weights.map(|weight| PackedScore::of(weight, 1.0)),
            danger: DANGER_INPUTS.map(|name| weights.number(name)),
            winnable: WINNABLE_INPUTS.map(|name| (256.0 * weights.number(name)).round() as i32),
            from_middle: {
                let mut steps = Box::new([0; MAX_SQUARES]);
                for square in board.all_squares() {
                    let beyond = |place: usize, all: usize| (2 * place).abs_diff(all - 1) / 2;
                    let files = beyond(board.file_of(square).0 as usize, board.files());
                    steps[square.index()] = (files + beyond(board.rank_of(square), ranks)) as u8;
                }
                steps
            },
            dark: board.dark_squares(),
            shifts: Shifts::new(board).with_pawns(rules.variant().pawn.moves),
        }
    }
}

/// A table by square as White sees it, and turned upside down for Black. The function is told how far a square is from the
/// edge files and how far up, both from 0 to 1, and which it is.
fn both_sides(rules: &Rules, of: impl Fn(f32, f32, Square) -> PackedScore) -> [PieceSquareTable; 2] {
    let board = rules.board();
    Side::BOTH.map(|side| {
        let mut places = Box::new([PackedScore::ZERO; MAX_SQUARES]);
        for square in board.all_squares() {
            let (file, rank) = (board.file_of(square), board.rank_of(square));
            let rank = if side == Side::White { rank } else { board.ranks() - 1 - rank };
            let half = (board.files() - 1) as f32 / 2.0;
            let inward = 1.0 - (file.0 as f32 - half).abs() / half;
            let up = rank as f32 / (board.ranks() - 1) as f32;
            places[square.index()] = of(inward, up, board.square(file, rank));
        }
        places
    })
}

/// A weight times a number, before rounding.
fn times(weight: Tapered, number: f32) -> Tapered {
    Tapered { opening: weight.opening * number, endgame: weight.endgame * number }
}

/// The sum of some terms, rounded.
fn sum(terms: &[Tapered]) -> PackedScore {
    let sum = terms.iter().fold(Tapered::default(), |sum, term| Tapered {
        opening: sum.opening + term.opening,
        endgame: sum.endgame + term.endgame,
    });
    PackedScore::of(sum, 1.0)
}

fn pawn_terms(rules: &Rules, weights: &Weights) -> KindTerms {
    let value = weights.material[Letter::PAWN];
    let places = both_sides(rules, |inward, up, _| {
        let both = |value: f32| Tapered { opening: value, endgame: value };
        sum(&[both(value), weights.pawn, times(weights.pawn_space, inward * up), times(weights.pawn_up, up)])
    });
    KindTerms { royal: false, places, mobility: [PackedScore::ZERO; MAX_SQUARES], strength: 1.0, phase: 0 }
}

fn piece_terms(rules: &Rules, weights: &Weights, piece: &Piece) -> KindTerms {
    let variant = rules.variant();
    let board = rules.board();
    let value = weights.material[piece.letter];
    let class = PieceClass::of(piece.letter, weights);
    let of_class = class.weights(weights);
    let empty_board = rules.mobility(piece.letter, 0.0);
    let mean_empty = (rules.mean_mobility(piece.letter, 0.0) as f32).max(1.0);
    let mean = (rules.mean_mobility(piece.letter, 1.0 / 3.0) as f32).max(1.0);
    let home = variant.first_rank as f32 / (board.ranks() - 1) as f32;
    let middle = (board.ranks() / 2) as f32 / (board.ranks() - 1) as f32;
    let places = both_sides(rules, |inward, up, square| {
        if piece.royal {
            let way = ((up - home) / (middle - home)).clamp(0.0, 1.0);
            return sum(&[times(weights.king_up, way), times(weights.king_inward, inward)]);
        }
        let beyond = empty_board[square.index()] as f32 - mean_empty;
        let undeveloped = class == PieceClass::Light && board.rank_of(square) == variant.first_rank;
        sum(&[
            Tapered { opening: value, endgame: value },
            times(of_class.worth, value / 100.0),
            times(weights.place, beyond * (6.0 / mean_empty).min(1.5)),
            times(of_class.inward, inward),
            times(of_class.advanced, up),
            times(weights.undeveloped, f32::from(u8::from(undeveloped))),
        ])
    });
    let mobility = std::array::from_fn(|squares| {
        let squares = squares as f32;
        sum(&[
            times(of_class.mobility, (squares - mean * 0.75) / mean.sqrt()),
            times(of_class.immobility, (mean * 0.5 - squares).max(0.0) / mean.sqrt()),
        ])
    });
    KindTerms {
        royal: piece.royal,
        places,
        mobility,
        strength: (value / 100.0).max(0.0).sqrt(),
        phase: if piece.royal { 0 } else { phase_of(value) },
    }
}

#[cfg(test)]
mod tests {
    use backrank_rules::{Letter, Rules, catalogue};

    use super::Prepared;
    use crate::weights::Weights;

    /// However little a pawn is worth.
    #[test]
    fn bishops_and_knights_are_light_in_every_game_and_rooks_and_queens_are_not() {
        for variant in catalogue().filter(|variant| !variant.count_only) {
            let rules = Rules::new(&variant);
            let prepared = Prepared::new(&rules, &Weights::new(&rules));
            for (letter, is_light) in
                [(Letter::B, true), (Letter::N, true), (Letter::R, false), (Letter::Q, false)]
            {
                let Some(kind) = rules.kind_of(letter) else { continue };
                assert_eq!(prepared.light.contains(&kind), is_light, "{} {letter}", variant.key);
            }
        }
    }
}
