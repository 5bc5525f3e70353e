use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use backrank_analysis::atlas::Judgements;
use backrank_analysis::sheet::{PerPage, Sheet};
use backrank_analysis::table::thousands;
use backrank_enumerate::{Draw, Drawn, Numbering, Space};
use backrank_rules::{Setup, StartFen, Variant};
use backrank_selfplay::atlas::AtlasDirectory;
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
    "backrank draw pmrc --phrase \"round 5\" --atlas runs/atlas --words \"bishops on one colour\"",
))]
pub struct DrawCommand {
    #[command(flatten)]
    space: SpaceArgs,

    #[command(flatten)]
    numbering: NumberingArg,

    /// The phrase; every letter and space of it counts
    #[arg(long, value_name = "TEXT", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    phrase: String,

    /// An atlas of the game, for --words
    #[arg(long, value_name = "DIR", requires = "words", conflicts_with = "numbering")]
    atlas: Option<PathBuf>,

    /// Draw among the setups of which the atlas says this, such as "fairer than most" (can be repeated)
    ///
    /// These are the words that the explorer shows of a setup. The setups that have all of them are numbered in the order of `lex`.
    #[arg(long, value_name = "WORDS", requires = "atlas")]
    words: Vec<String>,

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
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    words: &'a [String],
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
        let described = match &self.atlas {
            Some(atlas) => Some(self.described(atlas, &variant, &space)?),
            None => None,
        };
        let numbering = match &described {
            Some(_) => space.numbering("lex").unwrap_or(numbering),
            None => numbering,
        };
        let among = described.as_ref().map_or(space.len(), |setups| setups.len() as u128);
        if self.sheet.is_some() && self.number > Sheet::LARGEST as u64 {
            return Err(Failure::Input(format!(
                "a sheet has at most {} setups, and these are {}",
                thousands(Sheet::LARGEST as u128),
                thousands(self.number)
            )));
        }
        let draw = match &described {
            Some(setups) => Draw::among(setups, &self.phrase),
            None => space.draw_by(numbering, &self.phrase),
        };
        let drawn: Vec<Drawn> = draw.take(self.number as usize).collect();
        if let Some(path) = &self.sheet {
            self.write_sheet(path, &variant, &space, numbering, &drawn, among)?;
        }
        if self.shown.json {
            return print_json(&self.json(&variant, numbering, drawn, among));
        }
        note(self.rule(numbering, among));
        let setups = drawn.into_iter().map(|drawn| (drawn.id, drawn.setup));
        self.shown.write(&variant, &space, numbering, &[], setups)
    }

    /// The setups of which an atlas says all words that are asked for, in the order of `lex`.
    fn described(&self, atlas: &Path, variant: &Variant, space: &Space) -> Result<Vec<Setup>, Failure> {
        let definition = AtlasDirectory::read(atlas)?;
        if definition.variant()?.key != variant.key {
            let (path, key) = (atlas.display(), &variant.key);
            return Err(Failure::Input(format!("{path} is no atlas of {key}")));
        }
        let judgements = Judgements::read(atlas, &definition)?;
        let (mut described, mut said) = (Vec::new(), BTreeSet::new());
        for (index, row) in judgements.rows.iter().enumerate() {
            let sentence = judgements.in_words(index, variant);
            let words: Vec<&str> = sentence.split("; ").collect();
            if self.words.iter().all(|wanted| words.contains(&wanted.as_str())) {
                let ranks = [row.white_rank.as_str(), &row.black_rank].join("/");
                // Those that do not meet the constraints are not drawn.
                described.extend(space.read(ranks.trim_end_matches('/')).ok());
            }
            said.extend(words.into_iter().map(str::to_string));
        }
        if let Some(unknown) = self.words.iter().find(|&words| !said.contains(words)) {
            let said: Vec<String> = said.iter().map(|words| format!("\"{words}\"")).collect();
            return Err(Failure::Input(format!(
                "the atlas says \"{unknown}\" of no setup; it says {}",
                said.join(", ")
            )));
        }
        if (described.len() as u64) < self.number {
            return Err(Failure::Input(format!(
                "{} distinct setups cannot be drawn: of {} the atlas says this",
                thousands(self.number),
                thousands(described.len() as u64)
            )));
        }
        described.sort_by_key(|setup| space.numbering("lex").and_then(|lex| space.rank_by(lex, setup).ok()));
        Ok(described)
    }

    /// How a setup follows from the phrase, in a sentence.
    fn rule(&self, numbering: &Numbering, among: u128) -> String {
        let phrase = &self.phrase;
        let narrowed: String =
            self.space.constraints().iter().map(|text| format!(" --where {text}")).collect();
        let described: String = self.words.iter().map(|words| format!(" --words \"{words}\"")).collect();
        format!(
            "setup i is number SHA-256(\"{phrase}#i\") mod {among} in {}{narrowed}{described}, i from 1; one drawn before is skipped",
            numbering.name()
        )
    }

    fn json<'a>(
        &'a self,
        variant: &'a Variant,
        numbering: &'a Numbering,
        drawn: Vec<Drawn>,
        among: u128,
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
            words: &self.words,
            among,
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
        among: u128,
    ) -> Result<(), Failure> {
        let setups: Vec<(String, Setup)> = drawn
            .iter()
            .map(|drawn| Ok((id_text(space, numbering, &drawn.setup)?, drawn.setup)))
            .collect::<Result<_, Failure>>()?;
        let per_page = match self.per_page {
            PerPageArg::Six => PerPage::Six,
            PerPageArg::Twelve => PerPage::Twelve,
        };
        let rule = self.rule(numbering, among);
        let note = format!("Drawn from a phrase: {rule}");
        let sheet = Sheet { variant, note: &note, per_page, setups: &setups };
        Output::write(path, sheet.to_html().as_bytes())
    }
}
