//! Counting by going through every arrangement of an army.
//!
//! It shares with [`Space`](crate::Space) how a variant's file is read, and the plain meaning of a constraint
//! ([`Constraint::holds`], [`UpToReflection::holds_for`](crate::UpToReflection::holds_for)). It does not use the
//! automata, tables and numberings with which a space counts. Whether a king stands in check it asks the rules of play.

use std::collections::HashMap;
use std::sync::Mutex;

use backrank_rules::{File, FirstRank, Letter, Rules, Setup, Side, Variant};
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
    /// White's army and Black's.
    armies: [Army; 2],
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
    /// The files that it, with what is fixed, attacks on the other side's first rank if it is White's, and if it is Black's.
    attacks: [u16; 2],
    /// Whether the other side's king, if it is fixed, is in check.
    gives_check: [bool; 2],
}

impl BruteForce {
    /// Counts the setups of a variant that also satisfy further constraints.
    ///
    /// # Errors
    ///
    /// When `[setup]` in the variant's file is wrong, or a constraint is about pieces or files that the army does not
    /// have.
    pub fn new(variant: &Variant, further: &[Constraint]) -> Result<Self, SpaceError> {
        let SetupPart { armies, sides, mut constraints, .. } = SetupPart::read(variant, further)?;
        let mut pairs_up_to_reflection = false;
        if matches!(sides, Sides::Independent | Sides::Listed(_)) {
            let all = constraints.len();
            constraints.retain(|constraint| !matches!(constraint, Constraint::UpToReflection(_)));
            pairs_up_to_reflection = constraints.len() < all;
        }
        let all = constraints.len();
        constraints.retain(|constraint| !matches!(constraint, Constraint::NoCheck(_)));
        let no_check = (constraints.len() < all).then(|| Rules::new(variant));
        Ok(Self { armies, sides, constraints, pairs_up_to_reflection, no_check })
    }

    /// The number of arrangements that are gone through.
    pub fn arrangements(&self) -> u128 {
        self.sides_to_walk().iter().map(|&side| self.armies[side as usize].arrangements()).sum()
    }

    /// The sides whose ranks have to be gone through: White's stands for both where they are alike, or Black's follows from it.
    fn sides_to_walk(&self) -> &'static [Side] {
        let [white, black] = &self.armies;
        let are_alike = white.is_like(black)
            && !self.constraints.iter().any(|constraint| matches!(constraint, Constraint::OfSide(_)));
        match self.sides {
            Sides::Independent if !are_alike => &Side::BOTH,
            _ => &Side::BOTH[..1],
        }
    }

    /// The number of setups.
    ///
    /// `progress` is called from any thread with the number of arrangements since the last call.
    pub fn count(&self, progress: &(dyn Fn(u64) + Sync)) -> u128 {
        match &self.sides {
            Sides::Mirror(_) | Sides::Rotate(_) => self.tally(Side::White, progress),
            Sides::Independent if self.pairs_up_to_reflection || self.no_check.is_some() => {
                let faces: Vec<_> =
                    self.sides_to_walk().iter().map(|&side| self.faces(side, progress)).collect();
                let (faces, of_black) = (&faces[0], &faces[faces.len() - 1]);
                let of_white = |(white, whites): (&Face, &u128)| {
                    let blacks = of_black.iter().filter(|(black, _)| self.go_together(white, black));
                    whites * blacks.map(|(_, blacks)| blacks).sum::<u128>()
                };
                faces.iter().map(of_white).sum()
            }
            Sides::Independent => {
                let numbers: Vec<_> =
                    self.sides_to_walk().iter().map(|&side| self.tally(side, progress)).collect();
                numbers[0] * numbers[numbers.len() - 1]
            }
            Sides::Listed(listed) => {
                let found = self.ranks_if(Side::White, progress, |rank| {
                    listed.iter().any(|(_, setup)| setup.white == *rank)
                });
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
    fn faces(&self, side: Side, progress: &(dyn Fn(u64) + Sync)) -> HashMap<Face, u128> {
        let of_task = |task: &Task| {
            let mut faces = HashMap::new();
            self.walk(side, task, progress, |rank| *faces.entry(self.face(side, rank)).or_insert(0) += 1);
            faces
        };
        let add = |mut one: HashMap<Face, u128>, other: HashMap<Face, u128>| {
            other.into_iter().for_each(|(face, number)| *one.entry(face).or_insert(0) += number);
            one
        };
        self.tasks(side).par_iter().map(of_task).reduce(HashMap::new, add)
    }

    fn face(&self, side: Side, rank: &FirstRank) -> Face {
        let not_after = |rank: &FirstRank| UpToReflection.holds(rank, &self.armies[side as usize]);
        let reflection = match (not_after(rank), not_after(&rank.reversed())) {
            (true, false) => std::cmp::Ordering::Less,
            (true, true) => std::cmp::Ordering::Equal,
            (false, _) => std::cmp::Ordering::Greater,
        };
        let (mut kings, mut attacks, mut gives_check) = (0, [0; 2], [false; 2]);
        if let Some(rules) = &self.no_check {
            let is_king = |letter| rules.variant().piece(letter).is_some_and(|piece| piece.royal);
            kings = rank
                .pieces()
                .filter(|piece| is_king(piece.1))
                .fold(0, |kings, (file, _)| kings | 1 << file.0);
            // The sides have pieces on the same files whatever the ranks are, so this rank attacks the same of any other.
            for of in Side::BOTH.into_iter().filter(|&of| of == side || self.sides_to_walk().len() == 1) {
                let mut setup = rules.variant().written_setup();
                *(if of == Side::White { &mut setup.white } else { &mut setup.black }) = *rank;
                let attacked = rules.attacked_at_start(&setup).expect("a rank of the game");
                attacks[of as usize] = attacked[of.other() as usize];
                let has_fixed_king = self.armies[0].gaze().fixed_king(of.other()).is_some();
                let in_check =
                    || rules.kings_in_check(&setup).expect("a rank of the game")[of.other() as usize];
                gives_check[of as usize] = has_fixed_king && in_check();
            }
        }
        Face { reflection, kings, attacks, gives_check }
    }

    /// Whether ranks of White's and of Black's go together.
    fn go_together(&self, white: &Face, black: &Face) -> bool {
        let not_after = white.reflection.then(black.reflection).is_le();
        let in_check = white.kings & black.attacks[1] != 0
            || black.kings & white.attacks[0] != 0
            || white.gives_check[0]
            || black.gives_check[1];
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

    /// The ranks that White can have, in alphabetical order.
    pub fn ranks(&self) -> Vec<FirstRank> {
        self.ranks_of(Side::White)
    }

    /// The ranks that a side can have, in alphabetical order; Black's only where sides are independent.
    pub fn ranks_of(&self, side: Side) -> Vec<FirstRank> {
        self.ranks_if(side, &|_| (), |_| true)
    }

    /// The ranks that also satisfy a condition.
    fn ranks_if(
        &self,
        side: Side,
        progress: &(dyn Fn(u64) + Sync),
        condition: impl Fn(&FirstRank) -> bool + Sync,
    ) -> Vec<FirstRank> {
        let found = Mutex::new(Vec::new());
        self.tasks(side).par_iter().for_each(|task| {
            let mut ranks = Vec::new();
            self.walk(side, task, progress, |rank| ranks.extend(condition(rank).then_some(*rank)));
            found.lock().expect("no task panics").append(&mut ranks);
        });
        let mut ranks = found.into_inner().expect("no task panics");
        ranks.sort_unstable();
        ranks
    }

    /// The number of ranks that a side can have.
    fn tally(&self, side: Side, progress: &(dyn Fn(u64) + Sync)) -> u128 {
        let tally_one = |task: &Task| {
            let mut number = 0;
            self.walk(side, task, progress, |_| number += 1);
            number
        };
        self.tasks(side).par_iter().map(tally_one).sum()
    }

    /// A task for each choice of the first pieces.
    fn tasks(&self, side: Side) -> Vec<Task> {
        let army = &self.armies[side as usize];
        let mut letters: Vec<Letter> = army.pattern().into_letters().collect();
        letters.sort_unstable();
        let mut tasks = vec![Task { chosen: Vec::new(), left: letters }];
        for _ in 0..army.len().min(3) {
            tasks = tasks.iter().flat_map(Task::split).collect();
        }
        tasks
    }

    /// Goes through the arrangements of one task in alphabetical order.
    fn walk(
        &self,
        side: Side,
        task: &Task,
        progress: &(dyn Fn(u64) + Sync),
        mut found: impl FnMut(&FirstRank),
    ) {
        const BATCH: u64 = 1 << 16;
        let army = &self.armies[side as usize];
        let mut rank = army.pattern();
        let files: Vec<_> = army.files().collect();
        let (first, rest) = files.split_at(task.chosen.len());
        let choices: Vec<_> = army.pawn_choices().files().collect();
        for (&file, &letter) in first.iter().zip(&task.chosen) {
            rank.set(file, letter);
        }
        let mut left = task.left.clone();
        let mut seen = 0;
        loop {
            for (&file, &letter) in rest.iter().zip(&left) {
                rank.set(file, letter);
            }
            let holds = self.constraints.iter().all(|constraint| constraint.holds(&rank, army));
            // Every pawn that starts on one of two ranks is on the one and on the other, with every arrangement of the pieces.
            for chosen in subsets(&choices) {
                let rank = rank.with_advanced_pawns(chosen);
                if holds && self.is_rank_without_check(&rank) {
                    found(&rank);
                }
                seen += 1;
            }
            if seen >= BATCH {
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

/// Every subset of some files.
fn subsets(files: &[File]) -> impl Iterator<Item = Vec<File>> + '_ {
    (0..1_u32 << files.len()).map(|chosen| {
        (0..files.len()).filter(|file| chosen >> file & 1 != 0).map(|file| files[file]).collect()
    })
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
