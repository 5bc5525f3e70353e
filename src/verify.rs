use std::collections::HashMap;
use std::path::{Path, PathBuf};

use backrank_analysis::thousands;
use backrank_enumerate::{Claim, Space, Verdict, claims};
use backrank_rules::{Variant, catalogue};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::failure::Failure;
use crate::notes::show_bars;
use crate::output::{Output, print_json};
use crate::table::{Column, print};

/// Every published count, held against two ways of counting
///
/// The space counts by dynamic programming, brute force goes through every arrangement. Exit code 0 while each verdict
/// is the one on record.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank verify",
    "backrank verify pmrc chess8400",
    "backrank verify my-game.toml",
))]
pub struct Verify {
    /// Only claims about these games; a game or variant file that no claim is about is counted both ways
    #[arg(value_name = "VARIANT")]
    variants: Vec<String>,

    /// Every game, those too that no claim is about
    #[arg(long, conflicts_with = "variants")]
    all: bool,

    /// Write what was found to a file as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What was found of one claim, or of one space that nobody made a claim about.
#[derive(Serialize)]
struct Finding {
    key: String,
    name: String,
    files: usize,
    ranks: usize,
    #[serde(rename = "where")]
    narrowed_by: Vec<String>,
    claimed: Option<u64>,
    space: u128,
    brute_force: u128,
    verdict: String,
    on_record: Option<String>,
    source: Option<String>,
}

impl Finding {
    fn is_as_recorded(&self) -> bool {
        match &self.on_record {
            Some(verdict) => *verdict == self.verdict,
            None => self.space == self.brute_force,
        }
    }
}

/// One space to be counted, and the claim about it.
struct Work {
    variant: Variant,
    space: Space,
    claim: Option<Claim>,
}

impl Verify {
    pub fn run(self) -> Result<(), Failure> {
        let named = self.variants.iter().map(|name| Variant::find(name));
        let named = if self.all { Ok(catalogue().collect()) } else { named.collect::<Result<Vec<_>, _>>() };
        verify(&named?, self.csv.as_deref(), self.json)
    }
}

/// Counts both ways what was claimed of some variants, or of all where there are none, and prints what was found.
pub fn verify(variants: &[Variant], csv: Option<&Path>, json: bool) -> Result<(), Failure> {
    let work = work(variants)?;
    let arrangements: u128 = work.iter().map(|work| work.space.army().arrangements()).sum();
    let bar = if show_bars() { ProgressBar::no_length() } else { ProgressBar::hidden() };
    bar.set_length(u64::try_from(arrangements).unwrap_or(u64::MAX));
    let bar = bar.with_style(
        ProgressStyle::with_template(
            "brute force {bar:40} {percent}% of {human_len} arrangements, {eta} left",
        )
        .expect("a template that is right"),
    );
    let findings: Vec<Finding> = work.into_iter().map(|work| find(work, &bar)).collect();
    bar.finish_and_clear();
    if let Some(path) = csv {
        write_csv(path, &findings)?;
    }
    if json {
        print_json(&findings)?
    } else {
        print_findings(&findings)?
    }
    let surprises = findings.iter().filter(|finding| !finding.is_as_recorded()).count();
    match surprises {
        0 => Ok(()),
        _ => Err(Failure::Other(format!(
            "{surprises} of {} verdicts are not the ones on record",
            findings.len()
        ))),
    }
}

fn work(variants: &[Variant]) -> Result<Vec<Work>, Failure> {
    let mut wanted: HashMap<&str, (&Variant, bool)> =
        variants.iter().map(|variant| (variant.key.as_str(), (variant, false))).collect();
    let mut work = Vec::new();
    for claim in claims() {
        let variant = match wanted.get_mut(claim.variant.as_str()) {
            Some((variant, claimed)) => {
                *claimed = true;
                (*variant).clone()
            }
            None if variants.is_empty() => Variant::find(&claim.variant)?,
            None => continue,
        };
        let space = Space::narrowed(&variant, &claim.narrowed_by)?;
        work.push(Work { variant, space, claim: Some(claim) });
    }
    for variant in variants {
        if let Some((variant, false)) = wanted.remove(variant.key.as_str()) {
            work.push(Work { variant: variant.clone(), space: Space::new(variant)?, claim: None });
        }
    }
    Ok(work)
}

fn find(Work { variant, space, claim }: Work, bar: &ProgressBar) -> Finding {
    let counted = space.len();
    let brute_force = space.brute_force(&|arrangements| bar.inc(arrangements));
    let claimed = claim.as_ref().map(|claim| claim.setups);
    let verdict = match claimed {
        _ if counted != brute_force => "disputed".to_string(),
        None => "agreed".to_string(),
        Some(claimed) if u128::from(claimed) == counted => Verdict::Confirmed.to_string(),
        Some(_) => Verdict::Refuted.to_string(),
    };
    Finding {
        key: variant.key,
        name: variant.name,
        files: variant.board.files(),
        ranks: variant.board.ranks(),
        narrowed_by: claim.iter().flat_map(|claim| &claim.narrowed_by).map(ToString::to_string).collect(),
        claimed,
        space: counted,
        brute_force,
        verdict,
        on_record: claim.as_ref().map(|claim| claim.verdict.to_string()),
        source: claim.map(|claim| claim.source),
    }
}

/// A row for each space that was counted; `data/README.md` says what each column means.
fn write_csv(path: &Path, findings: &[Finding]) -> Result<(), Failure> {
    let mut out = Output::open(Some(path))?;
    let mut rows = csv::Writer::from_writer(&mut out);
    let failed = |error: csv::Error| Failure::writing(path, &error.into());
    rows.write_record(COLUMNS).map_err(failed)?;
    for finding in findings {
        let claimed = finding.claimed.map_or_else(String::new, |claimed| claimed.to_string());
        let row = [
            &finding.key,
            &finding.name,
            &finding.files.to_string(),
            &finding.ranks.to_string(),
            &finding.narrowed_by.join("; "),
            &claimed,
            &finding.space.to_string(),
            &finding.brute_force.to_string(),
            &finding.verdict,
            finding.source.as_deref().unwrap_or_default(),
        ];
        rows.write_record(row).map_err(failed)?;
    }
    rows.flush().map_err(|error| Failure::writing(path, &error))?;
    drop(rows);
    out.finish()
}

const COLUMNS: [&str; 10] =
    ["key", "name", "files", "ranks", "where", "claimed", "space", "brute_force", "verdict", "source"];

fn print_findings(findings: &[Finding]) -> Result<(), Failure> {
    use Column::{Number, Text};
    let columns = [
        Text("key"),
        Number("claimed"),
        Number("space"),
        Number("brute force"),
        Text("verdict"),
        Text("what was claimed, and where"),
    ];
    let rows = findings.iter().map(|finding| {
        let verdict = match &finding.on_record {
            Some(on_record) if *on_record != finding.verdict => {
                format!("{}, but {on_record} on record", finding.verdict)
            }
            _ => finding.verdict.clone(),
        };
        let mut about: Vec<&str> = finding.narrowed_by.iter().map(String::as_str).collect();
        about.extend(finding.source.as_deref());
        vec![
            finding.key.clone(),
            finding.claimed.map_or_else(String::new, thousands),
            thousands(finding.space),
            thousands(finding.brute_force),
            verdict,
            about.join("; "),
        ]
    });
    let mut out = Output::stdout();
    print(&mut out, &columns, rows)?;
    out.finish()
}
