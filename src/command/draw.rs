use std::path::{Path, PathBuf};

use backrank_analysis::sheet::{PerPage, Sheet};
use backrank_analysis::table::thousands;
use backrank_enumerate::{Drawn, Numbering, Space};
use backrank_rules::{Setup, StartFen, Variant};
use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::args::lookup::id_text;
use crate::args::{NumberingArg, SpaceArgs};
use crate::command::random::{ShownArgs, check_number};
use crate::terminal::failure::Failure;
use crate::terminal::notes::note;
use crate::terminal::output::{Output, print_json, serialize_number};

/// Draw distinct setups from a phrase, by a rule that anyone can check
///
/// Setup i is that with the id SHA-256("PHRASE#i") mod the number of setups, where i counts from 1 and a setup that was drawn
/// before is skipped. The book has the rule to the byte, with examples to test a program by.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank draw chess960 --phrase \"City Open 2026, round 3\" -n 20 --sheet sheet.html",
    "backrank draw pmrc --phrase \"blitz final\" --where opposite_colours=B,B --show",
    "backrank draw chess960 --phrase \"City Open 2026, round 4\" -n 3 --json",
))]
pub struct DrawCommand {
    #[command(flatten)]
    space: SpaceArgs,

    #[command(flatten)]
    numbering: NumberingArg,

    /// The phrase; every letter and space of it counts
    #[arg(long, value_name = "TEXT", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    phrase: String,

    /// The number of setups to draw
    #[arg(short = 'n', long, default_value_t = 1)]
    number: u64,

    #[command(flatten)]
    shown: ShownArgs,

    /// Also write a sheet to print, on A4 or on letter paper: a page of HTML with each setup's board, number, FEN and castling
    /// squares
    #[arg(long, value_name = "FILE")]
    sheet: Option<PathBuf>,

    /// How many setups a page of the sheet has
    #[arg(long, value_enum, default_value_t = PerPageArg::Six, requires = "sheet")]
    per_page: PerPageArg,
}

/// How many setups a page of a sheet has.
#[derive(Clone, Copy, ValueEnum)]
enum PerPageArg {
    /// In two columns
    #[value(name = "6")]
    Six,
    /// In three columns
    #[value(name = "12")]
    Twelve,
}

/// A draw, and all that is needed to check it.
#[derive(Serialize)]
struct DrawJson<'a> {
    variant: &'a str,
    #[serde(rename = "where")]
    constraints: Vec<String>,
    numbering: &'a str,
    /// The number of setups among which it is drawn.
    #[serde(serialize_with = "serialize_number")]
    among: u128,
    phrase: &'a str,
    setups: Vec<DrawnJson>,
}

#[derive(Serialize)]
struct DrawnJson {
    /// The text that was hashed.
    text: String,
    sha256: String,
    #[serde(serialize_with = "serialize_number")]
    id: u128,
    white: String,
    black: String,
    fen: String,
}

impl DrawCommand {
    pub fn run(self) -> Result<(), Failure> {
        let (variant, space) = self.space.load()?;
        let numbering = self.numbering.of(&space)?;
        check_number(&variant, &space, self.number, true)?;
        if self.sheet.is_some() && self.number > Sheet::LARGEST as u64 {
            return Err(Failure::Input(format!(
                "a sheet has at most {} setups, and these are {}",
                thousands(Sheet::LARGEST as u128),
                thousands(self.number)
            )));
        }
        let drawn: Vec<Drawn> = space.draw_by(numbering, &self.phrase).take(self.number as usize).collect();
        if let Some(path) = &self.sheet {
            self.write_sheet(path, &variant, &space, numbering, &drawn)?;
        }
        if self.shown.json {
            return print_json(&self.json(&variant, &space, numbering, drawn));
        }
        note(self.rule(&space, numbering));
        let setups = drawn.into_iter().map(|drawn| (drawn.id, drawn.setup));
        self.shown.write(&variant, &space, numbering, &[], setups)
    }

    /// How a setup follows from the phrase, in a sentence.
    fn rule(&self, space: &Space, numbering: &Numbering) -> String {
        let phrase = &self.phrase;
        let narrowed: String =
            self.space.constraints().iter().map(|text| format!(" --where {text}")).collect();
        format!(
            "setup i is number SHA-256(\"{phrase}#i\") mod {} in {}{narrowed}, i from 1; one drawn before is skipped",
            space.len(),
            numbering.name()
        )
    }

    fn json<'a>(
        &'a self,
        variant: &'a Variant,
        space: &Space,
        numbering: &'a Numbering,
        drawn: Vec<Drawn>,
    ) -> DrawJson<'a> {
        let fen = StartFen::new(variant);
        let setup = |drawn: Drawn| DrawnJson {
            sha256: drawn.hex(),
            id: drawn.id,
            white: drawn.setup.white.to_string(),
            black: drawn.setup.black.to_string(),
            fen: fen.of(&drawn.setup),
            text: drawn.text,
        };
        DrawJson {
            variant: &variant.key,
            constraints: self.space.constraints(),
            numbering: numbering.name(),
            among: space.len(),
            phrase: &self.phrase,
            setups: drawn.into_iter().map(setup).collect(),
        }
    }

    fn write_sheet(
        &self,
        path: &Path,
        variant: &Variant,
        space: &Space,
        numbering: &Numbering,
        drawn: &[Drawn],
    ) -> Result<(), Failure> {
        let setups: Vec<(String, Setup)> = drawn
            .iter()
            .map(|drawn| Ok((id_text(space, numbering, &drawn.setup)?, drawn.setup)))
            .collect::<Result<_, Failure>>()?;
        let per_page = match self.per_page {
            PerPageArg::Six => PerPage::Six,
            PerPageArg::Twelve => PerPage::Twelve,
        };
        let rule = self.rule(space, numbering);
        let note = format!("Drawn from a phrase: {rule}");
        let sheet = Sheet { variant, note: &note, per_page, setups: &setups };
        Output::write(path, sheet.to_html().as_bytes())
    }
}
