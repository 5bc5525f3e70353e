use std::io::Write;

use clap::Args;
use clap_complete::Shell;
use clap_complete::env::Shells;

use crate::args::completion::VARIABLE;
use crate::terminal::failure::Failure;
use crate::terminal::output::Output;

/// Print a script by which a shell completes commands, options, games, numberings and constraints
///
/// The script asks this program, which must be found by its name, so that a new version completes what it knows. A line for
/// ~/.bashrc is `source <(backrank completions bash)`.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank completions bash > backrank.bash",
    "backrank completions zsh > _backrank",
))]
pub struct CompletionsCommand {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl CompletionsCommand {
    /// Prints the script.
    pub fn run(self) -> Result<(), Failure> {
        let shells = Shells::builtins();
        let shell = shells.completer(&self.shell.to_string()).expect("the same five shells");
        let mut script = Vec::new();
        shell.write_registration(VARIABLE, "backrank", "backrank", "backrank", &mut script)?;
        let mut out = Output::data();
        out.write_all(&script)?;
        out.finish()
    }
}
