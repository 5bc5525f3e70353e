//! All findings from studies, for `report` and for `study`.

use std::path::PathBuf;

use backrank_analysis::findings::{Findings, FindingsOptions};
use backrank_analysis::report::Report;

use crate::args::studies::{self, Bar};
use crate::command::values::{RegressionArgs, UnitArg};
use crate::terminal::failure::Failure;

/// Reads studies of one game and estimates everything, with a progress bar.
pub fn of(paths: &[PathBuf], options: &RegressionArgs, unit: &UnitArg) -> Result<Findings, Failure> {
    let studies = studies::open(paths)?;
    let unit = unit.of(studies.rules.variant())?;
    let options = FindingsOptions {
        sampling: options.sampling.sampling(),
        clustering: options.cluster.into(),
        replicates: options.bootstrap,
        seed: options.seed,
        unit,
        rating_error: None,
    };
    let reading = Bar::new("reading", studies.bytes());
    // Both the regression on all games and the one on decided games are bootstrapped.
    let bootstrap = Bar::new("bootstrap", 2 * u64::from(options.replicates));
    let findings =
        Findings::of(studies, options, &mut |bytes| reading.set(bytes), &|more| bootstrap.add(more));
    reading.finish();
    bootstrap.finish();
    Ok(findings?)
}

/// The report; `command` is the command that reproduces it.
pub fn report(findings: &Findings, density: f64, command: String) -> Report<'_> {
    findings.report(density, command, include_str!("../../data/README.md"), env!("CARGO_PKG_VERSION"))
}
