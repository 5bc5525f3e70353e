//! The Universal Chess Interface, the engine's end: lines in, lines out, as any program that plays chess engines against
//! each other speaks it.
//!
//! A thread of its own reads lines, so that `stop` and `isready` are heard during a search; another searches; the thread
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
use worker::Worker;

/// What is still to be dealt with.
struct Inbox {
    events: Receiver<Event>,
    /// Commands that came during a search and mean something only after it.
    waiting: VecDeque<Command>,
}

/// Speaks UCI until `quit` or the end of the input. It begins with the catalogue's `chess`.
///
/// `start` says from which setup `position startpos` starts in a variant, or why there is none. A game is chosen by the
/// option `UCI_Variant`, or by `VariantFile`, a path to a variant file.
///
/// Nothing that is sent makes it end or panic: what it does not understand, it answers with an `info string` and goes on.
/// Commands that would change the game or its rules during a search wait until the search is over.
///
/// # Errors
///
/// When nobody reads the output any more, and when there is no setup for `chess`.
///
/// ```
/// use backrank_rules::Setup;
/// use backrank_selfplay::uci;
///
/// let mut said = Vec::new();
/// let sent = "uci\nposition fen 7k/8/6K1/8/8/8/8/R7 w - - 0 1\ngo depth 3\nquit\n";
/// uci::serve(sent.as_bytes(), &mut said, |variant| Ok(Setup { white: variant.army, black: variant.army }))?;
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
    // Nobody waits for this thread: after `quit` it may hang on its input for ever.
    thread::spawn(move || input::read(input, &lines));
    // Positions and the engine borrow the rules, so other rules are another session.
    loop {
        let rules = options.rules();
        let stop = AtomicBool::new(false);
        let next = thread::scope(|scope| {
            let (jobs, to_do) = channel();
            let worker = Worker {
                rules: &rules,
                weights: options.weights(&rules),
                wants_tables: options.tables,
                tables: None,
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
