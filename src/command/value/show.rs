//! What `value` says.

use std::io::Write;
use std::path::Path;

use backrank_analysis::games::Column;
use backrank_analysis::stats::Estimate;
use backrank_analysis::table::thousands;
use backrank_analysis::values::{
    ImbalancePiece, ImbalanceValues, Imbalances, ValueBesideKind, ValueBesideOthers, ValuesByOthers,
};
use backrank_rules::{Letter, MoveDiagram, Rules};
use backrank_selfplay::study::Odds;
use serde::Serialize;

use super::engine::EnginesValues;
use super::facts::{Facts, Predicted};
use crate::args::lookup::write_lines;
use crate::terminal::failure::Failure;
use crate::terminal::output::{Output, print_json};
use crate::terminal::table::{TableColumn, print};

/// What the games say.
pub struct Found<'a> {
    pub values: &'a ImbalanceValues,
    /// The games that gave these values, for those in other units.
    pub known: &'a Imbalances,
    pub games: u64,
    /// How many of them are the pilot's.
    pub of_pilot: u64,
    /// What each piece is worth beside the strongest piece of its side and in the place of it, as far as games tell both.
    pub beside_strongest: Vec<ValueBesideKind>,
    /// What each piece is worth by how many of it there are and by what neither side has, where that was asked for, or why games do not
    /// tell.
    pub by_others: Option<Result<Vec<ValuesByOthers>, String>>,
    /// Where the values of the other pieces come from; `None` if only these games say them.
    pub of_anchor: Option<String>,
    /// The values by which the engine played the pieces.
    pub engine: Vec<EnginesValues>,
    /// What neither side has in any of the games, pawns last.
    pub without: &'a [Letter],
    pub path: &'a Path,
}

#[derive(Serialize)]
struct Json<'a> {
    #[serde(flatten)]
    facts: &'a Facts,
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    without: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    anchor: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<Vec<&'a ImbalancePiece>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    beside_strongest: Option<&'a [ValueBesideKind]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by_others: Option<&'a [ValuesByOthers]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<&'a [EnginesValues]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    directory: Option<String>,
}

pub fn json(facts: &Facts, found: Option<&Found<'_>>) -> Result<(), Failure> {
    let values =
        found.map(|found| found.values.pieces.iter().filter(|value| of(facts, value).is_some()).collect());
    print_json(&Json {
        facts,
        games: found.map(|found| found.games),
        without: found.filter(|found| !found.without.is_empty()).map(|found| Odds::side_text(found.without)),
        anchor: found.and_then(|found| found.of_anchor.as_deref()),
        values,
        beside_strongest: found.map(|found| found.beside_strongest.as_slice()),
        by_others: found.and_then(|found| found.by_others.as_ref()?.as_deref().ok()),
        engine: found.map(|found| found.engine.as_slice()),
        directory: found.map(|found| found.path.display().to_string()),
    })
}

/// The piece that a value is of.
fn of<'f>(facts: &'f Facts, value: &ImbalancePiece) -> Option<&'f Predicted> {
    facts.pieces.iter().find(|predicted| value.piece.to_string() == predicted.piece.letter.to_string())
}

/// Prints what is known without games.
pub fn facts(facts: &Facts, rules: &Rules) -> Result<(), Failure> {
    let mut out = Output::stdout();
    let board = rules.board();
    for predicted in &facts.pieces {
        let Predicted {
            piece,
            measured,
            measured_later,
            published,
            leaper_law,
            mobility,
            by_measured,
            by_network,
        } = predicted;
        let Some(kind) = rules.variant().piece(piece.letter) else { continue };
        let diagram = MoveDiagram::new(board, MoveDiagram::centre(board), &kind.betza);
        writeln!(
            out,
            "{}: {}, the letter {} of {}\n\n{diagram}",
            piece.name, piece.betza, piece.letter, facts.variant
        )?;
        let mut lines = vec![
            ("moves", piece.words.clone()),
            (
                "mobility",
                format!(
                    "{:.1} squares without capturing, {:.1} to capture, a third of the board being occupied",
                    piece.moves, piece.captures
                ),
            ),
            ("board", piece.reach(board.squares())),
            ("bare king", piece.mating.to_string()),
        ];
        for measured in [measured, measured_later].into_iter().flatten() {
            let said = text(Some(measured.value), 2);
            let stage = match measured.without.as_str() {
                "-" => String::new(),
                without => format!(", neither side having {without}"),
            };
            let games = thousands(measured.games);
            lines.push(("measured", format!("{said} in {games} games{stage} (`backrank pieces`)")));
        }
        if !published.is_empty() {
            let said = published.iter().map(|published| format!("{:.2} ({})", published.value, published.by));
            lines.push(("published", said.collect::<Vec<_>>().join(", ")));
        }
        if by_measured.is_some() {
            let said = text(*by_measured, 2);
            let elsewhere = if facts.is_measured_board { "" } else { " on other boards" };
            lines.push((
                "predicted",
                format!("{said} by the moves of pieces that were measured{elsewhere} (`backrank pieces`)"),
            ));
        }
        if by_network.is_some() {
            let said = text(*by_network, 2);
            lines.push(("predicted", format!("{said} by the network for every game (`--net general`)")));
        }
        if let Some(law) = leaper_law {
            lines.push(("predicted", format!("{law:.2} pawns by Muller's law of short-range leapers")));
        }
        if let Some(mobility) = mobility {
            lines.push(("predicted", format!("{mobility:.2} by mobility")));
        }
        write_lines(&mut out, lines)?;
        writeln!(out)?;
    }
    out.finish()
}

fn text(estimate: Option<Estimate>, digits: usize) -> String {
    match estimate {
        Some(Estimate { value, interval }) if interval.is_finite() => {
            format!("{value:.digits$} ({:.digits$} to {:.digits$})", interval.low, interval.high)
        }
        _ => "unknown".to_string(),
    }
}

/// Prints the values.
pub fn values(facts: &Facts, found: &Found<'_>) -> Result<(), Failure> {
    let mut out = Output::stdout();
    let by_unit = found.values;
    let rooks: Option<ImbalanceValues> = "R=5".parse().ok().map(|unit| found.known.values(unit));
    let columns = [
        TableColumn::Text("piece"),
        TableColumn::Text("moves"),
        TableColumn::Number("value"),
        TableColumn::Number("with R=5"),
        TableColumn::Number("in pawns"),
        TableColumn::Number("in Elo"),
        TableColumn::Number("games"),
    ];
    let rows = by_unit.pieces.iter().filter_map(|value| {
        let predicted = of(facts, value)?;
        let rook = rooks.iter().flat_map(|values| &values.pieces).find(|other| other.piece == value.piece);
        Some(vec![
            predicted.piece.name.clone(),
            predicted.piece.betza.clone(),
            text(value.value, 2),
            text(rook.and_then(|rook| rook.value), 2),
            text(value.pawns, 2),
            text(value.elo, 0),
            thousands(value.games),
        ])
    });
    let stage = match found.without {
        [] => String::new(),
        without => format!(", neither side having {}", Odds::side_text(without)),
    };
    writeln!(out, "values with {}{stage}, and 95 % intervals\n", by_unit.unit)?;
    print(&mut out, &columns, rows)?;
    writeln!(
        out,
        "\nmatches, named by what either side has and the other has not; won, drawn and lost by the side named first, its advantage in\n\
         Elo, and what the values let expect\n"
    )?;
    if found.by_others.is_some() {
        writeln!(out, "what is named on both sides neither has\n")?;
    }
    let is_new =
        |odds: &str| facts.pieces.iter().any(|predicted| odds.contains(predicted.piece.letter.as_char()));
    let matches = by_unit.imbalances.iter().filter(|found| is_new(&found.odds));
    let columns = [
        TableColumn::Text("match"),
        TableColumn::Number("won"),
        TableColumn::Number("drawn"),
        TableColumn::Number("lost"),
        TableColumn::Number("Elo"),
        TableColumn::Number("expected"),
    ];
    let without = found.without;
    let rows = matches.map(|found| {
        let [won, drawn, lost] = found.results;
        vec![
            beside(&found.odds, without),
            won.to_string(),
            drawn.to_string(),
            lost.to_string(),
            // Of a match that one side won whole there is none.
            if found.elo.value.is_finite() { format!("{:+.0}", found.elo.value) } else { String::new() },
            found.expected.map_or(String::new(), |elo| format!("{elo:+.0}")),
        ]
    });
    print(&mut out, &columns, rows)?;
    writeln!(out)?;
    match &found.of_anchor {
        Some(source) => writeln!(out, "The other pieces' values come from {source}, and from these games.")?,
        None => writeln!(out, "The other pieces' values come from these games alone.")?,
    }
    if let Some(test) = by_unit.additive.filter(|test| test.p_value < 0.05) {
        out.say(format_args!(
            "These matches deviate from the sum of the values by more than chance allows ({test}): a piece is worth more or less by what it stands \
             beside. The intervals contain this."
        ))?;
    }
    for beside in &found.beside_strongest {
        let named =
            facts.pieces.iter().find(|predicted| Column::Piece(predicted.piece.letter) == beside.piece);
        if let Some(sentence) = named.and_then(|predicted| beside.in_words(&predicted.piece.name)) {
            out.say(format_args!("{sentence}"))?;
        }
    }
    match &found.by_others {
        None => {}
        Some(Ok(by_others)) => {
            for (predicted, of_piece) in facts.pieces.iter().zip(by_others) {
                say_by_others(&mut out, &predicted.piece.name, of_piece)?;
            }
        }
        Some(Err(problem)) => {
            out.say(format_args!("What values depend on is not known yet: {problem}. More games may tell."))?;
        }
    }
    for of_piece in &found.engine {
        writeln!(out, "{}", engines_value(facts, of_piece))?;
    }
    if rows_unknown(by_unit, facts) {
        writeln!(out, "A value that is unknown needs more games: run the same command again.")?;
    }
    if let Some(why) = &by_unit.nothing {
        writeln!(out, "No values yet: {why}.")?;
    }
    let of_pilot = match found.of_pilot {
        0 => String::new(),
        games => format!(", {} of them the pilot's", thousands(games)),
    };
    writeln!(
        out,
        "{} games in {}{of_pilot}; the same command again adds more.",
        thousands(found.games),
        found.path.display()
    )?;
    out.finish()
}

/// An imbalance as it is named if what neither side has is not mentioned.
fn beside(odds: &str, without: &[Letter]) -> String {
    let rest = |side: &str| {
        let mut letters = Odds::side_letters(side)?;
        for letter in without {
            letters.remove(letters.iter().position(|other| other == letter)?);
        }
        Some(Odds::side_text(&letters))
    };
    let sides =
        odds.split_once(':').and_then(|(one, other)| Some(format!("{}:{}", rest(one)?, rest(other)?)));
    sides.unwrap_or_else(|| odds.to_string())
}

/// What a piece is worth by how many of it there are and by what neither side has.
fn say_by_others(out: &mut Output, name: &str, found: &ValuesByOthers) -> Result<(), Failure> {
    let Some(why) = found.interactions.in_words(found.times_as_probable) else {
        out.say(format_args!(
            "That the {name} is worth more or less by how many there are, or by what neither side has, is no more probable than that it is not."
        ))?;
        return Ok(());
    };
    out.say(format_args!("By all these games, {why}. The {name} is then worth:"))?;
    writeln!(out)?;
    let columns = [
        TableColumn::Text("of its side"),
        TableColumn::Text("on neither side"),
        TableColumn::Number("value"),
        TableColumn::Number("more than the first, Elo"),
    ];
    let rows = found.values.iter().map(|ValueBesideOthers { number, on_neither, value, more_elo }| {
        let which = match number {
            1 => "first".to_string(),
            2 => "second".to_string(),
            3 => "third".to_string(),
            number => format!("{number}th"),
        };
        let more =
            if (*number, on_neither.as_str()) == (1, "-") { String::new() } else { text(Some(*more_elo), 0) };
        vec![which, on_neither.clone(), text(Some(*value), 2), more]
    });
    print(out, &columns, rows)?;
    writeln!(out)?;
    Ok(())
}

/// What the engine took a piece for, in a sentence.
fn engines_value(facts: &Facts, of_piece: &EnginesValues) -> String {
    let named = facts.pieces.iter().find(|predicted| predicted.piece.letter == of_piece.piece);
    let name = named.map_or(String::new(), |predicted| predicted.piece.name.clone());
    let mut said = format!("The engine played the {name} as {:.0} centipawns", of_piece.then.centipawns);
    if let Some(pilot) = of_piece.pilot {
        said += &format!(
            ", after a pilot with {:.0} that measured {}",
            pilot.centipawns,
            text(pilot.measured, 2)
        );
    }
    said + "."
}

/// Whether some value is unknown.
fn rows_unknown(values: &ImbalanceValues, facts: &Facts) -> bool {
    let is_known = |predicted: &Predicted| {
        values.pieces.iter().any(|value| {
            value.piece.to_string() == predicted.piece.letter.to_string()
                && value.value.is_some_and(|value| value.interval.is_finite())
        })
    };
    !facts.pieces.iter().all(is_known)
}
