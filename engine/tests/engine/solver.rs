//! Forced wins by going through every move: slow, plain, and sharing nothing with the search but the rules.

use backrank_rules::{GameResult, Position};

/// Whether the side to move mates, or bares a king where that wins, within so many of its moves; none when more than
/// `work` moves would have to be looked at.
pub fn wins_within(position: &Position<'_>, moves: u32, work: &mut u64) -> Option<bool> {
    if moves == 0 {
        return Some(false);
    }
    for played in position.legal_moves() {
        *work = work.checked_sub(1)?;
        if is_lost_within(&position.after(played), moves - 1, work)? {
            return Some(true);
        }
    }
    Some(false)
}

/// Whether the side to move has lost, or does whatever it plays, within so many moves of the other side.
pub fn is_lost_within(position: &Position<'_>, moves: u32, work: &mut u64) -> Option<bool> {
    let other_wins = GameResult::Win(position.side_to_move().other());
    if let Some(outcome) = position.outcome() {
        return Some(outcome.result == other_wins);
    }
    if moves == 0 {
        return Some(false);
    }
    for played in position.legal_moves() {
        *work = work.checked_sub(1)?;
        let after = position.after(played);
        let lost = match after.outcome() {
            // A side can lose by its own move, where a bare king must take back at once.
            Some(outcome) => outcome.result == other_wins,
            None => wins_within(&after, moves, work)?,
        };
        if !lost {
            return Some(false);
        }
    }
    Some(true)
}

/// The number of moves in which the side to move wins by force, if they are at most so many.
pub fn moves_to_win(position: &Position<'_>, most: u32, work: &mut u64) -> Option<u32> {
    for moves in 1..=most {
        if wins_within(position, moves, work)? {
            return Some(moves);
        }
    }
    None
}
