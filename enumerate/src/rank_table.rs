//! The ranks that satisfy some constraints, counted by dynamic programming.
//!
//! The table is a graph with one layer for each file. A node stands for all beginnings of a rank after which the same
//! pieces are left and every constraint is in the same state; an edge adds the next piece. Nodes from which no whole
//! rank can be reached are left out, and nodes with the same edges are merged. Each edge knows the number of whole
//! ranks before it. So ranking adds these numbers along a path, and unranking finds the path again, each in as many
//! steps as there are files.

use std::collections::HashMap;
use std::ops::Range;

use backrank_rules::{File, FirstRank, Letter};

use crate::army::Army;
use crate::constraint::{Rule, RuleState};
use crate::pawn_choices::PawnChoices;

/// The largest number of prefixes of one length that are distinguished while a table is built.
const MAX_PREFIXES: usize = 1 << 20;

/// Ranks in alphabetical order, each with its number from 0.
#[derive(Clone, Debug)]
pub(crate) struct RankTable {
    pattern: FirstRank,
    files: Vec<File>,
    edges: Vec<Edge>,
    /// The edges of each node; the root is the last node.
    nodes: Vec<Range<u32>>,
    /// The number of arrangements of the pieces.
    len: u64,
    /// With each of them pawns that start on one of two ranks stand in every way.
    pawns: PawnChoices,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Edge {
    /// The number of whole ranks through the edges of the node before this one.
    before: u64,
    node: u32,
    letter: Letter,
}

/// There are too many different prefixes of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooManyStates;

/// What the rest of a rank depends on: the number of pieces left of each kind, and the state of each constraint.
type Prefix = (Vec<u8>, Vec<RuleState>);

/// An edge before the number of ranks through it is known: the letter, and the index of the prefix in the next layer.
type Transition = (Letter, u32);

impl RankTable {
    pub(crate) fn new(army: &Army, rules: &[&dyn Rule]) -> Result<Self, TooManyStates> {
        let files: Vec<File> = army.files().collect();
        let (layers, last) = forward(army, rules, &files)?;
        let mut table = Self {
            pattern: army.pattern(),
            files,
            edges: Vec::new(),
            nodes: Vec::new(),
            len: 0,
            pawns: army.pawn_choices(),
        };
        table.backward(layers, &last);
        Ok(table)
    }

    /// Numbers the ranks from the last file to the first, and merges nodes with the same edges.
    fn backward(&mut self, layers: Vec<Vec<Vec<Transition>>>, last: &[bool]) {
        // For each prefix of the layer after this: its node and number of ranks, if there are any.
        const END: u32 = u32::MAX;
        let mut after: Vec<Option<(u32, u64)>> =
            last.iter().map(|&holds| holds.then_some((END, 1))).collect();
        for layer in layers.into_iter().rev() {
            let mut known: HashMap<Vec<Edge>, (u32, u64)> = HashMap::new();
            after = layer
                .into_iter()
                .map(|steps| {
                    let mut before = 0;
                    let mut edges = Vec::new();
                    for (letter, next) in steps {
                        if let Some((node, ranks)) = after[next as usize] {
                            edges.push(Edge { before, node, letter });
                            before += ranks;
                        }
                    }
                    if edges.is_empty() {
                        return None;
                    }
                    Some(*known.entry(edges).or_insert_with_key(|edges| {
                        let first = self.edges.len() as u32;
                        self.edges.extend(edges);
                        self.nodes.push(first..self.edges.len() as u32);
                        (self.nodes.len() as u32 - 1, before)
                    }))
                })
                .collect();
        }
        self.len = after[0].map_or(0, |root| root.1);
    }

    /// The number of ranks.
    pub(crate) fn len(&self) -> u64 {
        self.len * self.pawns.ways()
    }

    /// The rank with a number.
    ///
    /// # Panics
    ///
    /// When the number is not below [`RankTable::len`].
    pub(crate) fn unrank(&self, number: u64) -> FirstRank {
        assert!(number < self.len(), "rank {number} of {}", self.len());
        let mut rank = self.pattern;
        let mut rest = number / self.pawns.ways();
        let mut node = self.nodes.len() - 1;
        for &file in &self.files {
            let edges = self.edges_of(node);
            let next = edges.iter().take_while(|edge| edge.before <= rest).count() - 1;
            let edge = edges[next];
            rest -= edge.before;
            rank.set(file, edge.letter);
            node = edge.node as usize;
        }
        self.pawns.place(rank, number % self.pawns.ways())
    }

    /// The number of a rank, or `None` if it is not in the table.
    pub(crate) fn index_of(&self, rank: &FirstRank) -> Option<u64> {
        if self.len == 0 {
            return None;
        }
        let mut number = 0;
        let mut node = self.nodes.len() - 1;
        for &file in &self.files {
            let letter = rank.at(file)?;
            let edge = self.edges_of(node).iter().find(|edge| edge.letter == letter)?;
            number += edge.before;
            node = edge.node as usize;
        }
        Some(number * self.pawns.ways() + self.pawns.number_of(rank)?)
    }

    /// The number of ranks in the table that come before a rank, which has pieces on the same files and need not be in the
    /// table. No pawn starts on one of two ranks.
    pub(crate) fn number_before(&self, rank: &FirstRank) -> u64 {
        if self.len == 0 {
            return 0;
        }
        let mut number = 0;
        let mut node = self.nodes.len() - 1;
        let mut of_node = self.len;
        for &file in &self.files {
            let letter = rank.at(file);
            let edges = self.edges_of(node);
            let place = edges.partition_point(|edge| Some(edge.letter) < letter);
            let Some(edge) = edges.get(place) else { return number + of_node };
            number += edge.before;
            if Some(edge.letter) != letter {
                return number;
            }
            of_node = edges.get(place + 1).map_or(of_node, |next| next.before) - edge.before;
            node = edge.node as usize;
        }
        number
    }

    fn edges_of(&self, node: usize) -> &[Edge] {
        let Range { start, end } = self.nodes[node];
        &self.edges[start as usize..end as usize]
    }
}

/// Lists, file by file, the different prefixes and their transitions, and says which of the last layer are whole ranks.
#[expect(
    clippy::type_complexity,
    reason = "layers of beginnings of steps; a name for each would not say more"
)]
fn forward(
    army: &Army,
    rules: &[&dyn Rule],
    files: &[File],
) -> Result<(Vec<Vec<Vec<Transition>>>, Vec<bool>), TooManyStates> {
    let all = army.kinds().iter().map(|kind| kind.1 as u8).collect();
    let states = rules.iter().map(|rule| rule.start(army)).collect();
    let mut prefixes: Vec<Prefix> = vec![(all, states)];
    let mut layers = Vec::with_capacity(files.len());
    for &file in files {
        let mut known: HashMap<Prefix, u32> = HashMap::new();
        let mut next: Vec<Prefix> = Vec::new();
        let mut layer = Vec::with_capacity(prefixes.len());
        for (left, states) in &prefixes {
            let mut steps = Vec::new();
            for (kind, &(letter, _)) in army.kinds().iter().enumerate() {
                if left[kind] == 0 {
                    continue;
                }
                let stepped: Option<Vec<RuleState>> = rules
                    .iter()
                    .zip(states)
                    .map(|(rule, &state)| rule.step(state, file, letter, army))
                    .collect();
                let Some(stepped) = stepped else { continue };
                let mut left = left.clone();
                left[kind] -= 1;
                let index = *known.entry((left, stepped)).or_insert_with_key(|prefix| {
                    next.push(prefix.clone());
                    next.len() as u32 - 1
                });
                steps.push((letter, index));
            }
            layer.push(steps);
            if next.len() > MAX_PREFIXES {
                return Err(TooManyStates);
            }
        }
        layers.push(layer);
        prefixes = next;
    }
    let holds =
        |states: &[RuleState]| rules.iter().zip(states).all(|(rule, &state)| rule.accepts(state, army));
    Ok((layers, prefixes.iter().map(|(_, states)| holds(states)).collect()))
}
