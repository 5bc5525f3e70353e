//! The tables of some endgames and of all endgames that captures and promotions lead to.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicU16;

use arrayvec::ArrayVec;
use backrank_rules::{DoubleStep, Move, PawnType, PieceKind, Position, Rules, Side, Square, Stalemate};
use rayon::prelude::*;
use thiserror::Error;

use crate::bare_king::{BareKingOrder, BareKingTable};
use crate::endgame::{Endgame, MAX_MEN, Man, is_royal, kept_order, promotions};
use crate::known::KnownTables;
use crate::layout::{ANY, Layout, Placement};
use crate::solve::solve;
use crate::symmetry::{SquareMap, turned};
use crate::table::{EndgameTable, Table};
use crate::value::{Code, EndgameValue};

/// Exact values of all positions of some endgames, and of all endgames that captures and promotions lead to.
///
/// They are valid for the [`Rules`] that they were made for and for any games that are played alike; positions of other
/// games are not probed. Threads can share them.
///
/// ```
/// use backrank_endgames::{EndgameTables, EndgameValue};
/// use backrank_rules::{Position, Rules, Variant};
///
/// let rules = Rules::new(&Variant::find("pmrc")?);
/// let tables = EndgameTables::three_men(&rules);
/// let minister = Position::from_fen(&rules, "8K/9/9/9/9/9/9/9/k3M4 w - - 0 1")?;
/// assert_eq!(tables.probe(&minister), Some(EndgameValue::Win { plies: 1 }));
/// let knight = Position::from_fen(&rules, "8K/9/9/9/9/9/9/9/k3N4 w - - 0 1")?;
/// assert_eq!(tables.probe(&knight), Some(EndgameValue::Draw));
/// // White may still castle: that is not in the tables.
/// let castling = Position::from_fen(&rules, "4k4/9/9/9/9/9/9/9/R3K4 w A - 0 1")?;
/// assert_eq!(tables.probe(&castling), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct EndgameTables {
    /// Distinguishes games that are played differently.
    signature: u64,
    /// The largest number of men of any table.
    max_men: u32,
    turned: SquareMap,
    tables: Vec<Table>,
    bare_king_tables: Vec<BareKingTable>,
    /// Sorted by key, with one entry for each table, and a second one if the endgame with the sides swapped is
    /// different.
    entries: Vec<Entry>,
}

/// How a position of some men is found in a table.
#[derive(Debug)]
struct Entry {
    /// The codes of the men, the lowest first.
    key: u64,
    table: TableNumber,
    swapped: bool,
    /// For each man of the table, its index when the men are sorted by their codes.
    order: ArrayVec<u8, MAX_MEN>,
}

/// The index of a table among the tables of its form.
#[derive(Clone, Copy, Debug)]
enum TableNumber {
    Full(usize),
    BareKing(usize),
}

/// Why tables cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TablesError {
    /// They need more memory than is allowed.
    #[error("{endgame} and the endgames that it leads to take {} MiB of memory; {} MiB are allowed", needed.div_ceil(1 << 20), limit >> 20)]
    Memory {
        /// The endgame.
        endgame: String,
        /// The number of bytes that they need.
        needed: u64,
        /// The number of bytes that are allowed.
        limit: u64,
    },
    /// The game ends otherwise than the tables know.
    #[error("endgame tables know checkmate, stalemate as a draw and bare kings; this game also ends {0}")]
    OtherEndings(&'static str),
    /// The machine does not have enough memory.
    #[error("there is not enough memory for the table of {endgame}, which takes {} MiB", needed.div_ceil(1 << 20))]
    OutOfMemory {
        /// The endgame.
        endgame: String,
        /// The number of bytes that it needs.
        needed: u64,
    },
}

/// How a game ends that the tables do not know, if it does.
pub(crate) fn other_ending(rules: &Rules) -> Option<&'static str> {
    let variant = rules.variant();
    let [white, black] = Side::BOTH.map(|side| variant.double_step_ranks(side));
    match () {
        () if variant.goal.is_some() => Some("when a piece reaches its goal"),
        () if variant.checks > 0 => Some("by a number of checks"),
        () if variant.stalemate != Stalemate::Draw => Some("by stalemate, which is no draw"),
        () if variant.pawn.double_step == DoubleStep::Always => {
            Some("otherwise, for pawns step twice from every rank")
        }
        () if white != black || ![0, 1 << (variant.first_rank + 1)].contains(&white) => {
            Some("otherwise, for pawns step twice from other ranks than the one before the first")
        }
        () if variant.pawn.moves == PawnType::Berolina && variant.pawn.double_step != DoubleStep::Never => {
            Some("otherwise, for Berolina pawns have double steps")
        }
        () if variant.pawn.promotes_to_captured => Some("otherwise, for pawns become captured pieces only"),
        () => None,
    }
}

/// The progress of a build.
#[derive(Clone, Copy, Debug)]
pub struct TableProgress<'a> {
    /// The endgame whose table is being made.
    pub endgame: &'a Endgame,
    /// The number of plies to the end that is being worked out.
    pub plies: u16,
}

impl EndgameTables {
    /// Makes every endgame of one man and two kings.
    ///
    /// # Panics
    ///
    /// When there is not enough memory for them, which is a few MiB.
    pub fn three_men(rules: &Rules) -> Self {
        let endgames = if other_ending(rules).is_some() { vec![] } else { Endgame::all_of_three(rules) };
        Self::build(rules, &endgames, u64::MAX, |_| ()).expect("memory for a few MiB")
    }

    /// Makes the tables of some endgames and of all endgames that captures and promotions lead to.
    ///
    /// `memory` is the number of bytes that all of them may take together; `progress` is called as work goes on.
    ///
    /// # Errors
    ///
    /// When they need more memory than that, or more than there is.
    ///
    /// ```
    /// use backrank_endgames::{Endgame, EndgameTables, TablesError};
    /// use backrank_rules::{Rules, Side, Variant};
    ///
    /// let rules = Rules::new(&Variant::find("chess")?);
    /// let endgame = Endgame::parse("KQvK", &rules)?;
    /// let tables = EndgameTables::build(&rules, std::slice::from_ref(&endgame), 1 << 20, |_| ())?;
    /// let table = tables.get(&endgame).expect("the table that was asked for");
    /// assert_eq!(table.count(Side::White).total(), 144_508);
    /// assert_eq!(table.longest_win(Side::White).unwrap().moves, 10);
    ///
    /// let four = Endgame::parse("KQvKR", &rules)?;
    /// let too_large = EndgameTables::build(&rules, &[four], 1 << 20, |_| ()).unwrap_err();
    /// assert!(matches!(too_large, TablesError::Memory { .. }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn build(
        rules: &Rules,
        endgames: &[Endgame],
        memory: u64,
        progress: impl Fn(TableProgress<'_>),
    ) -> Result<Self, TablesError> {
        if !endgames.is_empty()
            && let Some(ending) = other_ending(rules)
        {
            return Err(TablesError::OtherEndings(ending));
        }
        let mut tables = Self::none(rules);
        tables.add_all(rules, endgames, memory, progress, |_| None)?;
        Ok(tables)
    }

    /// Makes tables for [`probe`](Self::probe) only. Endgames of a king and two pieces against a bare king are kept in
    /// one byte for each position, which takes a small part of the time; [`get`](Self::get) does not find them.
    ///
    /// Endgames with pawns or with riding kings, and those of games in which a bare king loses, are kept as
    /// [`build`](Self::build) keeps them.
    ///
    /// # Errors
    ///
    /// As for [`build`](Self::build).
    ///
    /// ```
    /// use backrank_endgames::{Endgame, EndgameTables, EndgameValue};
    /// use backrank_rules::{Position, Rules, Variant};
    ///
    /// let rules = Rules::new(&Variant::find("chess")?);
    /// let tables = EndgameTables::build_for_probing(&rules, &[Endgame::parse("KBBvK", &rules)?], 1 << 24)?;
    /// let position = Position::from_fen(&rules, "k7/8/1K6/4BB2/8/8/8/8 w - - 0 1")?;
    /// assert_eq!(tables.probe(&position), Some(EndgameValue::Win { plies: 1 })); // Be4
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn build_for_probing(rules: &Rules, endgames: &[Endgame], memory: u64) -> Result<Self, TablesError> {
        let mut tables = Self::none(rules);
        tables.add_for_probing(rules, endgames, memory)?;
        Ok(tables)
    }

    /// Adds the tables that [`build_for_probing`](Self::build_for_probing) makes.
    pub(crate) fn add_for_probing(
        &mut self,
        rules: &Rules,
        endgames: &[Endgame],
        memory: u64,
    ) -> Result<(), TablesError> {
        self.add_all(rules, endgames, memory, |_| (), |men| BareKingTable::order(rules, men))
    }

    fn none(rules: &Rules) -> Self {
        Self {
            signature: rules.signature(),
            max_men: 0,
            turned: turned(rules.board()),
            tables: Vec::new(),
            bare_king_tables: Vec::new(),
            entries: Vec::new(),
        }
    }

    /// Adds the tables of some endgames and of all that captures and promotions lead to; tables that are there are
    /// kept.
    ///
    /// `bare_king_order` gives the order of the men if their table is to be a [`BareKingTable`].
    fn add_all(
        &mut self,
        rules: &Rules,
        endgames: &[Endgame],
        memory: u64,
        progress: impl Fn(TableProgress<'_>),
        bare_king_order: impl Fn(&[Man]) -> Option<BareKingOrder>,
    ) -> Result<(), TablesError> {
        let mut wanted = BTreeSet::new();
        for endgame in endgames {
            add_with_successors(rules, kept_order(endgame.men()), &mut wanted);
            let new = wanted.iter().filter(|(_, _, men)| self.entry_of(men).is_none());
            let needed = new.map(|(_, _, men)| {
                let full = bytes(&Layout::new(rules, men));
                bare_king_order(men).map_or(full, |men| BareKingTable::bytes_of(rules, &men))
            });
            let needed = self.bytes() + needed.sum::<u64>();
            if needed > memory {
                return Err(TablesError::Memory { endgame: endgame.to_string(), needed, limit: memory });
            }
        }
        let wanted: Vec<_> = wanted.into_iter().filter(|(_, _, men)| self.entry_of(men).is_none()).collect();
        // Captures and promotions lead from one group to another, so the groups are made one after another.
        for group in wanted.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)) {
            let (bare_king, full): (Vec<_>, Vec<_>) = group
                .iter()
                .map(|(_, _, men)| (men, bare_king_order(men)))
                .partition(|(_, order)| order.is_some());
            let made: Vec<_> = bare_king
                .into_par_iter()
                .map(|(men, order)| (men, order.and_then(|order| BareKingTable::new(rules, order, self))))
                .collect();
            for (men, table) in made.into_iter().chain(full.into_iter().map(|(men, _)| (men, None))) {
                match table {
                    Some(table) => self.add_bare_king_table(table),
                    None => self.add(rules, men, &progress)?,
                }
            }
        }
        Ok(())
    }

    fn add_bare_king_table(&mut self, table: BareKingTable) {
        let number = TableNumber::BareKing(self.bare_king_tables.len());
        self.enter(table.men(), number);
        self.bare_king_tables.push(table);
    }

    /// Makes one table. Those with fewer men or fewer pawns that it leads to must be there.
    fn add(
        &mut self,
        rules: &Rules,
        men: &[Man],
        progress: &impl Fn(TableProgress<'_>),
    ) -> Result<(), TablesError> {
        let (kings, others): (Vec<Man>, Vec<Man>) = men.iter().partition(|man| is_royal(rules, man.kind));
        let endgame = Endgame::of(rules, [kings, others].concat());
        let layout = Layout::new(rules, men);
        let mut cells: Vec<AtomicU16> = Vec::new();
        if cells.try_reserve_exact(2 * layout.cells()).is_err() {
            return Err(TablesError::OutOfMemory { endgame: endgame.to_string(), needed: bytes(&layout) });
        }
        cells.resize_with(2 * layout.cells(), AtomicU16::default);
        let told = |plies| progress(TableProgress { endgame: &endgame, plies });
        let cells = solve(rules, &layout, self, cells, told);
        let codes = cells.into_iter().map(|cell| Code(cell.into_inner())).collect();
        self.enter(men, TableNumber::Full(self.tables.len()));
        self.tables.push(Table { layout, codes });
        Ok(())
    }

    /// Enters a table for its men, and for the men with the sides swapped if those are different.
    fn enter(&mut self, men: &[Man], table: TableNumber) {
        self.max_men = self.max_men.max(men.len() as u32);
        for swapped in [false, true] {
            self.enter_for(men, table, swapped);
        }
    }

    fn enter_for(&mut self, men: &[Man], table: TableNumber, swapped: bool) {
        let placed = |man: &Man| if swapped { man.swapped() } else { *man };
        let mut codes: ArrayVec<u8, MAX_MEN> = men.iter().map(|man| placed(man).code()).collect();
        codes.sort_unstable();
        let mut taken = [false; MAX_MEN];
        let order = men.iter().map(|man| {
            let place = (0..codes.len()).find(|&place| codes[place] == placed(man).code() && !taken[place]);
            let place = place.expect("a place for each");
            taken[place] = true;
            place as u8
        });
        let order = order.collect();
        let entry = Entry { key: key(codes.iter().copied()), table, swapped, order };
        if let Err(place) = self.entries.binary_search_by_key(&entry.key, |entry| entry.key) {
            self.entries.insert(place, entry);
        }
    }

    /// The table of an endgame, if it is one of these and was not made only for probing.
    pub fn get(&self, endgame: &Endgame) -> Option<EndgameTable<'_>> {
        let entry = self.entry_of(endgame.men())?;
        match entry.table {
            TableNumber::Full(number) => {
                Some(EndgameTable { table: &self.tables[number], swapped: entry.swapped })
            }
            TableNumber::BareKing(_) => None,
        }
    }

    /// The size of all tables in bytes.
    pub fn bytes(&self) -> u64 {
        let full: u64 = self.tables.iter().map(|table| bytes(&table.layout)).sum();
        full + self.bare_king_tables.iter().map(BareKingTable::bytes).sum::<u64>()
    }

    /// The largest number of men in a position that has a value, kings included.
    pub fn max_men(&self) -> u32 {
        self.max_men
    }

    /// The value of a position for the side to move. It does not depend on the counters.
    ///
    /// `None` if there is no table for its men, if a right to castle, to adjust or to a first move is left, or if its
    /// game is not played like the one that the tables were made for.
    #[inline]
    pub fn probe(&self, position: &Position<'_>) -> Option<EndgameValue> {
        if position.occupied().count() > self.max_men { None } else { self.probe_few(position) }
    }

    /// The rest of [`probe`](Self::probe), which is not inlined: most often there are too many men.
    #[inline(never)]
    fn probe_few(&self, position: &Position<'_>) -> Option<EndgameValue> {
        let rules = position.rules();
        if rules.signature() != self.signature || position.has_unmoved_rights() {
            return None;
        }
        let mut men: ArrayVec<(Man, Square), MAX_MEN> = ArrayVec::new();
        for side in Side::BOTH {
            for square in position.pieces(side) {
                men.push((Man { side, kind: position.kind_at(square)? }, square));
            }
        }
        self.look_up(&mut men, position.side_to_move(), position.en_passant())?.value()
    }

    /// The value of men on squares of the board for the side to move, if no pawn can be captured en passant. `None` if
    /// there is no table for them or the position is not legal.
    pub fn probe_men(&self, men: &[(Man, Square)], to_move: Side) -> Option<EndgameValue> {
        if men.len() > self.max_men as usize { None } else { self.code(men, to_move)?.value() }
    }

    /// The code of men on squares; `passed` is the square on which a pawn can be captured en passant.
    fn look_up(
        &self,
        men: &mut ArrayVec<(Man, Square), MAX_MEN>,
        to_move: Side,
        passed: Option<Square>,
    ) -> Option<Code> {
        men.sort_unstable_by_key(|(man, _)| man.code());
        let entry = self.entry(key(men.iter().map(|(man, _)| man.code())))?;
        let turn = |square: Square| if entry.swapped { self.turned[square.index()] } else { square };
        let mut squares = [ANY; MAX_MEN];
        for (square, &place) in squares.iter_mut().zip(&entry.order) {
            *square = turn(men[usize::from(place)].1);
        }
        let to_move = if entry.swapped { to_move.other() } else { to_move };
        match entry.table {
            TableNumber::Full(number) => {
                let table = &self.tables[number];
                let en_passant =
                    passed.and_then(|passed| table.layout.passing(&squares, to_move, turn(passed)));
                Some(table.code(&Placement { squares, to_move, en_passant }))
            }
            TableNumber::BareKing(number) => {
                let at = Placement { squares, to_move, en_passant: None };
                Some(self.bare_king_tables[number].code(&at, self))
            }
        }
    }

    /// The entry of some men.
    fn entry_of(&self, men: &[Man]) -> Option<&Entry> {
        let mut codes: ArrayVec<u8, MAX_MEN> = men.iter().map(|man| man.code()).collect();
        codes.sort_unstable();
        self.entry(key(codes.into_iter()))
    }

    fn entry(&self, key: u64) -> Option<&Entry> {
        let place = self.entries.binary_search_by_key(&key, |entry| entry.key).ok()?;
        self.entries.get(place)
    }

    /// Every legal move of a position with its value for the side that plays it, the best first. Equal moves are in the
    /// order of their squares.
    ///
    /// `None` if a move leads to a position that is not in the tables.
    pub fn probe_moves(&self, position: &Position<'_>) -> Option<Vec<(Move, EndgameValue)>> {
        let mut moves: Vec<(Move, EndgameValue)> = position
            .legal_moves()
            .into_iter()
            .map(|played| Some((played, self.probe(&position.after(played))?.of_move_here())))
            .collect::<Option<_>>()?;
        moves.sort_by_key(|&(played, value)| (-value.preference(), played));
        Some(moves)
    }

    /// A line of best play from a position to the end of the game, in which each move is the first of the best.
    ///
    /// Empty if the position is drawn or not in the tables.
    pub fn line(&self, position: &Position<'_>) -> Vec<Move> {
        let mut position = *position;
        let mut line = Vec::new();
        while self.probe(&position).and_then(EndgameValue::plies).is_some_and(|plies| plies > 0) {
            let Some(best) = self.probe_moves(&position).and_then(|moves| moves.first().map(|best| best.0))
            else {
                break;
            };
            line.push(best);
            position.play(best);
        }
        line
    }
}

impl KnownTables for EndgameTables {
    fn code(&self, men: &[(Man, Square)], to_move: Side) -> Option<Code> {
        self.look_up(&mut men.iter().copied().collect(), to_move, None)
    }
}

/// The size of a table in bytes.
fn bytes(layout: &Layout) -> u64 {
    (2 * layout.cells() * size_of::<Code>()) as u64
}

/// Combines the sorted codes of men into one number.
fn key(codes: impl Iterator<Item = u8>) -> u64 {
    codes.fold(0, |key, code| key << 8 | u64::from(code))
}

/// Adds some men, and all men that captures and promotions leave, each with the numbers of men and of pawns before
/// them. In this order every table comes after those that it leads to.
fn add_with_successors(rules: &Rules, men: Vec<Man>, wanted: &mut BTreeSet<(usize, usize, Vec<Man>)>) {
    let pawns = men.iter().filter(|man| man.kind == PieceKind::PAWN).count();
    if !wanted.insert((men.len(), pawns, men.clone())) {
        return;
    }
    for (place, man) in men.iter().enumerate() {
        let mut left = men.clone();
        if !is_royal(rules, man.kind) {
            left.remove(place);
            add_with_successors(rules, kept_order(&left), wanted);
        }
        if man.kind == PieceKind::PAWN {
            for kind in promotions(rules) {
                let mut left = men.clone();
                left[place] = Man { kind, ..*man };
                add_with_successors(rules, kept_order(&left), wanted);
            }
        }
    }
}
