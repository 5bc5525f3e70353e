use std::io::Write;

use clap::{Args, Command};
use clap_complete::Shell;

use crate::terminal::failure::Failure;
use crate::terminal::output::Output;

/// Print a script that completes this program's commands and options in a shell
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
    /// Prints the script for a command line.
    pub fn run(self, mut cli: Command) -> Result<(), Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut cli, "backrank", &mut script);
        let mut out = Output::data();
        out.write_all(&script)?;
        out.finish()
    }
}
