//! Extended Position Description.

use backrank_rules::Game;
use backrank_selfplay::study::{GameRecord, MoveScore};

/// The position after the opening, with these operations: `id`, the game; `bm`, `acd` and `ce` or `dm`, the player's
/// move, its depth and its score, if scores were recorded; `c0`, how the game ended; `unmoved`, the seventh field of
/// the position.
pub fn line(record: &GameRecord, game: &Game<'_>, scores: &[Option<MoveScore>]) -> String {
    let mut position = *game.start();
    let opening = record.opening_plies as usize;
    game.moves().iter().take(opening).for_each(|&played| position.play(played));
    let fen = position.to_fen();
    let fields: Vec<&str> = fen.split(' ').collect();
    let mut line = format!("{} hmvc {}; fmvn {};", fields[..4].join(" "), fields[4], fields[5]);
    if let Some(&unmoved) = fields.get(6).filter(|&&unmoved| unmoved != "-") {
        line += &format!(" unmoved \"{unmoved}\";");
    }
    line += &format!(" id \"game {}\";", record.game);
    if let (Some(&best), Some(&Some(found))) = (game.moves().get(opening), scores.get(opening)) {
        line += &format!(" bm {};", position.notation(best));
        line += &match (found.score.as_centipawns(), found.score.as_moves_to_mate()) {
            (Some(centipawns), _) => format!(" ce {centipawns};"),
            (None, moves) => format!(" dm {};", moves.unwrap_or(0)),
        };
        if found.depth > 0 {
            line += &format!(" acd {};", found.depth);
        }
    }
    line + &format!(" c0 \"{} {}\";\n", record.result_text(), record.termination)
}
