//! Counting the slow way: through every arrangement of an army.
//!
//! Shares nothing with the tables of a space but the plain meaning of the constraints.

use std::sync::atomic::{AtomicU64, Ordering};

use backrank_rules::FirstRank;
use rayon::prelude::*;

use crate::army::Army;
use crate::constraint::Constraint;

/// Every arrangement of an army that keeps to some constraints, found by looking at all arrangements.
///
/// `progress` is told, from any thread, each time some more arrangements have been looked at.
pub struct BruteForce<'a> {
    /// The army.
    pub army: &'a Army,
    /// The constraints.
    pub constraints: &'a [Constraint],
    /// Told the number of arrangements looked at since it was last told.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

impl BruteForce<'_> {
    /// How many arrangements keep to the constraints.
    pub fn count(&self) -> u64 {
        self.count_if(|_| true)
    }

    /// How many of them meet a further condition.
    pub fn count_if(&self, condition: impl Fn(&FirstRank) -> bool + Sync) -> u64 {
        let counted = AtomicU64::new(0);
        self.for_each_task(|task| {
            let mut found = 0;
            self.walk(task, |rank| found += u64::from(condition(rank)));
            counted.fetch_add(found, Ordering::Relaxed);
        });
        counted.into_inner()
    }

    /// The arrangements themselves, in alphabetical order.
    pub fn collect(&self) -> Vec<FirstRank> {
        let found = std::sync::Mutex::new(Vec::new());
        self.for_each_task(|task| {
            let mut ranks = Vec::new();
            self.walk(task, |rank| ranks.push(*rank));
            found.lock().expect("no task panics").append(&mut ranks);
        });
        let mut ranks = found.into_inner().expect("no task panics");
        ranks.sort_unstable();
        ranks
    }

    /// A task for each choice of the first pieces, in parallel.
    fn for_each_task(&self, run: impl Fn(&Task) + Send + Sync) {
        let mut letters: Vec<u8> = self.army.pattern().pieces().map(|piece| piece.1).collect();
        letters.sort_unstable();
        let mut tasks = vec![Task { chosen: Vec::new(), left: letters }];
        for _ in 0..self.army.len().min(3) {
            tasks = tasks.iter().flat_map(Task::split).collect();
        }
        tasks.par_iter().for_each(run);
    }

    /// Goes through the arrangements of one task in alphabetical order.
    fn walk(&self, task: &Task, mut found: impl FnMut(&FirstRank)) {
        const BATCH: u64 = 1 << 16;
        let mut rank = self.army.pattern();
        let files: Vec<_> = self.army.files().collect();
        let (first, rest) = files.split_at(task.chosen.len());
        for (&file, &letter) in first.iter().zip(&task.chosen) {
            rank.set(file, letter);
        }
        let mut left = task.left.clone();
        let mut seen = 0;
        loop {
            for (&file, &letter) in rest.iter().zip(&left) {
                rank.set(file, letter);
            }
            if self.constraints.iter().all(|constraint| constraint.holds(&rank, self.army)) {
                found(&rank);
            }
            seen += 1;
            if seen == BATCH {
                (self.progress)(seen);
                seen = 0;
            }
            if !next_permutation(&mut left) {
                break;
            }
        }
        (self.progress)(seen);
    }
}

/// The first pieces, and those that go through all orders behind them.
struct Task {
    chosen: Vec<u8>,
    left: Vec<u8>,
}

impl Task {
    /// This task with one more piece chosen, in each possible way.
    fn split(&self) -> Vec<Self> {
        let mut kinds = self.left.clone();
        kinds.dedup();
        kinds
            .into_iter()
            .map(|letter| {
                let mut task = Self { chosen: self.chosen.clone(), left: self.left.clone() };
                let place =
                    task.left.iter().position(|&other| other == letter).expect("a letter that is left");
                task.chosen.push(task.left.remove(place));
                task
            })
            .collect()
    }
}

/// Makes the next order of the letters in alphabetical order; false, and nothing done, at the last.
fn next_permutation(letters: &mut [u8]) -> bool {
    let Some(pivot) = letters.windows(2).rposition(|pair| pair[0] < pair[1]) else {
        return false;
    };
    let successor =
        letters.iter().rposition(|&letter| letter > letters[pivot]).expect("pivot + 1 is greater");
    letters.swap(pivot, successor);
    letters[pivot + 1..].reverse();
    true
}
