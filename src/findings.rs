//! All findings from studies, for `report` and for `study`.

use std::io::Write;
use std::path::{Path, PathBuf};

use backrank_analysis::{Findings, FindingsOptions};

use crate::failure::Failure;
use crate::output::Output;
use crate::studies::{self, Bar};
use crate::values::{RegressionArgs, UnitArg};

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

/// Writes the report; `command` is the command that reproduces it.
pub fn write_report(findings: &Findings, path: &Path, density: f64, command: String) -> Result<(), Failure> {
    let dictionary = include_str!("../data/README.md");
    let page = findings.report(density, command, dictionary, env!("CARGO_PKG_VERSION"));
    let mut out = Output::open(Some(path))?;
    out.write_all(page.to_html().as_bytes()).map_err(|error| Failure::writing(path, &error))?;
    out.finish()
}
