//! A network of imbalances: matches in which each side lacks pieces, fitted together.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::io::Write;

use backrank_rules::Letter;
use backrank_selfplay::study::Odds;

use super::imbalance_values::{Imbalance, ImbalancePiece, ImbalanceValues, PawnOfFile, ValuesAtPly};
use super::unit::Unit;
use crate::fit::{Link, NetworkFit, NetworkFitError, NetworkRow, RowFit, expected_score, fit_network};
use crate::games::{Column, Material, ReplayedGame};
use crate::stats::{ChiSquareTest, Estimate, Interval, MatchScore, elo, fieller};

/// The numbers of pairs by the outcomes of one side, 0 for a loss, 1 for a draw and 2 for a win: in the game in which
/// it is White, then in the one in which it is Black.
pub type PairCounts = [[u64; 3]; 3];

/// The outcomes of a pair, in the order of [`PairCounts`].
pub(crate) const OUTCOMES: [&str; 9] = ["ll", "ld", "lw", "dl", "dd", "dw", "wl", "wd", "ww"];

/// Games at odds, collected in pairs.
#[derive(Clone, Debug)]
pub struct Imbalances {
    /// The kinds of pieces, in ascending order of the engine's values.
    kinds: Vec<Letter>,
    gathered: Vec<ImbalanceGames>,
    /// For the odds of a game, the index of its imbalance, and whether White has the pieces that the network names
    /// first.
    indices: HashMap<String, (usize, bool)>,
    /// For each study, a game that waits for the other game of its pair.
    waiting: HashMap<usize, UnpairedGame>,
    /// The pairs of the imbalance of a single pawn, by the file of the pawn.
    files: BTreeMap<u32, PairCounts>,
    unpaired: u64,
    /// The games that start from recorded positions, by the ply of these. They are analysed separately, because values
    /// may change in the course of a game.
    by_ply: BTreeMap<u32, Imbalances>,
}

/// The games at one imbalance.
#[derive(Clone, Debug)]
struct ImbalanceGames {
    odds: Odds,
    results: [u64; 3],
    pairs: PairCounts,
}

#[derive(Clone, Copy, Debug)]
struct UnpairedGame {
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
    fn text_of(&self, odds: &Odds) -> String {
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
            self.gathered.push(ImbalanceGames { odds, results: [0; 3], pairs: PairCounts::default() });
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

    fn row(&self, gathered: &ImbalanceGames) -> NetworkRow {
        let count =
            |side: &[Letter], kind: Letter| side.iter().filter(|&&letter| letter == kind).count() as f64;
        let ImbalanceGames { odds, pairs, .. } = gathered;
        let difference = |&kind: &Letter| count(odds.first(), kind) - count(odds.second(), kind);
        NetworkRow { difference: self.kinds.iter().map(difference).collect(), pairs: *pairs }
    }

    pub(crate) fn fit(&self, link: Link) -> Result<NetworkFit, NetworkFitError> {
        let rows: Vec<NetworkRow> = self.gathered.iter().map(|gathered| self.row(gathered)).collect();
        fit_network(&rows, self.kinds.len(), link)
    }

    /// The values by the matches, in this unit.
    pub fn values(&self, unit: Unit) -> ImbalanceValues {
        let [fit, probit] = [Link::Logit, Link::Probit].map(|link| self.fit(link));
        let nothing = match &fit {
            Ok(_) => None,
            Err(_) if self.gathered.is_empty() && !self.by_ply.is_empty() => None,
            Err(NetworkFitError::Nothing) => Some("no pair of games is complete, or all games were drawn"),
            Err(NetworkFitError::Swept(_)) => Some("one side won every game of each match"),
            Err(NetworkFitError::Equal) => Some("both sides lack the same pieces"),
            Err(_) => Some("the likelihood has no maximum"),
        };
        let swept = match &fit {
            Err(NetworkFitError::Swept(coefficients)) => coefficients.clone(),
            _ => vec![f64::NAN; self.kinds.len()],
        };
        let [fit, probit] = [fit.ok(), probit.ok()];
        let mut imbalances: Vec<Imbalance> = self
            .gathered
            .iter()
            .enumerate()
            .filter_map(|(row, gathered)| self.one_match(gathered, row, fit.as_ref()))
            .collect();
        imbalances.sort_by_key(|found| std::cmp::Reverse(found.pairs.iter().sum::<u64>()));
        let pawns_by_file: Vec<PawnOfFile> = self.files.iter().filter_map(pawn_of_file).collect();
        ImbalanceValues {
            unit,
            imbalances,
            pieces: self.pieces(unit, fit.as_ref(), probit.as_ref(), &swept),
            white: fit.as_ref().map(|fit| fit.in_elo(fit.white, fit.white_variance.sqrt())),
            draws: fit.as_ref().map(|fit| (0.5 * fit.half).tanh()),
            additive: fit.as_ref().and_then(|fit| fit.additive),
            deviation: fit.as_ref().map(|fit| fit.elo_of(fit.deviation)),
            pawns_add_up: fit.as_ref().and_then(|fit| self.pawns_add_up(fit)),
            files_alike: files_alike(&self.files),
            pawns_by_file,
            unpaired: self.unpaired + self.waiting.len() as u64,
            nothing: nothing.map(str::to_string),
            by_ply: self
                .by_ply
                .iter()
                .map(|(&ply, games)| ValuesAtPly { ply, values: games.values(unit) })
                .collect(),
        }
    }

    /// The result of one match.
    fn one_match(
        &self,
        gathered: &ImbalanceGames,
        row: usize,
        fit: Option<&NetworkFit>,
    ) -> Option<Imbalance> {
        let pairs = by_half_points(&gathered.pairs);
        let MatchScore { score, elo, .. } = MatchScore::of_pairs(pairs)?;
        let fitted = fit.map(|fit| (fit, fit.rows[row])).filter(|(_, row)| row.expected.is_finite());
        let residual = |(fit, row): (&NetworkFit, RowFit)| {
            let from = fit.elo_of(row.expected);
            let to = |eta: f64| fit.elo_of(row.expected + eta) - from;
            let Estimate { value, interval } = Estimate::normal(row.residual, row.error);
            Estimate { value: to(value), interval: interval.map(to) }
        };
        Some(Imbalance {
            odds: self.text_of(&gathered.odds),
            results: gathered.results,
            pairs,
            score,
            elo,
            expected: fitted.map(|(fit, row)| fit.elo_of(row.expected)),
            residual: fitted.map(residual),
        })
    }

    fn pieces(
        &self,
        unit: Unit,
        fit: Option<&NetworkFit>,
        probit: Option<&NetworkFit>,
        swept: &[f64],
    ) -> Vec<ImbalancePiece> {
        let index = |letter: Column| self.kinds.iter().position(|&kind| Column::Piece(kind) == letter);
        let (of_unit, pawn) = (index(unit.piece()), index(Column::Piece(Letter::PAWN)));
        let mut pieces = Vec::new();
        for (kind, &letter) in self.kinds.iter().enumerate() {
            let is_in = |gathered: &&ImbalanceGames| self.row(gathered).difference[kind] != 0.0;
            let in_matches = self.gathered.iter().filter(is_in);
            let games = in_matches.map(|gathered| 2 * gathered.pairs.iter().flatten().sum::<u64>()).sum();
            if games == 0 {
                continue;
            }
            let ratio = |to: Option<usize>| fit.and_then(|fit| fit.ratio(kind, to?));
            let of_probit = || {
                let coefficients = &probit?.coefficients;
                Some(unit.number() * coefficients[kind] / coefficients[of_unit?])
                    .filter(|value| value.is_finite())
            };
            let coefficient = fit.map_or(swept[kind], |fit| fit.coefficients[kind]);
            let value = ratio(of_unit).map(|ratio| ratio.times(unit.number()));
            pieces.push(ImbalancePiece {
                piece: Column::Piece(letter),
                games,
                value,
                pawns: ratio(pawn),
                elo: fit.and_then(|fit| fit.piece_in_elo(kind)),
                probit: of_probit(),
                note: note(coefficient, value, unit),
            });
        }
        pieces
    }

    /// Tests whether the values of several pawns lie on a line through zero.
    fn pawns_add_up(&self, fit: &NetworkFit) -> Option<ChiSquareTest> {
        let rungs = self.gathered.iter().zip(&fit.rows).filter_map(|(gathered, row)| {
            let pawns = gathered.odds.first();
            let only_pawns =
                gathered.odds.second().is_empty() && pawns.iter().all(|&letter| letter == Letter::PAWN);
            let found = only_pawns && row.variance.is_finite();
            found.then_some((pawns.len() as f64, row.expected + row.residual, row.variance))
        });
        let rungs: Vec<(f64, f64, f64)> = rungs.collect();
        let sum = |of: fn(&(f64, f64, f64)) -> f64| rungs.iter().map(of).sum::<f64>();
        let each = sum(|(pawns, eta, variance)| pawns * eta / variance)
            / sum(|(pawns, _, variance)| pawns * pawns / variance);
        let chi = rungs.iter().map(|(pawns, eta, variance)| (eta - pawns * each).powi(2) / variance).sum();
        ChiSquareTest::new(chi, rungs.len().checked_sub(1)?).filter(|_| rungs.len() > 1)
    }
}

impl NetworkFit {
    /// The Elo of an η near equality.
    fn elo_of(&self, eta: f64) -> f64 {
        elo(expected_score(eta, self.half))
    }

    fn in_elo(&self, eta: f64, error: f64) -> Estimate {
        let Estimate { value, interval } = Estimate::within(eta, self.critical() * error);
        Estimate { value: self.elo_of(value), interval: interval.map(|eta| self.elo_of(eta)) }
    }

    fn piece_in_elo(&self, kind: usize) -> Option<Estimate> {
        let eta = self.coefficients[kind];
        (!eta.is_nan()).then(|| self.in_elo(eta, self.covariance[(kind, kind)].sqrt()))
    }

    /// The ratio of the values of two kinds, with Fieller's interval.
    fn ratio(&self, kind: usize, to: usize) -> Option<Estimate> {
        let [above, below] = [kind, to].map(|kind| self.coefficients[kind]);
        if kind == to && below.is_finite() {
            return Some(Estimate::exact(1.0));
        }
        let value = above / below;
        if value.is_nan() || below.is_infinite() {
            return None;
        }
        let variances = [(kind, kind), (to, to), (kind, to)].map(|at| self.covariance[at]);
        let interval = match above.is_finite() {
            true => fieller(above, below, variances, self.critical()),
            false => Interval::UNBOUNDED,
        };
        Some(Estimate { value, interval })
    }
}

/// Why a piece has no value, or what to know of it.
fn note(coefficient: f64, value: Option<Estimate>, unit: Unit) -> Option<String> {
    let said = if coefficient.is_nan() {
        "no chain of imbalances determines its value".to_string()
    } else if coefficient.is_infinite() {
        "every game was won by the side that has it".to_string()
    } else if value.is_none() {
        format!("no value in {unit}, because the unit has none")
    } else if value.is_some_and(|value| !value.interval.is_finite()) {
        format!(
            "the value of the unit {unit} does not differ significantly from 0, so no ratio to it is bounded"
        )
    } else {
        return None;
    };
    Some(said)
}

/// Pairs by half points.
fn by_half_points(pairs: &PairCounts) -> [u64; 5] {
    let mut counts = [0; 5];
    for (as_white, row) in pairs.iter().enumerate() {
        row.iter().enumerate().for_each(|(as_black, count)| counts[as_white + as_black] += count);
    }
    counts
}

/// The results of a match; `None` without a pair.
fn pawn_of_file((&file, pairs): (&u32, &PairCounts)) -> Option<PawnOfFile> {
    let pairs = by_half_points(pairs);
    let elo = MatchScore::of_pairs(pairs)?.elo;
    Some(PawnOfFile { file: char::from(b'a' + file as u8), pairs: pairs.iter().sum(), elo })
}

/// Tests whether the pawns of all files score the same.
fn files_alike(files: &BTreeMap<u32, PairCounts>) -> Option<ChiSquareTest> {
    let scores = files.values().filter_map(|pairs| MatchScore::of_pairs(by_half_points(pairs)));
    let known: Vec<(f64, f64)> = scores
        .filter(|found| found.error.is_finite() && found.error > 0.0)
        .map(|found| (found.elo.value, found.error.powi(-2)))
        .collect();
    let weight: f64 = known.iter().map(|(_, weight)| weight).sum();
    let mean = known.iter().map(|(elo, weight)| elo * weight).sum::<f64>() / weight;
    let chi = known.iter().map(|(elo, weight)| (elo - mean).powi(2) * weight).sum();
    ChiSquareTest::new(chi, known.len().checked_sub(1)?).filter(|_| known.len() > 1)
}
