//! Portable Game Notation.

use backrank_rules::{Game, Position, Side, Variant};
use backrank_selfplay::study::{Ending, GameRecord, MoveScore};
use clap::ValueEnum;

/// The form of a score in a comment.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CommentForm {
    /// {+0.31/8}, with the depth, for the side that moved, as cutechess and fastchess write it
    Cutechess,
    /// {[%eval 0.31,8]}, for White, as Lichess and ChessBase write it
    Eval,
}

/// The FEN of a position. The seventh field is left out if it is `-`, because other programs read six.
pub fn fen(position: &Position<'_>) -> String {
    let has_unmoved = Side::BOTH.into_iter().any(|side| position.unmoved(side).next().is_some());
    if has_unmoved { position.to_fen() } else { position.to_standard_fen() }
}

/// A game.
pub fn text(
    record: &GameRecord,
    game: &Game<'_>,
    scores: &[Option<MoveScore>],
    comments: CommentForm,
) -> String {
    let reason = match record.termination {
        Ending::Rules(_) | Ending::Claimed | Ending::Resignation | Ending::Agreement => "normal",
        Ending::Adjudication => "adjudication",
        Ending::Time => "time forfeit",
        Ending::EngineFailure | Ending::Abandoned => "abandoned",
        Ending::Unfinished => "unterminated",
    };
    let (round, result, plies) = (record.game + 1, record.result_text(), record.plies.to_string());
    let fen = fen(game.start());
    let ratings = record.ratings.unwrap_or_default();
    let [white_elo, black_elo] =
        [ratings.white, ratings.black].map(|rating| rating.map_or(String::new(), |elo| elo.to_string()));
    let tags = [
        ("Event", "backrank"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", &round.to_string()),
        ("White", &record.white),
        ("Black", &record.black),
        ("Result", &result),
        ("WhiteElo", &white_elo),
        ("BlackElo", &black_elo),
        ("Variant", variant_tag(game.start().rules().variant())),
        ("SetUp", "1"),
        ("FEN", &fen),
        ("PlyCount", &plies),
        ("Termination", reason),
        ("Ending", &record.termination.to_string()),
        ("Odds", &record.odds),
    ];
    let comment = |ply: usize, mover: Side| {
        scores.get(ply).copied().flatten().map(|score| comment(score, mover, comments))
    };
    written(&tags, game, &result, comment)
}

/// The key of a game as the tag `Variant` has it: none for orthodox chess, for which readers take a game without this tag.
pub fn variant_tag(variant: &Variant) -> &str {
    if variant.is_orthodox() { "" } else { &variant.key }
}

/// A game with the tags that have a value, and its moves, each with the comment that its ply and its side have.
pub fn written(
    tags: &[(&str, &str)],
    game: &Game<'_>,
    result: &str,
    comment: impl Fn(usize, Side) -> Option<String>,
) -> String {
    let mut text = String::new();
    for (name, value) in tags.iter().filter(|(_, value)| !value.is_empty()) {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
        text.push_str(&format!("[{name} \"{value}\"]\n"));
    }
    text.push('\n');
    let mut position = *game.start();
    let mut line = String::new();
    let mut add = |word: &str| {
        if !line.is_empty() && line.len() + 1 + word.len() > 79 {
            text.push_str(&line);
            text.push('\n');
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    };
    for (ply, &played) in game.moves().iter().enumerate() {
        let number = position.fullmove_number();
        match position.side_to_move() {
            Side::White => add(&format!("{number}.")),
            Side::Black if ply == 0 => add(&format!("{number}...")),
            Side::Black => (),
        }
        add(&position.notation(played));
        if let Some(comment) = comment(ply, position.side_to_move()) {
            add(&comment);
        }
        position.play(played);
    }
    add(result);
    text.push_str(&line);
    text.push_str("\n\n");
    text
}

/// The comment on a move. It does not give the time, which differs from run to run.
fn comment(score: MoveScore, mover: Side, form: CommentForm) -> String {
    match form {
        CommentForm::Cutechess => cutechess(score),
        CommentForm::Eval => eval(score, mover),
    }
}

/// Pawns, or `M` and the plies to mate, and the depth.
fn cutechess(MoveScore { score, depth }: MoveScore) -> String {
    match (score.as_centipawns(), score.as_plies_to_end()) {
        (Some(centipawns), _) => format!("{{{:+.2}/{depth}}}", f64::from(centipawns) / 100.0),
        (None, Some(plies)) => format!("{{{}M{}/{depth}}}", if plies > 0 { '+' } else { '-' }, plies.abs()),
        (None, None) => unreachable!("a score is centipawns or a distance"),
    }
}

/// White's pawns, or `#` and White's moves to mate from after the move on, and the depth.
fn eval(MoveScore { score, depth }: MoveScore, mover: Side) -> String {
    let sign = if mover == Side::White { 1 } else { -1 };
    let value = match (score.as_centipawns(), score.as_plies_to_end()) {
        (Some(centipawns), _) => format!("{:.2}", f64::from(sign * centipawns) / 100.0),
        // A side that mates at once has no move left to make.
        (None, Some(plies)) if plies > 0 => format!("#{}", sign * (plies / 2)),
        (None, plies) => format!("#{}", sign * plies.unwrap_or(0) / 2),
    };
    match depth {
        0 => format!("{{[%eval {value}]}}"),
        _ => format!("{{[%eval {value},{depth}]}}"),
    }
}
