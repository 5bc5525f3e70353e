//! Which setups a study plays from or an atlas judges, as the command line says it.

use std::path::Path;
use std::str::FromStr;

use backrank_rules::files::{MAX_TEXT, read_named_text};
use backrank_rules::{Variant, printable_line};
use backrank_selfplay::study::SetupChoice;
use clap::Args;

use crate::args::{Narrowing, NumberingArg, SkipChecks};
use crate::terminal::failure::Failure;

/// The setups that are asked for. None has a default here, so that only what is given is compared with what was begun.
#[derive(Args)]
pub struct SetupArgs {
    /// The setups: `all`, a range of ids such as `0..100`, some drawn at random as in `random:500`, or the path of a file
    /// with an id on each line [default: all]
    #[arg(long)]
    setups: Option<SetupsArg>,

    #[command(flatten)]
    narrowing: Narrowing,

    #[command(flatten)]
    checks: SkipChecks,

    #[command(flatten)]
    numbering: NumberingArg,
}

impl SetupArgs {
    /// Which setups are asked for, if any are.
    pub fn choice(&self) -> Option<&SetupChoice> {
        self.setups.as_ref().map(|SetupsArg(choice)| choice)
    }

    /// Changes the constraints of the space that setups are chosen from, and the numbering of their ids, to what is asked.
    pub fn change_space(
        &self,
        variant: &Variant,
        constraints: &mut Vec<String>,
        numbering: &mut String,
    ) -> Result<(), Failure> {
        let given = self.narrowing.texts();
        let mut narrowed = if given.is_empty() { constraints.clone() } else { given };
        self.checks.add_to(&mut narrowed, variant)?;
        let is_other = !narrowed.is_empty() && narrowed != *constraints;
        if is_other {
            *constraints = narrowed;
        }
        if is_other || self.numbering.is_given() {
            let space = Narrowing::read(constraints)?.space(variant)?;
            *numbering = self.numbering.of(&space)?.name().to_string();
        }
        Ok(())
    }
}

/// A choice of setups; the ids of a list come from a file.
#[derive(Clone)]
struct SetupsArg(SetupChoice);

impl SetupsArg {
    fn read(path: &str) -> Result<Self, String> {
        let text = read_named_text(path.as_ref(), MAX_TEXT)
            .map_err(|error| format!("cannot read {path}: {error}"))?;
        let lines = text.lines().enumerate().map(|(line, text)| (line + 1, text.trim()));
        let ids = lines.filter(|(_, text)| !text.is_empty()).map(|(line, text)| {
            text.parse().map_err(|_| format!("{path}, line {line}: `{}` is not an id", printable_line(text)))
        });
        match ids.collect::<Result<Vec<u64>, _>>()? {
            ids if ids.is_empty() => Err(format!("{path} holds no id")),
            ids => Ok(Self(SetupChoice::Listed(ids))),
        }
    }
}

impl FromStr for SetupsArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(choice) => Ok(Self(choice)),
            // Files come last, so that a choice never depends on the names of files in the current directory.
            Err(_) if Path::new(text).exists() => Self::read(text),
            Err(problem) => Err(format!("{problem}; the path of a file of ids is possible, too")),
        }
    }
}
