//! Retrograde analysis: from the positions in which the game is over, back to all positions that can force such an end.
//!
//! After Ken Thompson, "Retrograde Analysis of Certain Endgames", ICCA Journal 9 (1986). Plies to the end are counted
//! up from 0. A position that is lost in n plies makes every position before it a win in n + 1. A position that is won
//! makes those before it candidates, which are lost if all their moves lead to wins of the other side. A capture or a
//! promotion leads to a table that is already there, so a cell can learn early of an end that lies far ahead. It then
//! waits until the count reaches its plies.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU16, Ordering};

use rayon::prelude::*;

use backrank_rules::{Rules, Side};

use crate::known::KnownTables;
use crate::layout::{Layout, Placement};
use crate::moves::Moves;
use crate::value::Code;

/// The number of cells that a thread takes at a time.
const CHUNK: usize = 1 << 12;

struct Solver<'a> {
    moves: Moves<'a>,
    layout: &'a Layout,
    /// The codes with White to move, then those with Black to move.
    cells: Vec<AtomicU16>,
    /// The largest number of plies in any cell.
    farthest: AtomicU16,
}

/// The position after a legal move, with the code that it has for the opponent.
#[derive(Clone, Copy)]
enum Successor {
    /// Another position of the table.
    Within(Code),
    /// A position of another table, after a capture or promotion.
    Beyond(Code),
}

/// The codes of a table: White to move, then Black. `known` has the tables that captures and promotions lead to.
///
/// `progress` is called with each number of plies to the end that is worked out.
pub(crate) fn solve(
    rules: &Rules,
    layout: &Layout,
    known: &dyn KnownTables,
    cells: Vec<AtomicU16>,
    progress: impl Fn(u16),
) -> Vec<AtomicU16> {
    let moves = Moves::new(rules, layout, known);
    let solver = Solver { moves, layout, cells, farthest: AtomicU16::new(0) };
    progress(0);
    solver.for_each_cell(|_, _, placement| match placement {
        Some(at) if solver.moves.is_legal(&at) => Some(Code::DRAW),
        _ => Some(Code::ILLEGAL),
    });
    solver.for_each_cell(|code, _, placement| {
        if code == Code::ILLEGAL { None } else { placement.map(|at| solver.code_at_first(&at)) }
    });
    let men = layout.men();
    let is_bare = |side| men.iter().filter(|man| man.side == side).count() == 1;
    if rules.variant().bare_king && Side::BOTH.into_iter().all(is_bare) {
        // The game is over in all positions.
        return solver.cells;
    }
    let mut plies = 0;
    while plies <= solver.farthest.load(Ordering::Relaxed) {
        progress(plies);
        solver.go_back(plies);
        plies += 1;
    }
    solver.cells
}

impl Solver<'_> {
    /// Gives every cell the code that a function finds for it, if it finds one.
    fn for_each_cell(&self, find: impl Fn(Code, Side, Option<Placement>) -> Option<Code> + Sync) {
        for (side, cells) in Side::BOTH.into_iter().zip(self.cells.chunks(self.layout.cells())) {
            cells.par_chunks(CHUNK).enumerate().for_each(|(chunk, cells)| {
                for (cell, stored) in cells.iter().enumerate() {
                    let placement = self.layout.placement(chunk * CHUNK + cell, side);
                    if let Some(code) = find(load(stored), side, placement) {
                        self.store(stored, code);
                    }
                }
            });
        }
    }

    fn store(&self, cell: &AtomicU16, code: Code) {
        cell.store(code.0, Ordering::Relaxed);
        if code.is_decided() {
            self.farthest.fetch_max(code.plies(), Ordering::Relaxed);
        }
    }

    /// The code of a placement.
    fn code(&self, at: &Placement) -> Code {
        load(&self.cells[at.to_move as usize * self.layout.cells() + self.layout.cell(at)])
    }

    /// Calls a function with the successor of each legal move, those within the table first.
    fn try_for_each_successor(
        &self,
        at: &Placement,
        mut see: impl FnMut(Successor) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        // Positions that are not legal have a code that says so, so there is no need to look for checks.
        self.moves.try_for_each_within(at, |next| match self.code(&next) {
            Code::ILLEGAL => ControlFlow::Continue(()),
            code => see(Successor::Within(code)),
        })?;
        self.moves.try_for_each_beyond(at, |code| match code {
            Code::ILLEGAL => ControlFlow::Continue(()),
            code => see(Successor::Beyond(code)),
        })
    }

    /// The code of a legal position, as far as it follows without knowing anything else of the table.
    fn code_at_first(&self, at: &Placement) -> Code {
        let (mut stays, mut draws) = (false, false);
        let (mut win, mut loss): (Option<u16>, Option<u16>) = (None, None);
        let _ = self.try_for_each_successor(at, |successor| {
            match successor {
                Successor::Within(_) => stays = true,
                Successor::Beyond(Code::DRAW) => draws = true,
                Successor::Beyond(code) if code.is_loss() => {
                    let plies = code.plies() + 1;
                    win = Some(win.map_or(plies, |known| known.min(plies)));
                }
                Successor::Beyond(code) => loss = loss.max(Some(code.plies() + 1)),
            }
            ControlFlow::Continue(())
        });
        let leaves = draws || win.is_some() || loss.is_some();
        if !stays && !leaves && self.moves.is_check(at) {
            return Code::loss(0);
        }
        if let Some(code) = self.moves.bare_king(at.to_move, leaves) {
            return code;
        }
        match (win, loss) {
            (Some(plies), _) => Code::win(plies),
            (None, Some(plies)) if !stays && !draws => Code::loss(plies),
            _ => Code::DRAW,
        }
    }

    /// Works out what follows from the cells with this number of plies to the end.
    fn go_back(&self, plies: u16) {
        for (side, cells) in Side::BOTH.into_iter().zip(self.cells.chunks(self.layout.cells())) {
            cells.par_chunks(CHUNK).enumerate().for_each(|(chunk, cells)| {
                for (cell, stored) in cells.iter().enumerate() {
                    let code = load(stored);
                    if code.plies() == plies && code.is_decided() {
                        let at = self.layout.placement(chunk * CHUNK + cell, side);
                        self.go_back_from(&at.expect("a decided position"), code);
                    }
                }
            });
        }
    }

    /// All threads that write a cell write the same code, and no thread reads a code with as many plies as it writes.
    /// So the threads need no order.
    fn go_back_from(&self, at: &Placement, code: Code) {
        self.moves.for_each_predecessor(at, |before| {
            let cells = &self.cells[before.to_move as usize * self.layout.cells()..];
            if code.is_loss() {
                let win = Code::win(code.plies() + 1);
                for cell in self.layout.cells_of(before) {
                    let known = load(&cells[cell]);
                    if known > win && known != Code::ILLEGAL {
                        self.store(&cells[cell], win);
                    }
                }
            } else if self.code(before) == Code::DRAW
                && let Some(loss) = self.loss(before, code.plies())
            {
                self.layout.cells_of(before).for_each(|cell| self.store(&cells[cell], loss));
            }
        });
    }

    /// The code of a position that is lost, if it is: every move leads to a win of the other side, within the table in
    /// at most this number of plies.
    fn loss(&self, at: &Placement, within_plies: u16) -> Option<Code> {
        let mut worst = 0;
        let all_lose = self.try_for_each_successor(at, |successor| {
            let code = match successor {
                Successor::Within(code) if code.plies() <= within_plies => code,
                Successor::Beyond(code) => code,
                Successor::Within(_) => return ControlFlow::Break(()),
            };
            if !code.is_win() {
                return ControlFlow::Break(());
            }
            worst = worst.max(code.plies() + 1);
            ControlFlow::Continue(())
        });
        all_lose.is_continue().then(|| Code::loss(worst))
    }
}

fn load(cell: &AtomicU16) -> Code {
    Code(cell.load(Ordering::Relaxed))
}
