//! Writing positions: what [`Position`](crate::Position) and [`StartFen`](crate::StartFen) share.

use crate::board::File;
use crate::setup::FirstRank;
use crate::square::Side;

/// Appends one rank of a board. Each square is the letter of its piece or [`FirstRank::EMPTY`]; a run of empty squares
/// is written as its length.
pub(crate) fn push_rank(text: &mut Vec<u8>, squares: impl Iterator<Item = u8>) {
    let mut empty = 0;
    for letter in squares {
        if letter == FirstRank::EMPTY {
            empty += 1;
            continue;
        }
        push_run(text, &mut empty);
        text.push(letter);
    }
    push_run(text, &mut empty);
}

/// Appends the length of a run of empty squares, if there is one, and sets it to 0.
fn push_run(text: &mut Vec<u8>, empty: &mut u8) {
    if *empty >= 10 {
        text.push(b'0' + *empty / 10);
    }
    if *empty > 0 {
        text.push(b'0' + *empty % 10);
    }
    *empty = 0;
}

/// One side's castling rights: files as bits, the lowest for the a-file.
#[derive(Clone, Copy, Default)]
pub(crate) struct Rights {
    /// The partners with which the side may castle.
    pub partners: u16,
    /// The outermost partners on each side of the king, which `K` and `Q` stand for.
    pub outermost: u16,
    /// The king, or 0 if it is not on its first rank.
    pub king: u16,
}

/// Appends White's castling rights and Black's: as files, or as the letters `KQkq` where that is wanted and means the
/// same.
pub(crate) fn push_castling(text: &mut Vec<u8>, rights: [Rights; 2], kqkq: bool) {
    if !kqkq {
        return push_files(text, rights.map(|rights| rights.partners));
    }
    if rights.iter().all(|rights| rights.partners == 0) {
        text.push(b'-');
    }
    for (side, rights) in Side::BOTH.into_iter().zip(rights) {
        let left = rights.partners & rights.king.wrapping_sub(1);
        for (partners, letter) in [(rights.partners & !left, b'K'), (left, b'Q')] {
            if partners & rights.outermost != 0 {
                text.push(side.cased(letter));
            } else {
                push_letters(text, partners, side);
            }
        }
    }
}

/// Appends the letters of White's files and of Black's, or `-` for none.
pub(crate) fn push_files(text: &mut Vec<u8>, files: [u16; 2]) {
    if files == [0; 2] {
        text.push(b'-');
    }
    for (side, files) in Side::BOTH.into_iter().zip(files) {
        push_letters(text, files, side);
    }
}

fn push_letters(text: &mut Vec<u8>, mut files: u16, side: Side) {
    while files != 0 {
        text.push(side.cased(File(files.trailing_zeros() as u8).letter() as u8));
        files &= files - 1;
    }
}
