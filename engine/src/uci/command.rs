//! Input lines as commands.

use super::go::Go;

/// One line of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    Uci,
    IsReady,
    NewGame,
    SetOption {
        name: String,
        value: String,
    },
    Position {
        fen: Option<String>,
        moves: Vec<String>,
    },
    /// A `position` that is not understood, and why: what `go` would search is then not known.
    WrongPosition(String),
    Go(Go),
    Perft(u32),
    Stop,
    PonderHit,
    Show,
    Quit,
    /// A command that has no meaning here, or an empty line.
    Nothing,
    /// A line that is not understood, and why.
    Wrong(String),
}

impl Command {
    /// Reads a line.
    pub fn parse(line: &str) -> Self {
        let (word, rest) = split_word(line);
        match word {
            "uci" => Self::Uci,
            "isready" => Self::IsReady,
            "ucinewgame" => Self::NewGame,
            "setoption" => set_option(rest),
            "position" => position(rest),
            "go" => match split_word(rest) {
                ("perft", depth) => perft(depth),
                _ => Go::parse(rest).map_or_else(Self::Wrong, Self::Go),
            },
            "perft" => perft(rest),
            "stop" => Self::Stop,
            "ponderhit" => Self::PonderHit,
            "d" => Self::Show,
            "quit" => Self::Quit,
            "" | "debug" | "register" => Self::Nothing,
            _ => Self::Wrong(format!("unknown command `{line}`")),
        }
    }

    /// Whether it is carried out even during a search.
    pub fn is_urgent(&self) -> bool {
        match self {
            Self::Uci | Self::IsReady | Self::Stop | Self::PonderHit | Self::Show | Self::Quit => true,
            Self::Nothing | Self::Wrong(_) => true,
            Self::NewGame | Self::SetOption { .. } | Self::Position { .. } | Self::WrongPosition(_) => false,
            Self::Go(_) | Self::Perft(_) => false,
        }
    }
}

/// The first word and the rest.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_once(|letter: char| letter.is_ascii_whitespace()).unwrap_or((text, ""))
}

/// `name NAME [value VALUE]`; both may have spaces inside.
fn set_option(text: &str) -> Command {
    let ("name", rest) = split_word(text) else {
        return Command::Wrong(
            "setoption: `name` is missing, as in `setoption name Hash value 64`".to_string(),
        );
    };
    let mut words = rest.split(' ');
    let name: Vec<&str> = words.by_ref().take_while(|&word| word != "value").collect();
    let value: Vec<&str> = words.collect();
    Command::SetOption { name: name.join(" ").trim().to_string(), value: value.join(" ").trim().to_string() }
}

/// `startpos` or `fen FEN`, then perhaps `moves …`.
fn position(text: &str) -> Command {
    let mut words = text.split_ascii_whitespace();
    let is_fen = match words.next() {
        Some("startpos") => false,
        Some("fen") => true,
        _ => return Command::WrongPosition("`startpos` or `fen` is missing".to_string()),
    };
    let before: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
    if !is_fen && let Some(word) = before.first() {
        return Command::WrongPosition(format!("`{word}` after `startpos`, where only `moves` can follow"));
    }
    Command::Position { fen: is_fen.then(|| before.join(" ")), moves: words.map(str::to_lowercase).collect() }
}

fn perft(text: &str) -> Command {
    match text.trim().parse() {
        Ok(depth) => Command::Perft(depth),
        Err(_) => Command::Wrong(format!("perft: `{}` is not a number of plies", text.trim())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_may_have_spaces_in_name_and_value() {
        let option = |name: &str, value: &str| Command::SetOption { name: name.into(), value: value.into() };
        assert_eq!(Command::parse("setoption name Clear Hash"), option("Clear Hash", ""));
        assert_eq!(
            Command::parse("setoption name VariantFile value my games/a b.toml"),
            option("VariantFile", "my games/a b.toml")
        );
        assert_eq!(Command::parse("setoption  name Hash  value  64 "), option("Hash", "64"));
        assert!(matches!(Command::parse("setoption Hash 64"), Command::Wrong(_)));
    }

    #[test]
    fn positions() {
        let moves = vec!["e2e4".to_string(), "e7e8q".to_string()];
        assert_eq!(
            Command::parse("position startpos moves e2e4 e7e8Q"),
            Command::Position { fen: None, moves: moves.clone() }
        );
        assert_eq!(
            Command::parse("position\tfen 4k3/8/8 w  - -  moves e2e4 e7e8q"),
            Command::Position { fen: Some("4k3/8/8 w - -".to_string()), moves }
        );
        assert_eq!(Command::parse("position startpos"), Command::Position { fen: None, moves: Vec::new() });
        assert!(matches!(Command::parse("position"), Command::WrongPosition(_)));
        assert!(matches!(Command::parse("position startpos e2e4"), Command::WrongPosition(_)));
    }

    #[test]
    fn perft_in_both_forms() {
        assert_eq!(Command::parse("perft 3"), Command::Perft(3));
        assert_eq!(Command::parse("go perft 3"), Command::Perft(3));
        assert!(matches!(Command::parse("go perft"), Command::Wrong(_)));
    }
}
