//! Finding tags that begin a game, in bytes of any encoding.

use memchr::{memchr, memchr3};

use super::games::PgnGames;
use super::tag_place::{TagPlace, is_tag};
use super::text::leading_spaces;

/// Finds where games begin: at a tag after moves, or at the tags of a game after an empty line, even in a comment that
/// nothing ends. Between two such places there may be several games without tags, for [`PgnGames`] to divide.
#[derive(Default)]
pub(super) struct GameSplitter {
    in_comment: bool,
    /// Whether the game has more than tags already.
    has_moves: bool,
    after_empty_line: bool,
}

impl GameSplitter {
    /// The places where games begin, the first always 0, each with the number of lines before it.
    pub fn starts(&mut self, text: &[u8]) -> Vec<(usize, u64)> {
        let mut starts = vec![(0, 0)];
        let (mut at, mut line_number) = (0, 0);
        while at < text.len() {
            let length = memchr(b'\n', &text[at..]).map_or(text.len() - at, |length| length + 1);
            self.read_line(&text[at..at + length], |start| {
                if at + start > 0 {
                    starts.push((at + start, line_number));
                }
            });
            at += length;
            line_number += 1;
        }
        starts
    }

    /// Whether a line is a tag and nothing else, as most that begin with a bracket are.
    fn is_tag_alone(&mut self, line: &[u8], begin_game: impl FnOnce()) -> bool {
        if line[0] != b'[' || memchr(b']', line) != Some(line.trim_ascii_end().len() - 1) || !is_tag(line) {
            return false;
        }
        if std::mem::take(&mut self.has_moves) {
            begin_game();
        }
        true
    }

    /// Reads a line, and tells the places in it where games begin.
    fn read_line(&mut self, line: &[u8], mut begin_game: impl FnMut(usize)) {
        let mut at = match line[0] {
            // Most lines begin with neither spaces nor something else that is no letter of a move.
            b'[' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => 0,
            _ => leading_spaces(line),
        };
        if at == line.len() {
            self.after_empty_line = true;
            return;
        }
        let after_empty_line = std::mem::take(&mut self.after_empty_line);
        if after_empty_line && line[at] == b'[' && begins_roster(&line[at..], self.in_comment) {
            begin_game(at);
            self.in_comment = false;
            self.has_moves = false;
        }
        if !self.in_comment && (line[0] == b'%' || self.is_tag_alone(&line[at..], || begin_game(at))) {
            return;
        }
        while at < line.len() {
            if self.in_comment {
                let Some(end) = memchr(b'}', &line[at..]) else { return };
                self.in_comment = false;
                at += end + 1;
                continue;
            }
            let next = memchr3(b'{', b';', b'[', &line[at..]).map_or(line.len(), |next| at + next);
            self.has_moves |= line[at..next].iter().any(|byte| !byte.is_ascii_whitespace());
            at = next;
            match line.get(at) {
                Some(b'{') => {
                    self.in_comment = true;
                    at += 1;
                }
                Some(b'[') => match TagPlace::of(&line[at..]) {
                    Some(tag) => {
                        if self.has_moves {
                            begin_game(at);
                            self.has_moves = false;
                        }
                        at += tag.length;
                    }
                    None if is_tag(&line[at..]) => {
                        if self.has_moves {
                            begin_game(at);
                            self.has_moves = false;
                        }
                        return;
                    }
                    None => at += 1,
                },
                _ => return,
            }
        }
    }
}

/// Whether the tags of a game begin on a line, with one that each game has: in a comment that nothing ends, any of these.
fn begins_roster(line: &[u8], in_comment: bool) -> bool {
    let roster: &[&str] =
        if in_comment { &["Event", "Site", "Date", "Round", "White", "Black"] } else { &["Event"] };
    let name = &line[1..];
    is_tag(line)
        && roster.iter().any(|known| {
            name.get(..known.len()).is_some_and(|name| name.eq_ignore_ascii_case(known.as_bytes()))
                && name.get(known.len()).is_some_and(u8::is_ascii_whitespace)
        })
}

/// The places where games begin in a text without tags between them, the first always 0, each with the number of lines
/// before it.
pub(super) fn starts_without_tags(text: &[u8]) -> Vec<(usize, u64)> {
    // What divides games are characters of ASCII, and the places must be those of the bytes.
    let text: String =
        text.iter().map(|&byte| if byte.is_ascii() { char::from(byte) } else { '~' }).collect();
    let mut games = PgnGames::new(&text);
    let mut starts = vec![(0, 0)];
    let mut lines = 0;
    while let Some(begin) = games.next_game() {
        let (last, _) = starts[starts.len() - 1];
        lines += text.as_bytes()[last..begin].iter().filter(|&&byte| byte == b'\n').count() as u64;
        if begin > last {
            starts.push((begin, lines));
        }
        games.skip_rest();
    }
    starts
}
