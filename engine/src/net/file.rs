//! Nets as files.

use std::path::Path;

use backrank_rules::files::read_file;
use backrank_rules::{PawnType, Rules};

use super::bytes::take_outputs;
use super::error::{MAGIC, NetError};
use super::general::{self, GeneralNet};
use super::{Base, HIDDEN, Inputs, Layer, Net, OUTPUT_BUCKETS};

/// The nets that come with the engine, which `engine/nets/make.sh` makes.
const OWN: [&[u8]; 4] = [
    include_bytes!("../../nets/pmrc.net"),
    include_bytes!("../../nets/pm-random.net"),
    include_bytes!("../../nets/chess960.net"),
    include_bytes!("../../nets/capablanca-random.net"),
];

/// The net for every game, which `engine/nets/general/make.sh` makes.
const GENERAL: &[u8] = include_bytes!("../../nets/general.net");

/// A larger file is no net: on the largest board, with the most kinds of pieces, one has fewer bytes.
const LARGEST: u64 = 64 << 20;

/// The first line is not longer than this.
const LONGEST_LINE: usize = 1_000;

/// What a net must fit: the board, the pieces, the pawns where they are not those of chess, and the sizes of its layers.
fn description(inputs: &Inputs) -> String {
    let board = inputs.board();
    let pawns = match inputs.pawns() {
        PawnType::Orthodox => "",
        PawnType::Berolina => "berolina ",
    };
    let pieces = inputs.pieces().join(" ");
    format!("{}x{} {pawns}{pieces} {HIDDEN} {OUTPUT_BUCKETS}", board.files(), board.ranks())
}

/// Which net evaluates positions, where a person has chosen one: what the option `NetFile` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetChoice {
    /// The one that comes with the engine, if there is one for the game.
    Own,
    /// None: the weights do.
    Without,
    /// The one of a file, of which these are the bytes.
    File(Vec<u8>),
}

impl NetChoice {
    /// Reads `own`, `none`, `general` (the net for every game that comes with the engine) or the path of a file.
    ///
    /// ```
    /// use backrank_engine::NetChoice;
    /// use backrank_rules::{Rules, Variant};
    ///
    /// let rules = Rules::new(&Variant::find("icrc")?);
    /// assert!(NetChoice::read("own")?.net(&rules)?.is_none());
    /// assert!(NetChoice::read("general")?.net(&rules)?.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the file cannot be read.
    pub fn read(text: &str) -> Result<Self, NetError> {
        Ok(match text {
            "own" => Self::Own,
            "none" => Self::Without,
            "general" => Self::File(GENERAL.to_vec()),
            path => Self::File(read_file(path.as_ref(), LARGEST)?),
        })
    }

    /// The net for a game.
    ///
    /// # Errors
    ///
    /// When the file is no net for this game.
    pub fn net(&self, rules: &Rules) -> Result<Option<Net>, NetError> {
        match self {
            Self::Own => Ok(Net::own(rules)),
            Self::Without => Ok(None),
            Self::File(bytes) => Net::from_bytes(bytes, rules).map(Some),
        }
    }
}

impl Net {
    /// The bytes of a file: a line of text, and whole numbers of two bytes, the lower first; biases of the output have four.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = format!("{MAGIC}: {}, {}\n", description(&self.inputs), self.scale).into_bytes();
        for layer in self.weights.iter().chain([&self.bias]) {
            layer.put(&mut bytes);
        }
        for output in &self.output {
            output.layers.iter().for_each(|layer| layer.put(&mut bytes));
            bytes.extend(output.bias.to_le_bytes());
        }
        bytes
    }

    /// The net that comes with the engine for a game, if there is one.
    ///
    /// ```
    /// use backrank_rules::{Rules, Variant};
    /// use backrank_engine::Net;
    ///
    /// let has_net = |key| Variant::find(key).map(|variant| Net::own(&Rules::new(&variant)).is_some());
    /// assert!(has_net("chess8400")?);
    /// assert!(!has_net("icrc")?);
    /// # Ok::<(), backrank_rules::FindError>(())
    /// ```
    pub fn own(rules: &Rules) -> Option<Self> {
        OWN.iter().find_map(|bytes| Self::from_bytes(bytes, rules).ok())
    }

    /// The net of a game, from a file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is no net for this game.
    pub fn open(path: &Path, rules: &Rules) -> Result<Self, NetError> {
        Self::from_bytes(&read_file(path, LARGEST)?, rules)
    }

    /// The net of a game, from the bytes of a file.
    ///
    /// # Errors
    ///
    /// When they are no net, or one for another game.
    pub fn from_bytes(bytes: &[u8], rules: &Rules) -> Result<Self, NetError> {
        let end = bytes.iter().take(LONGEST_LINE).position(|&byte| byte == b'\n').ok_or(NetError::NoNet)?;
        let line = std::str::from_utf8(&bytes[..end]).map_err(|_| NetError::NoNet)?;
        if let Some(text) = line.strip_prefix(general::MAGIC).and_then(|line| line.strip_prefix(": ")) {
            return Ok(GeneralNet::read(text, &bytes[end + 1..])?.net(rules));
        }
        let inputs = Inputs::new(rules);
        let text =
            line.strip_prefix(MAGIC).and_then(|line| line.strip_prefix(": ")).ok_or(NetError::NoNet)?;
        let needed = description(&inputs);
        let (found, scale) = text.split_once(", ").ok_or(NetError::NoNet)?;
        let scale: u16 = scale.parse().map_err(|_| NetError::NoNet)?;
        if found != needed {
            return Err(NetError::Other { found: found.to_string(), needed });
        }
        let mut rest = &bytes[end + 1..];
        let layers = inputs.len() + 1 + 2 * OUTPUT_BUCKETS;
        let length = layers * HIDDEN * 2 + OUTPUT_BUCKETS * 4;
        if rest.len() != length {
            return Err(NetError::Length { found: rest.len(), needed: length });
        }
        let weights = (0..inputs.len()).map(|_| Layer::take(&mut rest)).collect();
        let bias = Layer::take(&mut rest);
        let output = take_outputs(&mut rest)?;
        Ok(Self { inputs, weights, bias, output, scale: i32::from(scale), base: Base::Nothing })
    }
}
