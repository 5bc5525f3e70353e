//! Diagrams of the moves of a piece: text for a terminal, SVG for a page.

mod marks;
mod svg;
mod text;

use crate::betza::{Betza, Passage, Ray};
use crate::bitboard::Bitboard;
use crate::board::{Board, File};
use crate::square::Square;
use marks::{Manner, Mark, SquareMarks, in_the_way};

/// A picture of the moves of a piece that stands on an empty board: where it steps, leaps and rides, where only without capturing or
/// only to capture, and on its first move. White moves it upwards.
///
/// As text it has a sign for each square, and says below what the signs mean.
///
/// ```
/// use backrank_rules::{Board, MoveDiagram};
///
/// let board = Board::new(5, 5)?;
/// let pawn = MoveDiagram::new(board, MoveDiagram::centre(board), &"mfWcfF".parse()?);
/// assert_eq!(pawn.to_string(), "\
/// 5  ·  ·  ·  ·  ·
/// 4  · x●  ○ x●  ·
/// 3  ·  ·  @  ·  ·
/// 2  ·  ·  ·  ·  ·
/// 1  ·  ·  ·  ·  ·
///    a  b  c  d  e
///
///    ○  steps without capturing
///   x●  steps only to capture
/// ");
/// assert!(pawn.to_svg().starts_with("<svg "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MoveDiagram {
    board: Board,
    from: Square,
    betza: Betza,
    /// By square, from a1 along the ranks.
    marks: Vec<SquareMarks>,
    /// The squares that must be empty for a lame leap.
    in_the_way: Bitboard,
    title: Option<String>,
    piece: String,
}

impl MoveDiagram {
    /// The moves of a piece on a square of a board.
    pub fn new(board: Board, from: Square, betza: &Betza) -> Self {
        Self {
            board,
            from,
            marks: SquareMarks::of(betza, board, from),
            in_the_way: in_the_way(betza, board, from),
            betza: betza.clone(),
            title: None,
            piece: String::new(),
        }
    }

    /// The square in the middle of a board; of several, the lower left one.
    pub fn centre(board: Board) -> Square {
        board.square(File((board.files() as u8 - 1) / 2), (board.ranks() - 1) / 2)
    }

    /// With a name for the piece above the board of [`MoveDiagram::to_svg`].
    #[must_use]
    pub fn titled(mut self, title: &str) -> Self {
        self.title = Some(title.to_string());
        self
    }

    /// With these shapes for the piece itself in [`MoveDiagram::to_svg`], such as those of a [`Drawing`](crate::Drawing).
    #[must_use]
    pub fn drawn(mut self, shapes: &str) -> Self {
        self.piece = shapes.to_string();
        self
    }

    /// What a mark means.
    fn meaning(&self, mark: Mark, first: bool) -> String {
        let verb = |manner: Manner| match manner {
            Manner::Leap => {
                let is_marked =
                    |marks: &SquareMarks| if first { marks.first == mark } else { marks.always == mark };
                let squares =
                    self.board.all_squares().iter().filter(|square| is_marked(&self.marks[square.index()]));
                near_or_far(squares.map(|square| self.distance(square)), ["steps", "leaps", "steps or leaps"])
            }
            Manner::Ride => {
                let rides = self.betza.rays().iter().filter(|ray| Manner::of(ray) == Manner::Ride);
                let last = |ray: &Ray| match ray.passage {
                    Passage::Bent { dx, dy } => (dx, dy),
                    _ => (ray.dx, ray.dy),
                };
                let lengths = rides.map(last).map(|(dx, dy)| dx.abs().max(dy.abs()).unsigned_abs());
                near_or_far(lengths, ["slides", "rides", "slides or rides"])
            }
            Manner::Lame => "goes if nothing is in the way",
            Manner::Over => self.over(),
        };
        let meaning = match (mark.moves, mark.captures) {
            (Some(moves), Some(captures)) if moves == captures => verb(moves).to_string(),
            (Some(moves), Some(captures)) => {
                format!("{} without capturing, {} to capture", verb(moves), verb(captures))
            }
            (Some(moves), None) => format!("{} without capturing", verb(moves)),
            (None, Some(captures)) => format!("{} only to capture", verb(captures)),
            (None, None) => String::new(),
        };
        if first { format!("{meaning}, on its first move") } else { meaning }
    }

    /// How it goes over pieces.
    fn over(&self) -> &'static str {
        let has = |passage| self.betza.rays().iter().any(|ray| ray.passage == passage);
        match [Passage::Jump, Passage::Hop, Passage::Grasshopper].map(has) {
            [true, false, false] => "leaps over a piece",
            [false, true, false] => "slides over exactly one piece",
            [false, false, true] => "hops over a piece to right behind it",
            _ => "goes over a piece",
        }
    }

    /// How many steps of a king a square is away.
    fn distance(&self, square: Square) -> u8 {
        let place = |square| (self.board.file_of(square).0, self.board.rank_of(square) as u8);
        let ((file, rank), (own_file, own_rank)) = (place(square), place(self.from));
        file.abs_diff(own_file).max(rank.abs_diff(own_rank))
    }
}

/// A word for distances of one square, of more, or of both.
fn near_or_far(
    distances: impl Iterator<Item = u8> + Clone,
    [near, far, both]: [&'static str; 3],
) -> &'static str {
    match (distances.clone().any(|distance| distance <= 1), distances.clone().any(|distance| distance > 1)) {
        (true, true) => both,
        (false, true) => far,
        _ => near,
    }
}
