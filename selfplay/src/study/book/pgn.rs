//! Books of games: the first moves of each game of a PGN.
//!
//! Comments, variations and annotations are skipped. Moves are read in the notation of the game.

use backrank_enumerate::Space;
use backrank_rules::{Game, Position, Rules};
use memchr::memchr_iter;

use super::{WrongLine, playable};
use crate::pgn::tags::VariantNames;
use crate::pgn::{PgnGames, PgnToken, WordMeaning, read_word};

/// The positions after the first plies of each game, as FENs. All moves of a game are played if no number of plies is given,
/// or if the game has fewer plies.
pub(super) fn openings(text: &str, rules: &Rules, plies: Option<u32>) -> Result<Vec<String>, WrongLine> {
    let names = VariantNames::of(rules.variant());
    let mut found = Vec::new();
    let mut games = PgnGames::new(text);
    while games.next_game().is_some() {
        let opening = read(&mut games, rules, plies, &names);
        found.push(opening.map_err(|(at, problem, is_over)| WrongLine {
            line: 1 + memchr_iter(b'\n', &text.as_bytes()[..at]).count(),
            problem,
            is_over,
        })?);
    }
    Ok(found)
}

/// Reads the next game's opening, or where in the text it is wrong, why, and whether the game is over there.
fn read(
    games: &mut PgnGames<'_>,
    rules: &Rules,
    plies: Option<u32>,
    names: &VariantNames,
) -> Result<String, (usize, String, bool)> {
    let mut opening = PgnOpening::default();
    let mut at = 0;
    while let Some(token) = games.next().map_err(|error| (error.at, error.problem, false))? {
        at = games.position();
        let wrong = |problem: String| (at, problem, false);
        match token {
            PgnToken::Result(_) | PgnToken::Comment(_) | PgnToken::Number(_) => {}
            PgnToken::BadTag => return Err(wrong("a tag is written as [Name \"value\"]".to_string())),
            PgnToken::Stray(')') => {
                return Err(wrong("a `)` without a variation that it could end".to_string()));
            }
            PgnToken::Stray(bracket) => return Err(wrong(format!("a `{bracket}` that ends nothing"))),
            PgnToken::Tag(name, value) if name.eq_ignore_ascii_case("Variant") => {
                if !names.contain(&value) {
                    let key = &rules.variant().key;
                    return Err(wrong(format!(
                        "the game's variant is `{value}`; the openings are those of {key}"
                    )));
                }
            }
            PgnToken::Tag(name, value) if name.eq_ignore_ascii_case("FEN") => {
                let start = Position::from_fen(rules, &value);
                opening.game = Some(Game::new(start.map_err(|error| wrong(error.to_string()))?));
            }
            PgnToken::Tag(..) => {}
            PgnToken::Word(word) => {
                let is_long_enough = |plies: u32| opening.plies() >= plies as usize;
                if plies.is_some_and(is_long_enough) {
                    continue;
                }
                let game = opening.game(rules).map_err(wrong)?;
                match read_word(game.position(), word, games.tokens()) {
                    Ok(WordMeaning::Move(played)) => game.play(played),
                    Ok(WordMeaning::NullMove) => {
                        return Err(wrong(format!(
                            "`{word}` is a null move, by which no side can begin a game"
                        )));
                    }
                    Ok(WordMeaning::Remark | WordMeaning::Prose) => games.was_no_move(),
                    Err(error) => return Err(wrong(error.to_string())),
                }
            }
        }
    }
    opening.end(rules).map_err(|(problem, is_over)| (at, problem, is_over))
}

/// A game's opening, as far as it was read.
#[derive(Default)]
struct PgnOpening<'r> {
    /// `None` until the first move of a game without a FEN tag.
    game: Option<Game<'r>>,
}

impl<'r> PgnOpening<'r> {
    fn plies(&self) -> usize {
        self.game.as_ref().map_or(0, |game| game.moves().len())
    }

    fn game(&mut self, rules: &'r Rules) -> Result<&mut Game<'r>, String> {
        match &mut self.game {
            Some(game) => Ok(game),
            none => Ok(none.insert(Game::new(only_start(rules)?))),
        }
    }

    /// The position after the opening; or what is wrong, and whether the game is over after its moves.
    fn end(mut self, rules: &'r Rules) -> Result<String, (String, bool)> {
        let game = self.game(rules).map_err(|problem| (problem, false))?;
        playable(game.position(), game.outcome()).map_err(|problem| match game.moves().len() {
            0 => (problem, false),
            plies => (format!("{problem}, after ply {plies}"), true),
        })
    }
}

/// The starting position for a game without a FEN tag, which only a variant with a single setup has.
fn only_start(rules: &Rules) -> Result<Position<'_>, String> {
    let key = &rules.variant().key;
    let space = Space::new(rules.variant()).map_err(|error| error.to_string())?;
    let setup = (space.len() == 1).then(|| space.unrank(0)).flatten();
    let setup = setup.ok_or_else(|| {
        format!("the game has no FEN tag, and {key} has {} setups that it could start from", space.len())
    })?;
    Position::new(rules, &setup).map_err(|error| error.to_string())
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
    fn moves_of_other_variants_are_read() {
        let text = "1.e4 d6 2.f4 e6 3.Bg<=>Q Nc7 4.Nc3 Bc<=>Q *";
        let read = of("modern", text, None).unwrap();
        assert!(
            read[0].starts_with("r1qbkmbnr/ppp2pppp/2n6/3pp4/9/4PP3/2N6/PPPP2PPP/R1BMKBQNR w "),
            "{read:?}"
        );
    }

    #[test]
    fn an_error_names_its_line() {
        for (key, text, line, says) in [
            ("chess", "1.e4\ne5 2.Nf4", 2, "Nf4"),
            ("chess", "1.e4 {no end\n\n", 1, "the comment that begins here has no `}` that ends it"),
            ("chess", "\n1.e4 (1.d4 (1.c4)\n", 2, "the variation that begins here has no `)`"),
            ("chess", "1.e4 ) e5", 1, "a `)` without a variation"),
            ("chess", "1.e4 ] e5", 1, "a `]` that ends nothing"),
            ("chess", "[FEN \"8/8 w - -\"]\n", 1, "2 ranks; the board has 8"),
            ("chess", "[Event here]\n", 1, "a tag is written as [Name \"value\"]"),
            ("chess", "[Event \"here\n", 1, "a tag is written as [Name \"value\"]"),
            ("chess", "1.f3 e5 2.g4 Qh4#\n0-1", 2, "the game is over, 0-1 checkmate, after ply 4"),
            ("chess960", "1.e4 e5 *", 1, "the game has no FEN tag, and chess960 has 960 setups"),
        ] {
            let wrong = of(key, text, None).unwrap_err();
            assert_eq!(wrong.line, line, "{text}: {}", wrong.problem);
            assert!(wrong.problem.contains(says), "{text}: {}", wrong.problem);
        }
    }
}
