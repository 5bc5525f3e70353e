//! Why games ended, from what sites and programs write about it.

use crate::study::Ending;

/// Phrases, each with the reason that it gives, in the order in which they are looked for: `ran out of time and Black has
/// no material to mate` is about time, and `lost by adjudication in a drawn position` about adjudication. `*` stands for any
/// end of a word.
///
/// Sources: the tags and comments of Lichess, chess.com, FICS, ICC, ChessBase, MyChess, cutechess, fastchess and XBoard.
const PHRASES: [(Ending, &[&str]); 7] = [
    (
        Ending::Time,
        &[
            "on time",
            "time forfeit*",
            "out of time",
            "timeout",
            "timed out",
            "time out",
            "time loss",
            "loss of time",
            "time expired",
            "time limit",
            "time trouble forfeit",
            "flag fell",
            "flagged",
        ],
    ),
    (Ending::Resignation, &["resign*", "gives up", "gave up", "conced*"]),
    (Ending::EngineFailure, &["illegal move*", "stall*", "crash*"]),
    (Ending::Adjudication, &["adjudicat*", "tablebase*", "syzygy*"]),
    (
        Ending::Abandoned,
        &[
            "abandon*",
            "disconnect*",
            "forfeit*",
            "left the game",
            "leaving",
            "rules infraction",
            "emergency",
            "death",
            "no show",
            "aborted",
            "adjourned",
            "courtesyadjourned",
            "courtesyaborted",
            "fair play",
            "cheat*",
            "default",
        ],
    ),
    (
        Ending::Claimed,
        &[
            "checkmate*",
            "stalemate*",
            "mates",
            "mated",
            "mating material",
            "insufficient",
            "repetition",
            "threefold",
            "3 fold",
            "fivefold",
            "5 fold",
            "fifty",
            "50 move*",
            "50move*",
            "75 move*",
            "seventy five",
            "bare king",
            "bared",
            "dead position",
            "no material",
        ],
    ),
    (Ending::Agreement, &["agree*", "mutual*", "draw accepted", "accepts the draw", "accepted the draw"]),
];

/// Texts that say all of it in one word, which means nothing among others.
const WORDS: [(&str, Ending); 9] = [
    ("time", Ending::Time),
    ("flag", Ending::Time),
    ("mate", Ending::Claimed),
    ("resigned", Ending::Resignation),
    ("resigns", Ending::Resignation),
    ("draw", Ending::Agreement),
    ("adjudication", Ending::Adjudication),
    ("abandoned", Ending::Abandoned),
    ("agreed", Ending::Agreement),
];

/// The longest comment that is taken to say why a game ended, in words. Longer ones are prose.
const MAX_WORDS: usize = 16;

/// Tags that most games have. Nothing is looked for in them.
const COMMON: [(&str, Option<Ending>); 8] = [
    ("Normal", None),
    ("Time forfeit", Some(Ending::Time)),
    ("Adjudication", Some(Ending::Adjudication)),
    ("Abandoned", Some(Ending::Abandoned)),
    ("Unterminated", None),
    ("Unknown", None),
    ("?", None),
    ("", None),
];

/// Why a game ended, by the tag `Termination` or one like it. The players' names may occur in it, and mean nothing.
pub(crate) fn in_tag(text: &str, names: &[String; 2]) -> Option<Ending> {
    match COMMON.iter().find(|(common, _)| text.eq_ignore_ascii_case(common)) {
        Some(&(_, ending)) => ending,
        None => reason(text, names).map(|(ending, _)| ending),
    }
}

/// Why a game ended, by the comment that closes it: `White resigns`, `+M1/5 0.1s, Black mates`.
pub(crate) fn in_comment(comment: &str, names: &[String; 2]) -> Option<Ending> {
    let comment = without_commands(comment);
    let (found, text) = reason(&comment, names)?;
    // An annotator's words about what follows are not about what happened.
    let is_outlook =
        ["threat*", "in view of", "inevitable", "unavoidable", "next move", "follows", "would", "will", "if"];
    let is_about_future = found == Ending::Claimed && is_outlook.iter().any(|phrase| text.has(phrase));
    (text.starts.len() <= MAX_WORDS && !is_about_future).then_some(found)
}

/// What a text says of the end, apart from the names in it.
fn reason(text: &str, names: &[String; 2]) -> Option<(Ending, PlainText)> {
    if !text.contains(char::is_alphabetic) {
        return None;
    }
    // Most comments say nothing, with or without the names.
    let lower = text.to_lowercase();
    PlainText::of(&lower).reason()?;
    let mut text = lower;
    for name in names.iter().map(|name| name.to_lowercase()) {
        // A single letter is no name but a part of words.
        if name.chars().filter(|letter| letter.is_alphanumeric()).count() > 1 {
            text = text.replace(&name, " ");
        }
    }
    let text = PlainText::of(&text);
    text.reason().map(|ending| (ending, text))
}

/// The words of a text in small letters, a space after each.
struct PlainText {
    text: String,
    /// Where the words begin.
    starts: Vec<usize>,
}

impl PlainText {
    fn of(text: &str) -> Self {
        let mut plain = Self { text: String::with_capacity(text.len() + 1), starts: Vec::new() };
        for word in text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()) {
            plain.starts.push(plain.text.len());
            plain.text.push_str(word);
            plain.text.push(' ');
        }
        plain
    }

    fn reason(&self) -> Option<Ending> {
        let whole = WORDS.iter().find(|(word, _)| self.text.trim_end() == *word).map(|&(_, ending)| ending);
        let phrase = || PHRASES.iter().find(|(_, phrases)| phrases.iter().any(|phrase| self.has(phrase)));
        whole.or_else(|| phrase().map(|&(ending, _)| ending))
    }

    /// Whether a phrase occurs as whole words, the last one with any end if there is a `*`.
    fn has(&self, phrase: &str) -> bool {
        let (phrase, any_end) = phrase.strip_suffix('*').map_or((phrase, false), |phrase| (phrase, true));
        self.starts.iter().any(|&start| {
            let rest = self.text[start..].strip_prefix(phrase);
            rest.is_some_and(|rest| any_end || rest.starts_with(' '))
        })
    }
}

/// A comment without commands such as `[%clk 0:01:00]`.
fn without_commands(comment: &str) -> String {
    let mut text = String::with_capacity(comment.len());
    let mut rest = comment;
    while let Some((before, command)) = rest.split_once("[%") {
        text.push_str(before);
        rest = command.split_once(']').map_or("", |(_, after)| after);
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> [String; 2] {
        ["Resigner", "Mate On Time"].map(str::to_string)
    }

    #[test]
    fn tags_of_sites_say_why_games_ended() {
        for (text, ending) in [
            ("Normal", None),
            ("Unterminated", None),
            ("", None),
            ("Time forfeit", Some(Ending::Time)),
            ("time-forfeit", Some(Ending::Time)),
            ("Resigner won on time", Some(Ending::Time)),
            ("Resigner won by checkmate", Some(Ending::Claimed)),
            ("Mate On Time won by resignation", Some(Ending::Resignation)),
            ("Mate On Time won - game abandoned", Some(Ending::Abandoned)),
            ("Game drawn by agreement", Some(Ending::Agreement)),
            ("Game drawn by timeout vs insufficient material", Some(Ending::Time)),
            ("Game drawn by insufficient material", Some(Ending::Claimed)),
            ("Game drawn by 50-move rule", Some(Ending::Claimed)),
            ("Game drawn by repetition", Some(Ending::Claimed)),
            ("Game drawn by stalemate", Some(Ending::Claimed)),
            ("adjudication", Some(Ending::Adjudication)),
            ("illegal move", Some(Ending::EngineFailure)),
            ("stalled connection", Some(Ending::EngineFailure)),
            ("abandoned", Some(Ending::Abandoned)),
            ("Rules infraction", Some(Ending::Abandoned)),
            ("emergency", Some(Ending::Abandoned)),
            ("White disconnected and forfeits", Some(Ending::Abandoned)),
            ("Black forfeits on time", Some(Ending::Time)),
        ] {
            assert_eq!(in_tag(text, &names()), ending, "{text}");
        }
    }

    #[test]
    fn closing_comments_say_why_games_ended() {
        for (text, ending) in [
            ("Resigner resigns", Some(Ending::Resignation)),
            ("Somebody resigns", Some(Ending::Resignation)),
            ("Mate On Time forfeits on time", Some(Ending::Time)),
            ("Mate On Time forfeits by disconnection", Some(Ending::Abandoned)),
            ("Game drawn by mutual agreement", Some(Ending::Agreement)),
            ("Neither player has mating material", Some(Ending::Claimed)),
            ("Resigner ran out of time and Mate On Time has no material to mate", Some(Ending::Time)),
            ("Game drawn because both players ran out of time", Some(Ending::Time)),
            ("Game drawn by repetition", Some(Ending::Claimed)),
            ("Resigner checkmated", Some(Ending::Claimed)),
            ("Resigner wins by adjudication", Some(Ending::Adjudication)),
            ("Game courtesyadjourned by Resigner", Some(Ending::Abandoned)),
            (" Black wins on time. ", Some(Ending::Time)),
            ("[%eval #1] [%clk 0:00:03] White resigns.", Some(Ending::Resignation)),
            ("+M1/5 0.1s, White mates", Some(Ending::Claimed)),
            ("-0.55/9 1.2s, Draw by 3-fold repetition", Some(Ending::Claimed)),
            ("0.00/30 0.5s, Draw by adjudication: SyzygyTB", Some(Ending::Adjudication)),
            ("+1.2/8 2s, Black's connection stalls", Some(Ending::EngineFailure)),
            ("time", Some(Ending::Time)),
            ("draw accepted", Some(Ending::Agreement)),
            ("in progress", None),
            ("with mate in three", None),
            ("a repetition is inevitable", None),
            ("in time trouble he missed the win", None),
            ("[%clk 0:00:01]", None),
        ] {
            assert_eq!(in_comment(text, &names()), ending, "{text}");
        }
        let prose = "White had the better of a long ending, in which Black, short of time, gave up a pawn and later resigned";
        assert_eq!(in_comment(prose, &names()), None);
    }
}
