//! The games of a PGN: where each begins and ends.

use arrayvec::ArrayVec;

use super::tokens::{FirstNumber, PgnError, PgnToken, PgnTokens};

/// The number of tags of a game that are known when they come again.
const MAX_TAGS: usize = 24;

/// Divides the tokens of a text into games.
///
/// A game ends after its result, before the tags of the next one, or before move number 1 where it has moves already. In
/// a game without any move numbers an empty line ends the moves as well.
#[derive(Debug)]
pub(crate) struct PgnGames<'t> {
    tokens: PgnTokens<'t>,
    /// The token with which the next game begins, and its place.
    ahead: Option<(Result<PgnToken<'t>, PgnError>, usize)>,
    /// The names of the game's tags.
    tags: ArrayVec<&'t str, MAX_TAGS>,
    has_moves: bool,
    plies: usize,
    /// Whether the next move may have number 1, as the last one has number 0.
    counts_from_zero: bool,
    /// Whether the result was read, or the text is broken.
    is_over: bool,
    /// Whether all of its tokens were read.
    is_read: bool,
}

impl<'t> PgnGames<'t> {
    /// The games of a text.
    pub fn new(text: &'t str) -> Self {
        Self {
            tokens: PgnTokens::new(text),
            ahead: None,
            tags: ArrayVec::new(),
            has_moves: false,
            plies: 0,
            counts_from_zero: false,
            is_over: false,
            is_read: false,
        }
    }

    /// The tokens, for what stands beside the last one.
    pub fn tokens(&mut self) -> &mut PgnTokens<'t> {
        &mut self.tokens
    }

    /// The number of bytes that were read so far.
    pub fn position(&self) -> usize {
        self.tokens.position()
    }

    /// Goes to the next game, after all tokens of this one were read. Returns where it begins; `None` at the end.
    pub fn next_game(&mut self) -> Option<usize> {
        while self.ahead.is_none() {
            let token = self.tokens.next().transpose()?;
            // A comment before the tags is about no game, or about all of them.
            if !matches!(token, Ok(PgnToken::Comment(_) | PgnToken::Stray(_))) {
                self.ahead = Some((token, self.tokens.token_begin()));
            }
        }
        self.tags.clear();
        self.has_moves = false;
        self.plies = 0;
        self.counts_from_zero = false;
        self.is_over = false;
        self.is_read = false;
        self.tokens.begin_game();
        self.ahead.as_ref().map(|&(_, begin)| begin)
    }

    /// The next token of the game if it is a word after others, which is most of a game. Nothing is read otherwise.
    #[inline]
    pub fn next_word(&mut self) -> Option<&'t str> {
        // Without move numbers, empty lines count.
        if !self.has_moves
            || self.is_over
            || self.is_read
            || self.ahead.is_some()
            || !self.tokens.is_numbered()
        {
            return None;
        }
        let word = self.tokens.next_word()?;
        self.plies += 1;
        Some(word)
    }

    /// The next token of the game; `None` at its end.
    ///
    /// # Errors
    ///
    /// When a comment or a variation has no end. The game ends there.
    pub fn next(&mut self) -> Result<Option<PgnToken<'t>>, PgnError> {
        while !self.is_read {
            let token = match self.ahead.take() {
                Some((token, _)) => token.inspect_err(|_| self.is_over = true)?,
                None => {
                    let Some(token) = self.tokens.next().inspect_err(|_| self.is_over = true)? else { break };
                    if self.begins_game(&token) {
                        self.ahead = Some((Ok(token), self.tokens.token_begin()));
                        break;
                    }
                    token
                }
            };
            match &token {
                PgnToken::Word(_) => {
                    self.plies += 1;
                    self.begin_moves();
                }
                PgnToken::Number(number) => {
                    self.counts_from_zero = *number == FirstNumber::Zero;
                    self.begin_moves();
                }
                PgnToken::Tag(name, _) if !self.tags.is_full() => self.tags.push(name),
                PgnToken::Result(_) => {
                    self.is_over = true;
                    self.tokens.set_in_moves(false);
                }
                // What comes after an empty line is not about this game any more.
                PgnToken::Comment(_) if self.is_over && self.tokens.follows_empty_line() => continue,
                PgnToken::Tag(..) | PgnToken::BadTag | PgnToken::Comment(_) | PgnToken::Stray(_) => {}
            }
            return Ok(Some(token));
        }
        self.is_read = true;
        Ok(None)
    }

    /// Reads the game to its end.
    pub fn skip_rest(&mut self) {
        while !matches!(self.next(), Ok(None)) {}
    }

    /// Says that the last word is not a move.
    pub fn was_no_move(&mut self) {
        self.plies -= 1;
    }

    fn begin_moves(&mut self) {
        if !self.has_moves {
            self.has_moves = true;
            self.tokens.set_in_moves(true);
        }
    }

    /// Whether a token is the first of the next game.
    #[inline]
    fn begins_game(&self, token: &PgnToken<'_>) -> bool {
        let is_known = |name: &str| self.tags.iter().any(|known| known.eq_ignore_ascii_case(name));
        match token {
            PgnToken::Tag(name, _) => {
                self.has_moves
                    || self.is_over
                    // Tags of a game without moves.
                    || (self.tokens.follows_empty_line()
                        && !self.tags.is_empty()
                        && (is_known(name) || name.eq_ignore_ascii_case("Event")))
            }
            PgnToken::BadTag => self.has_moves || self.is_over,
            PgnToken::Number(number) => self.is_over || self.is_one_again(*number),
            PgnToken::Word(_) => {
                self.is_over
                    || (self.plies > 0 && self.tokens.follows_empty_line() && !self.tokens.is_numbered())
            }
            // A result that is written twice is that of one game.
            PgnToken::Result(_) => self.is_over && self.tokens.begins_line(),
            PgnToken::Comment(_) | PgnToken::Stray(_) => false,
        }
    }

    /// Whether this is number 1 of another game. `1. e4 1... e5` is one game, and so is `1. e4 1. e5` on a line.
    fn is_one_again(&self, number: FirstNumber) -> bool {
        number == FirstNumber::One
            && !self.counts_from_zero
            && (self.plies > 1 || (self.plies == 1 && self.tokens.begins_line()))
    }
}
