//! The state between commands while the rules stay the same.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

use backrank_rules::{Diagram, Game, Position, Rules};

use super::Inbox;
use super::command::Command;
use super::go::Go;
use super::input::Event;
use super::options::{Change, Options};
use super::output::Lines;
use super::text::MoveStyle;
use super::worker::Job;
use crate::limits::Limits;
use crate::score::Score;
use crate::search::SearchResult;

/// What follows a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Another session, with other rules.
    Session,
    /// The end.
    Quit,
}

/// The position, and what the worker is doing.
pub struct Session<'r, 's, 'o, 'f> {
    options: &'s mut Options<'f>,
    start: Position<'r>,
    game: Game<'r>,
    /// What was wrong with the last `position`, if anything was: a search from another one would answer a question that nobody
    /// asked.
    refused: Option<String>,
    jobs: Sender<Job<'r>>,
    stop: &'s AtomicBool,
    out: &'s Lines<'o>,
    running: Option<Running>,
}

/// A search or perft that has not been answered yet.
#[derive(Default)]
struct Running {
    /// Whether the answer must wait until it is asked for.
    held: bool,
    /// The result, while it is held back.
    found: Option<SearchResult>,
    /// The parameters of the search that begins when the opponent has played the move that this search assumes.
    pondering: Option<Wanted>,
    /// Whether the opponent has played that move, so that the real search begins when this one has stopped.
    hit: Option<Wanted>,
}

/// What to search for.
#[derive(Default)]
struct Wanted {
    limits: Limits,
    infinite: bool,
}

impl<'r, 's, 'o, 'f> Session<'r, 's, 'o, 'f> {
    /// A session at the start of a game.
    pub fn new(
        rules: &'r Rules,
        options: &'s mut Options<'f>,
        jobs: Sender<Job<'r>>,
        stop: &'s AtomicBool,
        out: &'s Lines<'o>,
    ) -> Self {
        let start = Position::new(rules, options.setup()).expect("a variant is chosen only if it can start");
        Self { options, start, game: Game::new(start), refused: None, jobs, stop, out, running: None }
    }

    /// Carries out commands until the rules change or the input ends.
    pub fn run(mut self, inbox: &mut Inbox) -> Next {
        loop {
            let waited = if self.running.is_none() { inbox.waiting.pop_front() } else { None };
            let event = match waited {
                Some(command) => Event::Command(command),
                None => inbox.events.recv().unwrap_or(Event::End),
            };
            match event {
                Event::Command(Command::Quit) | Event::End => {
                    self.wind_up(inbox);
                    return Next::Quit;
                }
                Event::Command(command) if self.running.is_some() && !command.is_urgent() => {
                    inbox.waiting.push_back(command);
                }
                Event::Command(Command::SetOption { name, value }) => {
                    if self.set_option(&name, &value) == Change::Rules {
                        return Next::Session;
                    }
                }
                Event::Command(command) => self.obey(command),
                Event::Done(found) => self.done(found),
                Event::Gone => return Next::Quit,
            }
            if self.out.is_closed() {
                self.stop.store(true, Ordering::Relaxed);
                return Next::Quit;
            }
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Uci => self.out.send(format_args!(
                "id name backrank {}\nid author The backrank authors\n{}\nuciok",
                env!("CARGO_PKG_VERSION"),
                self.options.list()
            )),
            Command::IsReady if self.running.is_some() => self.out.send(format_args!("readyok")),
            Command::IsReady => self.give(Job::Ready(self.options.mebibytes)),
            Command::NewGame => self.give(Job::Clear),
            Command::Position { fen, moves } => match self.set_position(fen.as_deref(), &moves) {
                Ok(()) => self.refused = None,
                Err(problem) => self.refuse(problem),
            },
            Command::WrongPosition(problem) => self.refuse(problem),
            Command::Go(go) => match self.refused.clone() {
                None => self.go(&go),
                Some(problem) => self.answer_refused(&problem, go.infinite || go.ponder),
            },
            Command::Perft(_) if self.refused.is_some() => {
                self.out.remark("perft: there is no position, as the last one was refused");
            }
            Command::Perft(depth) => {
                self.stop.store(false, Ordering::Relaxed);
                self.running = Some(Running::default());
                let position = Box::new(*self.game.position());
                self.give(Job::Perft { position, depth, style: self.style() });
            }
            Command::Stop => self.stop_search(),
            Command::PonderHit => self.ponder_hit(),
            Command::Show => {
                let position = self.game.position();
                let key = &position.rules().variant().key;
                self.out.send(format_args!(
                    "{}\nVariant: {key}\nFen: {position}",
                    Diagram::of_position(position)
                ));
            }
            Command::Wrong(why) => self.out.remark(&why),
            Command::Nothing | Command::Quit | Command::SetOption { .. } => {}
        }
    }

    fn set_option(&mut self, name: &str, value: &str) -> Change {
        let change = self.options.set(name, value).unwrap_or_else(|problem| {
            self.out.remark(&problem);
            Change::Later
        });
        if change == Change::Clear {
            self.give(Job::Clear);
        }
        change
    }

    /// Takes a position. If something is wrong with it, the one before stays, and the error is a sentence.
    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> Result<(), String> {
        let start = match fen {
            None => self.start,
            Some(fen) => Position::from_fen(self.start.rules(), fen).map_err(|error| error.to_string())?,
        };
        let mut game = Game::new(start);
        for text in moves {
            let played = game.position().parse_uci(text).map_err(|error| error.to_string())?;
            game.play(played);
        }
        self.game = game;
        Ok(())
    }

    /// Refuses a position: until there is another one, `go` finds no move.
    fn refuse(&mut self, problem: String) {
        self.out.remark(&format!("position: {problem}"));
        self.refused = Some(problem);
    }

    /// Answers `go` after a position that was refused. An answer that must wait for `stop` or `ponderhit` waits for it here, too.
    fn answer_refused(&mut self, problem: &str, waits: bool) {
        self.out
            .remark(&format!("go: there is no position to search, as the last one was refused: {problem}"));
        let nothing = SearchResult {
            best: None,
            score: Score::centipawns(0),
            depth: 0,
            nodes: 0,
            line: Vec::new(),
            others: Vec::new(),
        };
        if waits {
            self.running = Some(Running { held: true, found: Some(nothing), ..Running::default() });
        } else {
            self.answer(&nothing);
        }
    }

    fn go(&mut self, go: &Go) {
        let (limits, wrong) = go.limits(self.game.position());
        for problem in wrong {
            self.out.remark(&problem);
        }
        let wanted = Wanted { limits, infinite: go.infinite };
        if go.ponder {
            let only = wanted.limits.only.clone();
            self.search(Wanted { limits: Limits { only, ..Limits::default() }, infinite: true });
            if let Some(running) = &mut self.running {
                running.pondering = Some(wanted);
            }
        } else {
            self.search(wanted);
        }
    }

    /// Begins a search. The worker must be idle.
    fn search(&mut self, wanted: Wanted) {
        let Wanted { mut limits, infinite } = wanted;
        limits.lines = self.options.lines;
        self.stop.store(false, Ordering::Relaxed);
        self.running = Some(Running { held: infinite, ..Running::default() });
        let (mebibytes, style) = (self.options.mebibytes, self.style());
        let game = Box::new(self.game.clone());
        self.give(Job::Search { game, limits, mebibytes, style });
    }

    /// Called when the worker has finished.
    fn done(&mut self, found: Option<SearchResult>) {
        let Some(mut running) = self.running.take() else { return };
        match (found, running.hit.take()) {
            (_, Some(wanted)) => self.search(wanted),
            (Some(found), None) if running.held => {
                running.found = Some(found);
                self.running = Some(running);
            }
            (Some(found), None) => self.answer(&found),
            // Perft has written its result itself.
            (None, None) => {}
        }
    }

    fn answer(&self, found: &SearchResult) {
        let (position, style) = (self.game.position(), self.style());
        let Some(best) = found.best else {
            return self.out.send(format_args!("bestmove (none)"));
        };
        let text = style.text(position, best);
        match found.line[..] {
            [first, reply, ..] if first == best => {
                let reply = style.text(&position.after(best), reply);
                self.out.send(format_args!("bestmove {text} ponder {reply}"));
            }
            _ => self.out.send(format_args!("bestmove {text}")),
        }
    }

    fn stop_search(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let Some(running) = &mut self.running else { return };
        running.held = false;
        running.pondering = None;
        running.hit = None;
        if let Some(found) = running.found.take() {
            self.running = None;
            self.answer(&found);
        }
    }

    fn ponder_hit(&mut self) {
        let Some(running) = &mut self.running else { return };
        let has_no_move = running.found.as_ref().is_some_and(|found| found.best.is_none());
        let Some(wanted) = running.pondering.take() else {
            if has_no_move {
                self.stop_search();
            }
            return;
        };
        if running.found.is_some() {
            self.search(wanted);
        } else {
            // What was learnt stays in the table, and the clock begins to run now.
            running.hit = Some(wanted);
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Stops what runs, and answers it.
    fn wind_up(&mut self, inbox: &Inbox) {
        self.stop_search();
        while self.running.is_some() {
            match inbox.events.recv() {
                Ok(Event::Done(found)) => self.done(found),
                Ok(Event::Gone) | Err(_) => return,
                Ok(Event::Command(_) | Event::End) => {}
            }
        }
    }

    fn style(&self) -> MoveStyle {
        MoveStyle::new(&self.start, self.options.chess960)
    }

    fn give(&self, job: Job<'r>) {
        // A worker that has gone reports that itself.
        let _ = self.jobs.send(job);
    }
}
