//! The transposition table: the results of searches of positions that were reached before.

use backrank_rules::{Letter, Move, MoveKind, Square};
use bytemuck::{Pod, Zeroable};
use memmap2::MmapMut;
use thiserror::Error;

use crate::score::FORCED_WIN;

/// The meaning of a stored score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// The score is at most this: no move reached the window.
    Upper,
    /// The score is at least this: a move went beyond the window.
    Lower,
    /// The score is exactly this.
    Exact,
}

impl Bound {
    /// The meaning of the score that a search with a window returned.
    pub fn of(score: i32, alpha: i32, beta: i32) -> Self {
        match score {
            score if score >= beta => Self::Lower,
            score if score > alpha => Self::Exact,
            _ => Self::Upper,
        }
    }
}

/// The result of a search of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableEntry {
    pub best: Option<Move>,
    pub score: i32,
    /// The static evaluation; `None` in check.
    pub evaluation: Option<i32>,
    /// The depth of the search, in plies.
    pub depth: i32,
    pub bound: Bound,
}

impl TableEntry {
    /// Whether the score is deep enough, and is all that a search with this window could find.
    pub fn cuts(&self, alpha: i32, beta: i32) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        }
    }

    /// A better estimate than the static evaluation: the score, if it bounds the evaluation.
    pub fn tighten(&self, evaluation: i32) -> i32 {
        let is_better = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score > evaluation,
            Bound::Upper => self.score < evaluation,
        };
        if is_better && self.score.abs() < FORCED_WIN { self.score } else { evaluation }
    }
}

/// All zeros for an empty entry.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Slot {
    key: u32,
    best: u32,
    score: i16,
    evaluation: i16,
    depth: u8,
    /// The bound in the lowest two bits, 0 for an empty entry; above them the number of the search that stored it.
    bound_and_age: u8,
    padding: u16,
}

const NO_EVALUATION: i16 = i16::MIN;
const WAYS: usize = 4;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
struct Bucket([Slot; WAYS]);

/// There is not enough memory for a transposition table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("there is no memory for a transposition table of {mebibytes} MiB")]
pub struct NoMemory {
    /// The requested size in mebibytes.
    pub mebibytes: usize,
}

/// A table of fixed size, in which newer and deeper entries replace others.
pub(super) struct TranspositionTable {
    memory: MmapMut,
    age: u8,
}

impl TranspositionTable {
    /// A table of this many mebibytes.
    ///
    /// # Errors
    ///
    /// When there is not enough memory.
    pub fn new(mebibytes: usize) -> Result<Self, NoMemory> {
        let memory = MmapMut::map_anon(mebibytes.max(1) << 20).map_err(|_| NoMemory { mebibytes })?;
        // Entries are scattered over the table, and with small pages finding the page takes longer than reading the
        // entry. If the system has no large pages, nothing is lost.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Ok(Self { memory, age: 0 })
    }

    /// Clears the table.
    pub fn clear(&mut self) {
        self.memory.fill(0);
        self.age = 0;
    }

    #[inline]
    fn buckets(&self) -> &[Bucket] {
        bytemuck::cast_slice(&self.memory)
    }

    /// Begins another search, which makes all present entries old.
    pub fn grow_older(&mut self) {
        self.age = (self.age + 1) & 63;
    }

    fn bucket_of(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets().len() as u128) >> 64) as usize
    }

    /// Asks the processor to fetch an entry that will be probed soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket: *const Bucket = &self.buckets()[self.bucket_of(key)];
            // SAFETY: a prefetch has no effect on memory, and the bucket exists.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// The entry of a position, with mate distances counted from `ply`.
    pub fn probe(&self, key: u64, ply: i32) -> Option<TableEntry> {
        let bucket = &self.buckets()[self.bucket_of(key)];
        let entry = bucket.0.iter().find(|entry| entry.key == key as u32 && entry.bound_and_age & 3 != 0)?;
        let score = i32::from(entry.score);
        Some(TableEntry {
            best: unpack(entry.best),
            score: match score {
                score if score >= FORCED_WIN => score - ply,
                score if score <= -FORCED_WIN => score + ply,
                score => score,
            },
            evaluation: (entry.evaluation != NO_EVALUATION).then_some(entry.evaluation.into()),
            depth: entry.depth.into(),
            bound: match entry.bound_and_age & 3 {
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
        })
    }

    /// Stores the result of a search, with mate distances counted from `ply`.
    pub fn store(&mut self, key: u64, ply: i32, found: TableEntry) {
        let age = self.age;
        let index = self.bucket_of(key);
        let buckets: &mut [Bucket] = bytemuck::cast_slice_mut(&mut self.memory);
        let bucket = &mut buckets[index].0;
        // The value of keeping an entry: its depth, less for each search since it was stored.
        let worth = |slot: &Slot| match slot.bound_and_age & 3 {
            0 => i32::MIN,
            _ => i32::from(slot.depth) - 8 * i32::from(age.wrapping_sub(slot.bound_and_age >> 2) & 63),
        };
        let way = match bucket.iter().position(|entry| entry.key == key as u32) {
            Some(way) => way,
            None => (0..WAYS).min_by_key(|&way| worth(&bucket[way])).unwrap_or(0),
        };
        let entry = &mut bucket[way];
        let same = entry.key == key as u32 && entry.bound_and_age & 3 != 0;
        // A shallow bound does not replace a deep entry of the same search.
        if same
            && found.bound != Bound::Exact
            && entry.bound_and_age >> 2 == age
            && i32::from(entry.depth) > found.depth + 3
        {
            return;
        }
        let best = match found.best {
            Some(best) => pack(best),
            None if same => entry.best,
            None => 0,
        };
        let score = match found.score {
            score if score >= FORCED_WIN => score + ply,
            score if score <= -FORCED_WIN => score - ply,
            score => score,
        };
        *entry = Slot {
            key: key as u32,
            best,
            score: score as i16,
            evaluation: found.evaluation.map_or(NO_EVALUATION, |evaluation| evaluation as i16),
            depth: found.depth.clamp(0, 255) as u8,
            bound_and_age: age << 2
                | match found.bound {
                    Bound::Upper => 1,
                    Bound::Lower => 2,
                    Bound::Exact => 3,
                },
            padding: 0,
        };
    }

    /// How full the table is of entries of this search, in thousandths, estimated from a sample.
    pub fn hashfull(&self) -> u32 {
        let sample = &self.buckets()[..self.buckets().len().min(250)];
        let entries = sample.iter().flat_map(|bucket| &bucket.0);
        let used =
            entries.filter(|entry| entry.bound_and_age & 3 != 0 && entry.bound_and_age >> 2 == self.age);
        (used.count() * 1000 / (sample.len() * WAYS)) as u32
    }
}

/// A move in 32 bits, which is never 0.
fn pack(played: Move) -> u32 {
    let kind = match played.kind {
        MoveKind::Normal => 1,
        MoveKind::EnPassant => 2,
        MoveKind::Castling => 3,
        MoveKind::Adjustment => 4,
        MoveKind::Promotion(letter) => letter.as_u8(),
    };
    u32::from(kind) << 16 | (played.to.index() as u32) << 8 | played.from.index() as u32
}

fn unpack(bits: u32) -> Option<Move> {
    let kind = match (bits >> 16) as u8 {
        0 => return None,
        1 => MoveKind::Normal,
        2 => MoveKind::EnPassant,
        3 => MoveKind::Castling,
        4 => MoveKind::Adjustment,
        letter => MoveKind::Promotion(Letter::new(letter)?),
    };
    let square = |bits: u32| Square::new(usize::from(bits as u8));
    Some(Move { from: square(bits)?, to: square(bits >> 8)?, kind })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_found_with_distances_from_the_root() {
        let mut table = TranspositionTable::new(1).unwrap();
        let [from, to] = [3, 127].map(|index| Square::new(index).unwrap());
        let best = Move { from, to, kind: MoveKind::Promotion(Letter::M) };
        let found = TableEntry {
            best: Some(best),
            score: FORCED_WIN + 100,
            evaluation: Some(-7),
            depth: 12,
            bound: Bound::Lower,
        };
        table.store(0x1234_5678_9abc_def0, 4, found);
        let again = table.probe(0x1234_5678_9abc_def0, 6).unwrap();
        assert_eq!(again.best, Some(best));
        assert_eq!((again.score, again.evaluation, again.depth), (FORCED_WIN + 98, Some(-7), 12));
        assert_eq!(again.bound, Bound::Lower);
        assert!(table.probe(0x1234_5678_9abc_def1, 6).is_none());
        table.clear();
        assert!(table.probe(0x1234_5678_9abc_def0, 6).is_none());
    }
}
