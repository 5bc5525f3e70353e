//! The options that a UCI engine declares.

use crate::player::PlayerError;

/// The options of one engine.
#[derive(Clone, Debug, Default)]
pub(super) struct DeclaredOptions {
    options: Vec<DeclaredOption>,
    /// The length of their declarations, in bytes.
    length: usize,
}

#[derive(Clone, Debug)]
struct DeclaredOption {
    name: String,
    kind: String,
    choices: Vec<String>,
    range: [Option<i64>; 2],
}

/// The most bytes of all declarations together. Engines with hundreds of options need a tenth of it.
const LONGEST: usize = 1 << 20;

/// The words that begin a part of a declaration.
const PARTS: [&str; 6] = ["name", "type", "default", "min", "max", "var"];

impl DeclaredOptions {
    /// Reads a line that begins with `option`; any other line is ignored.
    pub fn note(&mut self, line: &str) {
        let mut words = line.split_ascii_whitespace();
        if words.next() != Some("option") {
            return;
        }
        self.length = self.length.saturating_add(line.len());
        if self.are_too_many() {
            return;
        }
        let mut declared = DeclaredOption {
            name: String::new(),
            kind: String::new(),
            choices: Vec::new(),
            range: [None; 2],
        };
        let mut part = "";
        let mut value = Vec::new();
        for word in words.chain([""]) {
            // A name ends only at `type`, whatever words it contains.
            let begins =
                word.is_empty() || if part == "name" { word == "type" } else { PARTS.contains(&word) };
            if !begins {
                value.push(word);
                continue;
            }
            let text = value.join(" ");
            value.clear();
            match part {
                "name" => declared.name = text,
                "type" => declared.kind = text,
                "min" => declared.range[0] = text.parse().ok(),
                "max" => declared.range[1] = text.parse().ok(),
                "var" => declared.choices.push(text),
                _ => (),
            }
            part = word;
        }
        self.options.push(declared);
    }

    /// Whether there are more than any engine has: further ones are not kept.
    pub fn are_too_many(&self) -> bool {
        self.length > LONGEST
    }

    /// Whether there is an option with this name.
    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Whether an option offers a value to choose.
    pub fn offers(&self, name: &str, choice: &str) -> bool {
        self.find(name).is_some_and(|option| option.choices.iter().any(|other| other == choice))
    }

    /// Checks that an option can be given a value. The error says what the engine offers instead.
    pub fn check(&self, engine: &str, name: &str, value: &str) -> Result<(), PlayerError> {
        let wrong = |problem: String| Err(PlayerError::Option { name: engine.to_string(), problem });
        let Some(option) = self.find(name) else {
            let known: Vec<&str> = self.options.iter().map(|option| option.name.as_str()).collect();
            return wrong(format!("no option `{name}`; it has {}", known.join(", ")));
        };
        match option.kind.as_str() {
            "check" if value != "true" && value != "false" => {
                wrong(format!("`{name}` as true or false, not `{value}`"))
            }
            "spin" => {
                let [least, most] = option.range.map(Option::unwrap_or_default);
                let fits = value.parse().is_ok_and(|number: i64| {
                    option.range[0].is_none_or(|least| number >= least)
                        && option.range[1].is_none_or(|most| number <= most)
                });
                if fits { Ok(()) } else { wrong(format!("`{name}` from {least} to {most}, not `{value}`")) }
            }
            "combo" if !option.choices.iter().any(|choice| choice == value) => {
                wrong(format!("`{name}` as one of {}, not `{value}`", option.choices.join(", ")))
            }
            _ => Ok(()),
        }
    }

    /// Upper and lower case do not matter in names.
    fn find(&self, name: &str) -> Option<&DeclaredOption> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> DeclaredOptions {
        let mut options = DeclaredOptions::default();
        for line in [
            "id name Some Engine",
            "option name Clear Hash type button",
            "option name Hash type spin default 16 min 1 max 1024",
            "option name UCI_Chess960 type check default false",
            "option name Style of play type combo default Solid Rock var Solid Rock var Risky",
            "option name Book type string default <empty>",
        ] {
            options.note(line);
        }
        options
    }

    #[test]
    fn names_and_choices_may_hold_blanks() {
        let options = options();
        assert!(options.has("clear hash") && options.has("Hash") && !options.has("Some Engine"));
        assert!(options.offers("Style of play", "Solid Rock") && !options.offers("Style of play", "Solid"));
    }

    #[test]
    fn options_without_an_end_are_not_kept() {
        let mut options = options();
        for number in 0..100_000 {
            options.note(&format!("option name Option {number} type string default <empty>"));
        }
        assert!(options.are_too_many() && options.has("Hash") && options.options.len() < 30_000);
    }

    #[test]
    fn option_values_are_checked_against_the_declaration() {
        let options = options();
        assert!(options.check("e", "Hash", "16").is_ok());
        assert!(options.check("e", "Book", "anything at all").is_ok());
        for (name, value, says) in [
            ("Hash", "0", "e has `Hash` from 1 to 1024, not `0`"),
            ("UCI_Chess960", "yes", "e has `UCI_Chess960` as true or false, not `yes`"),
            ("Hsah", "1", "e has no option `Hsah`; it has Clear Hash, Hash, UCI_Chess960"),
        ] {
            let error = options.check("e", name, value).unwrap_err().to_string();
            assert!(error.starts_with(says), "{error}");
        }
    }
}
