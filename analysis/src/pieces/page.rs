//! The page of pieces.

use backrank_rules::{Betza, Board, MoveDiagram, Passage, PieceFeatures};
use serde::Serialize;

use super::in_games::PieceInGames;
use super::predictor::Predictor;
use super::tables::{PieceRow, predictor_table};
use crate::page::{filled, json_in_page};
use crate::report::{PAGE_STYLE, PLOT_STYLE};
use crate::stats::Estimate;
use crate::table::{escape, thousands};
use crate::values::Unit;

/// What the script of the page knows.
#[derive(Serialize)]
struct PageData<'a> {
    unit: String,
    pieces: Vec<PagePiece<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<PageModel>,
}

#[derive(Serialize)]
struct PagePiece<'a> {
    piece: &'a str,
    betza: &'a str,
    games: u64,
    value: Option<Estimate>,
    predicted: Option<Estimate>,
    /// By the model of all pieces.
    by_all: Option<f64>,
    rays: Vec<PageRay>,
}

#[derive(Serialize)]
struct PageRay {
    dx: i8,
    dy: i8,
    range: u8,
    moves: bool,
    captures: bool,
    /// Whether nothing in between matters to it but what stands in the way of a ride.
    free: bool,
}

#[derive(Serialize)]
struct PageModel {
    coefficients: Vec<f64>,
    covariance: Vec<Vec<f64>>,
    spread: f64,
    quantile: f64,
    /// The number of pieces by which it was fitted.
    pieces: usize,
}

/// The page of pieces: HTML with its style, script and data embedded, without links to other files. A person can click a piece together
/// on it, whose value it predicts. `rows` are the pieces of the first of some games; those that were measured in others as well are
/// `in_games`.
pub fn pieces_page(
    rows: &[PieceRow],
    games: &[String],
    in_games: &[PieceInGames],
    predictor: Option<&Predictor>,
    unit: Unit,
    command: &str,
) -> String {
    let largest = rows.iter().filter_map(|row| row.measured.value).map(|value| value.interval.high);
    let largest = largest.fold(1.0, f64::max);
    let board = Board::new(8, 8).expect("a board of chess");
    let cards: String = rows
        .iter()
        .enumerate()
        .filter_map(|(index, row)| card(index, row, games, in_games, board, largest))
        .collect();
    let played: u64 = rows.iter().map(|row| row.measured.games).sum();
    let elsewhere = match in_games.len() {
        0 => String::new(),
        number if number == rows.len() => {
            " All were measured in other games, or at another stage of one, too.".to_string()
        }
        number => format!(" {number} of them were measured in other games, or at another stage of one, too."),
    };
    let about = format!(
        "{} pieces, each measured in the places of those of chess by games of an engine against itself, {} in all; a value is in the unit \
         in which {}. The bar is its 95 % interval, the ring what the other pieces let expect.{elsewhere}",
        rows.len(),
        thousands(played),
        escape(&unit.to_string()),
    );
    let data = PageData {
        unit: unit.to_string(),
        pieces: rows.iter().map(|row| page_piece(row, predictor, board)).collect(),
        model: predictor.map(|predictor| PageModel {
            coefficients: predictor.coefficients().iter().map(|found| found.value).collect(),
            covariance: predictor.covariance(),
            spread: predictor.spread(),
            quantile: predictor.quantile(),
            pieces: predictor.pieces,
        }),
    };
    let (model, coefficients) = match predictor {
        Some(predictor) => (
            format!(
                "The logarithm of a value is fitted to what can be seen of a piece, with 95 % intervals. Pieces spread by {:.1} % \
                 around it.",
                100.0 * predictor.spread()
            ),
            predictor_table(&[("coefficient".to_string(), predictor)]).to_html(0..PieceFeatures::TERMS.len()),
        ),
        None => ("There are too few pieces for a model yet.".to_string(), String::new()),
    };
    filled(
        include_str!("page/page.html"),
        &[
            ("{{style}}", format!("{PLOT_STYLE}{PAGE_STYLE}{}", include_str!("page/style.css"))),
            ("{{about}}", about),
            ("{{cards}}", cards),
            ("{{model}}", model),
            ("{{coefficients}}", coefficients),
            ("{{command}}", escape(command)),
            ("{{data}}", json_in_page(&data)),
            ("{{program}}", include_str!("page/program.mjs").to_string()),
        ],
    )
}

fn page_piece<'a>(row: &'a PieceRow, predictor: Option<&Predictor>, board: Board) -> PagePiece<'a> {
    let PieceRow { measured, predicted, .. } = row;
    let betza: Option<Betza> = measured.betza.parse().ok();
    let rays = betza.iter().flat_map(Betza::rays).filter(|ray| !ray.first_move_only);
    PagePiece {
        piece: &measured.piece,
        betza: &measured.betza,
        games: measured.games,
        value: measured.value,
        predicted: *predicted,
        by_all: betza
            .as_ref()
            .zip(predictor)
            .map(|(betza, predictor)| predictor.predict(&PieceFeatures::of(betza, board)).value),
        rays: rays
            .map(|ray| PageRay {
                dx: ray.dx,
                dy: ray.dy,
                range: ray.range,
                moves: ray.moves,
                captures: ray.captures,
                free: ray.passage == Passage::Free,
            })
            .collect(),
    }
}

/// The card of a piece: its moves drawn, its value, a bar, and what it is worth in other games.
fn card(
    index: usize,
    row: &PieceRow,
    games: &[String],
    in_games: &[PieceInGames],
    board: Board,
    largest: f64,
) -> Option<String> {
    let PieceRow { measured, predicted, .. } = row;
    let betza: Betza = measured.betza.parse().ok()?;
    let diagram = MoveDiagram::new(board, MoveDiagram::centre(board), &betza).to_svg();
    let (worth, scale) = match measured.value {
        Some(Estimate { value, interval }) => {
            let at = |value: f64| 200.0 * value.clamp(0.0, largest) / largest;
            let expected = predicted.map_or(String::new(), |expected| {
                format!("<circle class=\"expected\" cx=\"{:.1}\" cy=\"7\" r=\"4\"/>", at(expected.value))
            });
            let scale = format!(
                "<svg class=\"scale\" viewBox=\"-6 0 212 14\" aria-hidden=\"true\"><path class=\"line\" d=\"M0 7H200\"/>\
                 <path class=\"interval\" d=\"M{:.1} 7H{:.1}\"/><circle class=\"measured\" cx=\"{:.1}\" cy=\"7\" r=\"4\"/>{expected}</svg>",
                at(interval.low),
                at(interval.high),
                at(value),
            );
            (format!("<b>{value:.2}</b> ({:.2} to {:.2})", interval.low, interval.high), scale)
        }
        None => ("not known yet".to_string(), String::new()),
    };
    let expected = predicted
        .map_or(String::new(), |expected| format!("<p>the others let expect {:.2}</p>", expected.value));
    let elsewhere = in_games.iter().find(|piece| piece.betza == measured.betza);
    let elsewhere = elsewhere.iter().flat_map(|piece| games.iter().zip(&piece.values).skip(1));
    let elsewhere: String = elsewhere
        .filter_map(|(game, value)| {
            let Estimate { value, interval } = (*value)?;
            // At another stage of the first game, only that is said.
            let place = match game.strip_prefix(&format!("{} without ", games[0])) {
                Some(without) => format!("where neither side has {without}"),
                None => format!("in {game}"),
            };
            Some(format!(
                "<p>{}: {value:.2} ({:.2} to {:.2})</p>",
                escape(&place),
                interval.low,
                interval.high
            ))
        })
        .collect();
    let name = match measured.piece == measured.betza {
        true => escape(&measured.betza),
        false => format!("{}<small>{}</small>", escape(&measured.piece), escape(&measured.betza)),
    };
    Some(format!(
        "<article class=\"card piece\" data-index=\"{index}\"><h3>{name}</h3>{diagram}<p class=\"worth\">{worth}</p>{scale}{expected}{elsewhere}</article>\n"
    ))
}
