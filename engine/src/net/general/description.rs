//! What a network for every game is told of a piece on a square: numbers that follow from the rules.

use backrank_rules::{Betza, Board, DoubleStep, Letter, Passage, PawnType, Piece, Ray, Rules, Side};

use crate::material::material;

/// Numbers that describe a kind of piece, one's own or the other side's, in a game.
pub(super) const OF_KIND: usize = 2 * TARGETS + RIDES + FLAGS + SIZES + GAME;
/// Numbers that describe a square, as a side sees it.
pub(super) const OF_SQUARE: usize = 4 * EDGE + 5;
/// Numbers that describe a kind of piece on a square.
pub(super) const OF_PLACE: usize = 8;

/// The squares within three files and three ranks, except the piece's own.
const TARGETS: usize = 48;
/// How far it rides: in eight directions to capture and to move, as a nightrider does, and over a piece.
const RIDES: usize = 8 + 8 + 1 + 4;
const FLAGS: usize = 12;
const SIZES: usize = 8;
const GAME: usize = 12;

/// Distances from an edge that are told apart; all farther ones are alike.
pub(super) const EDGE: usize = 10;

/// The kinds whose rows have, for each square, a part of their own: pawns and kings, each one's own and the other side's.
pub(super) const TABLES: usize = 4;
/// The squares of such a part.
pub(super) const TABLE_SQUARES: usize = EDGE * EDGE;

/// The density of occupied squares at which moves are weighed.
const DENSITY: f64 = 1.0 / 3.0;

/// The descriptions of everything that a game's network has an input for, in the order of its inputs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Descriptions {
    /// For each plane: a kind of one's own, then of the other side's.
    pub planes: Vec<Plane>,
    /// For each square.
    pub squares: Vec<SquareDescription>,
}

/// A kind of piece, or the partners of castling.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plane {
    pub numbers: [f32; OF_KIND],
    /// Its table of rows, if it has one.
    pub table: Option<usize>,
    /// For each square.
    pub places: Vec<[f32; OF_PLACE]>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SquareDescription {
    pub numbers: [f32; OF_SQUARE],
    /// Its place in a table.
    pub cell: usize,
}

/// What a plane is of.
struct Subject<'r> {
    betza: Betza,
    piece: Option<&'r Piece>,
    letter: Letter,
    is_castling: bool,
}

impl Descriptions {
    pub fn new(rules: &Rules) -> Self {
        let variant = rules.variant();
        let material = material(rules);
        let pawn: Betza = match variant.pawn.moves {
            PawnType::Orthodox => "mfWcfF",
            PawnType::Berolina => "mfFcfW",
        }
        .parse()
        .expect("a pawn's moves are spelt right");
        let mut subjects: Vec<Subject<'_>> = rules
            .kinds()
            .map(|kind| {
                let letter = rules.letter_of(kind);
                let piece = variant.piece(letter);
                let betza = piece.map_or_else(|| pawn.clone(), |piece| piece.betza.clone());
                Subject { betza, piece, letter, is_castling: false }
            })
            .collect();
        let castling = "mW".parse().expect("moves that are spelt right");
        subjects.push(Subject { betza: castling, piece: None, letter: Letter::K, is_castling: true });
        let game = game_numbers(rules, &material);
        let of_side = |is_own: bool| {
            let (game, material) = (&game, &material);
            subjects.iter().map(move |subject| subject.plane(rules, is_own, material[subject.letter], game))
        };
        Self {
            planes: of_side(true).chain(of_side(false)).collect(),
            squares: (0..rules.board().squares())
                .map(|index| SquareDescription::new(rules.board(), index))
                .collect(),
        }
    }
}

impl Descriptions {
    /// As bytes: [`describe_game`](crate::learn::describe_game) says how.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let sizes = [self.planes.len(), self.squares.len(), OF_KIND, OF_SQUARE, OF_PLACE];
        sizes.into_iter().for_each(|size| bytes.extend((size as u32).to_le_bytes()));
        let planes = self.planes.iter().flat_map(|plane| &plane.numbers);
        let squares = self.squares.iter().flat_map(|square| &square.numbers);
        let places = self.planes.iter().flat_map(|plane| plane.places.iter().flatten());
        planes.chain(squares).chain(places).for_each(|number| bytes.extend(number.to_le_bytes()));
        let tables = self.planes.iter().map(|plane| plane.table.map_or(-1, |table| table as i32));
        let cells = self.squares.iter().map(|square| square.cell as i32);
        tables.chain(cells).for_each(|number| bytes.extend(number.to_le_bytes()));
        bytes
    }
}

/// Fills an array from its beginning.
struct Filler<const N: usize> {
    numbers: [f32; N],
    filled: usize,
}

impl<const N: usize> Filler<N> {
    fn new() -> Self {
        Self { numbers: [0.0; N], filled: 0 }
    }

    fn push(&mut self, number: f64) {
        self.numbers[self.filled] = number as f32;
        self.filled += 1;
    }

    fn finish(self) -> [f32; N] {
        assert_eq!(self.filled, N, "as many numbers as there is room for");
        self.numbers
    }
}

/// What is the same for all pieces of a game.
fn game_numbers(rules: &Rules, material: &backrank_rules::ByLetter<f32>) -> [f64; GAME] {
    let variant = rules.variant();
    let board = rules.board();
    let mut total = 0.0;
    let mut men = 0.0;
    let mut pawns = 0.0;
    let (mut strongest, mut lightest) = (0.0_f64, f64::INFINITY);
    for letter in Side::BOTH.into_iter().flat_map(|side| variant.start_letters(side)) {
        let value = f64::from(material[letter]);
        men += 0.5;
        if letter == Letter::PAWN {
            pawns += 0.5;
        } else if variant.piece(letter).is_some_and(|piece| !piece.royal) {
            total += value / 2.0;
            strongest = strongest.max(value);
            lightest = lightest.min(value);
        }
    }
    let pieces = (men - pawns - 1.0_f64).max(1.0);
    [
        board.files() as f64 / 10.0,
        board.ranks() as f64 / 10.0,
        strongest / 1000.0,
        if lightest.is_finite() { lightest / 500.0 } else { 0.0 },
        total / pieces / 500.0,
        total / 5000.0,
        pawns / board.files() as f64,
        men / board.squares() as f64,
        f64::from(u8::from(variant.castling.is_some())),
        f64::from(u8::from(variant.pawn.moves == PawnType::Berolina)),
        f64::from(u8::from(variant.pawn.double_step != DoubleStep::Never)),
        f64::from(material[Letter::PAWN]) / 100.0,
    ]
}

impl Subject<'_> {
    fn plane(&self, rules: &Rules, is_own: bool, value: f32, game: &[f64; GAME]) -> Plane {
        let board = rules.board();
        let is_royal = self.piece.is_some_and(|piece| piece.royal);
        let is_pawn = self.piece.is_none() && !self.is_castling;
        let table = match (is_pawn, is_royal) {
            (true, _) => Some(usize::from(!is_own)),
            (_, true) => Some(2 + usize::from(!is_own)),
            _ => None,
        };
        let mut numbers = Filler::<OF_KIND>::new();
        self.targets(is_own, &mut numbers);
        self.rides(is_own, &mut numbers);
        let variant = rules.variant();
        let flag = |is: bool| f64::from(u8::from(is));
        let (is_partner, becomes) = {
            let castling = variant.castling.as_ref();
            let partner = castling.is_some_and(|castling| castling.partners.contains(&self.letter));
            let becomes = variant.pawn.promotes_to.iter().any(|letters| letters.contains(&self.letter));
            (partner && !self.is_castling, becomes && !self.is_castling)
        };
        for is in [
            is_own,
            !is_own,
            is_pawn && is_own,
            is_pawn && !is_own,
            is_royal && is_own,
            is_royal && !is_own,
            self.is_castling && is_own,
            self.is_castling && !is_own,
            is_partner,
            becomes,
            self.betza.is_colour_bound(),
            self.betza.has_passages(),
        ] {
            numbers.push(flag(is));
        }
        let starts = Side::BOTH.into_iter().map(|side| variant.starts_with(side, self.letter)).sum::<usize>();
        let value = if is_royal || self.is_castling { 0.0 } else { f64::from(value) };
        let purposes: [fn(&Ray) -> bool; 2] = [|ray| ray.captures, |ray| ray.moves];
        let mobilities = purposes
            .map(|serves| [0.0, DENSITY].map(|density| self.betza.mobility_of(board, density, serves)));
        let mean = |of_squares: &[f64]| of_squares.iter().sum::<f64>() / of_squares.len() as f64;
        let means = mobilities.each_ref().map(|of_purpose| of_purpose.each_ref().map(|all| mean(all)));
        for number in [
            value / 500.0,
            (value / 1000.0) * (value / 1000.0),
            if is_pawn || self.is_castling { 0.0 } else { starts as f64 / 4.0 },
            means[0][0] / 10.0,
            means[0][1] / 10.0,
            means[1][0] / 10.0,
            means[1][1] / 10.0,
            self.betza.mobility_of(board, DENSITY, |ray| ray.dy > 0).iter().sum::<f64>()
                / board.squares() as f64
                / 5.0,
        ] {
            numbers.push(number);
        }
        game.iter().for_each(|&number| numbers.push(number));
        let places = (0..board.squares()).map(|seen| {
            // The other side's pieces go down the board.
            let from = if is_own { seen } else { board.squares() - 1 - seen };
            let mut place = Filler::<OF_PLACE>::new();
            for (of_purpose, means) in mobilities.iter().zip(&means) {
                for (of_squares, mean) in of_purpose.iter().zip(means) {
                    place.push(of_squares[from] / 10.0);
                    place.push(if *mean > 0.0 { of_squares[from] / mean - 1.0 } else { 0.0 });
                }
            }
            place.finish()
        });
        Plane { places: places.collect(), numbers: numbers.finish(), table }
    }

    /// How surely it captures on each square nearby, and moves there.
    fn targets(&self, is_own: bool, numbers: &mut Filler<OF_KIND>) {
        let board = Board::new(7, 7).expect("a board may have 7 files and ranks");
        let middle = board.all_squares().iter().nth(24).expect("a square of 49");
        let purposes: [fn(&Ray) -> bool; 2] = [|ray| ray.captures, |ray| ray.moves];
        for serves in purposes {
            let mut chances = [0.0_f64; 49];
            for (square, chance) in self.betza.chances(board, middle, DENSITY, serves) {
                let chance = if self.is_castling { 0.0 } else { chance };
                let seen = if is_own { square.index() } else { 48 - square.index() };
                chances[seen] = chances[seen].max(chance);
            }
            chances
                .iter()
                .enumerate()
                .filter(|(seen, _)| *seen != 24)
                .for_each(|(_, &chance)| numbers.push(chance));
        }
    }

    fn rides(&self, is_own: bool, numbers: &mut Filler<OF_KIND>) {
        let rays: Vec<Ray> = self
            .betza
            .rays()
            .iter()
            .filter(|ray| !ray.first_move_only)
            .map(|ray| if is_own { *ray } else { ray.reversed() })
            .collect();
        let longest = |chosen: &dyn Fn(&Ray) -> bool| {
            rays.iter()
                .filter(|ray| chosen(ray))
                .map(|ray| f64::from(ray.range.min(8)) / 8.0)
                .fold(0.0, f64::max)
        };
        let straight_or_diagonal = |ray: &Ray| ray.dx.abs() <= 1 && ray.dy.abs() <= 1;
        let hops = |ray: &Ray| matches!(ray.passage, Passage::Hop | Passage::Grasshopper);
        const DIRECTIONS: [(i8, i8); 8] =
            [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
        let purposes: [fn(&Ray) -> bool; 2] = [|ray| ray.captures, |ray| ray.moves];
        for serves in purposes {
            for direction in DIRECTIONS {
                // A bent ride goes on in its second direction.
                let goes = |ray: &Ray| match ray.passage {
                    Passage::Bent { dx, dy } => (dx, dy) == direction,
                    _ => !hops(ray) && ray.range > 1 && (ray.dx, ray.dy) == direction,
                };
                numbers.push(longest(&|ray| serves(ray) && goes(ray)));
            }
        }
        numbers.push(longest(&|ray| ray.captures && ray.range > 1 && !straight_or_diagonal(ray)));
        for serves in purposes {
            for is_straight in [true, false] {
                let goes = |ray: &Ray| (ray.dx == 0 || ray.dy == 0) == is_straight;
                numbers.push(longest(&|ray| serves(ray) && hops(ray) && goes(ray)));
            }
        }
    }
}

impl SquareDescription {
    /// The square of a seen index.
    fn new(board: Board, index: usize) -> Self {
        let (file, rank) = (index % board.files(), index / board.files());
        let from_edges = [file, board.files() - 1 - file, rank, board.ranks() - 1 - rank];
        let mut numbers = Filler::<OF_SQUARE>::new();
        for distance in from_edges {
            (0..EDGE).for_each(|other| numbers.push(f64::from(u8::from(distance.min(EDGE - 1) == other))));
        }
        let part = |distance: usize, size: usize| distance as f64 / (size - 1) as f64;
        numbers.push(part(rank, board.ranks()));
        numbers.push(part(file, board.files()));
        numbers.push(from_edges[0].min(from_edges[1]) as f64 / 5.0);
        numbers.push(from_edges[2].min(from_edges[3]) as f64 / 5.0);
        numbers.push(((file + rank) % 2) as f64);
        let [left, _, below, _] = from_edges.map(|distance| distance.min(EDGE - 1));
        Self { numbers: numbers.finish(), cell: below * EDGE + left }
    }
}
