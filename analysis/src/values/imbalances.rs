//! A network of imbalances: matches in which each side lacks pieces, fitted together.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;

use backrank_rules::Letter;
use backrank_selfplay::study::Odds;

use crate::fit::{Link, NetworkFit, NetworkFitError, NetworkRow, fit_network};
use crate::games::{Column, Material, ReplayedGame};

/// The numbers of pairs by the outcomes of one side, 0 for a loss, 1 for a draw and 2 for a win: in the game in which
/// it is White, then in the one in which it is Black.
pub type PairCounts = [[u64; 3]; 3];

/// The outcomes of a pair, in the order of [`PairCounts`].
pub(crate) const OUTCOMES: [&str; 9] = ["ll", "ld", "lw", "dl", "dd", "dw", "wl", "wd", "ww"];

/// Games at odds, collected in pairs.
#[derive(Clone, Debug)]
pub struct Imbalances {
    /// The kinds of pieces, in ascending order of the engine's values.
    pub(super) kinds: Vec<Letter>,
    pub(super) gathered: Vec<ImbalanceGames>,
    /// For the odds of a game, the index of its imbalance, and whether White has the pieces that the network names
    /// first.
    indices: HashMap<String, (usize, bool)>,
    /// For each study, a game that waits for the other game of its pair.
    pub(super) waiting: HashMap<usize, UnpairedGame>,
    /// The pairs of the imbalance of a single pawn, by the file of the pawn.
    pub(super) files: BTreeMap<u32, PairCounts>,
    pub(super) unpaired: u64,
    /// The games that start from recorded positions, by the ply of these. They are analysed separately, because values
    /// may change in the course of a game.
    pub(super) by_ply: BTreeMap<u32, Imbalances>,
}

/// The games at one imbalance.
#[derive(Clone, Debug)]
pub(super) struct ImbalanceGames {
    pub odds: Odds,
    pub results: [u64; 3],
    pub pairs: PairCounts,
    /// Of each pair whose setup is known, the setup and the outcomes as a number from 0 to 8: three times that as White, plus that
    /// as Black.
    pub of_setups: Vec<(u64, u8)>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct UnpairedGame {
    game: u64,
    is_white: bool,
    outcome: usize,
    pawn_files: [u32; 2],
}

impl Imbalances {
    /// An empty network.
    pub fn new(material: &Material) -> Self {
        let kinds = material.columns().iter().filter_map(|column| match *column {
            Column::Piece(letter) => Some(letter),
            Column::Pair(_) | Column::Rating => None,
        });
        Self::of_kinds(kinds.collect())
    }

    fn of_kinds(kinds: Vec<Letter>) -> Self {
        Self {
            kinds,
            gathered: Vec::new(),
            indices: HashMap::new(),
            waiting: HashMap::new(),
            files: BTreeMap::new(),
            unpaired: 0,
            by_ply: BTreeMap::new(),
        }
    }

    /// Adds a game. Games must come in the order of their study; those without odds are ignored.
    pub fn add(&mut self, game: &ReplayedGame) {
        match game.at_ply {
            None => self.add_to_network(game),
            Some(ply) => {
                let empty = || Self::of_kinds(self.kinds.clone());
                self.by_ply.entry(ply).or_insert_with(empty).add_to_network(game);
            }
        }
    }

    fn add_to_network(&mut self, game: &ReplayedGame) {
        let Some((index, is_white)) = self.index_of(&game.odds) else { return };
        let outcome = if is_white { game.outcome() } else { 2 - game.outcome() };
        self.gathered[index].results[2 - outcome] += 1;
        let pawn_files = game.replayed.pawn_files;
        // Either game of a pair may be missing, so a second game never waits.
        match self.waiting.remove(&game.study) {
            Some(first) if game.game % 2 == 1 && first.game + 1 == game.game => {
                let [as_white, as_black] =
                    if is_white { [outcome, first.outcome] } else { [first.outcome, outcome] };
                self.gathered[index].pairs[as_white][as_black] += 1;
                let setup = key_of([&game.white_rank, &game.black_rank]);
                self.gathered[index].of_setups.push((setup, (3 * as_white + as_black) as u8));
                // Files are White's, since Black's setup may be arranged differently.
                let files = if first.is_white { pawn_files } else { first.pawn_files };
                if let Some(file) = self.file_of_pawn(index, files) {
                    self.files.entry(file).or_default()[as_white][as_black] += 1;
                }
            }
            lost => {
                self.unpaired += u64::from(lost.is_some());
                if game.game % 2 == 1 {
                    self.unpaired += 1;
                } else {
                    let waiting = UnpairedGame { game: game.game, is_white, outcome, pawn_files };
                    self.waiting.insert(game.study, waiting);
                }
            }
        }
    }

    /// The file of the missing pawn, if the imbalance is a single pawn.
    fn file_of_pawn(&self, index: usize, [white, black]: [u32; 2]) -> Option<u32> {
        let odds = &self.gathered[index].odds;
        let one_pawn = odds.first() == [Letter::PAWN] && odds.second().is_empty();
        let missing = black & !white;
        (one_pawn && missing.count_ones() == 1).then(|| missing.trailing_zeros())
    }

    /// Whether there are no games at odds.
    pub fn is_empty(&self) -> bool {
        self.gathered.is_empty() && self.by_ply.is_empty()
    }

    /// Adds pairs of which only the results are known, by the outcomes of the side that has the pieces of
    /// [`Odds::first`].
    pub fn add_pairs(&mut self, odds: &Odds, pairs: PairCounts) {
        // White lacks the pieces named first, so Black has them.
        let Some((index, is_white)) = self.index_of(&odds.to_string()) else { return };
        let ImbalanceGames { results, pairs: all, .. } = &mut self.gathered[index];
        for (as_white, counts) in pairs.iter().enumerate() {
            for (as_black, &count) in counts.iter().enumerate() {
                // Seen from the other side, colours and outcomes are reversed.
                let [as_white, as_black] =
                    if is_white { [2 - as_black, 2 - as_white] } else { [as_white, as_black] };
                all[as_white][as_black] += count;
                results[2 - as_white] += count;
                results[2 - as_black] += count;
            }
        }
    }

    /// Adds a pair of games from a setup, given by its two first ranks, by the outcomes of the side that has the pieces of
    /// [`Odds::first`]: 0 for a loss, 1 for a draw and 2 for a win, as White and as Black.
    pub fn add_pair(&mut self, odds: &Odds, setup: [&str; 2], [as_white, as_black]: [usize; 2]) {
        let mut pairs = PairCounts::default();
        pairs[as_white][as_black] = 1;
        self.add_pairs(odds, pairs);
        let Some((index, is_white)) = self.index_of(&odds.to_string()) else { return };
        let outcomes = if is_white { 3 * (2 - as_black) + 2 - as_white } else { 3 * as_white + as_black };
        self.gathered[index].of_setups.push((key_of(setup), outcomes as u8));
    }

    /// The number of different setups from which games start, as far as setups are known.
    pub(super) fn setups(&self) -> u64 {
        let all = self.gathered.iter().flat_map(|gathered| &gathered.of_setups);
        all.map(|(setup, _)| *setup).collect::<HashSet<u64>>().len() as u64
    }

    /// Writes the pairs of each imbalance as CSV: the odds, and the numbers of pairs by the outcomes of the side with the pieces named
    /// first, `l` for a loss, `d` for a draw and `w` for a win, in the game in which it is White, then in the other.
    ///
    /// # Errors
    ///
    /// When writing fails.
    pub fn write_pairs(&self, out: &mut dyn Write) -> std::io::Result<()> {
        writeln!(out, "odds,{}", OUTCOMES.join(","))?;
        for ImbalanceGames { odds, pairs, .. } in &self.gathered {
            let counts: Vec<String> = pairs.iter().flatten().map(u64::to_string).collect();
            writeln!(out, "{odds},{}", counts.join(","))?;
        }
        Ok(())
    }

    /// Adds the pairs that [`write_pairs`](Self::write_pairs) has written.
    ///
    /// # Errors
    ///
    /// When a line is not one of them. The text says which.
    pub fn add_written(&mut self, text: &str) -> Result<(), String> {
        let mut lines = (1..).zip(text.lines());
        if lines.next().is_none_or(|(_, line)| line != format!("odds,{}", OUTCOMES.join(","))) {
            return Err(format!("line 1 is not the heading odds,{}", OUTCOMES.join(",")));
        }
        for (number, line) in lines {
            let wrong = || format!("line {number}: odds and nine numbers of pairs are expected");
            let mut fields = line.split(',');
            let odds: Odds = fields.next().and_then(|text| text.parse().ok()).ok_or_else(wrong)?;
            let unknown = odds.lacking().into_iter().flatten().find(|letter| !self.kinds.contains(letter));
            if let Some(letter) = unknown {
                return Err(format!("line {number}: {odds}, but the game has no piece {letter}"));
            }
            let counts: Vec<u64> = fields
                .map(|text| text.parse::<u32>().map(u64::from))
                .collect::<Result<_, _>>()
                .map_err(|_| wrong())?;
            let counts: [u64; 9] = counts.try_into().map_err(|_| wrong())?;
            // The first side of the file lacks what is named first, and counts are of the side that has it.
            self.add_pairs(
                &odds,
                std::array::from_fn(|row| std::array::from_fn(|column| counts[3 * row + column])),
            );
        }
        Ok(())
    }

    /// The number of pairs at these odds.
    pub fn pairs(&self, odds: &Odds) -> u64 {
        let (odds, _) = self.odds(odds.lacking());
        let found = self.gathered.iter().find(|gathered| gathered.odds == odds);
        found.map_or(0, |found| found.pairs.iter().flatten().sum())
    }

    /// The kinds of pieces, in ascending order of the engine's values.
    pub(crate) fn kinds(&self) -> &[Letter] {
        &self.kinds
    }

    /// The odds for a difference in each kind, and whether they are named from the other side's point of view.
    pub(crate) fn named(&self, kinds: &[Letter], difference: &[i32]) -> (Odds, bool) {
        let side = |sign: i32| {
            let letters = kinds
                .iter()
                .zip(difference)
                .flat_map(|(&letter, &number)| std::iter::repeat_n(letter, (sign * number).max(0) as usize));
            letters.collect::<Vec<Letter>>()
        };
        self.odds([side(1), side(-1)])
    }

    /// The odds between two sides in the network's order, and whether the second side is named first.
    fn odds(&self, sides: [Vec<Letter>; 2]) -> (Odds, bool) {
        let mut sides = sides.map(|side| self.ordered(&side));
        let turned = self.is_named_first(&sides[1], &sides[0]);
        if turned {
            sides.reverse();
        }
        let text = sides.map(|side| Odds::side_text(&side)).join(":");
        (text.parse().expect("odds that are written right"), turned)
    }

    /// The text of odds, with the most valuable pieces of each side first.
    pub(super) fn text_of(&self, odds: &Odds) -> String {
        [odds.first(), odds.second()].map(|side| Odds::side_text(&self.ordered(side))).join(":")
    }

    /// The index of a game's imbalance, and whether White has the pieces named first; `None` without odds.
    fn index_of(&mut self, text: &str) -> Option<(usize, bool)> {
        if let Some(&known) = self.indices.get(text) {
            return Some(known);
        }
        let odds: Odds = text.parse().ok()?;
        let (odds, swapped) = self.odds(odds.lacking());
        let known = self.gathered.iter().position(|gathered| gathered.odds == odds);
        let index = known.unwrap_or_else(|| {
            self.gathered.push(ImbalanceGames {
                odds,
                results: [0; 3],
                pairs: PairCounts::default(),
                of_setups: Vec::new(),
            });
            self.gathered.len() - 1
        });
        // White lacks the pieces before the colon, so it has the others.
        self.indices.insert(text.to_string(), (index, swapped));
        Some((index, swapped))
    }

    fn rank(&self, letter: Letter) -> usize {
        self.kinds.iter().position(|&kind| kind == letter).unwrap_or(0)
    }

    /// The pieces that a side lacks, in descending order of value.
    fn ordered(&self, side: &[Letter]) -> Vec<Letter> {
        let mut side = side.to_vec();
        side.sort_by_key(|&letter| std::cmp::Reverse(self.rank(letter)));
        side
    }

    /// The order of the sides: an empty side comes last, otherwise the shorter text first, and of two texts of the same
    /// length the more valuable side.
    fn is_named_first(&self, side: &[Letter], other: &[Letter]) -> bool {
        let ranks = |side: &[Letter]| side.iter().map(|&letter| self.rank(letter)).collect::<Vec<_>>();
        match (side.is_empty(), other.is_empty()) {
            (false, false) => {
                side.len().cmp(&other.len()).then(ranks(other).cmp(&ranks(side))) == Ordering::Less
            }
            (empty, _) => !empty,
        }
    }

    /// The index of a kind.
    pub(super) fn index(&self, piece: Column) -> Option<usize> {
        self.kinds.iter().position(|&kind| Column::Piece(kind) == piece)
    }

    /// The number of each kind that the first side has more than the second.
    pub(super) fn difference(&self, odds: &Odds) -> Vec<f64> {
        let difference =
            |&kind: &Letter| number_of(odds.first(), kind) as f64 - number_of(odds.second(), kind) as f64;
        self.kinds.iter().map(difference).collect()
    }

    pub(super) fn row(&self, gathered: &ImbalanceGames) -> NetworkRow {
        let ImbalanceGames { odds, pairs, of_setups, .. } = gathered;
        NetworkRow { difference: self.difference(odds), pairs: *pairs, of_setups: of_setups.clone() }
    }

    pub(crate) fn fit(&self, link: Link) -> Result<NetworkFit, NetworkFitError> {
        let rows: Vec<NetworkRow> = self.gathered.iter().map(|gathered| self.row(gathered)).collect();
        fit_network(&rows, self.kinds.len(), link)
    }
}

/// The number of a kind among pieces.
pub(crate) fn number_of(pieces: &[Letter], kind: Letter) -> usize {
    pieces.iter().filter(|&&letter| letter == kind).count()
}

/// A number for a setup, given by its two first ranks.
fn key_of(ranks: [&str; 2]) -> u64 {
    let mut hasher = DefaultHasher::new();
    ranks.hash(&mut hasher);
    hasher.finish()
}
