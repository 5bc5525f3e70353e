//! Pawns that start on one of two ranks.

use backrank_rules::{File, FirstRank};

use crate::gaze::Files;

/// The pawns of a side that start on one of two ranks, each whatever the others do, as in Chess256 (Mats Winther, 2006).
///
/// The ways to place them are numbered in the order of [`FirstRank`]: the a-file weighs most, and the nearer rank comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PawnChoices(Files);

impl PawnChoices {
    /// Those on some files, as bits.
    pub fn of(files: Files) -> Self {
        Self(files)
    }

    /// The number of ways to place them.
    pub fn ways(self) -> u64 {
        1 << self.0.count_ones()
    }

    /// Their files, from the a-file.
    pub fn files(self) -> impl DoubleEndedIterator<Item = File> + ExactSizeIterator {
        let files: Vec<File> =
            (0..Files::BITS as u8).map(File).filter(|file| self.0 >> file.0 & 1 != 0).collect();
        files.into_iter()
    }

    /// The number of the way in which a rank has them; `None` if it has others on the farther rank.
    pub fn number_of(self, rank: &FirstRank) -> Option<u64> {
        if rank.advanced_pawns().any(|file| self.0 >> file.0 & 1 == 0) {
            return None;
        }
        Some(self.files().fold(0, |number, file| number << 1 | u64::from(rank.has_advanced_pawn(file))))
    }

    /// A rank with its pawns placed in the way with a number below [`PawnChoices::ways`].
    pub fn place(self, rank: FirstRank, number: u64) -> FirstRank {
        if self.0 == 0 {
            return rank;
        }
        let is_advanced = |(place, file): (usize, File)| (number >> place & 1 != 0).then_some(file);
        rank.with_advanced_pawns(self.files().rev().enumerate().filter_map(is_advanced))
    }
}
