//! `pieces --theories`: what others have held to make a piece worth much.

use std::io::Write;

use backrank_analysis::pieces::{MeasuredPiece, Theory, premium, theories, theories_table};
use backrank_analysis::stats::Estimate;
use backrank_endgames::{Endgame, EndgameTables};
use backrank_rules::{Letter, Rules, Side, Variant};
use serde::Serialize;

use crate::terminal::failure::Failure;
use crate::terminal::output::Output;
use crate::terminal::table::print_table;

/// What theories say of the pieces at one stage of a game.
#[derive(Serialize)]
pub struct StageTheories {
    /// What neither side has, such as `B+N+R+2P`; `-` for nothing.
    without: String,
    theories: Vec<Theory>,
    /// The number of pieces that mate a bare king with the help of their own from most positions.
    mating: usize,
    /// How many times as much these are worth as others of the same moves, where the pieces tell it.
    mating_premium: Option<Estimate>,
}

/// How well different measures predict the values of each stage, and what it is worth that a piece can mate.
pub fn stage_theories(pieces: &[MeasuredPiece]) -> Vec<StageTheories> {
    let mut stages: Vec<&str> = Vec::new();
    for piece in pieces {
        if !stages.contains(&piece.without.as_str()) {
            stages.push(&piece.without);
        }
    }
    let of_stage = |without: &str| {
        let measured: Vec<MeasuredPiece> =
            pieces.iter().filter(|piece| piece.without == without).cloned().collect();
        let mates: Vec<Option<bool>> = measured.iter().map(mates).collect();
        StageTheories {
            without: without.to_string(),
            theories: theories(&measured),
            mating: mates.iter().filter(|mates| **mates == Some(true)).count(),
            mating_premium: premium(&measured, &mates),
        }
    };
    stages.into_iter().map(of_stage).collect()
}

/// Says it.
pub fn say_theories(out: &mut Output, found: &StageTheories) -> Result<(), Failure> {
    let stage = match found.without.as_str() {
        "-" => String::new(),
        without => format!(" where neither side has {without}"),
    };
    writeln!(
        out,
        "\nhow well a power of one measure alone predicts values{stage}, and how well the model does\n"
    )?;
    print_table(out, theories_table().for_people(&found.theories))?;
    writeln!(out)?;
    match found.mating_premium {
        Some(premium) => out.say(format_args!(
            "{} of them mate a bare king with the help of their own from most positions. By the model with this as another term, it makes \
             them worth {:.2} ({:.2}) times as much.",
            found.mating, premium.value, premium.interval
        ))?,
        None => out.say("What it is worth that a piece can mate a bare king, these pieces do not tell.")?,
    }
    Ok(())
}

/// Whether a piece mates a bare king with the help of its own one from most positions; `None` if that is not known.
fn mates(piece: &MeasuredPiece) -> Option<bool> {
    let game = Variant::find(&piece.variant).ok()?;
    let letter = ('A'..='Z').find_map(|letter| {
        letter.to_string().parse::<Letter>().ok().filter(|letter| game.piece(*letter).is_none())
    })?;
    let game = game.with_piece(letter, &piece.piece, &piece.betza).ok()?;
    let rules = Rules::new(&game);
    let endgame = Endgame::parse(&format!("K{letter}vK"), &rules).ok()?;
    let tables = EndgameTables::build(&rules, std::slice::from_ref(&endgame), u64::MAX, |_| ()).ok()?;
    let found = tables.get(&endgame)?.count(Side::White);
    Some(2 * found.won > found.total())
}
