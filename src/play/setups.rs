//! Which setups are played, as the command line says it.

use std::path::Path;
use std::str::FromStr;

use backrank_selfplay::SetupChoice;

/// A choice of setups; the ids of a list come from a file.
#[derive(Clone)]
pub struct SetupsArg(pub SetupChoice);

impl SetupsArg {
    fn read(path: &str) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read {path}: {error}"))?;
        let lines = text.lines().enumerate().map(|(line, text)| (line + 1, text.trim()));
        let ids = lines.filter(|(_, text)| !text.is_empty()).map(|(line, text)| {
            text.parse().map_err(|_| format!("{path}, line {line}: `{text}` is not an id"))
        });
        match ids.collect::<Result<Vec<u64>, _>>()? {
            ids if ids.is_empty() => Err(format!("{path} holds no id")),
            ids => Ok(Self(SetupChoice::Listed(ids))),
        }
    }
}

impl FromStr for SetupsArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(choice) => Ok(Self(choice)),
            // Only now: what a study says does not depend on what lies in the folder.
            Err(_) if Path::new(text).is_file() => Self::read(text),
            Err(problem) => Err(format!("{problem}; the path of a file of ids works, too")),
        }
    }
}
