//! Whose commands are run: those that a person has named, and no other that a study's file names.

use std::path::Path;

use backrank_selfplay::study::Study;
use clap::Args;

use crate::terminal::failure::Failure;
use crate::terminal::notes::note;
use crate::terminal::reproduce::quoted;

/// Whether to run what a study's file names.
#[derive(Args, Default)]
pub struct TrustArg {
    /// Run the engines that the file of a study or an atlas names: commands on this machine, which whoever wrote it has chosen
    #[arg(long)]
    pub trust_engines: bool,
}

impl TrustArg {
    /// Refuses a study with engines of its own, unless they are trusted or were named by this person before.
    pub fn check(&self, path: &Path, study: &Study, is_known: bool, how: &str) -> Result<(), Failure> {
        let engines = study.engines();
        if engines.is_empty() || is_known || self.trust_engines {
            return Ok(());
        }
        let lines = engines.iter().map(|(side, player)| {
            let options =
                player.options.iter().map(|option| format!(" {}={}", option.name, quoted(&option.value)));
            let options: String = options.collect();
            let with =
                if options.is_empty() { String::new() } else { format!(", with the options{options}") };
            format!("\n  {side}: {}{with}", player.command)
        });
        Err(Failure::Input(format!(
            "{} names programs that would be run on this machine, and you have not named them here:{}\n{how}",
            path.join("study.toml").display(),
            lines.collect::<String>()
        )))
    }
}

/// Writes down that the engines of a study were named here, so that it can be continued by its directory alone.
pub fn remember(path: &Path, study: &Study) {
    if let Err(error) = study.remember_engines(path) {
        note(format_args!(
            "it cannot be written down that you named these engines ({error}); to continue, name them again or add \
             --trust-engines"
        ));
    }
}
