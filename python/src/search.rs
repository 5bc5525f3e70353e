//! Search.

use std::time::Duration;

use backrank_engine::{Engine, Limits, Score, Weights};
use backrank_rules::{Game, Move};
use pyo3::prelude::*;

use crate::errors::failed;
use crate::pickling::{Reduced, reduced};
use crate::position::PyPosition;
use crate::work::work;

/// A line of play and its score for the side to move: in centipawns, or in moves to mate.
#[pyclass(name = "Line", module = "backrank", frozen, get_all, from_py_object)]
#[derive(Clone)]
pub struct PyLine {
    centipawns: Option<i32>,
    mate: Option<i32>,
    moves: Vec<String>,
    san: Vec<String>,
}

/// What a search found: its lines, the best first.
#[pyclass(name = "SearchResult", module = "backrank", frozen, get_all)]
pub struct PySearchResult {
    lines: Vec<PyLine>,
    centipawns: Option<i32>,
    mate: Option<i32>,
    depth: u32,
    nodes: u64,
}

impl PyLine {
    fn new(game: &Game<'_>, score: Score, line: &[Move]) -> Self {
        let mut position = *game.position();
        let (mut moves, mut san) = (Vec::new(), Vec::new());
        for &played in line {
            moves.push(played.uci(position.board()));
            san.push(position.notation(played));
            position.play(played);
        }
        Self { centipawns: score.as_centipawns(), mate: score.as_moves_to_mate(), moves, san }
    }
}

#[pymethods]
impl PyLine {
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduced(py, "line", (self.centipawns, self.mate, self.moves.clone(), self.san.clone()))
    }

    #[staticmethod]
    fn _unpickled(centipawns: Option<i32>, mate: Option<i32>, moves: Vec<String>, san: Vec<String>) -> Self {
        Self { centipawns, mate, moves, san }
    }

    fn __repr__(&self) -> String {
        let score = match (self.centipawns, self.mate) {
            (_, Some(mate)) => format!("mate in {mate}"),
            (centipawns, _) => format!("{:+}", centipawns.unwrap_or(0)),
        };
        format!("<Line {score}: {}>", self.san.join(" "))
    }
}

#[pymethods]
impl PySearchResult {
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let Self { lines, centipawns, mate, depth, nodes } = self;
        reduced(py, "search_result", (lines.clone(), *centipawns, *mate, *depth, *nodes))
    }

    #[staticmethod]
    fn _unpickled(
        lines: Vec<PyLine>,
        centipawns: Option<i32>,
        mate: Option<i32>,
        depth: u32,
        nodes: u64,
    ) -> Self {
        Self { lines, centipawns, mate, depth, nodes }
    }

    #[getter]
    fn best(&self) -> Option<String> {
        self.line().first().cloned()
    }

    #[getter]
    fn line(&self) -> Vec<String> {
        self.lines.first().map_or(Vec::new(), |line| line.moves.clone())
    }

    fn __repr__(&self) -> String {
        let best = self.lines.first().map_or("the game is over".to_string(), PyLine::__repr__);
        format!("<SearchResult depth {}, {} nodes, {best}>", self.depth, self.nodes)
    }
}

/// Searches a position within limits: nodes, plies or seconds; a million nodes without any. `hash` is the size of the
/// transposition table in MiB.
#[pyfunction]
#[pyo3(signature = (position, *, nodes=None, depth=None, time=None, lines=1, hash=16))]
pub fn search(
    position: &PyPosition,
    py: Python<'_>,
    nodes: Option<u64>,
    depth: Option<u32>,
    time: Option<f64>,
    lines: usize,
    hash: usize,
) -> PyResult<PySearchResult> {
    let move_time = time.map(Duration::try_from_secs_f64).transpose().map_err(crate::errors::wrong)?;
    let mut limits = Limits { nodes, depth, move_time, lines: lines.max(1), ..Limits::default() };
    if nodes.is_none() && depth.is_none() && time.is_none() {
        limits.nodes = Some(1_000_000);
    }
    let game = &position.0;
    let rules = game.position().rules();
    let found = work(py, 1, |stop| {
        let mut engine = Engine::try_new(rules, &Weights::new(rules), hash).map_err(failed)?;
        Ok::<_, PyErr>(engine.search(game, &limits, stop, |_| ()))
    })??;
    let mut all = Vec::new();
    if !found.line.is_empty() {
        all.push(PyLine::new(game, found.score, &found.line));
    }
    all.extend(found.others.iter().map(|line| PyLine::new(game, line.score, &line.moves)));
    Ok(PySearchResult {
        lines: all,
        centipawns: found.score.as_centipawns(),
        mate: found.score.as_moves_to_mate(),
        depth: found.depth,
        nodes: found.nodes,
    })
}
