//! What shells complete besides commands and options: games, numberings and constraints.

use std::ffi::OsStr;

use backrank_enumerate::{Constraint, Space};
use backrank_rules::{Variant, catalogue};
use clap::{Arg, Command};
use clap_complete::engine::{
    ArgValueCandidates, ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};

/// The environment variable by which a shell's script asks for completions.
pub const VARIABLE: &str = "BACKRANK_COMPLETE";

/// A command line whose arguments know the values that they can have.
pub fn with_values(cli: Command) -> Command {
    cli.mut_args(with_values_of).mut_subcommands(with_values)
}

fn with_values_of(arg: Arg) -> Arg {
    let is_named = |name: &str| arg.get_value_names().is_some_and(|names| names[0].starts_with(name));
    if is_named("VARIANT") {
        arg.add(ArgValueCompleter::new(variants))
    } else if arg.get_long() == Some("numbering") {
        arg.add(ArgValueCandidates::new(numberings))
    } else if is_named("CONSTRAINT") {
        arg.add(ArgValueCandidates::new(constraints))
    } else {
        arg
    }
}

/// The keys of the catalogue that begin so, and files.
fn variants(begun: &OsStr) -> Vec<CompletionCandidate> {
    let begins = |variant: &Variant| begun.to_str().is_some_and(|begun| variant.key.starts_with(begun));
    let candidate = |variant: Variant| CompletionCandidate::new(variant.key).help(Some(variant.name.into()));
    let mut found: Vec<CompletionCandidate> = catalogue().filter(begins).map(candidate).collect();
    found.extend(PathCompleter::any().complete(begun));
    found
}

/// The numberings of the game that the command line names, or `lex` alone, which every game has.
fn numberings() -> Vec<CompletionCandidate> {
    let named = std::env::args_os().skip(1).find_map(|word| Variant::find(word.to_str()?).ok());
    let names = match named.and_then(|variant| Space::new(&variant).ok()) {
        Some(space) => space.numberings().iter().map(|numbering| numbering.name().to_string()).collect(),
        None => vec!["lex".to_string()],
    };
    names.into_iter().map(CompletionCandidate::new).collect()
}

/// The constraints, each with an example.
fn constraints() -> Vec<CompletionCandidate> {
    let candidate = |&(name, example): &(&str, &str)| match example {
        "true" => CompletionCandidate::new(name),
        _ => CompletionCandidate::new(format!("{name}=")).help(Some(format!("{name}={example}").into())),
    };
    Constraint::KNOWN.iter().map(candidate).collect()
}
