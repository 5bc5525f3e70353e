//! Positions.

use std::sync::atomic::{AtomicBool, Ordering};

use backrank_rules::{Diagram, Game, Move, Position, Side};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::errors::wrong;
use crate::pickling::{Reduced, reduced};
use crate::space::{PySetup, PySpace};
use crate::variant::{PyVariant, VariantArg, rules_of};
use crate::work::work;

/// A position, and the moves that led to it. A notebook shows its board.
///
/// >>> position = Position("chess")
/// >>> for move in ["f3", "e5", "g4"]:
/// ...     _ = position.push(move)
/// >>> position.san("d8h4"), position.after("Qh4").outcome
/// ('Qh4#', ('0-1', 'checkmate'))
#[pyclass(name = "Position", module = "backrank")]
#[derive(Clone)]
pub struct PyPosition(pub Game<'static>);

/// A setup: an id, White's rank (or both) as text, or a `Setup`.
#[derive(FromPyObject)]
enum StartArg {
    Setup(PySetup),
    Id(i128),
    Text(String),
}

impl PyPosition {
    fn now(&self) -> &Position<'static> {
        self.0.position()
    }

    fn read(&self, text: &str) -> PyResult<Move> {
        self.now().parse_move(text).map_err(wrong)
    }
}

/// The number of lines of play; none when it is told to stop.
fn perft(position: &Position<'_>, depth: u32, stop: &AtomicBool) -> Option<u64> {
    /// Lines of so many plies are counted within a moment.
    const AT_ONCE: u32 = 3;

    if stop.load(Ordering::Relaxed) {
        return None;
    }
    if depth <= AT_ONCE {
        return Some(position.perft(depth));
    }
    position.legal_moves().into_iter().map(|played| perft(&position.after(played), depth - 1, stop)).sum()
}

#[pymethods]
impl PyPosition {
    #[new]
    #[pyo3(signature = (variant, setup=None, *, fen=None, adjustment=true))]
    fn new(
        py: Python<'_>,
        variant: VariantArg,
        setup: Option<StartArg>,
        fen: Option<&str>,
        adjustment: bool,
    ) -> PyResult<Self> {
        let variant = variant.find()?;
        let rules = rules_of(&variant, adjustment)?;
        let position = match (setup, fen) {
            (Some(_), Some(_)) => return Err(wrong("give a setup or a FEN, not both")),
            (None, Some(fen)) => Position::from_fen(rules, fen).map_err(wrong)?,
            (Some(StartArg::Setup(setup)), None) => Position::new(rules, &setup.setup).map_err(wrong)?,
            (setup, None) => {
                let space = Bound::new(py, PySpace::of(variant)?)?;
                let space = space.get();
                let setup = match setup {
                    Some(StartArg::Id(id)) => space.at(id).map_err(|error| wrong(error.value(py)))?.setup,
                    Some(StartArg::Text(text)) => {
                        space.space.read_start(&space.variant, &text).map_err(wrong)?
                    }
                    _ if space.space.len() == 1 => space.at(0)?.setup,
                    _ => {
                        let (key, setups) = (&space.variant.key, space.space.len());
                        return Err(wrong(format!(
                            "which setup? {key} has {setups} setups; give an id or White's first rank"
                        )));
                    }
                };
                Position::new(rules, &setup).map_err(wrong)?
            }
        };
        Ok(Self(Game::new(position)))
    }

    #[getter]
    fn variant(&self) -> PyVariant {
        PyVariant(self.now().rules().variant().clone().into())
    }

    #[getter]
    fn fen(&self) -> String {
        self.now().to_fen()
    }

    /// The side to move, `"white"` or `"black"`.
    #[getter]
    fn turn(&self) -> &'static str {
        match self.now().side_to_move() {
            Side::White => "white",
            Side::Black => "black",
        }
    }

    #[getter]
    fn is_check(&self) -> bool {
        self.now().is_check()
    }

    /// The moves that led here, in UCI.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.0.moves().iter().map(|played| played.uci(self.now().board())).collect()
    }

    /// The result and the termination; none while the game goes on.
    #[getter]
    fn outcome(&self) -> Option<(String, String)> {
        self.0.outcome().map(|outcome| (outcome.result.to_string(), outcome.termination.to_string()))
    }

    /// How often this position has been on the board since the first one, the current time included.
    #[getter]
    fn repetitions(&self) -> usize {
        self.0.repetitions()
    }

    /// The legal moves, in UCI.
    fn legal_moves(&self) -> Vec<String> {
        let board = self.now().board();
        self.now().legal_moves().into_iter().map(|played| played.uci(board)).collect()
    }

    /// Plays a move, in UCI or in the game's notation, and returns it in UCI.
    fn push(&mut self, text: &str) -> PyResult<String> {
        let played = self.read(text)?;
        let uci = played.uci(self.now().board());
        self.0.play(played);
        Ok(uci)
    }

    /// Takes the last move back and returns it.
    fn pop(&mut self) -> PyResult<String> {
        let mut moves = self.0.moves().to_vec();
        let last = moves.pop().ok_or_else(|| PyIndexError::new_err("no move was played"))?;
        let mut game = Game::new(*self.0.start());
        moves.into_iter().for_each(|played| game.play(played));
        self.0 = game;
        Ok(last.uci(self.now().board()))
    }

    /// The position after a move.
    fn after(&self, text: &str) -> PyResult<Self> {
        let mut next = self.clone();
        next.push(text)?;
        Ok(next)
    }

    fn copy(&self) -> Self {
        self.clone()
    }

    /// A legal move in the game's notation.
    fn san(&self, text: &str) -> PyResult<String> {
        Ok(self.now().notation(self.read(text)?))
    }

    /// A legal move in UCI.
    fn uci(&self, text: &str) -> PyResult<String> {
        Ok(self.read(text)?.uci(self.now().board()))
    }

    /// The number of lines of play of so many plies.
    fn perft(&self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        let position = *self.now();
        // What was counted when Ctrl-C came is of no use, and its exception is raised.
        Ok(work(py, 1, |stop| perft(&position, depth, stop))?.unwrap_or_default())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let rules = self.now().rules();
        let has_adjustment = std::ptr::eq(rules, rules_of(rules.variant(), true)?);
        reduced(py, "position", (self.variant(), self.0.start().to_fen(), has_adjustment, self.moves()))
    }

    fn __repr__(&self) -> String {
        format!("Position({:?}, fen={:?})", self.now().rules().variant().key, self.fen())
    }

    fn __str__(&self) -> String {
        Diagram::of_position(self.now()).to_string()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.now().rules().variant().text() == other.now().rules().variant().text()
            && self.now() == other.now()
    }

    fn _repr_svg_(&self) -> String {
        Diagram::of_position(self.now()).to_svg()
    }
}
