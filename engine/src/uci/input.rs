//! Lines that the other program sends.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::Sender;

use super::command::Command;
use crate::search::SearchResult;

/// An event that the session waits for.
#[derive(Debug)]
pub enum Event {
    /// A line has come.
    Command(Command),
    /// No more lines will come.
    End,
    /// The worker has finished. A search brings its result, everything else brings nothing.
    Done(Option<SearchResult>),
    /// The worker has ended: it will neither finish nor begin anything.
    Gone,
}

/// The largest number of bytes in a line; a game of ten thousand moves fits many times.
const LONGEST_LINE: u64 = 1 << 20;

/// Sends a command for each line until `quit` or the end. Bytes that are not UTF-8 become the replacement character.
pub fn read(input: impl Read, events: &Sender<Event>) {
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    while let Ok(Some(whole)) = next_line(&mut input, &mut line) {
        let command = if whole {
            Command::parse(String::from_utf8_lossy(&line).trim())
        } else {
            Command::Wrong(format!("a line of more than {LONGEST_LINE} bytes is not read"))
        };
        let last = command == Command::Quit;
        if events.send(Event::Command(command)).is_err() || last {
            return;
        }
    }
    // The other end may have gone already; then nobody needs to know.
    let _ = events.send(Event::End);
}

/// Reads a line. Returns whether it is whole, or `None` at the end. Only the beginning of a line that is too long is
/// kept.
fn next_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<bool>> {
    line.clear();
    if input.by_ref().take(LONGEST_LINE).read_until(b'\n', line)? == 0 {
        return Ok(None);
    }
    if line.ends_with(b"\n") || (line.len() as u64) < LONGEST_LINE {
        return Ok(Some(true));
    }
    let mut rest = Vec::new();
    while input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut rest)? > 0 && !rest.ends_with(b"\n") {
        rest.clear();
    }
    Ok(Some(false))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn what_cannot_be_read_does_not_hide_what_can() {
        let mut sent = b"isready\r\n\xff\xfe\n".to_vec();
        sent.extend(vec![b'x'; 5 << 20]);
        sent.extend(b"\n\0\nuci");
        let (sender, events) = channel();
        read(sent.as_slice(), &sender);
        drop(sender);
        let events: Vec<String> = events.iter().map(|event| format!("{event:?}")).collect();
        assert_eq!(events.len(), 6, "{events:?}");
        assert_eq!(events[0], "Command(IsReady)");
        assert!(events[1].contains("unknown command"));
        assert!(events[2].contains("a line of more than 1048576 bytes"));
        assert!(events[3].contains("unknown command"));
        assert_eq!(events[4..], ["Command(Uci)", "End"]);
    }
}
