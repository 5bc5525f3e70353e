//! The options that `setoption` sets.

use std::sync::Arc;

use backrank_rules::{Position, Rules, Setup, Variant, catalogue};

use crate::net::{NetChoice, NetError};
use crate::weights::Weights;

/// The values of the options.
pub struct Options<'s> {
    /// The size of the engine's table in mebibytes.
    pub mebibytes: usize,
    /// Whether castling is always written as the king taking its partner.
    pub chess960: bool,
    /// The number of lines that a search finds.
    pub lines: usize,
    /// Whether the engine uses endgame tables.
    pub tables: bool,
    adjustment: bool,
    /// The text of a file of weights; `None` for the engine's own.
    weights: Option<String>,
    /// The chosen net, which is used in the games that it is for.
    net: Option<NetChoice>,
    variant: Variant,
    setup: Setup,
    /// Variants from the user's files, the newest last.
    own: Vec<Variant>,
    start: &'s dyn Fn(&Variant) -> Result<Setup, String>,
}

/// What changing an option means for the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing that has to be done at once.
    Later,
    /// The engine must forget what it knows.
    Clear,
    /// Another game, or the same game by other rules.
    Rules,
}

const MAX_MEBIBYTES: usize = 65_536;
/// No position has more moves than this.
const MAX_LINES: usize = 1_000;

impl<'s> Options<'s> {
    /// The default values; an error if there is no setup for orthodox chess.
    pub fn new(start: &'s dyn Fn(&Variant) -> Result<Setup, String>) -> Result<Self, String> {
        let variant = Variant::find("chess").map_err(|error| error.to_string())?;
        let setup = start(&variant)?;
        let own = Vec::new();
        Ok(Self {
            mebibytes: 16,
            chess960: false,
            lines: 1,
            tables: true,
            adjustment: true,
            weights: None,
            net: None,
            variant,
            setup,
            own,
            start,
        })
    }

    /// The rules of the current game. Programs for Fischer Random Chess often choose no game but only `UCI_Chess960`: kings of
    /// orthodox chess then castle from anywhere.
    pub fn rules(&self) -> Rules {
        let mut rules = Rules::new(&self.variant);
        if !self.adjustment {
            rules = rules.without_adjustment();
        }
        if self.chess960 { rules.castling_from_anywhere() } else { rules }
    }

    /// The weights of the evaluation.
    pub fn weights(&self, rules: &Rules) -> Weights {
        let chosen = self.weights.as_ref().and_then(|text| Weights::parse(text, rules).ok());
        let mut weights = chosen.unwrap_or_else(|| Weights::new(rules));
        if let Some(choice) = &self.net {
            weights.net = choice.net(rules).ok().flatten().map(Arc::new);
        }
        weights
    }

    /// The setup from which games start.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The options as `uci` lists them.
    pub fn list(&self) -> String {
        let mut keys: Vec<String> =
            catalogue().filter(|variant| !variant.count_only).map(|variant| variant.key).collect();
        keys.extend(self.own.iter().map(|variant| variant.key.clone()));
        keys.sort();
        keys.dedup();
        let keys: Vec<String> = keys.into_iter().map(|key| format!("var {key}")).collect();
        format!(
            "option name UCI_Variant type combo default chess {}\n\
             option name UCI_Chess960 type check default false\n\
             option name VariantFile type string default <empty>\n\
             option name BishopAdjustment type check default true\n\
             option name WeightsFile type string default <empty>\n\
             option name NetFile type string default <empty>\n\
             option name EndgameTables type check default true\n\
             option name Hash type spin default 16 min 1 max {MAX_MEBIBYTES}\n\
             option name MultiPV type spin default 1 min 1 max {MAX_LINES}\n\
             option name Clear Hash type button\n\
             option name Ponder type check default false\n\
             option name Threads type spin default 1 min 1 max 1",
            keys.join(" ")
        )
    }

    /// Sets an option; the error is a sentence for a person.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Change, String> {
        match name.to_lowercase().as_str() {
            "uci_variant" => self.choose(value),
            "variantfile" => self.open(value),
            "uci_chess960" => {
                let before = std::mem::replace(&mut self.chess960, check(name, value)?);
                let has_home = self.variant.castling.as_ref().is_some_and(|castling| castling.home.is_some());
                Ok(if before != self.chess960 && has_home { Change::Rules } else { Change::Later })
            }
            "bishopadjustment" => {
                let before = std::mem::replace(&mut self.adjustment, check(name, value)?);
                Ok(if before == self.adjustment { Change::Later } else { Change::Rules })
            }
            "endgametables" => {
                let before = std::mem::replace(&mut self.tables, check(name, value)?);
                Ok(if before == self.tables { Change::Later } else { Change::Rules })
            }
            "weightsfile" => self.weigh(value),
            "netfile" => self.use_net(value),
            "hash" => {
                self.mebibytes = spin(name, value, MAX_MEBIBYTES)?;
                Ok(Change::Later)
            }
            "multipv" => {
                self.lines = spin(name, value, MAX_LINES)?;
                Ok(Change::Later)
            }
            "clear hash" => Ok(Change::Clear),
            // Whether to ponder is decided by the other program, with `go ponder`.
            "ponder" => check(name, value).map(|_| Change::Later),
            "threads" => spin(name, value, 1).map(|_| Change::Later),
            _ => Err(format!("no option `{name}`")),
        }
    }

    fn choose(&mut self, name: &str) -> Result<Change, String> {
        let normal = |key: &str| key.replace(['-', '_'], "").to_lowercase();
        let own = self.own.iter().rev().find(|variant| normal(&variant.key) == normal(name));
        let variant = match own {
            Some(variant) => variant.clone(),
            None => Variant::find(name).map_err(|error| error.to_string())?,
        };
        let same = variant.key == self.variant.key && variant.text() == self.variant.text();
        if same { Ok(Change::Later) } else { self.select(variant) }
    }

    fn open(&mut self, path: &str) -> Result<Change, String> {
        if path.is_empty() || path == "<empty>" {
            return Ok(Change::Later);
        }
        let variant = Variant::open(path.as_ref()).map_err(|error| error.to_string())?;
        let change = self.select(variant.clone())?;
        self.own.retain(|other| other.key != variant.key);
        self.own.push(variant);
        Ok(change)
    }

    fn weigh(&mut self, path: &str) -> Result<Change, String> {
        let text = match path {
            "" | "<empty>" => None,
            _ => {
                let text = Weights::read_text(path.as_ref()).map_err(|error| format!("{path}: {error}"))?;
                Weights::parse(&text, &self.rules())
                    .map_err(|error| format!("{path}: {}", error.message()))?;
                Some(text)
            }
        };
        let before = std::mem::replace(&mut self.weights, text);
        Ok(if before == self.weights { Change::Later } else { Change::Rules })
    }

    fn use_net(&mut self, path: &str) -> Result<Change, String> {
        let choice = match path {
            "" | "<empty>" => None,
            _ => {
                let wrong = |error: NetError| format!("{path}: {error}");
                let choice = NetChoice::read(path).map_err(wrong)?;
                match choice.net(&self.rules()) {
                    // Its game may be chosen later.
                    Ok(_) | Err(NetError::Other { .. }) => Some(choice),
                    Err(error) => return Err(wrong(error)),
                }
            }
        };
        let before = std::mem::replace(&mut self.net, choice);
        Ok(if before == self.net { Change::Later } else { Change::Rules })
    }

    /// Takes another variant, if it can be played.
    fn select(&mut self, variant: Variant) -> Result<Change, String> {
        if variant.count_only {
            return Err(format!(
                "{} is counted and listed only: its file says `count_only = true`",
                variant.key
            ));
        }
        let setup = (self.start)(&variant)?;
        Position::new(&Rules::new(&variant), &setup).map_err(|error| error.to_string())?;
        self.variant = variant;
        self.setup = setup;
        Ok(Change::Rules)
    }
}

fn check(name: &str, value: &str) -> Result<bool, String> {
    match value.to_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(format!("{name} is true or false, not `{value}`")),
    }
}

fn spin(name: &str, value: &str, max: usize) -> Result<usize, String> {
    let number = value.parse().ok().filter(|number| (1..=max).contains(number));
    number.ok_or_else(|| format!("{name} is a number from 1 to {max}, not `{value}`"))
}
