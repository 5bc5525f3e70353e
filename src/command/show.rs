use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use backrank_enumerate::{Numbering, Space};
use backrank_rules::{Diagram, File, FirstRank, Position, Rules, Setup, Side, StartFen, Variant};
use backrank_selfplay::study::with_other_side_to_move;
use clap::Args;
use serde::Serialize;

use crate::args::lookup::{Ids, IdsJson, find_setup, id_text, write_lines};
use crate::args::{NumberingArg, SpaceArgs};
use crate::terminal::failure::Failure;
use crate::terminal::output::{Output, print_json, serialize_number, write_svg};

/// Show one setup: its diagram, ranks, FEN, ids and properties
#[derive(Args)]
#[command(after_help = examples!(
    "backrank show pmrc 6944",
    "backrank show chess960 RNBQKBNR --svg setup.svg",
    "backrank show pmrc 6944 --fen",
    "backrank show double960 518/518",
))]
pub struct ShowCommand {
    #[command(flatten)]
    space: SpaceArgs,

    /// An id, White's first rank (WHITE/BLACK where sides are independent, or the ids of both ranks such as 518/518), or
    /// the FEN of a starting position
    setup: Option<String>,

    #[command(flatten)]
    numbering: NumberingArg,

    /// Print JSON
    #[arg(long, conflicts_with = "fen")]
    json: bool,

    /// Print only the FEN
    #[arg(long)]
    fen: bool,

    /// Also write a diagram as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Everything about a setup.
#[derive(Serialize)]
struct Facts {
    variant: String,
    white: String,
    black: String,
    fen: String,
    /// The start of the second game of a pair, where the sides differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    second_game: Option<String>,
    #[serde(flatten)]
    ids: IdsJson,
    #[serde(skip)]
    id_lines: Vec<(&'static str, String)>,
    reflection: Option<Reflection>,
    sides: BothSides,
    /// Whether a king stands in check before the first move.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    check: bool,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct Reflection {
    #[serde(serialize_with = "serialize_number")]
    id: u128,
    white: String,
    #[serde(skip)]
    id_text: String,
}

#[derive(Serialize)]
struct BothSides {
    white: SideFacts,
    black: SideFacts,
}

/// The properties of one side's first rank.
#[derive(Serialize, PartialEq, Eq)]
struct SideFacts {
    /// For each colour-bound kind of which there are several pieces: `same` or `opposite`.
    colours: BTreeMap<String, &'static str>,
    castling: Vec<CastlingWith>,
    /// The files of the pawns that no piece protects.
    unprotected_pawns: Vec<char>,
}

/// The files of one castling, and how it is written.
#[derive(Serialize, PartialEq, Eq)]
struct CastlingWith {
    partner_name: String,
    partner: char,
    king_lands: char,
    partner_lands: char,
    notation: String,
}

impl ShowCommand {
    pub fn run(self) -> Result<(), Failure> {
        let (variant, space) = self.space.load()?;
        let numbering = self.numbering.of(&space)?;
        let setup = find_setup(&variant, &space, &self.numbering, self.setup.as_deref())?;
        if let Some(path) = &self.svg {
            write_svg(path, &Diagram::of_setup(&variant, &setup))?;
        }
        let facts = Facts::new(&variant, &space, numbering, &setup)?;
        if self.json {
            return print_json(&facts);
        }
        let mut out = Output::stdout();
        if self.fen {
            writeln!(out, "{}", facts.fen)?;
        } else {
            writeln!(out, "{}\n\n{}", variant.name, Diagram::of_setup(&variant, &setup))?;
            write_lines(&mut out, facts.lines(numbering))?;
        }
        out.finish()
    }
}

/// The start of the second game of a pair where the sides differ: the other one has the first move.
fn second_game(variant: &Variant, setup: &Setup) -> Option<String> {
    let rules = Rules::new(variant);
    let first =
        Position::new(&rules, setup).ok().filter(|_| variant.sides_differ() && !variant.count_only)?;
    with_other_side_to_move(&first).ok().map(|second| second.to_fen())
}

impl Facts {
    fn new(variant: &Variant, space: &Space, numbering: &Numbering, setup: &Setup) -> Result<Self, Failure> {
        let ids = Ids::of(space, setup)?;
        let reflected = Setup { white: setup.white.reversed(), black: setup.black.reversed() };
        let id = space.rank_by(numbering, &reflected).ok();
        let reflection = id.map(|id| {
            let id_text = id_text(space, numbering, &reflected)?;
            Ok::<_, Failure>(Reflection { id, white: reflected.white.to_string(), id_text })
        });
        let fen = StartFen::new(variant);
        Ok(Self {
            variant: variant.key.clone(),
            white: setup.white.to_string(),
            black: setup.black.to_string(),
            fen: fen.of(setup),
            second_game: second_game(variant, setup),
            ids: ids.json(),
            id_lines: ids.lines().collect(),
            reflection: reflection.transpose()?,
            check: space.has_check(setup),
            sides: BothSides {
                white: SideFacts::new(variant, space, &fen, Side::White, &setup.white),
                black: SideFacts::new(variant, space, &fen, Side::Black, &setup.black),
            },
            notes: space.notes(setup).into_iter().map(String::from).collect(),
        })
    }

    /// The names and values that are printed under the diagram.
    fn lines(&self, numbering: &Numbering) -> Vec<(&'static str, String)> {
        let mut lines =
            vec![("white", self.white.clone()), ("black", self.black.clone()), ("FEN", self.fen.clone())];
        lines.extend(self.second_game.iter().map(|fen| ("second game", fen.clone())));
        lines.extend(self.id_lines.iter().cloned());
        lines.push(match &self.reflection {
            Some(reflection) => (
                "reflection",
                format!("{} in {}: {}", reflection.id_text, numbering.name(), reflection.white),
            ),
            None => ("reflection", "not a setup of this game".to_string()),
        });
        let BothSides { white, black } = &self.sides;
        if white.lines() == black.lines() {
            lines.extend(white.lines());
        } else {
            for (name, side) in [("White: ", white), ("Black: ", black)] {
                lines.extend(side.lines().into_iter().map(|(what, value)| (what, format!("{name}{value}"))));
            }
        }
        if self.check {
            lines.push(("check", "a king stands in check before the first move".to_string()));
        }
        lines.extend(self.notes.iter().map(|note| ("note", note.clone())));
        lines
    }
}

impl SideFacts {
    fn new(variant: &Variant, space: &Space, fen: &StartFen, side: Side, rank: &FirstRank) -> Self {
        let army = space.army_of(side);
        let mut colours = BTreeMap::new();
        for piece in variant.pieces.iter().filter(|piece| piece.betza.is_colour_bound()) {
            let files = || rank.pieces().filter(|&(_, letter)| letter == piece.letter).map(|(file, _)| file);
            if files().count() > 1 {
                let first = files().next().map(|file| army.colour(file));
                let same = files().all(|file| Some(army.colour(file)) == first);
                colours.insert(format!("{}s", piece.name), if same { "same" } else { "opposite" });
            }
        }
        let castling = fen.castlings(side, rank).into_iter().map(|found| CastlingWith {
            partner_name: variant.piece(found.letter).map_or(String::new(), |piece| piece.name.clone()),
            partner: found.partner.letter(),
            king_lands: found.king_lands.letter(),
            partner_lands: found.partner_lands.letter(),
            notation: found.notation.to_string(),
        });
        let castling = castling.collect();
        let unprotected_pawns = army.unprotected_pawns(rank).into_iter().map(File::letter).collect();
        Self { colours, castling, unprotected_pawns }
    }

    fn lines(&self) -> Vec<(&'static str, String)> {
        let mut lines = Vec::new();
        for (pieces, colours) in &self.colours {
            let colours = if *colours == "opposite" { "opposite colours" } else { "the same colour" };
            lines.push(("colours", format!("{pieces} on {colours}")));
        }
        for CastlingWith { partner_name: name, partner, king_lands, partner_lands, notation } in
            &self.castling
        {
            lines.push((
                "castling",
                format!(
                    "with the {name} on {partner}: king to {king_lands}, {name} to {partner_lands} ({notation})"
                ),
            ));
        }
        let pawns: Vec<String> = self.unprotected_pawns.iter().map(char::to_string).collect();
        lines.push((
            "unprotected",
            if pawns.is_empty() { "no pawns".into() } else { format!("pawns on {}", pawns.join(", ")) },
        ));
        lines
    }
}
