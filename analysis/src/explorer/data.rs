//! The data of the page: the game, its setups, and the results for each.

use backrank_enumerate::{Numbering, Sides, pages_named};
use backrank_rules::{
    Board, CastlingEnd, Drawing, File, FirstRank, Landing, Letter, MoveDiagram, Passage, PawnType, Piece,
    RightsNotation, Setup, Side, Square, Variant,
};
use serde_json::{Map, Value, json};

use super::atlas::{AtlasTable, AtlasValues};
use super::contents::Explorer;
use super::listing::Listing;
use crate::atlas::Reliability;
use crate::error::AnalysisError;
use crate::setups::{Description, RankFeatures, SetupScore, SetupStatistics};
use crate::stats::Estimate;
use crate::table::thousands;
use crate::values::ValueRow;

/// The rank of one side.
type RankOf = fn(&Setup) -> &FirstRank;

/// Columns of an atlas that the page does not show: numbers for each move of a line, and the reflection, which the page
/// finds itself.
const NOT_SHOWN: [&str; 3] = ["line_scores", "gaps", "reflection"];

/// A column of the page's table of setups.
struct SetupColumn {
    key: String,
    title: String,
    /// Where it comes from: the setup itself, an atlas, or games.
    source: &'static str,
    /// Its meaning, for a tooltip.
    meaning: Option<String>,
    /// Whether its numbers are scores in pawns, for White.
    in_pawns: bool,
    /// Why setups are not ranked by it.
    why_no_ranks: Option<String>,
    values: Vec<Value>,
}

impl Explorer<'_> {
    /// Everything that the page shows, as JSON.
    pub(super) fn data(&mut self) -> Result<String, AnalysisError> {
        let atlases = std::mem::take(&mut self.atlases);
        let mut columns = Vec::new();
        for atlas in &atlases {
            self.add_atlas(atlas, &mut columns)?;
        }
        self.add_scores(&mut columns)?;
        if self.listing.setups.is_empty() {
            let (key, setups) = (self.variant.key.clone(), thousands(self.listing.space.len()));
            return Err(AnalysisError::TooManySetups { key, setups, most: thousands(Explorer::MAX_LISTED) });
        }
        columns.extend(self.described());
        let setups = &self.listing.setups;
        for column in &mut columns {
            column.values.resize(setups.len(), Value::Null);
            // The dictionary has the columns of files, whose scores are in centipawns.
            let key = column.key.strip_suffix("_pawns").map(|name| format!("{name}_cp"));
            column.meaning =
                self.meaning(key.as_ref().unwrap_or(&column.key)).map(|text| text.replace('`', ""));
        }
        let ranks = |rank: RankOf| -> String {
            setups.iter().flat_map(|setup| rank(setup).as_bytes()).map(|&letter| letter as char).collect()
        };
        let sides = self.listing.space.sides();
        let black_differs =
            matches!(sides, Sides::Independent | Sides::Listed(_)) || self.listing.space.has_two_armies();
        let black = black_differs.then(|| ranks(|setup| &setup.black));
        let advanced = |rank: RankOf| -> Vec<String> {
            let files = |setup| rank(setup).advanced_pawns().map(File::letter).collect();
            setups.iter().map(files).collect()
        };
        let advanced = self
            .listing
            .space
            .army()
            .has_pawn_choices()
            .then(|| [advanced(|setup| &setup.white), advanced(|setup| &setup.black)]);
        let unprotected = |side: Side, rank: RankOf| -> Vec<String> {
            let army = self.listing.space.army_of(side);
            let files = |setup| army.unprotected_pawns(rank(setup)).into_iter().map(File::letter).collect();
            setups.iter().map(files).collect()
        };
        let notes = setups.iter().enumerate().flat_map(|(index, setup)| {
            self.listing.space.notes(setup).into_iter().map(move |note| json!([index, note]))
        });
        let notes: Vec<_> = notes.collect();
        let pages = pages_named(notes.iter().filter_map(|note| note[1].as_str()));
        let data = json!({
            "game": game(self.variant),
            "drawings": drawings(self.variant),
            "constraints": self.listing.space.constraints().iter().map(ToString::to_string).collect::<Vec<_>>(),
            "sides": sides.name(),
            "spaceSize": thousands(self.listing.space.len()),
            "whole": self.listing.whole,
            "white": ranks(|setup| &setup.white),
            "black": black,
            "advanced": advanced,
            "numberings": self.numberings(),
            "unprotected": [unprotected(Side::White, |setup| &setup.white), unprotected(Side::Black, |setup| &setup.black)],
            "notes": notes,
            "pages": pages,
            "columns": columns.into_iter().map(column_json).collect::<Vec<_>>(),
            "atlases": atlases.iter().map(|atlas| atlas.path.file_name().map(|name| name.to_string_lossy())).collect::<Vec<_>>(),
            "values": self.values.iter().map(value_json).collect::<Vec<_>>(),
            "games": (!self.games.is_empty()).then_some(&self.games),
            "command": self.command,
        });
        Ok(data.to_string())
    }

    /// The names of the numberings, and the ids that they give the setups; null if the ids are the indices.
    fn numberings(&self) -> Vec<Value> {
        let Listing { space, setups, whole, .. } = &self.listing;
        let default = space.default_numbering();
        let ids = |numbering: &Numbering| -> Value {
            if *whole && numbering == default {
                return Value::Null;
            }
            let id = |setup| space.rank_by(numbering, setup).map_or(Value::Null, |id| id.to_string().into());
            setups.iter().map(id).collect()
        };
        let described = |numbering: &Numbering| json!({ "name": numbering.name(), "note": numbering.note(), "ids": ids(numbering) });
        // The default comes first.
        let others = space.numberings().iter().filter(|numbering| *numbering != default);
        [default].into_iter().chain(others).map(described).collect()
    }

    /// Columns that describe the setups themselves.
    fn described(&self) -> Vec<SetupColumn> {
        let sides: &[(&str, Side, RankOf)] = match self.listing.space.sides() {
            Sides::Independent => {
                &[("", Side::White, |setup| &setup.white), ("black_", Side::Black, |setup| &setup.black)]
            }
            _ => &[("", Side::White, |setup| &setup.white)],
        };
        let value = |description| match description {
            Description::Text(text) => Value::from(text),
            Description::Number(number) => number_json(Some(number)),
        };
        let columns = sides.iter().flat_map(|(prefix, side, rank)| {
            let features = RankFeatures::new(self.variant, *side);
            let describe: Vec<_> = features.described_columns().collect();
            let setups = &self.listing.setups;
            describe.into_iter().map(move |column| SetupColumn {
                key: format!("{prefix}{}", column.name),
                title: title(&format!("{prefix}{}", column.name)),
                source: "setup",
                meaning: None,
                in_pawns: false,
                why_no_ranks: None,
                values: setups.iter().map(|setup| value(features.describe(&column, rank(setup)))).collect(),
            })
        });
        columns.collect()
    }

    fn add_atlas(&mut self, atlas: &AtlasTable, columns: &mut Vec<SetupColumn>) -> Result<(), AnalysisError> {
        let index = |(row, [white, black]): (usize, &[String; 2])| {
            self.listing.index_of(white, black).map_err(|error| AnalysisError::Atlas {
                path: atlas.path.clone(),
                line: row as u64 + 2,
                problem: error.to_string(),
            })
        };
        let indices: Vec<usize> = atlas.ranks.iter().enumerate().map(index).collect::<Result<_, _>>()?;
        for column in atlas.columns.iter().filter(|column| !NOT_SHOWN.contains(&column.name.as_str())) {
            if columns.iter().any(|other| other.key == column.name) {
                return Err(AnalysisError::Atlas {
                    path: atlas.path.clone(),
                    line: 1,
                    problem: format!(
                        "another atlas of this page has a column `{}` too; give one of them",
                        column.name
                    ),
                });
            }
            let mut values = vec![Value::Null; self.listing.setups.len()];
            for (row, &index) in indices.iter().enumerate() {
                values[index] = match &column.values {
                    AtlasValues::Numbers(numbers) => number_json(numbers[row]),
                    AtlasValues::Texts(texts) => texts[row].as_str().into(),
                };
            }
            let title = title(&column.name);
            columns.push(SetupColumn {
                key: column.name.clone(),
                title,
                source: "atlas",
                meaning: None,
                in_pawns: column.in_pawns,
                why_no_ranks: column.why_no_ranks.clone(),
                values,
            });
        }
        Ok(())
    }

    /// Adds the results of games.
    fn add_scores(&mut self, columns: &mut Vec<SetupColumn>) -> Result<(), AnalysisError> {
        let Some(found) = &self.setups else { return Ok(()) };
        let index = |score: &SetupScore| {
            let index = self.listing.index_of(&score.name.white, &score.name.black);
            index.map_err(|error| AnalysisError::Setup(Box::new(error)))
        };
        let indices: Vec<usize> = found.setups.iter().map(index).collect::<Result<_, _>>()?;
        let value = |estimate: &Option<Estimate>| estimate.map(|estimate| estimate.value);
        let why_no_ranks = why_no_ranks(found);
        let mut add = |key: &str, of: &dyn Fn(&SetupScore) -> Option<f64>| {
            if found.setups.iter().all(|setup| of(setup).is_none()) {
                return;
            }
            let mut values = vec![Value::Null; self.listing.setups.len()];
            for (setup, &index) in found.setups.iter().zip(&indices) {
                values[index] = number_json(of(setup));
            }
            columns.push(SetupColumn {
                key: key.into(),
                title: title(key),
                source: "games",
                meaning: None,
                in_pawns: false,
                why_no_ranks: why_no_ranks.clone().filter(|_| key != "games"),
                values,
            });
        };
        add("games", &|setup| Some(setup.games as f64));
        for (at, result) in ["won", "drawn", "lost"].into_iter().enumerate() {
            add(result, &|setup| Some(setup.results[at] as f64));
        }
        add("score", &|setup| Some(setup.score.value));
        add("shrunk", &|setup| value(&setup.shrunk));
        Ok(())
    }

    /// The meaning of a column of setups in the data dictionary.
    fn meaning(&self, column: &str) -> Option<&str> {
        let row = |line: &&str| {
            let names = line.strip_prefix("| ").and_then(|line| line.split(" | ").next());
            names.is_some_and(|names| names.split(", ").any(|name| name.trim_matches('`') == column))
        };
        let sections = ["### `atlas.csv`", "### `setups.csv`", "### `groups.csv`"];
        let section = |heading: &&str| {
            let start = self.dictionary.find(heading)? + heading.len();
            let text = &self.dictionary[start..];
            Some(&text[..text.find("\n#").unwrap_or(text.len())])
        };
        let line = sections.iter().filter_map(section).find_map(|text| text.lines().find(row))?;
        line.trim_end_matches(" |").rsplit(" | ").next()
    }
}

/// Why setups are not ranked by their results: other games would rank them otherwise. Of a setup's score so large a share is its own
/// as its games are of these and those that the mean of all setups counts for.
fn why_no_ranks(found: &SetupStatistics) -> Option<String> {
    let each = found.games as f64 / found.setups.len() as f64;
    let known = found.shrinkage.as_ref().filter(|shrinkage| !shrinkage.mostly_assumed);
    let Some(shrinkage) = known else {
        return Some("so few games of each setup do not say which one is better for White".to_string());
    };
    let reliability = each / (each + shrinkage.games);
    (reliability < Reliability::LEAST).then(|| {
        let least = Reliability::LEAST;
        format!("its reliability is {reliability:.2}, less than {least:.1}: other games would rank the setups otherwise")
    })
}

/// A readable name of a column.
fn title(key: &str) -> String {
    match key {
        "score_cp" => "White’s score by search (cp)".to_string(),
        "score_pawns" => "White’s score by search (pawns)".to_string(),
        "quarter_pawns" => "score with a quarter of the nodes (pawns)".to_string(),
        "without_adjustment_pawns" => "score without adjustments (pawns)".to_string(),
        "score" => "White’s score in games".to_string(),
        "shrunk" => "White’s score in games, shrunk".to_string(),
        "won" | "drawn" | "lost" => format!("games {key}"),
        "expected_score" => "White’s expected score".to_string(),
        "complexity" => "complexity (bits)".to_string(),
        "complexity_white" => "complexity of White’s moves (bits)".to_string(),
        "complexity_black" => "complexity of Black’s moves (bits)".to_string(),
        "asymmetry" => "asymmetry (Black’s bits minus White’s)".to_string(),
        "depth" => "depth of the search (plies)".to_string(),
        "quarter_cp" => "score with a quarter of the nodes (cp)".to_string(),
        "without_adjustment_cp" => "score without adjustments (cp)".to_string(),
        "line" => "line of best play".to_string(),
        _ => match key.strip_suffix("_side") {
            Some(piece) => format!("side of the {}", piece.replace('_', " ")),
            None => key.replace('_', " "),
        },
    }
}

/// A number in its shortest form: whole numbers without a decimal point.
fn number_json(number: Option<f64>) -> Value {
    match number {
        Some(number) if number.fract() == 0.0 && number.abs() < 1e15 => (number as i64).into(),
        number => number.into(),
    }
}

fn column_json(column: SetupColumn) -> Value {
    let SetupColumn { key, title, source, meaning, in_pawns, why_no_ranks, values } = column;
    let is_text = values.iter().any(Value::is_string);
    json!({
        "key": key, "title": title, "source": source, "meaning": meaning, "isText": is_text, "inPawns": in_pawns,
        "whyNoRanks": why_no_ranks, "values": values,
    })
}

fn value_json(row: &ValueRow) -> Value {
    let estimate = |estimate: &Option<Estimate>| {
        estimate.filter(|estimate| estimate.value.is_finite()).map(|found| {
            let end = |end: f64| if end.is_finite() { end.into() } else { Value::Null };
            json!([found.value, end(found.interval.low), end(found.interval.high)])
        })
    };
    json!({
        "method": row.method, "piece": row.piece.to_string(), "games": row.games, "unit": row.unit.to_string(),
        "value": estimate(&row.value), "elo": estimate(&row.elo), "note": row.note,
    })
}

/// The description of the game by which the page plays it.
fn game(variant: &Variant) -> Value {
    let landing = |landing: &Landing| {
        let mut text = json!({ "notation": landing.notation, "alsoRead": landing.also_read });
        match landing.end {
            CastlingEnd::Files { king, partner } => {
                (text["king"], text["partner"]) = (king.0.into(), partner.0.into());
            }
            CastlingEnd::Steps(steps) => text["kingSteps"] = steps.into(),
        }
        text
    };
    let with = |(letter, landings): &(Letter, [Landing; 2])| {
        (letter.to_string(), json!(landings.each_ref().map(landing)))
    };
    let ranks_of = |bits: u16| (0..16).filter(|rank| bits >> rank & 1 != 0).collect::<Vec<_>>();
    let fixed = |&(square, side, letter): &(Square, Side, Letter)| {
        let (file, rank) = (variant.board.file_of(square).0, variant.board.rank_of(square));
        json!([rank * variant.board.files() + usize::from(file), side as usize, letter.to_string()])
    };
    let letters = |letters: &[Letter]| letters.iter().copied().collect::<String>();
    let piece = |piece: &Piece| {
        let rays = piece.betza.rays().iter().map(|ray| {
            let flags = [ray.moves, ray.captures, ray.first_move_only].map(u8::from);
            let kind = |kind: &str| json!({ "kind": kind });
            let passage = match ray.passage {
                Passage::Free => json!(0),
                Passage::Lame => kind("lame"),
                Passage::Jump => kind("jump"),
                Passage::Hop => kind("hop"),
                Passage::Grasshopper => kind("grasshopper"),
                Passage::Bent { dx, dy } => json!({ "kind": "bent", "bend": [dx, dy] }),
            };
            json!([ray.dx, ray.dy, ray.range, flags[0], flags[1], flags[2], passage])
        });
        json!({
            "letter": piece.letter.to_string(), "name": piece.name, "royal": piece.royal,
            "rays": rays.collect::<Vec<_>>(),
        })
    };
    let pieces = variant.pieces.iter().map(|piece| (piece.letter, &piece.name[..], piece.betza.clone()));
    let moves = pieces.chain([(Letter::PAWN, "pawn", variant.pawn.betza())]).map(|(letter, name, betza)| {
        let shapes = Drawing::of(variant, letter).map_or(String::new(), |drawing| drawing.shapes().to_string());
        let board = Board::new(7, 7).expect("seven files and seven ranks are a board");
        let diagram = MoveDiagram::new(board, MoveDiagram::centre(board), &betza).titled(name).drawn(&shapes);
        let moves = json!({
            "name": name, "betza": betza.to_string(), "words": betza.in_words(), "diagram": diagram.to_board_svg(),
        });
        (letter.to_string(), moves)
    });
    json!({
        "key": variant.key,
        "name": variant.name,
        "orthodox": variant.is_orthodox(),
        "files": variant.board.files(),
        "ranks": variant.board.ranks(),
        "firstRank": variant.first_rank,
        "fixed": variant.fixed_pieces.iter().map(fixed).collect::<Vec<_>>(),
        "startLetters": Side::BOTH.map(|side| letters(&variant.start_letters(side).collect::<Vec<_>>())),
        "pawnRanks": Side::BOTH.map(|side| variant.pawn_rank(side)),
        "position": variant.position,
        "checks": variant.checks,
        "pieces": variant.pieces.iter().map(piece).collect::<Vec<_>>(),
        "moves": moves.collect::<Map<_, _>>(),
        "pawn": {
            "berolina": variant.pawn.moves == PawnType::Berolina,
            "enPassant": variant.pawn.en_passant,
            "doubleStepRanks": Side::BOTH.map(|side| ranks_of(variant.double_step_ranks(side))),
            "promotionRanks": [variant.pawn.promotion_ranks, variant.pawn.forced_promotion_ranks],
            "promotesToCaptured": variant.pawn.promotes_to_captured,
            "promotesTo": variant.pawn.promotes_to.each_ref().map(|side| letters(side)),
        },
        "castling": variant.castling.as_ref().map(|castling| json!({
            "partners": letters(&castling.partners),
            "with": castling.with.iter().map(with).collect::<Map<_, _>>(),
            "left": landing(&castling.left),
            "right": landing(&castling.right),
            "kqkq": castling.rights == RightsNotation::KingAndQueenSide,
            "home": castling.home.as_ref().map(|homes| homes.each_ref().map(|home| json!({
                "king": home.king.0,
                "partners": home.partners.iter().map(|file| file.0).collect::<Vec<_>>(),
            }))),
        })),
        "adjustment": variant.adjustment.as_ref().map(|adjustment| json!({
            "piece": adjustment.piece.to_string(),
            "partners": letters(&adjustment.partners),
        })),
        "unmovedField": variant.has_unmoved_field(),
    })
}

/// The shapes of each piece by its letter, and the SVG attributes that give them the colours of each side.
fn drawings(variant: &Variant) -> Value {
    let letters = variant.pieces.iter().map(|piece| piece.letter).chain([Letter::PAWN]);
    let shapes: Map<String, Value> = letters
        .map(|letter| {
            let shapes =
                Drawing::of(variant, letter).map_or(String::new(), |drawing| drawing.shapes().to_string());
            (letter.to_string(), shapes.into())
        })
        .collect();
    json!({ "shapes": shapes, "sides": Side::BOTH.map(Drawing::attributes) })
}
