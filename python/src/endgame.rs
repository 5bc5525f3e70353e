//! Endgame tables.

use backrank_endgames::{Endgame, EndgameTables, WinsDrawsLosses};
use backrank_rules::Side;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{failed, wrong};
use crate::variant::{VariantArg, rules_of};
use crate::work::work;

/// For each side to move the positions that White wins, draws and loses, and White's longest win in moves.
#[pyfunction]
#[pyo3(signature = (variant, pieces, *, memory=4096))]
pub fn endgame<'py>(
    py: Python<'py>,
    variant: VariantArg,
    pieces: &str,
    memory: u64,
) -> PyResult<Bound<'py, PyDict>> {
    let rules = rules_of(&*variant.find()?, true)?;
    let endgame = Endgame::parse(pieces, rules).map_err(wrong)?;
    let endgames = std::slice::from_ref(&endgame);
    let tables = work(py, 0, |_| EndgameTables::build(rules, endgames, memory << 20, |_| ()))?;
    let tables = tables.map_err(failed)?;
    let table = tables.get(&endgame).ok_or_else(|| failed("the table was not made"))?;
    let found = PyDict::new(py);
    found.set_item("pieces", endgame.to_string())?;
    for (name, side) in [("white_to_move", Side::White), ("black_to_move", Side::Black)] {
        let WinsDrawsLosses { won, drawn, lost } = table.count(side);
        let counts = PyDict::new(py);
        counts.set_item("won", won)?;
        counts.set_item("drawn", drawn)?;
        counts.set_item("lost", lost)?;
        found.set_item(name, counts)?;
    }
    found.set_item("longest_win_moves", table.longest_win(Side::White).map(|longest| longest.moves))?;
    let longest = table.hardest(rules, Side::White, 1);
    found.set_item("longest_win_from", longest.first().map(backrank_rules::Position::to_fen))?;
    Ok(found)
}
