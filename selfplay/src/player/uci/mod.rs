//! A UCI engine as a player.

mod analysis;
mod conversation;
mod dialect;
mod options;
mod process;

use std::fmt::Write;
use std::io::{BufReader, Read};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use backrank_engine::{Clock, Limits, Score, uci::MoveStyle};
use backrank_rules::{Game, MoveError, Position, Rules, Side};
use tempfile::NamedTempFile;

use super::{Choice, PlayerError, PlayerSpec};
pub(super) use analysis::FinishedDepth;
use conversation::{Conversation, Transcript};
use dialect::Dialect;
pub(crate) use dialect::has_orthodox_pieces;
use options::DeclaredOptions;
use process::Process;
pub use process::kill_engines;

/// The longest name that an engine is called by, in letters.
const LONGEST_NAME: usize = 200;

/// The longest answer that is looked at, in letters.
const LONGEST_ANSWER: usize = 200;

/// An engine that is talked with.
pub(super) struct UciPlayer<C> {
    conversation: C,
    reported: String,
    knows_unmoved: bool,
    /// Whether castling is written as the king taking its partner.
    chess960: bool,
    timeout: Duration,
    /// Whether it evaluates by its own net if it has one, as it does where nobody tells it anything else.
    by_its_net: bool,
    /// The number of best lines that it was told to tell.
    lines: usize,
    /// The variants file that the settings name. Some engines read it again and again, so it is kept.
    _file: Option<NamedTempFile>,
}

/// An engine that is a running program.
pub(super) type UciProgram = UciPlayer<Process>;

impl UciProgram {
    /// Starts the program, which must then be prepared.
    pub fn launch(spec: &PlayerSpec, timeout: Duration) -> Result<Self, PlayerError> {
        Ok(Self::new(Process::start(&spec.command)?, spec, timeout))
    }

    /// The same for one that evaluates positions as it would by itself.
    pub fn launch_by_its_net(spec: &PlayerSpec, timeout: Duration) -> Result<Self, PlayerError> {
        Ok(Self { by_its_net: true, ..Self::launch(spec, timeout)? })
    }

    pub fn last_lines(&self) -> Vec<String> {
        self.conversation.last_lines()
    }
}

/// What the engine has to say that wrote this output: its name, and its choice in a game.
pub(super) fn heard(
    output: impl Read,
    spec: &PlayerSpec,
    game: &Game<'_>,
) -> Result<(String, Choice), PlayerError> {
    let transcript = Transcript(conversation::lines(BufReader::new(output)));
    let mut player = UciPlayer::new(transcript, spec, Duration::ZERO);
    player.prepare(spec, game.position().rules(), None)?;
    let stop = AtomicBool::new(false);
    player.new_game(&stop)?;
    let choice = player.choose(game, &Limits::default(), None, &stop)?;
    Ok((player.reported, choice))
}

impl<C: Conversation> UciPlayer<C> {
    fn new(conversation: C, spec: &PlayerSpec, timeout: Duration) -> Self {
        let reported = spec.command.clone();
        Self {
            conversation,
            reported,
            knows_unmoved: false,
            chess960: true,
            timeout,
            by_its_net: false,
            lines: 1,
            _file: None,
        }
    }

    /// Sets the engine's options and the game.
    pub fn prepare(
        &mut self,
        spec: &PlayerSpec,
        rules: &Rules,
        stop: Option<&AtomicBool>,
    ) -> Result<(), PlayerError> {
        let Self { conversation, reported, timeout, by_its_net, .. } = self;
        let mut options = DeclaredOptions::default();
        conversation.say("uci");
        let answered = conversation.wait_for("uciok", *timeout, stop, |line| {
            options.note(line);
            if let Some(name) = line.strip_prefix("id name ") {
                *reported = name.chars().take(LONGEST_NAME).collect();
            }
        });
        if options.are_too_many() {
            return Err(PlayerError::Option {
                name: reported.clone(),
                problem: "more options than can be kept, if they end at all".to_string(),
            });
        }
        answered?;
        let cannot = |problem| PlayerError::Variant {
            name: reported.clone(),
            variant: rules.variant().key.clone(),
            problem,
        };
        let Dialect { settings, knows_unmoved, chess960, file } =
            Dialect::find(&options, rules).map_err(cannot)?;
        let hash = spec.hash.to_string();
        let usual = [("Threads", "1"), ("Hash", hash.as_str()), ("Use NNUE", "false"), ("Ponder", "false")];
        let is_told = |name: &str| options.has(name) && !(*by_its_net && name == "Use NNUE");
        for (name, value) in usual.into_iter().filter(|(name, _)| is_told(name)) {
            conversation.say(&format!("setoption name {name} value {value}"));
        }
        for option in &spec.options {
            options.check(reported, &option.name, &option.value)?;
            if option.value.is_empty() {
                conversation.say(&format!("setoption name {}", option.name));
            } else {
                conversation.say(&format!("setoption name {} value {}", option.name, option.value));
            }
        }
        for (name, value) in &settings {
            conversation.say(&format!("setoption name {name} value {value}"));
        }
        conversation.say("isready");
        conversation.wait_for("readyok", *timeout, stop, |_| ())?;
        self.knows_unmoved = knows_unmoved;
        self.chess960 = chess960;
        self._file = file;
        Ok(())
    }

    pub fn reported(&self) -> &str {
        &self.reported
    }

    pub fn new_game(&mut self, stop: &AtomicBool) -> Result<(), PlayerError> {
        self.conversation.say("ucinewgame");
        self.conversation.say("isready");
        self.conversation.wait_for("readyok", self.timeout, Some(stop), |_| ())?;
        Ok(())
    }

    pub fn choose(
        &mut self,
        game: &Game<'_>,
        limits: &Limits,
        opponent: Option<Clock>,
        stop: &AtomicBool,
    ) -> Result<Choice, PlayerError> {
        let question = position_command(game, self.knows_unmoved, self.chess960);
        let go = go_command(limits, opponent, game.position().side_to_move());
        let patience = self.timeout.saturating_add(longest(limits));
        let (mut score, mut depth, mut nodes) = (None, 0, 0);
        let start = Instant::now();
        self.conversation.say(&question);
        self.conversation.say(&go);
        let answer = self.conversation.wait_for("bestmove", patience, Some(stop), |line| {
            let info = InfoLine::read(line);
            if info.rank == 1 && info.score.is_some() {
                (score, depth) = (info.score, info.depth.unwrap_or(0));
            }
            nodes = info.nodes.unwrap_or(nodes);
        })?;
        let time = start.elapsed();
        // What is longer than this is no move, and is not told in full.
        let answer: String = answer.chars().take(LONGEST_ANSWER).collect();
        let nonsense = |problem: String| PlayerError::Nonsense { said: answer.clone(), problem };
        let text = answer.split_ascii_whitespace().nth(1).unwrap_or_default();
        if matches!(text, "" | "(none)" | "0000") {
            let fen = game.position().to_fen();
            return Err(nonsense(format!("is no move, though there are legal ones in {fen}")));
        }
        // An engine writes castling as the king taking its rook, like we do: it was told UCI_Chess960 where that
        // matters. Where the king castles only from home, the square on which it lands is read, too.
        let played = game.position().parse_uci(text).map_err(|error| {
            nonsense(match error {
                MoveError::Syntax { .. } => {
                    "is not UCI: moves are written e2e4, or e7e8q where a pawn promotes".to_string()
                }
                error => format!("is not legal in {}: {error}", game.position().to_fen()),
            })
        })?;
        Ok(Choice { played, score, depth, nodes, time })
    }
}

/// The longest time that a search within these limits should take.
fn longest(limits: &Limits) -> Duration {
    let clock = limits.clock.map_or(Duration::ZERO, |clock| clock.left);
    limits.move_time.unwrap_or(clock)
}

/// The `position` command for a game: the position after the last capture or pawn move, and the moves since.
///
/// No position from before such a move can come back, and Fairy-Stockfish takes longer to read a hundred moves than to
/// search four plies. The same is done for moves of unmoved pieces. An engine that does not know such moves gets the
/// position after the last of them, in the six fields that it reads.
fn position_command(game: &Game<'_>, knows_unmoved: bool, chess960: bool) -> String {
    let mut base = *game.start();
    let mut since = 0;
    let mut position = base;
    for (index, &played) in game.moves().iter().enumerate() {
        let unmoved =
            !knows_unmoved && position.unmoved(position.side_to_move()).any(|square| square == played.from);
        position.play(played);
        if unmoved || position.halfmove_clock() == 0 {
            (base, since) = (position, index + 1);
        }
    }
    let mut text = String::from("position fen ");
    text.push_str(&fen_for(&base, knows_unmoved));
    if since < game.moves().len() {
        text.push_str(" moves");
    }
    let style = MoveStyle::new(&base, chess960);
    text.push_str(&style.line(&base, &game.moves()[since..]));
    text
}

fn fen_for(position: &Position<'_>, knows_unmoved: bool) -> String {
    if knows_unmoved { position.to_fen() } else { position.to_standard_fen() }
}

/// The `go` command for a side's search within some limits, with the clock of the opponent.
fn go_command(limits: &Limits, opponent: Option<Clock>, side: Side) -> String {
    let mut text = String::from("go");
    let mut part = |name: &str, value: u128| write!(text, " {name} {value}").expect("a string takes it");
    if let Some(nodes) = limits.nodes {
        part("nodes", nodes.into());
    }
    if let Some(depth) = limits.depth {
        part("depth", depth.into());
    }
    if let Some(time) = limits.move_time {
        part("movetime", time.as_millis());
    }
    for (clock, side) in [(limits.clock, side), (opponent, side.other())] {
        let Some(clock) = clock else { continue };
        let (time, increment) = match side {
            Side::White => ("wtime", "winc"),
            Side::Black => ("btime", "binc"),
        };
        part(time, clock.left.as_millis());
        part(increment, clock.increment.as_millis());
    }
    if let Some(moves) = limits.clock.and_then(|clock| clock.moves_to_go) {
        part("movestogo", moves.into());
    }
    text
}

/// The contents of an `info` line.
#[derive(Debug, PartialEq)]
struct InfoLine<'a> {
    /// The rank of the line of which it tells: 1 for the best.
    rank: usize,
    /// The score of this line, unless it is a bound.
    score: Option<Score>,
    depth: Option<u32>,
    nodes: Option<u64>,
    /// The first move of the line.
    first: Option<&'a str>,
}

impl<'a> InfoLine<'a> {
    fn read(line: &'a str) -> Self {
        let mut info = Self { rank: 1, score: None, depth: None, nodes: None, first: None };
        let mut words = line.split_ascii_whitespace();
        if words.next() != Some("info") {
            return info;
        }
        let mut is_exact = true;
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = words.next().and_then(|number| number.parse().ok()),
                "nodes" => info.nodes = words.next().and_then(|number| number.parse().ok()),
                // What is no number is no rank.
                "multipv" => info.rank = words.next().and_then(|number| number.parse().ok()).unwrap_or(0),
                "lowerbound" | "upperbound" => is_exact = false,
                "score" => {
                    let kind = words.next();
                    let number = words.next().and_then(|number| number.parse::<i32>().ok());
                    info.score = number.and_then(|number| match kind {
                        Some("cp") => Some(Score::centipawns(number)),
                        Some("mate") if number > 0 => Some(Score::mate_in(2 * number.min(400) - 1)),
                        Some("mate") => Some(Score::mated_in(-2 * number.max(-400))),
                        _ => None,
                    });
                }
                // The rest of the line is moves.
                "pv" => {
                    info.first = words.next();
                    break;
                }
                // The rest of the line is free text.
                "string" => break,
                _ => (),
            }
        }
        info.score = info.score.filter(|_| is_exact);
        info
    }
}

#[cfg(test)]
mod transcripts;

#[cfg(test)]
mod tests {
    use backrank_rules::{Position, Rules, Variant};

    use super::*;

    #[test]
    fn info_lines() {
        let info = InfoLine::read(
            "info depth 9 seldepth 12 multipv 1 score cp -31 nodes 10023 nps 5 pv e2e4 nodes 3",
        );
        let score = Some(Score::centipawns(-31));
        assert_eq!(
            info,
            InfoLine { rank: 1, score, depth: Some(9), nodes: Some(10_023), first: Some("e2e4") }
        );
        let scores =
            [("mate 2", Score::mate_in(3)), ("mate -1", Score::mated_in(2)), ("mate 0", Score::mated_in(0))];
        for (text, score) in scores {
            assert_eq!(InfoLine::read(&format!("info score {text} nodes 1")).score, Some(score));
        }
        for not_the_score in [
            "info depth 9 score cp 700 lowerbound nodes 1",
            "info depth 9 score cp -700 upperbound nodes 1",
            "info lowerbound score mate 3 nodes 1",
        ] {
            let info = InfoLine::read(not_the_score);
            assert_eq!((info.score, info.nodes), (None, Some(1)));
        }
        for (text, rank) in [("multipv 2 score cp -7", 2), ("score cp -7 multipv 3", 3), ("multipv x", 0)] {
            assert_eq!(InfoLine::read(&format!("info depth 9 {text} nodes 1")).rank, rank);
        }
        for nothing in ["info string score cp 5 nodes 7", "bestmove e2e4"] {
            let InfoLine { score, depth, nodes, first, .. } = InfoLine::read(nothing);
            assert_eq!((score, depth, nodes, first), (None, None, None, None), "{nothing}");
        }
    }

    #[test]
    fn go_sends_both_clocks() {
        let clock = |left| Clock {
            left: Duration::from_millis(left),
            increment: Duration::from_millis(100),
            moves_to_go: Some(7),
        };
        let limits = Limits { clock: Some(clock(900)), depth: Some(5), ..Limits::default() };
        assert_eq!(
            go_command(&limits, Some(clock(1200)), Side::Black),
            "go depth 5 btime 900 binc 100 wtime 1200 winc 100 movestogo 7"
        );
        assert_eq!(go_command(&Limits::of_nodes(8), None, Side::White), "go nodes 8");
    }

    #[test]
    fn orthodox_engines_get_castling_as_a_king_move_of_two_files() {
        let rules = Rules::new(&Variant::find("chess").unwrap());
        let start = "4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1";
        let mut game = Game::new(Position::from_fen(&rules, start).unwrap());
        for text in ["e1c1", "e8h8"] {
            game.play(game.position().parse_uci(text).unwrap());
        }
        let told = [true, false].map(|chess960| position_command(&game, false, chess960));
        assert_eq!(
            told,
            ["e1a1 e8h8", "e1c1 e8g8"].map(|moves| format!("position fen {start} moves {moves}"))
        );
    }

    #[test]
    fn an_engine_without_the_adjustment_gets_the_position_after_it() {
        let rules = Rules::new(&Variant::find("modern").unwrap());
        let start = "rnbqkmbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBMKQBNR w AIai - 0 1";
        let fen = format!("{start} BCDFGHbcdfgh");
        let mut game = Game::new(Position::from_fen(&rules, &fen).unwrap());
        assert_eq!(position_command(&game, false, true), format!("position fen {start}"));
        let mut play = |moves: &[&str]| {
            for text in moves {
                let played = game.position().parse_uci(text).unwrap();
                game.play(played);
            }
            [true, false].map(|knows_unmoved| position_command(&game, knows_unmoved, true))
        };
        let pawns = "rnbqkmbnr/pppp1pppp/4p4/9/9/9/4P4/PPPP1PPPP";
        let [told, six_fields] = play(&["e2e3", "e8e7", "g1f1", "b9c7", "f1e2", "c7b9"]);
        assert_eq!(
            told,
            format!("position fen {pawns}/RNBMKQBNR w AIai - 0 2 BCDFGHbcdfgh moves g1f1 b9c7 f1e2 c7b9")
        );
        let knight_out = "r1bqkmbnr/pppp1pppp/2n1p4/9/9/9/4P4/PPPP1PPPP/RNBMKBQNR w AIai - 2 3";
        assert_eq!(six_fields, format!("position fen {knight_out} moves f1e2 c7b9"));
        let [told, _] = play(&["a2a3"]);
        assert!(told.ends_with(" b AIai - 0 4 cdfgh"), "a pawn move is where it begins: {told}");
    }
}
