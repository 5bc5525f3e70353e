//! Variants: games, read from TOML files.

mod catalogue;
mod edited;
mod error;
mod faults;
pub(crate) mod file;
mod piece_entry;
mod warning;

use std::path::Path;

pub use catalogue::{FindError, catalogue};
pub use error::VariantError;
pub use faults::{Faults, Problem};
pub use warning::VariantWarning;

use crate::betza::Betza;
use crate::bitboard::Bitboard;
use crate::board::{Board, File};
use crate::first_rank_rights::outermost_partners;
use crate::letter::Letter;
use crate::setup::{FirstRank, Setup};
use crate::square::{Side, Square};

/// A game: its board, its army and how it is played.
///
/// The part of the file that defines the setups (`[setup]`, apart from `first_rank`) belongs to the
/// `backrank-enumerate` crate, which reads it from [`Variant::text`].
///
/// ```
/// use backrank_rules::{Letter, Variant};
///
/// let modern = Variant::find("modern")?;
/// assert_eq!(modern.name, "Modern Chess");
/// assert_eq!(modern.armies[0].to_string(), "RNBMKQBNR");
/// assert_eq!(modern.piece(Letter::M).unwrap().betza.to_string(), "BN");
/// # Ok::<(), backrank_rules::FindError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Variant {
    /// Its key, such as `pmrc`: the name of its file without `.toml`.
    pub key: String,
    /// Its full name.
    pub name: String,
    /// Other names that programs give it, as in the tag `Variant` of a PGN.
    pub also_called: Vec<String>,
    /// Where its rules come from.
    pub source: String,
    /// Whether its setups are only counted and listed, and the game is not played.
    pub count_only: bool,
    /// The board.
    pub board: Board,
    /// The rank on which the pieces start that are shuffled, counted from 0 and from the own side. On this rank a side castles and
    /// adjusts. In most games it is the one behind the pawns.
    pub first_rank: usize,
    /// The pieces that are shuffled, White's and Black's, in the order of the game that the variant comes from.
    pub armies: [FirstRank; 2],
    /// What stands on the same square in every setup: its square, its side and its letter. In most games these are the pawns.
    pub fixed_pieces: Vec<(Square, Side, Letter)>,
    /// The files of White's pawns and of Black's that start either where `fixed_pieces` has them or on the next rank, as bits, the
    /// lowest for the a-file. In most games there are none.
    pub pawn_choices: [u16; 2],
    /// The FEN of the start, in games that have only one, which is written so.
    pub position: Option<String>,
    /// The kinds of pieces other than the pawn, by letter.
    pub pieces: Vec<Piece>,
    /// How pawns are played.
    pub pawn: Pawn,
    /// Castling, where the game has it.
    pub castling: Option<Castling>,
    /// The Bishop Adjustment, where the game has it.
    pub adjustment: Option<Adjustment>,
    /// Whether taking the opponent's last piece or pawn wins.
    pub bare_king: bool,
    /// What stalemate means for the side that cannot move.
    pub stalemate: Stalemate,
    /// Whether the third occurrence of a position is a draw; if not, only the fifty-move rule ends such a game.
    pub repetition_draws: bool,
    /// The piece that wins by reaching a square, and the squares.
    pub goal: Option<Goal>,
    /// The number of checks that win; 0 where only mate does.
    pub checks: u8,
    warnings: Vec<VariantWarning>,
    text: String,
    path: String,
}

/// What it means to have no legal move when not in check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Stalemate {
    /// The game is drawn.
    #[default]
    Draw,
    /// The side that cannot move has lost, as in Shatranj.
    Loss,
    /// The side that cannot move has won.
    Win,
}

/// A piece that wins by reaching a square, such as the king in King of the Hill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Goal {
    /// The letter of the piece.
    pub piece: Letter,
    /// The squares for White's piece, and those for Black's.
    pub squares: [Bitboard; 2],
}

/// A kind of piece.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Its letter, which is not the pawn's.
    pub letter: Letter,
    /// Its name in lower case, `prime minister`.
    pub name: String,
    /// How it moves.
    pub betza: Betza,
    /// Whether it is the king.
    pub royal: bool,
    /// Its value to the engine, in centipawns.
    pub value: Option<i32>,
}

/// How pawns are played. All of them move a step forwards, and capture en passant after a double step.
#[derive(Clone, Debug)]
pub struct Pawn {
    /// Which way they go, and which way they capture.
    pub moves: PawnType,
    /// From where a pawn may advance two squares.
    pub double_step: DoubleStep,
    /// Whether a pawn that has done so can be captured en passant.
    pub en_passant: bool,
    /// The letters of the pieces that a pawn of White's can promote to, and one of Black's.
    pub promotes_to: [Vec<Letter>; 2],
    /// Whether it promotes only to a kind of which its side has fewer pieces than it started with, as in Grand Chess.
    pub promotes_to_captured: bool,
    /// The number of ranks, from the last one on, on which a pawn may promote.
    pub promotion_ranks: usize,
    /// The number of those ranks on which it must.
    pub forced_promotion_ranks: usize,
    /// Its value to the engine, in centipawns.
    pub value: Option<i32>,
}

impl Pawn {
    /// Whether pawns step, capture and promote as those of orthodox chess do, whatever they promote to.
    pub fn is_orthodox(&self) -> bool {
        self.moves == PawnType::Orthodox
            && self.en_passant
            && self.double_step == DoubleStep::FromStart
            && (self.promotion_ranks, self.forced_promotion_ranks) == (1, 1)
            && !self.promotes_to_captured
    }
}

/// Which way pawns go, and which way they capture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PawnType {
    /// Straight forwards, capturing diagonally.
    #[default]
    Orthodox,
    /// Diagonally forwards, capturing straight, as in Berolina Chess (Edmund Nebermann, 1926). A double step goes along one
    /// diagonal. A pawn is taken en passant by one that could capture on the square passed over.
    Berolina,
}

/// From where a pawn may advance two squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DoubleStep {
    /// From nowhere.
    Never,
    /// From where it starts: if pawns start on several ranks, from the rearmost.
    FromStart,
    /// From every rank.
    Always,
    /// From these ranks, as bits: the lowest is the side's own first rank.
    Ranks(u16),
}

/// Castling under the Chess960 conditions.
#[derive(Clone, Debug)]
pub struct Castling {
    /// The letters of the king's partners; in most games one.
    pub partners: Vec<Letter>,
    /// Castling with the partner nearer the a-file.
    pub left: Landing,
    /// Castling with the partner farther from the a-file.
    pub right: Landing,
    /// Partners with which castling ends elsewhere, such as one that is to stay on its colour: its letter, and castling with it to
    /// the left and to the right.
    pub with: Vec<(Letter, [Landing; 2])>,
    /// How the third field of a FEN writes the rights.
    pub rights: RightsNotation,
    /// The only files from which White and Black castle, in games whose rights are written as `KQkq`; `None` where they castle
    /// from wherever they start.
    pub home: Option<[CastlingHome; 2]>,
}

/// The files on which a king and its partners must stand to castle in orthodox chess and games like it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CastlingHome {
    /// The king's file.
    pub king: File,
    /// The files of its partners, at most one on each side of it.
    pub partners: Vec<File>,
}

impl CastlingHome {
    /// The home of a side whose pieces start as on a first rank; the outermost partners are the ones to castle with. `None` if
    /// there is no king or partner.
    fn of(rank: &FirstRank, partner_letters: &[Letter], is_royal: impl Fn(Letter) -> bool) -> Option<Self> {
        let bits = |is: &dyn Fn(Letter) -> bool| {
            rank.pieces().filter(|&(_, letter)| is(letter)).fold(0, |bits: u16, (file, _)| bits | 1 << file.0)
        };
        let king = bits(&is_royal);
        let partners = outermost_partners(king, bits(&|letter| partner_letters.contains(&letter)));
        let files = |bits: u16| (0..16).filter(move |file| bits >> file & 1 != 0).map(File);
        Some(Self { king: files(king).next()?, partners: files(partners).collect() })
    }
}

impl Castling {
    /// Where castling with a partner ends, on the king's left or on its right.
    pub fn landing(&self, partner: Letter, is_left: bool) -> &Landing {
        match self.with.iter().find(|(letter, _)| *letter == partner) {
            Some((_, [left, right])) => {
                if is_left {
                    left
                } else {
                    right
                }
            }
            None => {
                if is_left {
                    &self.left
                } else {
                    &self.right
                }
            }
        }
    }

    /// Every landing: to the left and to the right, and those of partners with landings of their own.
    pub fn landings(&self) -> impl Iterator<Item = &Landing> {
        [&self.left, &self.right].into_iter().chain(self.with.iter().flat_map(|(_, landings)| landings))
    }

    /// Of a king's file and its possible partners', those with which a side may castle, as bits: none unless the king is at home,
    /// and only partners that are.
    pub(crate) fn partners_at_home(&self, side: Side, king: u16, partners: u16) -> u16 {
        let Some(homes) = &self.home else { return partners };
        let home = &homes[side as usize];
        let at_home = home.partners.iter().fold(0, |bits, file| bits | 1 << file.0);
        if king == 1 << home.king.0 { partners & at_home } else { 0 }
    }
}

/// How the third field of a FEN writes castling rights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RightsNotation {
    /// As the files of the partners, `AHah`, as in Shredder-FEN.
    #[default]
    Files,
    /// As `KQkq`, for games in which king and partners start where readers expect them, and castle only from there.
    KingAndQueenSide,
}

/// Where castling ends, and its notation.
#[derive(Clone, Debug)]
pub struct Landing {
    /// Where king and partner land.
    pub end: CastlingEnd,
    /// The notation, such as `O-O-Oc`.
    pub notation: String,
    /// Other notations that are read, White's and Black's: `O-M-O` for castling towards the minister.
    pub also_read: [Vec<String>; 2],
}

/// Where king and partner land when they castle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastlingEnd {
    /// On these files, wherever they start.
    Files {
        /// The king's.
        king: File,
        /// Its partner's.
        partner: File,
    },
    /// The king moves so many files towards its partner, which lands beside it on the side that it came from. Where the board ends
    /// before, they change places.
    ///
    /// Source: J. K. Lewis, *Castling in Chess960: An appeal for simplicity* (2005), whose king moves two files.
    Steps(u8),
}

impl CastlingEnd {
    /// The files on which a king and its partner land when they start on these files of a board with so many.
    ///
    /// ```
    /// use backrank_rules::{CastlingEnd, File};
    ///
    /// let two_steps = CastlingEnd::Steps(2);
    /// assert_eq!(two_steps.files(File(5), File(7), 8), (File(7), File(6)));
    /// assert_eq!(two_steps.files(File(1), File(0), 8), (File(0), File(1)));
    /// ```
    pub fn files(self, king: File, partner: File, files: usize) -> (File, File) {
        match self {
            Self::Files { king, partner } => (king, partner),
            Self::Steps(steps) if partner < king => match king.0.checked_sub(steps) {
                Some(lands) => (File(lands), File(lands + 1)),
                None => (partner, king),
            },
            Self::Steps(steps) => match king.0 + steps {
                lands if usize::from(lands) < files => (File(lands), File(lands - 1)),
                _ => (partner, king),
            },
        }
    }
}

impl Landing {
    /// Every notation that is read when a side castles so, the one that is written first.
    ///
    /// ```
    /// use backrank_rules::{Side, Variant};
    ///
    /// let castling = Variant::find("modern")?.castling.unwrap();
    /// assert_eq!(castling.left.notations(Side::White).collect::<Vec<_>>(), ["O-O-Oc", "O-M-O"]);
    /// assert_eq!(castling.left.notations(Side::Black).collect::<Vec<_>>(), ["O-O-Oc", "O-Q-O"]);
    /// # Ok::<(), backrank_rules::FindError>(())
    /// ```
    pub fn notations(&self, side: Side) -> impl Iterator<Item = &str> {
        std::iter::once(&self.notation).chain(&self.also_read[side as usize]).map(String::as_str)
    }
}

/// The Bishop Adjustment: a side whose adjusting pieces all start on one colour may once swap one of them with its
/// neighbour.
#[derive(Clone, Debug)]
pub struct Adjustment {
    /// The letter of the piece that adjusts.
    pub piece: Letter,
    /// The letters of the neighbours it may swap with.
    pub partners: Vec<Letter>,
}

impl Variant {
    /// Finds the variant with a key of the catalogue, or reads a variant file if the name is the path of one.
    ///
    /// Case, `-` and `_` do not matter in a key.
    ///
    /// # Errors
    ///
    /// When there is neither, or the file is not a variant.
    pub fn find(name: &str) -> Result<Self, FindError> {
        catalogue::find(name)
    }

    /// Reads a variant file.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or is not a variant.
    pub fn open(path: &Path) -> Result<Self, FindError> {
        catalogue::open(path)
    }

    /// The kind of piece with a letter; `None` for the pawn.
    pub fn piece(&self, letter: Letter) -> Option<&Piece> {
        self.pieces.iter().find(|piece| piece.letter == letter)
    }

    /// Whether it is played like orthodox chess, whatever its setups: with the same board, pieces, pawns and castling.
    ///
    /// ```
    /// use backrank_rules::Variant;
    /// assert!(Variant::find("chess")?.is_orthodox() && !Variant::find("chess960")?.is_orthodox());
    /// # Ok::<(), backrank_rules::FindError>(())
    /// ```
    pub fn is_orthodox(&self) -> bool {
        let moves_as = |letter, betza: &str| {
            self.piece(letter)
                .is_some_and(|piece| piece.betza.to_string() == betza && piece.royal == (letter == Letter::K))
        };
        let lands = |landing: &Landing, king, partner| {
            landing.end == CastlingEnd::Files { king: File(king), partner: File(partner) }
        };
        let castles = |castling: &Castling| {
            castling.rights == RightsNotation::KingAndQueenSide
                && castling.partners == [Letter::R]
                && lands(&castling.left, 2, 3)
                && lands(&castling.right, 6, 5)
        };
        (self.board.files(), self.board.ranks(), self.first_rank) == (8, 8, 0)
            && self.pieces.len() == 5
            && [(Letter::K, "K"), (Letter::Q, "Q"), (Letter::R, "R"), (Letter::B, "B"), (Letter::N, "N")]
                .iter()
                .all(|&(letter, betza)| moves_as(letter, betza))
            && self.pawn.is_orthodox()
            && self.pawn.promotes_to.iter().all(|letters| letters.len() == 4)
            && self.castling.as_ref().is_some_and(castles)
            && self.adjustment.is_none()
            && !self.bare_king
            && self.stalemate == Stalemate::Draw
            && self.repetition_draws
            && !self.ends_early()
    }

    /// Whether the game can end otherwise than by mate, stalemate, a bare king or a draw: by a goal or by checks.
    pub fn ends_early(&self) -> bool {
        self.goal.is_some() || self.checks > 0
    }

    /// Whether a setup and its left–right reflection are the same game: castling, where there is any, ends on mirrored files.
    /// Pieces are taken to move alike to the left and to the right, as those of the whole catalogue do.
    ///
    /// ```
    /// use backrank_rules::Variant;
    /// assert!(Variant::find("pmrc")?.is_symmetric() && !Variant::find("chess960")?.is_symmetric());
    /// # Ok::<(), backrank_rules::FindError>(())
    /// ```
    pub fn is_symmetric(&self) -> bool {
        let mirrored = |file: File| File(self.board.files() as u8 - 1 - file.0);
        self.castling.as_ref().is_none_or(|castling| {
            let are_mirrored = |left: &Landing, right: &Landing| match left.end {
                CastlingEnd::Files { king, partner } => {
                    right.end == CastlingEnd::Files { king: mirrored(king), partner: mirrored(partner) }
                }
                CastlingEnd::Steps(_) => left.end == right.end,
            };
            are_mirrored(&castling.left, &castling.right)
                && castling.with.iter().all(|(_, [left, right])| are_mirrored(left, right))
        })
    }

    /// Whether a FEN says which pieces have not moved. It does in games with the Bishop Adjustment, or with moves for a
    /// piece's first move only.
    pub fn has_unmoved_field(&self) -> bool {
        self.adjustment.is_some() || self.pieces.iter().any(|piece| piece.betza.has_first_move())
    }

    /// The setup as the file writes it, which need not be one of the game's: White's pieces and Black's.
    ///
    /// ```
    /// use backrank_rules::{StartFen, Variant};
    ///
    /// let chess960 = Variant::find("chess960")?;
    /// let fen = StartFen::new(&chess960).of(&chess960.written_setup());
    /// assert_eq!(fen, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w AHah - 0 1");
    /// # Ok::<(), backrank_rules::FindError>(())
    /// ```
    pub fn written_setup(&self) -> Setup {
        let [white, black] = self.armies;
        Setup { white, black }
    }

    /// A rank of the board, counted from 0 and from a side's own end, as it is counted from White's.
    pub(crate) fn rank_of(&self, side: Side, rank: usize) -> usize {
        match side {
            Side::White => rank,
            Side::Black => self.board.ranks() - 1 - rank,
        }
    }

    /// Everything that stands on the board at the start from a setup: its square, its side and its letter. Pieces on files that
    /// the board does not have are left out.
    pub fn setup_pieces<'a>(&'a self, setup: &'a Setup) -> impl Iterator<Item = (Square, Side, Letter)> + 'a {
        let board = self.board;
        let of_side = move |(side, rank): (Side, FirstRank)| {
            let row = self.rank_of(side, self.first_rank);
            let files = (0..board.files() as u8).map(File);
            files.filter_map(move |file| Some((board.square(file, row), side, rank.at(file)?)))
        };
        let shuffled = [(Side::White, setup.white), (Side::Black, setup.black)].into_iter().flat_map(of_side);
        shuffled.chain(self.fixed_pieces.iter().map(move |&(square, side, letter)| {
            let rank = if side == Side::White { &setup.white } else { &setup.black };
            let file = board.file_of(square);
            if letter != Letter::PAWN || !rank.has_advanced_pawn(file) {
                return (square, side, letter);
            }
            let row = self.rank_of(side, self.pawn_rank(side) + 1);
            (board.square(file, row), side, letter)
        }))
    }

    /// The letters of all pieces and pawns with which a side starts, each as often as it has it.
    ///
    /// ```
    /// use backrank_rules::{Letter, Side, Variant};
    ///
    /// let chess = Variant::find("chess")?;
    /// assert_eq!(chess.start_letters(Side::White).filter(|&letter| letter == Letter::PAWN).count(), 8);
    /// # Ok::<(), backrank_rules::FindError>(())
    /// ```
    pub fn start_letters(&self, side: Side) -> impl Iterator<Item = Letter> {
        let fixed = self.fixed_pieces.iter().filter(move |piece| piece.1 == side).map(|piece| piece.2);
        self.armies[side as usize].into_letters().chain(fixed)
    }

    /// The number of a side's pieces or pawns with a letter at the start.
    pub fn starts_with(&self, side: Side, letter: Letter) -> usize {
        self.start_letters(side).filter(|&other| other == letter).count()
    }

    /// Whether both sides start with the same pieces, wherever they stand.
    pub fn has_equal_armies(&self) -> bool {
        let [white, black] = Side::BOTH.map(|side| {
            let mut letters: Vec<Letter> = self.start_letters(side).collect();
            letters.sort_unstable();
            letters
        });
        white == black
    }

    /// Whether White and Black have different pieces, stand differently apart from the pieces that are shuffled, or promote
    /// differently, so that it matters who has which side.
    ///
    /// ```
    /// use backrank_rules::Variant;
    /// assert!(!Variant::find("pmrc")?.sides_differ() && !Variant::find("double960")?.sides_differ());
    /// # Ok::<(), backrank_rules::FindError>(())
    /// ```
    pub fn sides_differ(&self) -> bool {
        let board = self.board;
        let of_side = |side: Side, turned: bool| {
            let from_own_side = |&(square, _, letter): &(Square, Side, Letter)| {
                let file = usize::from(board.file_of(square).0);
                let file = if turned { board.files() - 1 - file } else { file };
                (self.rank_of(side, board.rank_of(square)), file, letter)
            };
            let mut pieces: Vec<_> =
                self.fixed_pieces.iter().filter(|piece| piece.1 == side).map(from_own_side).collect();
            pieces.sort_unstable();
            pieces
        };
        let white = of_side(Side::White, false);
        let stand_alike = [false, true].into_iter().any(|turned| of_side(Side::Black, turned) == white);
        let [to_white, to_black] = &self.pawn.promotes_to;
        self.armies[0] != self.armies[1]
            || !stand_alike
            || to_white != to_black
            || self.double_step_ranks(Side::White) != self.double_step_ranks(Side::Black)
    }

    /// The rearmost rank on which a side's pawns start, counted from 0 and from the own side; the one before its pieces if it
    /// has no pawns.
    pub fn pawn_rank(&self, side: Side) -> usize {
        let pawns = self.fixed_pieces.iter().filter(|piece| piece.1 == side && piece.2 == Letter::PAWN);
        let ranks = pawns.map(|&(square, ..)| self.rank_of(side, self.board.rank_of(square)));
        ranks.min().unwrap_or(self.first_rank + 1)
    }

    /// The ranks from which a side's pawns may advance two squares, as bits: the lowest is the side's own first rank.
    pub fn double_step_ranks(&self, side: Side) -> u16 {
        // From beyond them, the second square is not on the board.
        let all = (1 << (self.board.ranks() - 2)) - 1;
        all & match self.pawn.double_step {
            DoubleStep::Never => 0,
            DoubleStep::FromStart => 1 << self.pawn_rank(side),
            DoubleStep::Always => u16::MAX,
            DoubleStep::Ranks(ranks) => ranks,
        }
    }

    /// What in its file is right here, but means something else to other programs.
    ///
    /// ```
    /// use backrank_rules::Variant;
    ///
    /// let chess = Variant::find("chess")?;
    /// let text = chess.text().replace("betza = \"N\"", "betza = \"fhNbsK\"");
    /// let variant = Variant::parse("charging", "charging.toml", &text)?;
    /// let [warning] = variant.warnings() else { panic!() };
    /// assert!(warning.to_string().contains("N: `bsK` has 5 directions, but 4 in Fairy-Stockfish"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn warnings(&self) -> &[VariantWarning] {
        &self.warnings
    }

    /// The text of its file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What errors call its file.
    pub fn path(&self) -> &str {
        &self.path
    }
}
