//! A variant compiled for play.

mod attackers;
pub(crate) mod lines;
mod mobility;
pub(crate) mod occupied;
pub(crate) mod paths;
mod piece_moves;
mod signature;
pub(crate) mod tables;
mod zobrist;

use crate::betza::{Passage, Ray};
use crate::bitboard::Bitboard;
use crate::board::{Board, File};
use crate::letter::{ByLetter, Letter};
use crate::piece_kind::{KindSet, PieceKind};
use crate::square::{Side, Square};
use crate::variant::{PawnType, Piece, Variant};
pub(crate) use attackers::{Attackers, LeaperGroup, RiderGroup};
use tables::{Attacking, Plays, SquareTable, Tables, by_square, chosen, seen_by};
use zobrist::Zobrist;

/// The rules of a variant, compiled to tables. Positions borrow it.
///
/// ```
/// use backrank_rules::{Position, Rules, Variant};
///
/// let rules = Rules::new(&Variant::find("modern")?);
/// let position = Position::from_fen(&rules, "4k4/9/9/9/9/9/9/9/R3K4 w A - 0 1")?;
/// assert_eq!(position.count_legal_moves(), 8 + 3 + 5 + 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rules {
    variant: Variant,
    signature: u64,
    pub(crate) board: Board,
    pub(crate) kinds: Vec<Kind>,
    kind_of_letter: ByLetter<Option<PieceKind>>,
    pub(crate) tables: Tables,
    pub(crate) sides: [SideRules; 2],
    /// Whether both sides' pieces attack in the same single steps.
    pub(crate) leapers_alike: bool,
    /// Whether both sides' riders attack along the same lines.
    pub(crate) riders_alike: bool,
    /// The pieces that adjust and those that they may swap with; `None` if the game has no adjustment.
    pub(crate) adjustment: Option<AdjustmentKinds>,
    /// The kinds that have moves of their own while unmoved.
    pub(crate) first_movers: KindSet,
    pub(crate) royals: KindSet,
    /// The kinds with which a king castles.
    pub(crate) partners: KindSet,
    /// The kind that wins by reaching a square, and the squares.
    pub(crate) goal: Option<(PieceKind, [Bitboard; 2])>,
    /// The number of checks that win; 0 where only mate does.
    pub(crate) checks: u8,
    /// Whether the game can end by a goal or by checks.
    pub(crate) ends_early: bool,
    has_paths: bool,
    /// Whether pawns go diagonally and capture straight on.
    pub(crate) berolina: bool,
    /// Whether pawns capture en passant.
    pub(crate) en_passant: bool,
    /// Every square except those of the a-file, and every square except those of the last file.
    pub(crate) not_edge: [Bitboard; 2],
    pub(crate) zobrist: Zobrist,
}

/// A kind of piece as it is played.
#[derive(Clone, Debug)]
pub(crate) struct Kind {
    pub letter: Letter,
    pub royal: bool,
    /// What each side's pieces of the kind do.
    pub plays: [Plays; 2],
    /// Whether all its moves stay on squares of one colour.
    pub colour_bound: bool,
    /// Whether all squares that it attacks at a time are of one colour.
    pub attacks_one_colour: bool,
    /// Whether it moves as an orthodox king does.
    pub steps_as_king: bool,
}

/// The kinds that take part in the Bishop Adjustment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AdjustmentKinds {
    pub adjuster: PieceKind,
    pub partners: KindSet,
}

/// The rules as they are for one side.
#[derive(Clone, Debug)]
pub(crate) struct SideRules {
    pub attackers: Attackers,
    pub attacking: Vec<Attacking>,
    /// The difference that a pawn's step makes to the index of its square.
    pub forward: i32,
    /// The squares that a pawn on each square attacks.
    pub pawn_attacks: SquareTable,
    /// The squares that double steps pass over.
    pub double_step_over: Bitboard,
    /// The squares on which a pawn may promote.
    pub promotion: Bitboard,
    /// The squares on which a pawn must promote.
    pub forced_promotion: Bitboard,
    pub first_rank: Bitboard,
    /// The square of the first rank on the a-file.
    pub first_rank_start: Square,
}

impl Rules {
    /// Compiles a variant.
    pub fn new(variant: &Variant) -> Self {
        let board = variant.board;
        let mut tables = Tables::new(board);
        let mut kind_of_letter = ByLetter::default();
        kind_of_letter[Letter::PAWN] = Some(PieceKind::PAWN);
        let mut kinds = vec![Kind {
            letter: Letter::PAWN,
            royal: false,
            plays: Default::default(),
            colour_bound: false,
            attacks_one_colour: false,
            steps_as_king: false,
        }];
        // The kinds with most lines come first, so that those with fewer lines find theirs in the tables.
        let mut by_lines: Vec<_> = variant.pieces.iter().collect();
        by_lines.sort_by_key(|piece| -(piece.betza.rays().iter().filter(|ray| ray.range > 1).count() as i32));
        for piece in by_lines {
            tables.steps(piece.betza.rays());
        }
        for (index, piece) in variant.pieces.iter().enumerate() {
            kind_of_letter[piece.letter] = Some(PieceKind::at(index + 1));
            kinds.push(compile_kind(piece, &mut tables));
        }
        let sides = Side::BOTH.map(|side| compile_side(side, variant, &kinds, &mut tables));
        tables.draw_lines();
        let kind = |letter: Letter| kind_of_letter[letter].unwrap_or(PieceKind::PAWN);
        let adjustment = variant.adjustment.as_ref().map(|adjustment| AdjustmentKinds {
            adjuster: kind(adjustment.piece),
            partners: adjustment.partners.iter().map(|&letter| kind(letter)).collect(),
        });
        let kinds_that = |has: &dyn Fn(&Piece) -> bool| -> KindSet {
            variant.pieces.iter().filter(|piece| has(piece)).map(|piece| kind(piece.letter)).collect()
        };
        Self {
            not_edge: [0, board.files() - 1].map(|file| !board.file_squares(File(file as u8))),
            board,
            kind_of_letter,
            tables,
            leapers_alike: sides[0].attackers.leapers == sides[1].attackers.leapers,
            riders_alike: sides[0].attackers.riders == sides[1].attackers.riders,
            has_paths: sides.iter().any(|side| !side.attackers.paths.is_empty()),
            sides,
            en_passant: variant.pawn.en_passant,
            berolina: variant.pawn.moves == PawnType::Berolina,
            adjustment,
            first_movers: kinds_that(&|piece| piece.betza.has_first_move()),
            royals: kinds_that(&|piece| piece.royal),
            partners: kinds_that(&|piece| {
                let castling = variant.castling.as_ref();
                castling.is_some_and(|castling| castling.partners.contains(&piece.letter))
            }),
            goal: variant.goal.map(|goal| (kind(goal.piece), goal.squares)),
            checks: variant.checks,
            ends_early: variant.ends_early(),
            zobrist: Zobrist::new(kinds.iter().map(|kind| kind.letter)),
            kinds,
            signature: signature::signature(variant),
            variant: variant.clone(),
        }
    }

    /// The same game without the Bishop Adjustment.
    #[must_use]
    pub fn without_adjustment(mut self) -> Self {
        self.adjustment = None;
        self
    }

    /// The same game in which kings castle from wherever they start, as in Chess960: of interest for orthodox chess, whose file
    /// has them castle only from home.
    ///
    /// ```
    /// use backrank_rules::{Position, Rules, Variant};
    ///
    /// let rules = Rules::new(&Variant::find("chess")?);
    /// let fen = "4k3/8/8/8/8/8/8/R2K4 w Q - 0 1";
    /// assert!(Position::from_fen(&rules, fen).is_err());
    /// let rules = rules.castling_from_anywhere();
    /// assert!(Position::from_fen(&rules, fen)?.parse_move("O-O-O").is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn castling_from_anywhere(mut self) -> Self {
        if let Some(castling) = &mut self.variant.castling {
            castling.home = None;
        }
        self
    }

    /// The variant that these rules are compiled from.
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.board
    }

    /// A number that is the same for games whose moves, apart from castling and adjustments, and whose endings are the
    /// same, and almost surely different for any other two games. What was worked out for one game then holds for the
    /// other. It can differ between builds of this crate, so do not store it in a file.
    #[inline]
    pub fn signature(&self) -> u64 {
        self.signature
    }

    /// Whether the Bishop Adjustment is played.
    pub fn has_adjustment(&self) -> bool {
        self.adjustment.is_some()
    }

    /// The differences in files that pawns' steps make which do not capture.
    pub(crate) fn pawn_step_files(&self) -> &'static [i32] {
        if self.berolina { &[-1, 1] } else { &[0] }
    }

    /// The squares from which a step by so many files, none or one, stays on the board.
    pub(crate) fn not_edge_towards(&self, dx: i32) -> Bitboard {
        match dx {
            ..0 => self.not_edge[0],
            0 => Bitboard::FULL,
            1.. => self.not_edge[1],
        }
    }

    /// The kind a letter stands for.
    #[inline]
    pub fn kind_of(&self, letter: Letter) -> Option<PieceKind> {
        self.kind_of_letter[letter]
    }

    /// Whether there is a kind of piece whose attacks depend on more than the first piece in their way: a lame, jumping, hopping
    /// or bent one.
    #[inline]
    pub fn has_paths(&self) -> bool {
        self.has_paths
    }

    /// The letter of a kind.
    ///
    /// # Panics
    ///
    /// When the game has no such kind.
    pub fn letter_of(&self, kind: PieceKind) -> Letter {
        self.kinds[kind.index()].letter
    }

    /// Every kind of the game, the pawn first.
    pub fn kinds(&self) -> impl Iterator<Item = PieceKind> + use<> {
        (0..self.kinds.len()).map(PieceKind::at)
    }

    /// The moves of the pieces of a kind.
    #[inline(always)]
    pub(crate) fn kind(&self, kind: PieceKind) -> &Kind {
        &self.kinds[kind.index()]
    }

    /// The square of a side's first rank on a file.
    pub(crate) fn first_rank_square(&self, side: Side, file: File) -> Square {
        self.sides[side as usize].first_rank_start.offset(i32::from(file.0))
    }
}

fn compile_kind(piece: &Piece, tables: &mut Tables) -> Kind {
    let rays = piece.betza.rays();
    let plays = Side::BOTH.map(|side| {
        let rays = seen_by(side, rays);
        let mut steps = |captures, first| tables.steps(&chosen(&rays, captures, first));
        let (attack, quiet) = (steps(true, false), steps(false, false));
        let (first_attack, first_quiet) = (steps(true, true), steps(false, true));
        let plain = attack == quiet && first_attack.is_empty() && first_quiet.is_empty() && attack.paths == 0;
        let quiet_origins = if quiet.paths == 0 { 0 } else { tables.path_origins(quiet.paths) };
        Plays { attack, quiet, quiet_origins, first_attack, first_quiet, plain }
    });
    let colour_bound = rays.iter().all(Ray::keeps_colour);
    let mut attacking = rays.iter().filter(|ray| ray.captures);
    let leaps = |ray: &Ray| ray.range == 1 && !matches!(ray.passage, Passage::Bent { .. });
    let attacks_one_colour =
        attacking.clone().all(Ray::keeps_colour) || attacking.all(|ray| !ray.keeps_colour() && leaps(ray));
    let mut steps: Vec<_> = rays.iter().map(|ray| (ray.dx, ray.dy)).collect();
    steps.sort_unstable();
    steps.dedup();
    let steps_as_king = steps.len() == 8
        && rays.iter().all(|ray| {
            ray.dx.abs() <= 1
                && ray.dy.abs() <= 1
                && ray.range == 1
                && ray.passage == Passage::Free
                && ray.moves
                && ray.captures
                && !ray.first_move_only
        });
    Kind { letter: piece.letter, royal: piece.royal, plays, colour_bound, attacks_one_colour, steps_as_king }
}

fn compile_side(side: Side, variant: &Variant, kinds: &[Kind], tables: &mut Tables) -> SideRules {
    let board = variant.board;
    let (files, ranks) = (board.files(), board.ranks());
    let from_own_side = |rank: usize| match side {
        Side::White => rank,
        Side::Black => ranks - 1 - rank,
    };
    let rays: Vec<_> = variant
        .pieces
        .iter()
        .zip(1..)
        .map(|(piece, kind)| (PieceKind::at(kind), seen_by(side, piece.betza.rays())))
        .collect();
    let attacking = kinds.iter().zip(0..).skip(1).filter(|(kind, _)| !kind.royal).map(|(piece, kind)| {
        let plays = piece.plays[side as usize];
        Attacking {
            kind: PieceKind::at(kind),
            attacks_more: !plays.first_attack.is_empty() || plays.attack.paths != 0,
            plain: plays.plain,
            attack: plays.attack,
        }
    });
    let last_ranks = |number: usize| -> Bitboard {
        (ranks - number..ranks).map(|rank| board.rank_squares(from_own_side(rank))).collect()
    };
    let dy = if side == Side::White { 1 } else { -1 };
    let first_rank = from_own_side(variant.first_rank);
    SideRules {
        attackers: Attackers::new(tables, &rays),
        attacking: attacking.collect(),
        forward: files as i32 * i32::from(dy),
        pawn_attacks: by_square(board, |square| {
            let files: &[i8] = match variant.pawn.moves {
                PawnType::Orthodox => &[-1, 1],
                PawnType::Berolina => &[0],
            };
            files.iter().map(|&dx| lines::squares_along(board, square, (dx, dy), 1)).collect()
        }),
        double_step_over: {
            let from = variant.double_step_ranks(side);
            let over = (0..ranks).filter(|rank| from << 1 >> rank & 1 != 0);
            over.map(|rank| board.rank_squares(from_own_side(rank))).collect()
        },
        promotion: last_ranks(variant.pawn.promotion_ranks),
        forced_promotion: last_ranks(variant.pawn.forced_promotion_ranks),
        first_rank: board.rank_squares(first_rank),
        first_rank_start: board.square(File(0), first_rank),
    }
}
