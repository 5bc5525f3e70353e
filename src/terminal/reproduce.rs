//! Commands as a person could type them.

use std::ffi::OsString;
use std::path::Path;

use backrank_rules::printable_line;

/// A path as a word of a command line, quoted where a shell needs it.
pub fn word(path: &Path) -> String {
    quoted(&path.to_string_lossy())
}

/// A path as a word of a command line on a page, which others read: of an absolute path only its last part.
pub fn public_word(path: &Path) -> String {
    quoted(&public_name(path))
}

/// A path as others read it: of an absolute path only its last part.
pub fn public_name(path: &Path) -> String {
    let last = path.file_name().filter(|_| path.is_absolute());
    last.map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// A text as a word of a command line, quoted where a shell needs it.
pub fn quoted(text: &str) -> String {
    printable_line(&shell_words::quote(text)).into_owned()
}

/// The command line of this process, as one that begins with `backrank`, for a page. Whether notes are printed is left out, and where
/// absolute paths lead from.
pub fn own_command() -> String {
    command_line(std::env::args_os())
}

fn command_line(arguments: impl IntoIterator<Item = OsString>) -> String {
    let mut words = vec!["backrank".to_string()];
    let mut is_option = true;
    for argument in arguments.into_iter().skip(1) {
        let argument = argument.to_string_lossy();
        is_option &= argument != "--";
        match argument.strip_prefix('-') {
            Some("q" | "-quiet") if is_option => (),
            // `-qo FILE`
            Some(letters) if is_option && letters.starts_with('q') => {
                words.push(quoted(&format!("-{}", &letters[1..])));
            }
            _ => match argument.split_once('=').filter(|_| is_option && argument.starts_with("--")) {
                Some((option, value)) => {
                    words.push(format!("{}={}", quoted(option), public_word(Path::new(value))));
                }
                None => words.push(public_word(Path::new(&*argument))),
            },
        }
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_can_be_typed_again() {
        let of = |words: &[&str]| command_line(words.iter().map(OsString::from));
        for (words, line) in [
            (
                &["/usr/bin/backrank", "report", "runs/a", "-o", "r.html"][..],
                "backrank report runs/a -o r.html",
            ),
            (
                &["backrank", "-q", "report", "my study", "-o", "r.html"],
                "backrank report 'my study' -o r.html",
            ),
            (
                &["backrank", "report", "a;rm b", "--quiet", "-qo", "it's"],
                r#"backrank report 'a;rm b' -o 'it'\''s'"#,
            ),
            (&["b", "report", "--", "-q"], "backrank report -- -q"),
            (&["b", "report", "/home/me/runs/a", "-o", "/r.html"], "backrank report a -o r.html"),
            (&["b", "report", "a", "--output=/tmp/r.html"], "backrank report a --output=r.html"),
            (&["b", "report", "a\x1b[2J"], "backrank report 'a\\u{1b}[2J'"),
        ] {
            assert_eq!(of(words), line);
        }
    }
}
