//! Retrograde analysis of all squares of the bare king at once.
//!
//! A configuration is the stronger side's men on their squares. Each has a bitboard of the bare king's squares from
//! which it loses in a given number of moves, and one of those from which it does not lose yet with the stronger side
//! to move. A move of the stronger side leaves the bare king where it stands, so taking a move back from one
//! configuration to another is a single `or` of bitboards. Only the squares on the way of the move are different: there
//! the bare king would block it.
//!
//! The bare king itself blocks no attack that matters. When it steps away along a line, the squares behind it are
//! attacked, so the attacks of a configuration are worked out without it.

use backrank_rules::{Bitboard, Rules, Side, Square};

use super::cell::{DRAW, ILLEGAL, STRONG, code_after_capture};
use super::king_steps::{KingSteps, rays, step};
use crate::endgame::Man;
use crate::known::KnownTables;
use crate::layout::{Layout, Squares};

/// The moves to mate for every cell of a table with White to move, [`DRAW`] or [`ILLEGAL`]. `None` if a mate takes more
/// moves than fit into a byte. `known` has the tables that captures lead to.
pub(super) fn solve(
    rules: &Rules,
    layout: &Layout,
    steps: &KingSteps,
    known: &dyn KnownTables,
) -> Option<Vec<u8>> {
    let mut solver = BareKingSolver::new(rules, layout, steps, known);
    let mut moves = 1;
    while solver.is_going_on(moves) {
        if moves == DRAW {
            return None;
        }
        solver.go_back();
        solver.find_wins(moves);
        moves += 1;
    }
    Some(solver.moves_to_mate)
}

/// A square from which a piece can have come.
struct MoveOrigin {
    square: Square,
    /// The squares that it passed.
    way: Bitboard,
}

struct BareKingSolver<'a> {
    steps: &'a KingSteps,
    /// The configurations.
    layout: Layout,
    squares: usize,
    /// For each of White's men and each square, the squares from which it can have come there.
    origins: [Vec<Vec<MoveOrigin>>; STRONG],
    moves_to_mate: Vec<u8>,
    by_configuration: Vec<Configuration>,
    /// For each configuration, the squares of the bare king for which White can go to a position found in the last
    /// round.
    reached: Vec<Bitboard>,
    /// The largest number of moves to mate after a capture.
    longest_after_capture: u16,
    /// Whether a lost position was found in the last round.
    found: bool,
}

/// The results for the bare king's squares, for one configuration.
#[derive(Clone, Copy, Default)]
struct Configuration {
    /// With White to move: legal positions that are not won yet.
    escapes: Bitboard,
    /// With Black to move: legal positions other than stalemate that are not lost yet.
    not_lost: Bitboard,
    /// With Black to move: positions found lost in the last round.
    lost_last: Bitboard,
    /// For each of White's pieces: the moves to mate after the bare king has captured it, [`DRAW`], or 0 if it is
    /// protected.
    after_capture: [u8; STRONG - 1],
}

impl<'a> BareKingSolver<'a> {
    fn new(rules: &Rules, layout: &Layout, steps: &'a KingSteps, known: &dyn KnownTables) -> Self {
        let (board, men) = (rules.board(), layout.men());
        let configurations = Layout::new(rules, &men[..STRONG]);
        let count = configurations.cells();
        assert_eq!(
            count * board.squares(),
            layout.cells(),
            "the kings of both sides have the same symmetries"
        );
        let mut solver = Self {
            steps,
            squares: board.squares(),
            origins: std::array::from_fn(|place| origins(rules, men[place])),
            moves_to_mate: vec![ILLEGAL; layout.cells()],
            by_configuration: vec![Configuration::default(); count],
            reached: vec![Bitboard::EMPTY; count],
            longest_after_capture: 0,
            found: false,
            layout: configurations,
        };
        for number in 0..count {
            if let Some(at) = solver.layout.placement(number, Side::White) {
                solver.start(rules, men, number, &at.squares, known);
            }
        }
        solver
    }

    /// Finds the legal positions of a configuration, and the checkmates among them.
    fn start(
        &mut self,
        rules: &Rules,
        men: &[Man],
        number: usize,
        squares: &Squares,
        known: &dyn KnownTables,
    ) {
        let strong: Bitboard = squares[..STRONG].iter().copied().collect();
        let attacks = |place: usize| rules.attacks(Side::White, men[place].kind, squares[place], strong);
        let attacked: Bitboard = (0..STRONG).map(attacks).collect();
        let empty = rules.board().all_squares() & !strong;
        let mut configuration = Configuration { escapes: empty & !attacked, ..Default::default() };
        let mut can_move = self.steps.quiet_origins(configuration.escapes);
        for (place, after_capture) in configuration.after_capture.iter_mut().enumerate() {
            let taken = squares[place + 1];
            if !attacked.contains(taken) {
                can_move |= self.steps.capture_origins(taken);
                let code = code_after_capture(men, squares, taken, known);
                if code.is_decided() {
                    let moves = code.plies().div_ceil(2);
                    self.longest_after_capture = self.longest_after_capture.max(moves);
                    *after_capture = u8::try_from(moves).unwrap_or(DRAW);
                } else {
                    *after_capture = DRAW;
                }
            }
        }
        configuration.not_lost = empty & !self.steps.capture_origins(squares[0]) & (attacked | can_move);
        for bare in configuration.escapes {
            self.moves_to_mate[number * self.squares + bare.index()] = DRAW;
        }
        configuration.find_losses(self.steps, squares, 0);
        self.found |= !configuration.lost_last.is_empty();
        self.by_configuration[number] = configuration;
    }

    /// Whether there may be positions with this number of moves to mate.
    fn is_going_on(&self, moves: u8) -> bool {
        self.found || u16::from(moves) <= self.longest_after_capture
    }

    /// Goes back from the positions lost in the last round to all positions from which White can reach them.
    fn go_back(&mut self) {
        for (number, configuration) in self.by_configuration.iter_mut().enumerate() {
            let lost = std::mem::take(&mut configuration.lost_last);
            if lost.is_empty() {
                continue;
            }
            let mut at = self.layout.placement(number, Side::White).expect("men on different squares");
            let occupied = self.layout.occupied(&at);
            let is_free =
                |origin: &&MoveOrigin| !occupied.contains(origin.square) && occupied.is_disjoint(origin.way);
            for (place, origins) in self.origins.iter().enumerate().skip(1) {
                let square = at.squares[place].index();
                let stride = self.squares.pow((STRONG - 1 - place) as u32);
                for origin in origins[square].iter().filter(is_free) {
                    let before = number + origin.square.index() * stride - square * stride;
                    self.reached[before] |= lost & !origin.way;
                }
            }
            // A symmetry may bring the first man to another square, and all other men with it.
            let first = at.squares[0].index();
            for origin in self.origins[0][first].iter().filter(is_free) {
                at.squares[0] = origin.square;
                let lost = lost & !origin.way;
                for (before, map) in self.layout.cells_with_maps(&at) {
                    let lost = map.map_or(lost, |map| lost.iter().map(|bare| map[bare.index()]).collect());
                    self.reached[before] |= lost;
                }
            }
        }
    }

    /// Finds the positions that White wins, and those that Black loses, in this number of moves.
    fn find_wins(&mut self, moves: u8) {
        self.found = false;
        for (number, (configuration, reached)) in
            self.by_configuration.iter_mut().zip(&mut self.reached).enumerate()
        {
            let won = std::mem::take(reached) & configuration.escapes;
            if won.is_empty() && !configuration.after_capture.contains(&moves) {
                continue;
            }
            configuration.escapes &= !won;
            for bare in won {
                self.moves_to_mate[number * self.squares + bare.index()] = moves;
            }
            let at = self.layout.placement(number, Side::White).expect("men on different squares");
            configuration.find_losses(self.steps, &at.squares, moves);
            self.found |= !configuration.lost_last.is_empty();
        }
    }
}

impl Configuration {
    /// Finds the squares from which every step loses within this number of moves, or from which there is no step.
    fn find_losses(&mut self, steps: &KingSteps, squares: &Squares, moves: u8) {
        let mut lost = self.not_lost & !steps.quiet_origins(self.escapes);
        for (&after, &square) in self.after_capture.iter().zip(&squares[1..]) {
            if after > moves {
                lost &= !steps.capture_origins(square);
            }
        }
        self.lost_last = lost;
        self.not_lost &= !lost;
    }
}

/// For every square, those from which one of White's men can have come there.
fn origins(rules: &Rules, man: Man) -> Vec<Vec<MoveOrigin>> {
    let board = rules.board();
    let come_to = |square: Square| {
        let mut origins = Vec::new();
        for ray in rays(rules, man.kind).into_iter().flatten().filter(|ray| ray.moves) {
            let mut way = Bitboard::EMPTY;
            let mut before = Some(square);
            for _ in 0..ray.range {
                before = before.and_then(|before| step(board, before, -ray.dx, -ray.dy));
                let Some(from) = before else { break };
                origins.push(MoveOrigin { square: from, way });
                way |= from.into();
            }
        }
        origins
    };
    board.all_squares().iter().map(come_to).collect()
}
