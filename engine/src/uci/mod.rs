//! The engine's side of the Universal Chess Interface: it reads and writes lines, as programs that run chess engines
//! expect.
//!
//! One thread reads lines, so that `stop` and `isready` are seen during a search, and another one searches. The thread
//! that calls [`serve`] stands between them and keeps the state.

mod command;
mod go;
mod input;
mod options;
mod output;
mod session;
mod text;
mod worker;

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use backrank_rules::{Setup, Variant};

use command::Command;
use input::Event;
use options::Options;
use output::Lines;
use session::{Next, Session};
pub use text::MoveStyle;
use worker::{SearchWorker, TablesToCome};

/// Events that are not handled yet.
struct Inbox {
    events: Receiver<Event>,
    /// Commands that came during a search and must wait until it is over.
    waiting: VecDeque<Command>,
}

/// Speaks UCI until `quit` or the end of the input. The game at the beginning is `chess` of the catalogue.
///
/// `start` returns the setup from which `position startpos` starts in a variant, or says why there is none. The option
/// `UCI_Variant` chooses a game, or `VariantFile`, which is a path to a variant file.
///
/// No input makes it end or panic. A line that it does not understand is answered with an `info string`. Commands that
/// would change the game or its rules during a search wait until the search is over.
///
/// # Errors
///
/// When nobody reads the output any more, or there is no setup for `chess`.
///
/// ```
/// use backrank_rules::Setup;
/// use backrank_engine::uci;
///
/// let mut said = Vec::new();
/// let sent = "uci\nposition fen 7k/8/6K1/8/8/8/8/R7 w - - 0 1\ngo depth 3\nquit\n";
/// uci::serve(sent.as_bytes(), &mut said, |variant| Ok(variant.written_setup()))?;
/// let said = String::from_utf8(said)?;
/// assert!(said.contains("\nuciok\n"));
/// assert!(said.lines().last().is_some_and(|line| line.starts_with("bestmove ")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn serve(
    input: impl Read + Send + 'static,
    output: &mut (dyn Write + Send),
    start: impl Fn(&Variant) -> Result<Setup, String>,
) -> io::Result<()> {
    let out = Lines::new(output);
    let mut options = Options::new(&start).map_err(io::Error::other)?;
    let (sender, events) = channel();
    let mut inbox = Inbox { events, waiting: VecDeque::new() };
    let lines = sender.clone();
    // Nobody waits for this thread: after `quit` it may wait for input for ever.
    thread::spawn(move || input::read(input, &lines));
    // Positions and the engine borrow the rules, so other rules need another session.
    loop {
        let rules = options.rules();
        let stop = AtomicBool::new(false);
        let next = thread::scope(|scope| {
            let (jobs, to_do) = channel();
            let worker = SearchWorker {
                rules: &rules,
                weights: options.weights(&rules),
                tables: if options.tables { TablesToCome::Unasked } else { TablesToCome::Unwanted },
                to_do,
                events: sender.clone(),
                stop: &stop,
                out: &out,
                engine: None,
            };
            scope.spawn(|| worker.work());
            Session::new(&rules, &mut options, jobs, &stop, &out).run(&mut inbox)
        });
        if next == Next::Quit {
            return out.finish();
        }
    }
}
