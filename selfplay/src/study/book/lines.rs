//! Books of positions: a FEN, or an EPD with its operations, on each line.

use backrank_rules::{Position, Rules};

use super::{WrongLine, playable};

/// The fields that every position has: pieces, side to move, castling rights, en passant square.
const FIELDS: usize = 4;

/// The positions of a text, as FENs. Empty lines and lines that begin with `#` are skipped.
pub(super) fn openings(text: &str, rules: &Rules) -> Result<Vec<String>, WrongLine> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(line, text)| {
            let position =
                read(text, rules).map_err(|problem| WrongLine { line, problem, is_over: false })?;
            playable(&position, position.outcome()).map_err(|problem| WrongLine {
                line,
                problem,
                is_over: false,
            })
        })
        .collect()
}

/// The position of a line.
fn read<'r>(line: &str, rules: &'r Rules) -> Result<Position<'r>, String> {
    // After a semicolon that ends the fields there are operations, or else a remark.
    let ended = line.split_once(';').filter(|(fields, _)| are_fields(fields, rules));
    let words: Vec<&str> = line.split_whitespace().collect();
    let operations_at = words.iter().skip(FIELDS).position(|word| !is_counter(word));
    let fen = match (ended, operations_at) {
        (Some((fields, after)), _) => {
            let words: Vec<&str> = fields.split_whitespace().collect();
            let operations = (words.len() <= FIELDS + 2).then(|| with_operations(&words, after));
            operations.and_then(Result::ok).unwrap_or_else(|| fields.to_string())
        }
        (None, Some(at)) if words[FIELDS + at..].iter().any(|word| word.ends_with(';')) => {
            let (fields, operations) = words.split_at(FIELDS + at);
            with_operations(fields, &operations.join(" "))?
        }
        _ => line.to_string(),
    };
    Position::from_fen(rules, &fen).map_err(|error| error.to_string())
}

/// Whether a text is the fields of a position and nothing else.
fn are_fields(text: &str, rules: &Rules) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let counters = words.iter().skip(FIELDS).take(2).all(|word| is_counter(word));
    let most = FIELDS + if rules.variant().has_unmoved_field() { 3 } else { 2 };
    counters && (FIELDS..=most).contains(&words.len())
}

fn is_counter(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The FEN of an EPD. Its counters and unmoved pieces come from the operations.
fn with_operations(fields: &[&str], operations: &str) -> Result<String, String> {
    let mut counters: Vec<String> = fields[FIELDS..].iter().map(ToString::to_string).collect();
    counters.extend(["0", "1"].into_iter().skip(counters.len()).map(str::to_string));
    let mut unmoved = "-".to_string();
    for operation in split(operations)? {
        let (name, operand) = operation.split_once(' ').unwrap_or((operation, ""));
        let operand = operand.trim().trim_matches('"').to_string();
        match name {
            "hmvc" => counters[0] = operand,
            "fmvn" => counters[1] = operand,
            "unmoved" => unmoved = operand,
            _ if name.starts_with(|first: char| first.is_ascii_alphabetic()) => {}
            _ => return Err(format!("`{name}` is not the name of an EPD operation")),
        }
    }
    Ok(format!("{} {} {unmoved}", fields[..FIELDS].join(" "), counters.join(" ")))
}

/// The operations of an EPD, each without the semicolon at its end. A semicolon in quotation marks does not end an operation.
fn split(operations: &str) -> Result<Vec<&str>, String> {
    let (mut found, mut begin, mut in_text) = (Vec::new(), 0, false);
    for (at, letter) in operations.char_indices() {
        match letter {
            '"' => in_text = !in_text,
            ';' if !in_text => {
                found.push(operations[begin..at].trim());
                begin = at + 1;
            }
            _ => {}
        }
    }
    found.retain(|operation| !operation.is_empty());
    match operations[begin..].trim() {
        "" => Ok(found),
        rest => Err(format!("the operation `{rest}` does not end in a semicolon")),
    }
}

#[cfg(test)]
mod tests {
    use backrank_rules::Variant;

    use super::*;

    #[test]
    fn every_form_of_a_position_is_read() {
        let modern = Rules::new(&Variant::find("modern").unwrap());
        let chess = Rules::new(&Variant::find("chess").unwrap());
        let start = "rnbqkmbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBMKQBNR w AIai -";
        let board = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -";
        for (rules, line, fen) in [
            (&chess, board.to_string(), format!("{board} 0 1")),
            (&chess, format!("{board} 3 7"), format!("{board} 3 7")),
            (&chess, format!("  {board}   3 7  "), format!("{board} 3 7")),
            (&chess, format!("{board} hmvc 3; fmvn 7; id \"one; two\";"), format!("{board} 3 7")),
            (&chess, format!("{board} bm e5 c5; ce 13;"), format!("{board} 0 1")),
            (&chess, format!("{board} 3 7 ; ce 13;"), format!("{board} 3 7")),
            (&chess, format!("{board} 3 7;"), format!("{board} 3 7")),
            (&chess, format!("{board};"), format!("{board} 0 1")),
            (&chess, format!("{board} ; the king's pawn"), format!("{board} 0 1")),
            (&chess, format!("{board} 3 7 ; one; two"), format!("{board} 3 7")),
            (&modern, format!("{start} 0 1 BCDbcd;"), format!("{start} 0 1 BCDbcd")),
            (&chess, format!("{board} 0 0"), format!("{board} 0 1")),
            (&modern, start.to_string(), format!("{start} 0 1 -")),
            (&modern, format!("{start} 0 1 BCDbcd"), format!("{start} 0 1 BCDbcd")),
            (&modern, format!("{start} fmvn 4; unmoved \"BCDbcd\";"), format!("{start} 0 4 BCDbcd")),
        ] {
            assert_eq!(openings(&line, rules).unwrap(), [fen], "{line}");
        }
        assert_eq!(openings(&format!("\n# two\n{board}\r\n\n{board}"), &chess).unwrap().len(), 2);
    }

    #[test]
    fn an_error_names_its_line() {
        let chess = Rules::new(&Variant::find("chess").unwrap());
        let board = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -";
        for (line, says) in [
            ("rnbqkbnr/pppppppp/8/8".to_string(), "1 fields; a position has pieces"),
            ("rnbqkbnr/pppppppp/8/8 w;".to_string(), "2 fields; a position has pieces"),
            (board.replace("/8/8/", "/8/9/"), "field 1, pieces: rank 5 is 1 too long"),
            (format!("{board} ce 13; id one"), "the operation `id one` does not end in a semicolon"),
            (format!("{board} fmvn one;"), "field 6"),
            (format!("{board} 13 \"x\";"), "`\"x\"` is not the name of an EPD operation"),
            (
                "7k/6Q1/6K1/8/8/8/8/8 b - -".to_string(),
                "the opening leaves nothing to play: the game is over, 1-0 checkmate",
            ),
        ] {
            let WrongLine { line, problem, .. } =
                openings(&format!("{board}\n{line}\n"), &chess).unwrap_err();
            assert_eq!(line, 2);
            assert!(problem.starts_with(says), "{problem}");
        }
    }
}
