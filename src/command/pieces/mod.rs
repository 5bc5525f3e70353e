//! Pieces that were measured.

mod theories;

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use backrank_analysis::pieces::{
    MeasuredPiece, Observation, PieceInGames, PieceRecord, PieceRow, Predictor, beside_strongest_table,
    cross_validated, error_of_predictions, in_games_table, is_of_records, measured_pieces, piece_table,
    pieces_in_games, pieces_page, predictor_table, read_records, shipped_pieces, write_pieces,
};
use backrank_analysis::values::{Unit, ValueBesideKind, published_of};
use backrank_rules::files::open_file;
use backrank_rules::{Board, PieceFeatures, Variant};
use clap::Args;
use serde::Serialize;

use crate::terminal::failure::Failure;
use crate::terminal::output::{Output, print_json};
use crate::terminal::reproduce::word;
use crate::terminal::table::print_table;
use theories::{StageTheories, say_theories, stage_theories};

/// Show what many pieces are worth, and what predicts it
///
/// FILE is `pairs.csv` of a directory in which `backrank value` has measured pieces, or several of them in one, such as
/// `data/pieces-2026/chess960.csv`, or a directory of such files; without one, the pieces are shown that come with the program. A model of
/// what can be seen of the pieces, such as their mobility, is fitted to their values; each piece is then predicted by the others alone.
/// Pieces of several games are compared.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank pieces",
    "backrank pieces --theories",
    "backrank pieces --unit N=3 -o pieces.html",
))]
pub struct PiecesCommand {
    /// The results of pieces
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// A piece of known value, and this value
    #[arg(long, value_name = "KIND=NUMBER", default_value = "N=3.25")]
    unit: Unit,

    /// Write a page on which pieces are found, sorted, and clicked together to be predicted
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Also say how well different theories predict the values, such as mobility on a board of which more or less is occupied, and what the
    /// power to mate a bare king is worth
    #[arg(long, conflicts_with = "output")]
    theories: bool,

    /// Also write the values as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Json<'a> {
    unit: Unit,
    pieces: &'a [MeasuredPiece],
    /// The games, and the pieces that were measured in more than one of them.
    games: Vec<String>,
    in_games: Vec<PieceInGames>,
    #[serde(skip_serializing_if = "Option::is_none")]
    theories: Option<Vec<StageTheories>>,
}

impl PiecesCommand {
    pub fn run(self) -> Result<(), Failure> {
        let pieces = match self.files.is_empty() {
            true => {
                let board = Board::new(8, 8).expect("a board of this size");
                shipped_pieces(self.unit, board).ok_or_else(|| {
                    Failure::Input("without a FILE, --unit is that of a knight, such as N=3".to_string())
                })?
            }
            false => measured_pieces(&self.records()?, self.unit).map_err(Failure::Input)?,
        };
        let (games, in_games) = pieces_in_games(&pieces);
        let theories = self.theories.then(|| stage_theories(&pieces));
        if self.json {
            return print_json(&Json { unit: self.unit, pieces: &pieces, games, in_games, theories });
        }
        // The page has a card for each piece of the first game, with what it is worth in the others.
        let of_page = |piece: &MeasuredPiece| self.output.is_none() || piece.game() == games[0];
        let pieces: Vec<MeasuredPiece> = pieces.into_iter().filter(of_page).collect();
        // The model is of the stage of a game that comes first; a second stage has one of its own.
        let first_stage = pieces.first().map_or_else(String::new, |piece| piece.without.clone());
        let is_of_first = |piece: &&MeasuredPiece| piece.without == first_stage;
        let observed = |pieces: &[&MeasuredPiece]| -> Vec<Observation> {
            pieces.iter().filter_map(|piece| piece.observation()).collect()
        };
        let (of_first, others): (Vec<&MeasuredPiece>, Vec<&MeasuredPiece>) =
            pieces.iter().partition(is_of_first);
        let second_stage = others.first().map(|piece| piece.without.clone()).unwrap_or_default();
        let of_second: Vec<&MeasuredPiece> =
            others.into_iter().filter(|piece| piece.without == second_stage).collect();
        let (observations, second) = (observed(&of_first), Predictor::fit(&observed(&of_second)));
        let mut predictions = cross_validated(&observations).into_iter();
        let rows: Vec<PieceRow> = (pieces.into_iter())
            .map(|measured| {
                let is_predicted = is_of_first(&&measured) && measured.observation().is_some();
                let predicted = is_predicted.then(|| predictions.next().flatten()).flatten();
                let published = (Variant::find(&measured.variant).ok().zip(measured.betza.parse().ok()))
                    .map_or_else(Vec::new, |(variant, moves)| published_of(&variant, &moves, self.unit));
                PieceRow { measured, predicted, published }
            })
            .collect();
        if let Some(path) = &self.csv {
            Output::write_by(path, |out| write_pieces(&rows, out))?;
        }
        let predictor = Predictor::fit(&observations);
        if let Some(path) = &self.output {
            let page =
                pieces_page(&rows, &games, &in_games, predictor.as_ref(), self.unit, &self.command(path));
            return Output::write(path, page.as_bytes());
        }
        let mut out = Output::stdout();
        print_table(&mut out, piece_table(self.unit, games.len() > 1).for_people(&rows))?;
        if !in_games.is_empty() {
            writeln!(
                out,
                "\nthe pieces of several games, in the unit of each, and how many times as much they are worth as in {}\n",
                games[0]
            )?;
            print_table(&mut out, in_games_table(&games).for_people(&in_games))?;
        }
        let looked_at = rows.iter().filter_map(|row| row.measured.beside_strongest.as_ref()).count();
        let is_found =
            |piece: &&MeasuredPiece| piece.beside_strongest.as_ref().is_some_and(ValueBesideKind::is_found);
        let mut beside = rows.iter().map(|row| &row.measured).filter(is_found).peekable();
        if beside.peek().is_some() {
            writeln!(out)?;
            out.say(format_args!(
                "{looked_at} of the pieces stood beside the strongest piece of their side in some games, and in its place, against one, in others. \
                 These are worth more or less beside it; about one in twenty of them may be chance.\n",
            ))?;
            print_table(&mut out, beside_strongest_table(games.len() > 1).for_people(beside))?;
        }
        if let Some(predictor) = predictor {
            writeln!(
                out,
                "\nthe logarithm of a value by what can be seen of a piece, with 95 % intervals\n"
            )?;
            let mut predictors = vec![("coefficient".to_string(), &predictor)];
            predictors.extend(second.as_ref().map(|second| (format!("without {second_stage}"), second)));
            print_table(&mut out, predictor_table(&predictors).for_people(0..PieceFeatures::TERMS.len()))?;
            let off = games.iter().filter_map(|game| {
                let of_this = rows.iter().filter(|row| row.measured.game() == *game);
                let (_, error) = error_of_predictions(
                    of_this.filter_map(|row| Some((row.measured.value?, row.predicted?))),
                )?;
                let of_game = if games.len() > 1 { format!(" in {game}") } else { String::new() };
                Some(format!("{:.1} %{of_game}", 100.0 * error))
            });
            out.say(format_args!(
                "\nA piece that was left out of the fit, and is certain to be worth something, is off by {}, errors of measurement \
                 included; without them pieces spread by {:.1} % around the model.",
                off.collect::<Vec<_>>().join(", "),
                100.0 * predictor.spread(),
            ))?;
            let left_out = rows
                .iter()
                .filter(|row| row.measured.value.is_some() && is_of_first(&&row.measured))
                .filter(|row| row.measured.observation().is_none());
            let left_out = left_out.count();
            if left_out > 0 {
                let what = match left_out {
                    1 => "a piece that is".to_string(),
                    number => format!("{number} pieces that are"),
                };
                writeln!(out, "The model leaves out {what} worth less than nothing.")?;
            }
        }
        for stage in theories.iter().flatten() {
            say_theories(&mut out, stage)?;
        }
        out.finish()
    }

    /// The command that makes the page.
    fn command(&self, output: &Path) -> String {
        let files = self.files.iter().map(|file| format!(" {}", word(file))).collect::<String>();
        format!("backrank pieces{files} --unit {} -o {}", self.unit, word(output))
    }

    /// The records of all files.
    fn records(&self) -> Result<Vec<PieceRecord>, Failure> {
        let mut records = Vec::new();
        for named in &self.files {
            let mut files = Vec::new();
            for path in files_of(named)? {
                let shown = path.display();
                let file = open_file(&path)
                    .map_err(|error| Failure::Input(format!("cannot read {shown}: {error}")))?;
                files.push(
                    read_records(file).map_err(|problem| Failure::Input(format!("{shown}: {problem}")))?,
                );
            }
            // The game with most pieces comes first, since the others are compared with it, and a later stage last.
            files.sort_by_key(|records| {
                let pieces: BTreeSet<&str> = records.iter().map(|record| record.betza.as_str()).collect();
                (records.iter().any(|record| !record.without.is_empty()), Reverse(pieces.len()))
            });
            records.extend(files.into_iter().flatten());
        }
        Ok(records)
    }
}

/// A file, or of a directory all files that have the results of pieces.
fn files_of(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let shown = path.display();
    let unreadable = |error| Failure::Input(format!("cannot read {shown}: {error}"));
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(unreadable)? {
        let file = entry.map_err(unreadable)?.path();
        if file.extension().is_some_and(|extension| extension == "csv")
            && open_file(&file).is_ok_and(is_of_records)
        {
            files.push(file);
        }
    }
    files.sort_unstable();
    match files.is_empty() {
        true => Err(Failure::Input(format!(
            "{shown} has no results of pieces, such as the pairs.csv that backrank value writes"
        ))),
        false => Ok(files),
    }
}
