//! A variant file in the making.

use std::collections::BTreeSet;

use backrank_enumerate::{Movers, RandomGame, Space};
use backrank_rules::{Letter, Variant, printable};
use toml_edit::{Array, DocumentMut, Formatted, InlineTable, Item, Table, Value};

use crate::args::piece::PieceArg;
use crate::terminal::failure::Failure;

/// What stands before each table.
const COMMENTS: [(&str, &str); 7] = [
    ("board", "The size of the board: 2 to 16 files, 4 to 16 ranks, at most 128 squares."),
    (
        "pieces",
        "Each kind of piece, by its letter. `betza` is how it moves: `backrank moves WA` draws what a text means. `value` is what\n# the engine takes it for, in centipawns; without it, that follows from the piece's mobility.",
    ),
    (
        "pawn",
        "What a pawn becomes (promotes_to = \"QRBN\") and how it goes: double_step = false, en_passant = false, moves = \"berolina\".",
    ),
    (
        "setup",
        "The first rank from the a-file, how Black's follows from it (symmetry = \"mirror\", \"rotate\" or \"independent\"), and what every\n# setup must satisfy. Take a constraint out, and `backrank count` says how many setups there are without it.",
    ),
    (
        "castling",
        "Where the king and its partner land to the left and to the right. Without this table there is no castling.",
    ),
    (
        "adjustment",
        "The Bishop Adjustment: a piece that may swap with its neighbour once. Without this table there is none.",
    ),
    ("endings", "How a game ends besides checkmate: bare_king = true, stalemate = \"loss\", checks = 3."),
];

/// A variant file in the making.
pub struct Draft {
    key: String,
    like: Variant,
    file: DocumentMut,
    /// Letters that were given to pieces, also to those that are gone: a reader of both files should not mix them up.
    used: BTreeSet<Letter>,
    notes: Vec<String>,
    /// What kind of a game it is, for its first line.
    kind: String,
}

impl Draft {
    /// A game like another, under a key of its own.
    pub fn like(like: &Variant, key: &str) -> Result<Self, Failure> {
        let mut draft = Self::of(like, key, format!("like {}", like.key))?;
        draft.file["source"] = toml_edit::value(format!("like {} ({})", like.name, like.source));
        Ok(draft)
    }

    /// A game drawn at random, under a key of its own.
    pub fn random(seed: u64, key: &str) -> Result<Self, Failure> {
        let game = RandomGame::new(seed, Movers::Familiar).variant;
        Self::of(&game, key, format!("drawn at random from the seed {seed}"))
    }

    fn of(like: &Variant, key: &str, kind: String) -> Result<Self, Failure> {
        let file: DocumentMut =
            like.text().parse().map_err(|error: toml_edit::TomlError| Failure::Input(error.to_string()))?;
        let used = like.pieces.iter().map(|piece| piece.letter).chain([Letter::PAWN]).collect();
        let mut draft =
            Self { key: key.to_string(), like: like.clone(), file, used, notes: Vec::new(), kind };
        let mut name = key.replace(['-', '_'], " ");
        if let Some(first) = name.get_mut(0..1) {
            first.make_ascii_uppercase();
        }
        draft.file["name"] = toml_edit::value(name);
        draft.file.remove("also_called");
        if let Some(setup) = draft.table("setup") {
            setup.remove("notes");
        }
        Ok(draft)
    }

    /// What was changed besides what was asked for.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Puts a piece in the places of another.
    pub fn swap(&mut self, piece: &PieceArg) -> Result<(), Failure> {
        let Some(old) = piece.letter else {
            return Err(Failure::Input(format!(
                "--swap {}: which piece does it replace? For example --swap '{}={}'",
                piece.name,
                self.like.pieces.first().map_or(Letter::K, |piece| piece.letter),
                piece.name
            )));
        };
        let new = piece.new_letter.unwrap_or(old);
        let had = self.pieces().and_then(|pieces| pieces.get(&old.to_string()).cloned());
        let Some(had) = had else { return Err(self.unknown(old)) };
        if new != old && self.has(new) {
            return Err(Failure::Input(format!(
                "--swap: {new} is another piece of {}; give the new one another letter",
                self.like.key
            )));
        }
        let is_royal = had.get("royal").and_then(Item::as_bool) == Some(true);
        if let Some(pieces) = self.pieces() {
            pieces.remove(&old.to_string());
            pieces.insert(&new.to_string(), piece_entry(piece, is_royal));
        }
        self.used.insert(new);
        if new == old {
            return Ok(());
        }
        let castles = self.table("castling").is_some_and(|castling| castling.get("partner").is_none());
        if castles && old.as_char() == 'R' {
            self.file["castling"]["partner"] = toml_edit::value(new.to_string());
        }
        for table in ["pawn", "setup", "castling", "adjustment", "endings"] {
            if let Some(item) = self.file.get_mut(table) {
                rename(item, table, old.as_char(), new.as_char());
            }
        }
        Ok(())
    }

    /// Adds pieces to each side.
    pub fn add(&mut self, piece: &PieceArg) -> Result<(), Failure> {
        let wanted = piece.new_letter.or(piece.letter);
        let letter = match wanted {
            Some(letter) if !self.has(letter) => letter,
            _ => self.free_letter(&piece.name)?,
        };
        if let Some(taken) = wanted.filter(|wanted| *wanted != letter) {
            self.notes.push(format!(
                "{taken} is another piece; the {} has the letter {letter}",
                printable(&piece.name)
            ));
        }
        self.used.insert(letter);
        if let Some(pieces) = self.pieces() {
            pieces.insert(&letter.to_string(), piece_entry(piece, false));
        }
        if let Some(pawn) = self.file.get_mut("pawn")
            && let Some(promotes_to) = pawn.get_mut("promotes_to")
        {
            each_text(promotes_to, &mut |text| text.push(letter.as_char()));
        }
        for _ in 0..piece.number.unwrap_or(1) {
            self.place(letter)?;
        }
        Ok(())
    }

    /// Puts one piece more on each side's first rank.
    fn place(&mut self, letter: Letter) -> Result<(), Failure> {
        let (shuffled, files) = (self.like.first_rank, self.like.board.files());
        let Some(setup) = self
            .table("setup")
            .filter(|setup| !setup.contains_key("position") && !setup.contains_key("listed"))
        else {
            return Err(Failure::Input(format!(
                "--add: the setups of {} are listed one by one; begin from another game, or put the piece there yourself",
                self.like.key
            )));
        };
        let keys: Vec<&str> = ["first_rank", "ranks", "white", "black"]
            .into_iter()
            .filter(|key| setup.contains_key(key))
            .collect();
        // An empty file on every side is filled; else the board gets one more in the middle.
        let mut has_room = true;
        for key in &keys {
            has_room &= first_rank_of(&mut setup[key], shuffled).is_some_and(|text| text.contains('.'));
        }
        let middle = |text: &str| text.len() / 2;
        if has_room {
            for key in keys {
                if let Some(text) = first_rank_of(&mut setup[key], shuffled) {
                    let at = nearest_dot(&text, middle(&text));
                    insert(&mut setup[key], shuffled, at, letter.as_char(), true);
                }
            }
            return Ok(());
        }
        let width = keys
            .first()
            .and_then(|key| first_rank_of(&mut setup[key], shuffled))
            .map_or(files, |text| text.len());
        let at = width / 2;
        for key in keys {
            insert(&mut setup[key], shuffled, at, letter.as_char(), false);
        }
        self.file["board"]["files"] = toml_edit::value((width + 1) as i64);
        if let Some(castling) = self.file.get_mut("castling") {
            move_landings(castling, at);
        }
        let files = format!("the board has {} files", width + 1);
        self.notes.retain(|note| !note.starts_with("the board has "));
        self.notes.push(files);
        Ok(())
    }

    /// The text of the file. What no longer fits the army is left out, with a note.
    pub fn finish(&mut self) -> String {
        if self.faults() > 0
            && let Some(setup) = self.table("setup")
            && setup.remove("numberings").is_some()
        {
            self.notes
                .push("the numberings of the other game are left out: they count other setups".to_string());
        }
        let constraints = self.table("setup").and_then(|setup| setup.get("constraints")?.as_array().cloned());
        for constraint in constraints.iter().flat_map(Array::iter) {
            let before = self.faults();
            if before == 0 {
                break;
            }
            let text = constraint.to_string().trim().to_string();
            let of = |value: &Value| value.to_string().trim() == text;
            let kept = self.file["setup"]["constraints"].clone();
            if let Some(list) = self.file["setup"]["constraints"].as_array_mut() {
                list.retain(|value| !of(value));
            }
            if self.faults() < before {
                self.notes.push(format!("left out, because it does not fit the army: {text}"));
            } else {
                self.file["setup"]["constraints"] = kept;
            }
        }
        self.comment();
        self.file.to_string()
    }

    /// The number of faults of the file as it is.
    fn faults(&self) -> usize {
        Space::diagnose(&self.key, "", &self.file.to_string()).map_or_else(|faults| faults.len(), |_| 0)
    }

    /// Puts the comments before the tables.
    fn comment(&mut self) {
        let head = format!(
            "#:schema ./variant.schema.json\n\n# A game {}. `backrank check` tells what is wrong with this file, and then what the game is like.\n# data/README.md of backrank says what every key means.\n\n",
            self.kind
        );
        if let Some(mut name) = self.file.key_mut("name") {
            name.leaf_decor_mut().set_prefix(head);
        }
        for (key, comment) in COMMENTS {
            if let Some(table) = self.table(key) {
                table.decor_mut().set_prefix(format!("\n# {comment}\n"));
            }
        }
    }

    fn table(&mut self, key: &str) -> Option<&mut Table> {
        self.file.get_mut(key)?.as_table_mut()
    }

    fn pieces(&mut self) -> Option<&mut Table> {
        self.table("pieces")
    }

    fn has(&mut self, letter: Letter) -> bool {
        self.pieces().is_some_and(|pieces| pieces.contains_key(&letter.to_string()))
    }

    /// A letter that no piece has had, if possible one of a name.
    fn free_letter(&self, name: &str) -> Result<Letter, Failure> {
        PieceArg::free_letter(name, |letter| !self.used.contains(letter))
            .ok_or_else(|| Failure::Input("--add: all 26 letters are taken".to_string()))
    }

    fn unknown(&self, letter: Letter) -> Failure {
        let known: String = self.like.pieces.iter().map(|piece| piece.letter).collect();
        Failure::Input(format!("--swap: {} has no piece {letter}; it has {known}", self.like.key))
    }
}

fn piece_entry(piece: &PieceArg, is_royal: bool) -> Item {
    let mut entry = InlineTable::new();
    entry.insert("name", piece.name.as_str().into());
    entry.insert("betza", piece.betza.as_str().into());
    if is_royal {
        entry.insert("royal", true.into());
    }
    Item::Value(Value::InlineTable(entry))
}

/// Calls a function with every text of an item.
fn each_text(item: &mut Item, change: &mut dyn FnMut(&mut String)) {
    match item {
        Item::Value(value) => each_text_of_value(value, change),
        Item::Table(table) => table.iter_mut().for_each(|(_, item)| each_text(item, change)),
        Item::ArrayOfTables(tables) => {
            tables
                .iter_mut()
                .for_each(|table| table.iter_mut().for_each(|(_, item)| each_text(item, change)));
        }
        Item::None => {}
    }
}

fn each_text_of_value(value: &mut Value, change: &mut dyn FnMut(&mut String)) {
    match value {
        Value::String(text) => {
            let mut changed = text.value().clone();
            change(&mut changed);
            if changed != *text.value() {
                let decor = text.decor().clone();
                *text = Formatted::new(changed);
                *text.decor_mut() = decor;
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|value| each_text_of_value(value, change)),
        Value::InlineTable(table) => {
            table.iter_mut().for_each(|(_, value)| each_text_of_value(value, change));
        }
        _ => {}
    }
}

/// Gives a piece another letter wherever one of the tables names it.
fn rename(item: &mut Item, table: &str, old: char, new: char) {
    let (from, to) = (old.to_string(), new.to_string());
    if let Some(with) = item.get_mut("with").and_then(Item::as_table_mut)
        && let Some(landings) = with.remove(&from)
    {
        with.insert(&to, landings);
    }
    // The letter O is also how castling is written.
    if table == "castling" && old == 'O' {
        return;
    }
    each_text(item, &mut |text| {
        // Of a FEN only the placement names pieces, Black's in lower case.
        let (placement, rest) = match text.split_once(' ') {
            Some((placement, rest)) if placement.contains('/') => (placement, format!(" {rest}")),
            _ => (text.as_str(), String::new()),
        };
        let is_fen = !rest.is_empty();
        let letter = |letter: char| match letter {
            letter if letter == old => new,
            letter if is_fen && letter == old.to_ascii_lowercase() => new.to_ascii_lowercase(),
            other => other,
        };
        *text = placement.chars().map(letter).collect::<String>() + &rest;
    });
}

/// The rank of an army that is shuffled.
fn first_rank_of(item: &mut Item, shuffled: usize) -> Option<String> {
    match item.as_array() {
        Some(ranks) => ranks.get(shuffled)?.as_str().map(String::from),
        None => item.as_str().map(String::from),
    }
}

/// The place of the dot nearest to a place.
fn nearest_dot(text: &str, middle: usize) -> usize {
    let dots = text.char_indices().filter(|&(_, letter)| letter == '.').map(|(at, _)| at);
    dots.min_by_key(|at| at.abs_diff(middle)).unwrap_or(middle)
}

/// Puts a letter into the shuffled rank of an army, on an empty file or between two; the other ranks get a pawn more or an empty
/// file.
fn insert(item: &mut Item, shuffled: usize, at: usize, letter: char, on_empty: bool) {
    let mut row = 0;
    let is_list = item.is_array();
    each_text(item, &mut |text| {
        let is_shuffled = !is_list || row == shuffled;
        row += 1;
        let pawns = text.contains('P') && text.chars().all(|letter| matches!(letter, 'P' | '.'));
        let letter = if is_shuffled {
            letter
        } else if pawns {
            'P'
        } else {
            '.'
        };
        let at = at.min(text.len());
        match (on_empty, is_shuffled) {
            (true, true) => text.replace_range(at..=at, &letter.to_string()),
            (true, false) if pawns => text.replace_range(at..=at, "P"),
            (true, false) => {}
            (false, _) => text.insert(at, letter),
        }
    });
}

/// Moves the files on which king and partner land where the board has got a file more before them.
fn move_landings(castling: &mut Item, at: usize) {
    let Some(table) = castling.as_table_like_mut() else { return };
    for (key, item) in table.iter_mut() {
        match key.get() {
            "king" | "partner" => each_text(item, &mut |text| {
                if let [file @ b'a'..=b'p'] = text.as_bytes()
                    && (file - b'a') as usize >= at
                {
                    *text = ((file + 1) as char).to_string();
                }
            }),
            _ => move_landings(item, at),
        }
    }
}
