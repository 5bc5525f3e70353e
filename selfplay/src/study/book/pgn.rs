//! Books of games: the first moves of each game of a PGN.
//!
//! Source: "Standard: Portable Game Notation Specification and Implementation Guide", Steven J. Edwards, 1994. Comments,
//! variations and annotations are skipped. Moves are read in the notation of the game.

use backrank_rules::{Game, Position, Rules};

use super::{WrongLine, only_start, playable};

/// A part of a PGN that matters for openings.
#[derive(Debug, PartialEq, Eq)]
enum Token<'t> {
    /// A tag: its name and its value.
    Tag(&'t str, String),
    /// A move.
    Move(&'t str),
    /// The result, which ends a game.
    Result,
}

/// Splits a text into tokens.
struct Tokens<'t> {
    text: &'t str,
    /// The number of bytes that were read.
    at: usize,
    /// The line that is being read, from 1.
    line: usize,
}

/// The positions after the first plies of each game, as FENs. All moves of a game are played if no number of plies is given,
/// or if the game has fewer plies.
pub(super) fn openings(text: &str, rules: &Rules, plies: Option<u32>) -> Result<Vec<String>, WrongLine> {
    let mut found = Vec::new();
    let mut tokens = Tokens { text, at: 0, line: 1 };
    let mut opening: Option<PgnOpening<'_>> = None;
    loop {
        let token = tokens.next()?;
        let ends = match (&token, &opening) {
            (None | Some(Token::Result), _) => true,
            // The next game begins, although this one has no result.
            (Some(Token::Tag(..)), Some(opening)) => opening.has_moves,
            _ => false,
        };
        let wrong = |problem| WrongLine { line: tokens.line, problem };
        if ends && let Some(done) = opening.take() {
            found.push(done.end(rules).map_err(wrong)?);
        }
        match token {
            None => return Ok(found),
            Some(Token::Result) => {}
            Some(Token::Tag(name, value)) => {
                let opening = opening.get_or_insert_default();
                if name.eq_ignore_ascii_case("FEN") {
                    let start = Position::from_fen(rules, &value);
                    opening.game = Some(Game::new(start.map_err(|error| wrong(error.to_string()))?));
                }
            }
            Some(Token::Move(text)) => {
                let opening = opening.get_or_insert_default();
                opening.has_moves = true;
                opening.play(text, rules, plies).map_err(wrong)?;
            }
        }
    }
}

/// A game's opening, as far as it was read.
#[derive(Default)]
struct PgnOpening<'r> {
    /// None until the first move of a game without a FEN tag.
    game: Option<Game<'r>>,
    has_moves: bool,
}

impl<'r> PgnOpening<'r> {
    fn game(&mut self, rules: &'r Rules) -> Result<&mut Game<'r>, String> {
        match &mut self.game {
            Some(game) => Ok(game),
            none => Ok(none.insert(Game::new(only_start(rules)?))),
        }
    }

    /// Plays a move, unless the opening is long enough.
    fn play(&mut self, text: &str, rules: &'r Rules, plies: Option<u32>) -> Result<(), String> {
        let game = self.game(rules)?;
        if plies.is_some_and(|plies| game.moves().len() >= plies as usize) {
            return Ok(());
        }
        let played = game.position().parse_move(text).map_err(|error| error.to_string())?;
        game.play(played);
        Ok(())
    }

    fn end(mut self, rules: &'r Rules) -> Result<String, String> {
        let game = self.game(rules)?;
        playable(game.position(), game.outcome()).map_err(|problem| match game.moves().len() {
            0 => problem,
            plies => format!("{problem}, after ply {plies}; --opening-plies takes fewer of them"),
        })
    }
}

impl<'t> Tokens<'t> {
    /// The next tag, move or result; none at the end.
    fn next(&mut self) -> Result<Option<Token<'t>>, WrongLine> {
        // The number of open variations, and the line where the first began.
        let (mut depth, mut opened) = (0, self.line);
        while let Some(letter) = self.rest().chars().next() {
            let at_line_start = self.at == 0 || self.text[..self.at].ends_with('\n');
            match letter {
                '%' if at_line_start => self.skip_line(),
                ';' => self.skip_line(),
                '{' => {
                    let begin = self.line;
                    let end = self.rest().find('}').ok_or_else(|| WrongLine {
                        line: begin,
                        problem: "the comment that begins here has no `}` that ends it".to_string(),
                    })?;
                    self.skip(end + 1);
                }
                '(' => {
                    opened = if depth == 0 { self.line } else { opened };
                    depth += 1;
                    self.skip(1);
                }
                ')' if depth == 0 => return Err(self.wrong("a `)` without a variation that it could end")),
                ')' => {
                    depth -= 1;
                    self.skip(1);
                }
                '[' => {
                    let tag = self.tag()?;
                    if depth == 0 {
                        return Ok(Some(tag));
                    }
                }
                _ if letter.is_whitespace() => _ = self.skip(letter.len_utf8()),
                '$' => _ = self.word(),
                ']' | '}' => return Err(self.wrong(&format!("a `{letter}` that ends nothing"))),
                _ => {
                    let word = self.word();
                    if depth == 0
                        && let Some(token) = token(word)
                    {
                        return Ok(Some(token));
                    }
                }
            }
        }
        if depth > 0 {
            let problem = "the variation that begins here has no `)` that ends it".to_string();
            return Err(WrongLine { line: opened, problem });
        }
        Ok(None)
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn wrong(&self, problem: &str) -> WrongLine {
        WrongLine { line: self.line, problem: problem.to_string() }
    }

    /// Skips some bytes and returns them.
    fn skip(&mut self, bytes: usize) -> &'t str {
        let skipped = &self.rest()[..bytes];
        self.line += skipped.bytes().filter(|&byte| byte == b'\n').count();
        self.at += bytes;
        skipped
    }

    fn skip_line(&mut self) {
        let end = self.rest().find('\n');
        self.skip(end.unwrap_or(self.rest().len()));
    }

    /// The letters up to the next blank or bracket, at least one.
    fn word(&mut self) -> &'t str {
        let ends = |(at, letter): (usize, char)| {
            (at > 0 && (letter.is_whitespace() || "[](){};$".contains(letter))).then_some(at)
        };
        let end = self.rest().char_indices().find_map(ends);
        self.skip(end.unwrap_or(self.rest().len()))
    }

    /// A tag, such as `[FEN "…"]`. A quotation mark within the value has a backslash before it.
    fn tag(&mut self) -> Result<Token<'t>, WrongLine> {
        let wrong = self.wrong("a tag is written as [Name \"value\"]");
        self.skip(1);
        let line = self.rest().split('\n').next().unwrap_or_default();
        let Some((name, quoted)) = line.split_once('"') else { return Err(wrong) };
        let (mut value, mut letters) = (String::new(), quoted.char_indices());
        let end = loop {
            match letters.next() {
                Some((_, '\\')) => value.extend(letters.next().map(|(_, letter)| letter)),
                Some((at, '"')) => break at,
                Some((_, letter)) => value.push(letter),
                None => return Err(wrong),
            }
        };
        let name = name.trim();
        let after = &quoted[end + 1..];
        let is_closed = after.trim_start().starts_with(']');
        if name.is_empty() || !is_closed {
            return Err(wrong);
        }
        let whole = line.len() - after.len() + after.find(']').unwrap_or_default() + 1;
        self.skip(whole);
        Ok(Token::Tag(name, value))
    }
}

/// The meaning of a word; none for a move number or an annotation.
fn token(word: &str) -> Option<Token<'_>> {
    if matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") {
        return Some(Token::Result);
    }
    // `12.Nf3` as well as `12. Nf3` and `12...Nf6`.
    let after_number = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let text = if after_number.starts_with('.') { after_number.trim_start_matches('.') } else { word };
    let is_remark =
        after_number.is_empty() || text.trim_start_matches(['!', '?']).is_empty() || text == "e.p.";
    (!is_remark).then_some(Token::Move(text))
}

#[cfg(test)]
mod tests {
    use backrank_rules::Variant;

    use super::*;

    fn of(key: &str, text: &str, plies: Option<u32>) -> Result<Vec<String>, WrongLine> {
        openings(text, &Rules::new(&Variant::find(key).unwrap()), plies)
    }

    const ANNOTATED: &str = r#"% a line for somebody else
[Event "a \"quoted\" one"]
[Result "1-0"]

1. e4! {the king's pawn; (and more)} e5 (1... c5 {Sicilian} 2. Nf3 (2. c3 d5) d6) 2.Nf3 $1 $14 Nc6 ; to the end
3.Bb5 a6 ?! 4.O-O 1-0

[Event "without a result"]
1.d4 d5
[Event "the third"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]
*
"#;

    #[test]
    fn comments_variations_and_annotations_are_skipped() {
        let all = of("chess", ANNOTATED, None).unwrap();
        assert_eq!(all.len(), 3);
        assert_eq!(all[0], "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 1 4");
        assert_eq!(all[1], "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2");
        assert_eq!(all[2], "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
        let short = of("chess", ANNOTATED, Some(3)).unwrap();
        assert_eq!(short[0], "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
        assert_eq!(short[1..], all[1..]);
    }

    #[test]
    fn moves_of_the_family_are_read() {
        let text = "1.e4 d6 2.f4 e6 3.Bg<=>Q Nc7 4.Nc3 Bc<=>Q *";
        let read = of("modern", text, None).unwrap();
        assert!(
            read[0].starts_with("r1qbkmbnr/ppp2pppp/2n6/3pp4/9/4PP3/2N6/PPPP2PPP/R1BMKBQNR w "),
            "{read:?}"
        );
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (key, text, line, says) in [
            ("chess", "1.e4\ne5 2.Nf4", 2, "Nf4"),
            ("chess", "1.e4 {no end\n\n", 1, "the comment that begins here has no `}` that ends it"),
            ("chess", "\n1.e4 (1.d4 (1.c4)\n", 2, "the variation that begins here has no `)`"),
            ("chess", "1.e4 ) e5", 1, "a `)` without a variation"),
            ("chess", "1.e4 ] e5", 1, "a `]` that ends nothing"),
            ("chess", "[FEN \"8/8 w - -\"]\n", 1, "2 ranks; the board has 8"),
            ("chess", "[Event here]\n", 1, "a tag is written as [Name \"value\"]"),
            ("chess", "[Event \"here\n", 1, "a tag is written as [Name \"value\"]"),
            ("chess", "1.f3 e5 2.g4 Qh4#\n0-1", 2, "after ply 4; --opening-plies takes fewer of them"),
            ("chess960", "1.e4 e5 *", 1, "the game has no FEN tag, and chess960 has 960 setups"),
        ] {
            let wrong = of(key, text, None).unwrap_err();
            assert_eq!(wrong.line, line, "{text}: {}", wrong.problem);
            assert!(wrong.problem.contains(says), "{text}: {}", wrong.problem);
        }
    }
}
