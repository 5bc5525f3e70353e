//! Counting by going through every arrangement of an army.
//!
//! It shares with [`Space`](crate::Space) how a variant's file is read, and the plain meaning of a constraint
//! ([`Constraint::holds`], [`UpToReflection::holds_for`](crate::UpToReflection::holds_for)). It does not use the
//! automata, tables and numberings with which a space counts. Whether a king stands in check it asks the rules of play.

use std::collections::HashMap;
use std::sync::Mutex;

use backrank_rules::{FirstRank, Letter, Rules, Setup, Variant};
use rayon::prelude::*;

use crate::army::Army;
use crate::constraint::{Constraint, Rule, UpToReflection};
use crate::error::SpaceError;
use crate::file::SetupPart;
use crate::sides::Sides;

/// Goes through every arrangement of an army and counts the setups that satisfy the constraints.
///
/// ```
/// use backrank_enumerate::BruteForce;
/// use backrank_rules::Variant;
///
/// let chess960 = BruteForce::new(&Variant::find("chess960")?, &[])?;
/// assert_eq!(chess960.arrangements(), 5040);
/// assert_eq!(chess960.count(&|_| ()), 960);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BruteForce {
    army: Army,
    sides: Sides,
    /// The constraints on a single rank.
    constraints: Vec<Constraint>,
    /// Whether no setup may come after its reflection, where this cannot be said of a single rank.
    pairs_up_to_reflection: bool,
    /// The rules by which no king may stand in check, if none may.
    no_check: Option<Rules>,
}

/// What of the rank of a side that is independent of the other matters to which ranks of the other's go with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Face {
    /// How it compares with its reflection.
    reflection: std::cmp::Ordering,
    /// The files of its king, or kings.
    kings: u16,
    /// The files that it attacks on the other side's first rank if it is White's, and if it is Black's.
    attacks: [u16; 2],
}

impl BruteForce {
    /// Counts the setups of a variant that also satisfy further constraints.
    ///
    /// # Errors
    ///
    /// When `[setup]` in the variant's file is wrong, or a constraint is about pieces or files that the army does not
    /// have.
    pub fn new(variant: &Variant, further: &[Constraint]) -> Result<Self, SpaceError> {
        let SetupPart { army, sides, mut constraints, .. } = SetupPart::read(variant, further)?;
        let mut pairs_up_to_reflection = false;
        if matches!(sides, Sides::Independent | Sides::Listed(_)) {
            let all = constraints.len();
            constraints.retain(|constraint| !matches!(constraint, Constraint::UpToReflection(_)));
            pairs_up_to_reflection = constraints.len() < all;
        }
        let all = constraints.len();
        constraints.retain(|constraint| !matches!(constraint, Constraint::NoCheck(_)));
        let no_check = (constraints.len() < all).then(|| Rules::new(variant));
        Ok(Self { army, sides, constraints, pairs_up_to_reflection, no_check })
    }

    /// The number of arrangements that are gone through.
    pub fn arrangements(&self) -> u128 {
        self.army.arrangements()
    }

    /// The number of setups.
    ///
    /// `progress` is called from any thread with the number of arrangements since the last call.
    pub fn count(&self, progress: &(dyn Fn(u64) + Sync)) -> u128 {
        match &self.sides {
            Sides::Mirror | Sides::Rotate => self.tally::<1>(progress, |_| 0)[0],
            Sides::Independent if self.pairs_up_to_reflection || self.no_check.is_some() => {
                let faces = self.faces(progress);
                let of_white = |(white, whites): (&Face, &u128)| {
                    let blacks = faces.iter().filter(|(black, _)| self.go_together(white, black));
                    whites * blacks.map(|(_, blacks)| blacks).sum::<u128>()
                };
                faces.iter().map(of_white).sum()
            }
            Sides::Independent => self.tally::<1>(progress, |_| 0)[0].pow(2),
            Sides::Listed(listed) => {
                let found =
                    self.ranks_if(progress, |rank| listed.iter().any(|(_, setup)| setup.white == *rank));
                let keeps = |setup| {
                    (!self.pairs_up_to_reflection || UpToReflection.holds_for(setup))
                        && self.is_without_check(setup)
                };
                let kept = |setup| keeps(setup) && found.contains(&setup.white);
                listed.iter().filter(|(_, setup)| kept(setup)).count() as u128
            }
        }
    }

    /// The ranks of a side, counted by what matters to the other side.
    fn faces(&self, progress: &(dyn Fn(u64) + Sync)) -> HashMap<Face, u128> {
        let of_task = |task: &Task| {
            let mut faces = HashMap::new();
            self.walk(task, progress, |rank| *faces.entry(self.face(rank)).or_insert(0) += 1);
            faces
        };
        let add = |mut one: HashMap<Face, u128>, other: HashMap<Face, u128>| {
            other.into_iter().for_each(|(face, number)| *one.entry(face).or_insert(0) += number);
            one
        };
        self.tasks().par_iter().map(of_task).reduce(HashMap::new, add)
    }

    fn face(&self, rank: &FirstRank) -> Face {
        let not_after = |rank: &FirstRank| UpToReflection.holds(rank, &self.army);
        let reflection = match (not_after(rank), not_after(&rank.reversed())) {
            (true, false) => std::cmp::Ordering::Less,
            (true, true) => std::cmp::Ordering::Equal,
            (false, _) => std::cmp::Ordering::Greater,
        };
        let (mut kings, mut attacks) = (0, [0; 2]);
        if let Some(rules) = &self.no_check {
            let is_king = |letter| rules.variant().piece(letter).is_some_and(|piece| piece.royal);
            kings = rank
                .pieces()
                .filter(|piece| is_king(piece.1))
                .fold(0, |kings, (file, _)| kings | 1 << file.0);
            // Both sides have pieces on the same files whatever the ranks are, so this rank attacks the same of any other.
            let setup = Setup { white: *rank, black: *rank };
            let [of_black, of_white] = rules.attacked_at_start(&setup).expect("a rank of the game");
            attacks = [of_white, of_black];
        }
        Face { reflection, kings, attacks }
    }

    /// Whether ranks of White's and of Black's go together.
    fn go_together(&self, white: &Face, black: &Face) -> bool {
        let not_after = white.reflection.then(black.reflection).is_le();
        let in_check = white.kings & black.attacks[1] != 0 || black.kings & white.attacks[0] != 0;
        (not_after || !self.pairs_up_to_reflection) && !in_check
    }

    /// Whether no king stands in check, if that is asked for.
    fn is_without_check(&self, setup: &Setup) -> bool {
        let in_check = |rules: &Rules| rules.kings_in_check(setup).expect("a setup of the game");
        self.no_check.as_ref().is_none_or(|rules| in_check(rules) == [false; 2])
    }

    /// Whether a rank together with that of Black's which goes with it has no king in check, if that is asked for.
    fn is_rank_without_check(&self, rank: &FirstRank) -> bool {
        self.no_check.is_none()
            || self
                .sides
                .black(rank)
                .is_none_or(|black| self.is_without_check(&Setup { white: *rank, black }))
    }

    /// The ranks that a side can have, in alphabetical order.
    pub fn ranks(&self) -> Vec<FirstRank> {
        self.ranks_if(&|_| (), |_| true)
    }

    /// The ranks that also satisfy a condition.
    fn ranks_if(
        &self,
        progress: &(dyn Fn(u64) + Sync),
        condition: impl Fn(&FirstRank) -> bool + Sync,
    ) -> Vec<FirstRank> {
        let found = Mutex::new(Vec::new());
        self.tasks().par_iter().for_each(|task| {
            let mut ranks = Vec::new();
            self.walk(task, progress, |rank| ranks.extend(condition(rank).then_some(*rank)));
            found.lock().expect("no task panics").append(&mut ranks);
        });
        let mut ranks = found.into_inner().expect("no task panics");
        ranks.sort_unstable();
        ranks
    }

    /// The number of ranks in each class.
    fn tally<const CLASSES: usize>(
        &self,
        progress: &(dyn Fn(u64) + Sync),
        class: impl Fn(&FirstRank) -> usize + Sync,
    ) -> [u128; CLASSES] {
        let tally_one = |task: &Task| {
            let mut counts = [0; CLASSES];
            self.walk(task, progress, |rank| counts[class(rank)] += 1);
            counts
        };
        let add = |a: [u128; CLASSES], b: [u128; CLASSES]| std::array::from_fn(|class| a[class] + b[class]);
        self.tasks().par_iter().map(tally_one).reduce(|| [0; CLASSES], add)
    }

    /// A task for each choice of the first pieces.
    fn tasks(&self) -> Vec<Task> {
        let mut letters: Vec<Letter> = self.army.pattern().pieces().map(|piece| piece.1).collect();
        letters.sort_unstable();
        let mut tasks = vec![Task { chosen: Vec::new(), left: letters }];
        for _ in 0..self.army.len().min(3) {
            tasks = tasks.iter().flat_map(Task::split).collect();
        }
        tasks
    }

    /// Goes through the arrangements of one task in alphabetical order.
    fn walk(&self, task: &Task, progress: &(dyn Fn(u64) + Sync), mut found: impl FnMut(&FirstRank)) {
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
            let holds = self.constraints.iter().all(|constraint| constraint.holds(&rank, &self.army));
            if holds && self.is_rank_without_check(&rank) {
                found(&rank);
            }
            seen += 1;
            if seen == BATCH {
                progress(seen);
                seen = 0;
            }
            if !next_permutation(&mut left) {
                break;
            }
        }
        progress(seen);
    }
}

/// The pieces chosen first, and those whose orders follow.
struct Task {
    chosen: Vec<Letter>,
    left: Vec<Letter>,
}

impl Task {
    /// This task with one more piece chosen, in every possible way.
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

/// Puts the letters into the next order of the alphabet. At the last order it changes nothing and returns false.
fn next_permutation(letters: &mut [Letter]) -> bool {
    let Some(pivot) = letters.windows(2).rposition(|pair| pair[0] < pair[1]) else {
        return false;
    };
    let successor =
        letters.iter().rposition(|&letter| letter > letters[pivot]).expect("pivot + 1 is greater");
    letters.swap(pivot, successor);
    letters[pivot + 1..].reverse();
    true
}
