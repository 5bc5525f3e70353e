//! Arguments that several commands take.

pub mod completion;
pub mod lookup;
pub mod piece;
pub mod studies;
pub mod trust;
pub mod without;

use std::collections::BTreeSet;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

use backrank_analysis::table::thousands;
use backrank_enumerate::{Constraint, ConstraintError, InCheck, Numbering, Sides, Space};
use backrank_experiment::options::ExperimentOptions;
use backrank_experiment::play::PlaySettings;
use backrank_rules::{FindError, Position, Rules, Variant};
use clap::Args;

use crate::args::lookup::find_setup;
use crate::terminal::failure::Failure;
use crate::terminal::notes::note;
use crate::terminal::processors::{processors, read_threads};

/// What the games of an experiment are played with.
#[derive(Args, Clone, Copy)]
pub struct ExperimentArgs {
    /// The number of nodes for each search: fewer give more games, more give better ones [default: 1000]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=i64::MAX as u64))]
    nodes: Option<u64>,

    /// The seed of the random numbers: the same seed gives the same games on every machine [default: 0]
    #[arg(long, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,

    /// The number of games that are played at a time [default: the number of processors]
    #[arg(long, value_parser = read_threads)]
    threads: Option<u16>,
}

impl ExperimentArgs {
    /// The options that these determine.
    pub fn options(&self) -> ExperimentOptions {
        ExperimentOptions { nodes: self.nodes, seed: self.seed, ..ExperimentOptions::default() }
    }

    /// Settings to play a game's parts with.
    pub fn settings<'r>(&self, rules: &'r Rules) -> PlaySettings<'r> {
        PlaySettings::new(rules, self.threads.map_or_else(processors, usize::from))
    }
}

/// A variant, and its space.
#[derive(Args)]
pub struct SpaceArgs {
    /// A key that `backrank variants` lists, or the path of a variant file
    variant: String,

    #[command(flatten)]
    narrowing: Narrowing,
}

/// Constraints in addition to the variant's own.
#[derive(Args, Clone, Default)]
pub struct Narrowing {
    /// Keep only setups that satisfy a constraint, such as `opposite_colours=B,B` (can be repeated)
    ///
    /// The remaining setups get new ids from 0.
    #[arg(long = "where", value_name = "CONSTRAINT")]
    constraints: Vec<ConstraintArg>,
}

/// A constraint, and the text that it was read from.
#[derive(Clone)]
struct ConstraintArg {
    text: String,
    constraint: Constraint,
}

impl FromStr for ConstraintArg {
    type Err = ConstraintError;

    fn from_str(text: &str) -> Result<Self, ConstraintError> {
        Ok(Self { text: text.to_string(), constraint: text.parse()? })
    }
}

/// The choice of a numbering.
#[derive(Args, Default)]
pub struct NumberingArg {
    /// The numbering of ids: `lex`, or one that the variant's file defines [default: the file's default, or `lex`]
    #[arg(long, value_name = "NAME")]
    numbering: Option<String>,
}

impl SpaceArgs {
    /// The variant and its space.
    pub fn load(&self) -> Result<(Variant, Space), Failure> {
        self.narrowing.load(&self.variant)
    }

    /// The constraints as they were written.
    pub fn constraints(&self) -> Vec<String> {
        self.narrowing.texts()
    }
}

impl Narrowing {
    /// The variant with this name, and its space.
    pub fn load(&self, name: &str) -> Result<(Variant, Space), Failure> {
        let variant = find_variant(name)?;
        let space = self.space(&variant)?;
        Ok((variant, space))
    }

    /// The space of a variant.
    pub fn space(&self, variant: &Variant) -> Result<Space, Failure> {
        let constraints: Vec<Constraint> =
            self.constraints.iter().map(|arg| arg.constraint.clone()).collect();
        Ok(Space::narrowed(variant, &constraints)?)
    }

    /// Constraints from their texts.
    pub fn read(texts: &[String]) -> Result<Self, Failure> {
        let constraints: Result<Vec<ConstraintArg>, _> = texts.iter().map(|text| text.parse()).collect();
        Ok(Self {
            constraints: constraints.map_err(|error: ConstraintError| Failure::Input(error.to_string()))?,
        })
    }

    /// Whether there are no constraints.
    pub fn is_empty(&self) -> bool {
        self.constraints.is_empty()
    }

    /// The constraints as they were written.
    pub fn texts(&self) -> Vec<String> {
        self.constraints.iter().map(|arg| arg.text.clone()).collect()
    }
}

impl NumberingArg {
    /// The name that was given.
    pub fn name(&self) -> Option<&str> {
        self.numbering.as_deref()
    }

    /// Whether a numbering was named.
    pub fn is_given(&self) -> bool {
        self.numbering.is_some()
    }

    /// The named numbering of a space, or its default.
    pub fn of<'a>(&self, space: &'a Space) -> Result<&'a Numbering, Failure> {
        let Some(name) = &self.numbering else {
            return Ok(space.default_numbering());
        };
        space.numbering(name).ok_or_else(|| {
            let known: Vec<&str> = space.numberings().iter().map(Numbering::name).collect();
            let narrowed = if space.is_narrowed() { ", as --where makes a space of its own" } else { "" };
            Failure::Input(format!("no numbering `{name}` here; there is {}{narrowed}", known.join(", ")))
        })
    }
}

/// Leaving out setups from which a game would begin with a check.
#[derive(Args, Clone, Default)]
pub struct SkipChecks {
    /// Leave out setups in which a king stands in check before the first move, and say how many there are
    ///
    /// The remaining setups get new ids from 0, as with `--where no_check`. Without such setups nothing changes.
    #[arg(long)]
    skip_checks: bool,
}

impl SkipChecks {
    /// Adds the constraint to others if it is asked for and leaves anything out.
    pub fn add_to(&self, constraints: &mut Vec<String>, variant: &Variant) -> Result<(), Failure> {
        if !self.skip_checks {
            return Ok(());
        }
        let space = Narrowing::read(constraints)?.space(variant)?;
        if let Some(found) = space.in_check()? {
            note(format_args!("{}; they are left out", checks(&variant.key, &space, &found)));
            constraints.push("no_check".to_string());
        }
        Ok(())
    }
}

/// How many setups have a king in check before the first move.
pub fn checks(key: &str, space: &Space, found: &InCheck) -> String {
    let first = match space.sides() {
        Sides::Independent | Sides::Listed(_) => format!("{}/{}", found.first.white, found.first.black),
        _ => found.first.white.to_string(),
    };
    let (number, setups) = (thousands(found.number), thousands(space.len()));
    format!(
        "in {number} of the {setups} setups of {key} a king stands in check before the first move, such as {first}"
    )
}

/// The variant with a name or in a file. What its file means to other programs is said once.
pub fn find_variant(name: &str) -> Result<Variant, FindError> {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let variant = Variant::find(name)?;
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    for warning in variant.warnings().iter().map(ToString::to_string) {
        if said.insert(warning.clone()) {
            note(format_args!("note: {warning}"));
        }
    }
    Ok(variant)
}

/// Rejects a variant that is not played.
pub fn check_played(variant: &Variant) -> Result<(), Failure> {
    if variant.count_only {
        return Err(Failure::Input(format!(
            "{} is counted and listed only: its file says `count_only = true`",
            variant.key
        )));
    }
    Ok(())
}

/// Reads a number from 0 to 1.
pub fn read_part(text: &str) -> Result<f64, String> {
    let part = text.parse().ok().filter(|part| (0.0..=1.0).contains(part));
    part.ok_or_else(|| "the part must be a number from 0 to 1".to_string())
}

/// The number of threads.
#[derive(Args)]
pub struct ThreadsArg {
    /// The number of threads; it does not change the result [default: the number of processors]
    #[arg(long, value_parser = read_threads)]
    threads: Option<u16>,
}

impl ThreadsArg {
    /// The number of threads.
    pub fn number(&self) -> usize {
        self.threads.map_or_else(processors, usize::from)
    }

    /// Starts the threads, before there is any work for them.
    pub fn start(&self) -> Result<(), Failure> {
        let threads = self.number();
        let started = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
        started.map_err(|error| Failure::Other(format!("cannot start {threads} threads: {error}")))
    }
}

/// A position of a game.
#[derive(Args)]
pub struct PositionArgs {
    #[command(flatten)]
    space: SpaceArgs,

    /// The setup to start from: an id, White's first rank (WHITE/BLACK where sides are independent), or a FEN
    #[arg(conflicts_with = "fen")]
    setup: Option<String>,

    #[command(flatten)]
    numbering: NumberingArg,

    /// Start from a position instead of a setup; the last field, the unmoved pieces, may be left out
    #[arg(long)]
    fen: Option<String>,

    /// Play the game without the Bishop Adjustment
    #[arg(long)]
    no_adjustment: bool,
}

impl PositionArgs {
    /// The rules of the game, and its space.
    pub fn rules(&self) -> Result<(Rules, Space), Failure> {
        let (variant, space) = self.space.load()?;
        check_played(&variant)?;
        let rules = Rules::new(&variant);
        Ok((if self.no_adjustment { rules.without_adjustment() } else { rules }, space))
    }

    /// The position under these rules.
    pub fn position<'r>(&self, rules: &'r Rules, space: &Space) -> Result<Position<'r>, Failure> {
        match &self.fen {
            Some(fen) => Ok(Position::from_fen(rules, fen)?),
            None => {
                let setup = find_setup(rules.variant(), space, &self.numbering, self.setup.as_deref())?;
                Ok(Position::new(rules, &setup)?)
            }
        }
    }
}
