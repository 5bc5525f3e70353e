use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_mangen::Man as Page;

use crate::terminal::failure::Failure;
use crate::terminal::output::Output;

/// Print the manual page or, with -o, write a page for each command
#[derive(Args)]
#[command(after_help = examples!("backrank man > backrank.1", "backrank man -o man1"))]
pub struct ManCommand {
    /// Write the pages to this directory, one for the program and one for each command; it is created if needed
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

impl ManCommand {
    /// Writes the pages of a command line.
    pub fn run(self, mut cli: Command) -> Result<(), Failure> {
        let Some(folder) = &self.output else {
            let mut out = Output::data();
            Page::new(cli).render(&mut out)?;
            return out.finish();
        };
        std::fs::create_dir_all(folder).map_err(|error| Failure::writing(folder, &error))?;
        cli.build();
        let commands = cli.get_subcommands().filter(|command| command.get_name() != "help").cloned();
        let pages: Vec<Page> = std::iter::once(cli.clone()).chain(commands).map(Page::new).collect();
        pages.iter().try_for_each(|page| write(page, folder))
    }
}

fn write(page: &Page, folder: &Path) -> Result<(), Failure> {
    let path = folder.join(page.get_filename());
    let mut out = Output::open(Some(&path))?;
    page.render(&mut out).map_err(|error| Failure::writing(&path, &error))?;
    out.flush().map_err(|error| Failure::writing(&path, &error))?;
    out.finish()
}
