//! Which pieces of a first rank have rights that they lose by moving. Sets of files are bits, the lowest for the
//! a-file.

/// The outermost partners on the left and on the right of a king: those it may castle with when a game starts.
///
/// `king` is the king's file as a bit, or 0 if it is not on its first rank.
pub(crate) fn outermost_partners(king: u16, partners: u16) -> u16 {
    if king == 0 {
        return 0;
    }
    let left = partners & (king - 1);
    let right = partners & !king & !(king - 1);
    let leftmost = left & left.wrapping_neg();
    let rightmost = if right == 0 { 0 } else { 1 << right.ilog2() };
    leftmost | rightmost
}

/// Whether pieces that adjust may do so at the start of a game.
///
/// 000: the rule is in effect only where the bishops start on one colour. A reading: a single bishop cannot adjust, nor
/// can three that stand on both colours.
pub(crate) fn starts_on_one_colour(adjusters: u16) -> bool {
    const EVERY_OTHER_FILE: u16 = 0x5555;
    let on_a_colour = adjusters & EVERY_OTHER_FILE;
    adjusters.count_ones() >= 2 && (on_a_colour == 0 || on_a_colour == adjusters)
}

/// Pieces that have not moved and may be swapped: those that adjust with a partner beside them, and these partners.
///
/// 000: "any piece adjacent to them"; "neither of the two may have moved".
pub(crate) fn swappable(adjusters: u16, partners: u16) -> u16 {
    let beside = |files: u16| files << 1 | files >> 1;
    let partners = partners & beside(adjusters);
    partners | adjusters & beside(partners)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The files on which a text has one of some letters.
    fn files(rank: &str, letters: &str) -> u16 {
        rank.bytes()
            .enumerate()
            .filter(|(_, letter)| letters.contains(*letter as char))
            .map(|(file, _)| 1 << file)
            .sum()
    }

    #[test]
    fn rights_of_first_ranks() {
        let castles = |rank| outermost_partners(files(rank, "K"), files(rank, "R"));
        assert_eq!(castles("RNBQKBNR"), 0b1000_0001);
        assert_eq!(castles("RRKR.RRR"), 0b1000_0001);
        assert_eq!(castles("KRR"), 0b100);
        assert_eq!(castles("RRK"), 0b001);
        assert_eq!(castles("RNBR"), 0);
        assert_eq!(castles("R.............KR"), 0b1000_0000_0000_0001);
        let may_adjust = |rank| starts_on_one_colour(files(rank, "B"));
        assert!(may_adjust("B.B") && may_adjust(".B.B") && may_adjust("B.B.B"));
        assert!(!may_adjust("B") && !may_adjust("BB") && !may_adjust("BB.B") && !may_adjust(""));
        let swaps = |rank| swappable(files(rank, "B"), files(rank, "NQ"));
        assert_eq!(swaps("NBQRB.N"), 0b0000_0111);
        assert_eq!(swaps("RBRB"), 0);
        assert_eq!(swaps("N..............B"), 0);
    }
}
