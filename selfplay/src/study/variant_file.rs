//! The variant of a study, in its `study.toml` or in a file that several studies share.
//!
//! An experiment has hundreds of studies of one variant. They name a file in its directory, which is called by the variant and the
//! SHA-256 of its text: `file = "../../pmrc-1a2b3c4d.toml"`. A study's file says nothing about any other place: what it names is
//! beside it or in one of the folders around it, and is read only if it is a regular file with the text of that SHA-256. A study
//! that was moved elsewhere also finds it beside its `study.toml`.

use std::io;
use std::path::{Component, Path};

use backrank_rules::files::{MAX_TEXT, read_text};
use serde::{Deserialize, Serialize};

use super::spec::VariantText;
use crate::store::{StoreError, sha256, write_whole};

/// The table `variant` of a `study.toml`: the text, or the file that holds it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "RawRecord")]
pub struct VariantRecord {
    pub key: String,
    pub sha256: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRecord {
    key: String,
    sha256: String,
    text: Option<String>,
    file: Option<String>,
}

impl TryFrom<RawRecord> for VariantRecord {
    type Error = &'static str;

    fn try_from(RawRecord { key, sha256, text, file }: RawRecord) -> Result<Self, Self::Error> {
        match (&text, &file) {
            // As of any other field, so that a file that was cut off here is known to be damaged.
            (None, None) => Err("missing field `text`"),
            (Some(_), Some(_)) => Err("there are both `text` and `file`, which says where the text is"),
            _ => Ok(Self { key, sha256, text, file }),
        }
    }
}

/// How many folders further up the file can be: that of an experiment, from the parts of its tasks (`tasks/17/odds/Q-M`).
const MOST_UP: usize = 4;

/// The most bytes of a key in the name of the file, so that no key makes a name that is too long.
const MOST_OF_KEY: usize = 200;

/// The name of the file for a variant's text.
fn name(key: &str, sha256: &str) -> String {
    let (key, hash) = (&key[..key.floor_char_boundary(MOST_OF_KEY)], sha256.get(..8).unwrap_or(sha256));
    format!("{key}-{hash}.toml")
}

/// Whether a file is called as one for a variant's text.
pub(super) fn is_name(name: &str) -> bool {
    let parts = name.strip_suffix(".toml").and_then(|name| name.rsplit_once('-'));
    let is_hash = |hash: &str| hash.len() == 8 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    parts.is_some_and(|(_, hash)| is_hash(hash))
}

impl VariantRecord {
    /// The text, from the file that a study in this directory names.
    ///
    /// # Errors
    ///
    /// When the file is not there, or not that of this variant. The text says what is wrong.
    pub fn read(self, directory: &Path) -> Result<VariantText, String> {
        let Self { key, sha256, text, file } = self;
        let text = match (text, file) {
            (Some(text), _) => text,
            (None, Some(file)) => read(&file, &key, &sha256, directory)
                .map_err(|problem| format!("variant.file = {file}: {problem}"))?,
            (None, None) => return Err("variant.text is missing".to_string()),
        };
        Ok(VariantText { key, sha256, text })
    }

    /// The record without the text, if a study in this directory finds it in a file.
    pub fn naming_file(self, directory: &Path) -> Self {
        let name = name(&self.key, &self.sha256);
        let is_there = |file: &String| read(file, &self.key, &self.sha256, directory).is_ok();
        match (0..=MOST_UP).map(|up| "../".repeat(up) + &name).find(is_there) {
            Some(file) => Self { text: None, file: Some(file), ..self },
            None => self,
        }
    }

    /// Whether it names the file of this variant.
    pub fn names_file_of(&self, variant: &VariantText) -> bool {
        self.file.is_some() && (&self.key, &self.sha256) == (&variant.key, &variant.sha256)
    }
}

fn read(file: &str, key: &str, hash: &str, directory: &Path) -> Result<String, String> {
    let name = name(key, hash);
    let is_name = matches!(Path::new(&name).components().collect::<Vec<_>>()[..], [Component::Normal(_)]);
    let Some(up) = (0..=MOST_UP).find(|&up| is_name && file == "../".repeat(up) + &name) else {
        return Err(format!("it must be {name}, in the study's directory or up to {MOST_UP} folders above"));
    };
    let place = directory.join("../".repeat(up)).join(&name);
    read_whole(&place, hash).or_else(|error| match error.kind() {
        io::ErrorKind::NotFound => read_whole(&directory.join(&name), hash).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => format!(
                "it is not there; put it back, or if the study was moved out of its experiment, put a copy of the \
                 experiment's {name} beside study.toml"
            ),
            _ => error.to_string(),
        }),
        _ => Err(error.to_string()),
    })
}

/// Reads a file with the text of a variant.
fn read_whole(path: &Path, hash: &str) -> io::Result<String> {
    let wrong = |problem| Err(io::Error::new(io::ErrorKind::InvalidData, problem));
    if path.symlink_metadata()?.is_symlink() {
        return wrong("it is a symbolic link, and could lead out of the folder".to_string());
    }
    let text = read_text(path, MAX_TEXT)?;
    match sha256(text.as_bytes()) == hash {
        true => Ok(text),
        false => wrong(format!(
            "it is no longer the file whose SHA-256 is {hash}; put a copy of that back, or remove this one: the command that \
             began the experiment writes it again"
        )),
    }
}

impl VariantText {
    /// Writes the variant to a file in a folder, which studies that are created in that folder, and in those below it, name
    /// instead of repeating the text. The file is on the disk then. If it is there already, nothing is written.
    ///
    /// # Errors
    ///
    /// When the file cannot be written, or another one has its name.
    pub fn share(&self, folder: &Path) -> Result<(), StoreError> {
        let path = folder.join(name(&self.key, &self.sha256));
        if path.symlink_metadata().is_err() {
            write_whole(&path, &self.text)?;
        }
        read_whole(&path, &self.sha256).map(drop).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => StoreError::Variant { path, problem: error.to_string() },
            _ => StoreError::reading(&path)(error),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use backrank_rules::Variant;

    use super::super::definition::Study;
    use super::super::directory::StudyDirectory;
    use super::super::setup_choice::SetupChoice;
    use super::super::spec::StudySpec;
    use super::*;

    fn study() -> Study {
        let chess = Variant::find("chess").unwrap();
        Study::new(StudySpec::new(&chess, SetupChoice::All.into(), "lex", 1)).unwrap()
    }

    /// A folder with the variant's file and a study in a folder of studies below it; the paths of both files.
    fn shared(folder: &Path) -> [std::path::PathBuf; 2] {
        study().variant.share(folder).unwrap();
        drop(StudyDirectory::create(&folder.join("odds/one"), &study()).unwrap());
        [folder.join(name("chess", &study().variant.sha256)), folder.join("odds/one/study.toml")]
    }

    #[test]
    fn studies_of_a_folder_name_one_file_and_are_the_same_studies() {
        let folder = tempfile::tempdir().unwrap();
        let alone = tempfile::tempdir().unwrap();
        drop(StudyDirectory::create(alone.path(), &study()).unwrap());
        let [file, toml] = shared(folder.path());
        let text = fs::read_to_string(&toml).unwrap();
        let name = file.file_name().unwrap().to_string_lossy();
        assert_eq!(fs::read_to_string(&file).unwrap(), study().variant.text);
        assert!(text.ends_with(&format!("file = \"../../{name}\"\n")) && !text.contains("text = "), "{text}");
        for path in [folder.path().join("odds/one"), alone.path().to_path_buf()] {
            assert_eq!(StudyDirectory::read(&path).unwrap(), study());
            drop(StudyDirectory::create_or_open(&path, &study()).unwrap());
        }
        // Once more, in the folder itself, in the deepest that names it, and too far below it.
        study().variant.share(folder.path()).unwrap();
        for (path, says) in [
            ("", "\nfile = \"chess-"),
            ("tasks/1/odds/one", "\nfile = \"../../../../chess-"),
            ("tasks/1/odds/one/two", "\ntext = "),
        ] {
            let path = folder.path().join(path);
            drop(StudyDirectory::create(&path, &study()).unwrap());
            let text = fs::read_to_string(path.join("study.toml")).unwrap();
            assert!(text.contains(says), "{}: {text}", path.display());
            assert_eq!(StudyDirectory::read(&path).unwrap(), study());
        }
        for (path, is_own) in [(&*file, true), (&folder.path().join("chess.toml"), false)] {
            assert_eq!(StudyDirectory::of_file(path).is_some(), is_own);
        }
        // It is written again if it is lost, and only where it is named.
        fs::remove_file(&file).unwrap();
        for (path, is_there) in [(alone.path(), false), (folder.path(), true)] {
            StudyDirectory::restore_variant(path, &study().variant).unwrap();
            assert_eq!(path.join(&*name).exists(), is_there);
        }
    }

    #[test]
    fn no_key_makes_a_name_that_is_too_long() {
        let key = "é".repeat(125);
        assert!(name(&key, "0123456789abcdef").ends_with("é-01234567.toml"));
        for (name, is) in [(&*name(&key, "01234567"), true), ("chess.toml", false), ("a-b.toml", false)] {
            assert!(name.len() <= 255 && is_name(name) == is, "{name}");
        }
    }

    #[test]
    fn a_file_that_is_not_there_or_not_the_variants_is_refused_with_a_sentence() {
        type Damage = fn(&Path, &Path);
        let cases: [(Damage, &str); 9] = [
            (
                |file, _| fs::remove_file(file).unwrap(),
                "it is not there; put it back, or if the study was moved",
            ),
            (|file, _| fs::write(file, "[board]\n").unwrap(), "it is no longer the file whose SHA-256 is "),
            (|file, _| fs::write(file, b"\xff").unwrap(), "UTF-8"),
            (
                |file, _| {
                    fs::remove_file(file).unwrap();
                    fs::create_dir(file).unwrap();
                },
                "is a directory",
            ),
            (|_, toml| replace(toml, "file = \"", "file = \"../../../"), "it must be chess-"),
            (|_, toml| replace(toml, "file = \"../", "file = \"/tmp/"), "it must be chess-"),
            (|_, toml| replace(toml, "../chess-", "../chesz-"), "it must be chess-"),
            (|_, toml| replace(toml, "key = \"chess\"", "key = \"../chess\""), "it must be "),
            (|_, toml| replace(toml, "\nfile = ", "\ntext = \"\"\nfile = "), "both `text` and `file`"),
        ];
        for (damage, says) in cases {
            let folder = tempfile::tempdir().unwrap();
            let [file, toml] = shared(folder.path());
            damage(&file, &toml);
            let error = StudyDirectory::read(toml.parent().unwrap()).unwrap_err().to_string();
            assert!(error.contains("study.toml is not a study: ") && error.contains(says), "{error}");
        }
    }

    #[test]
    fn a_study_that_was_moved_takes_the_file_with_it() {
        let [folder, elsewhere] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let [file, toml] = shared(folder.path());
        let moved = elsewhere.path().join("study");
        fs::rename(toml.parent().unwrap(), &moved).unwrap();
        let (error, name) =
            (StudyDirectory::read(&moved).unwrap_err().to_string(), file.file_name().unwrap());
        let says = format!("put a copy of the experiment's {} beside study.toml", name.to_string_lossy());
        assert!(error.contains("variant.file = ../../chess-") && error.ends_with(&says), "{error}");
        fs::copy(&file, moved.join(name)).unwrap();
        assert_eq!(StudyDirectory::read(&moved).unwrap(), study());
        // A text that was cut off, which the command that began it repairs.
        let text = fs::read_to_string(moved.join("study.toml")).unwrap();
        fs::write(moved.join("study.toml"), text.split("file = ").next().unwrap()).unwrap();
        assert!(StudyDirectory::is_torn_in(&moved));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_not_followed_and_not_written_through() {
        let folder = tempfile::tempdir().unwrap();
        let [file, toml] = shared(folder.path());
        let elsewhere = folder.path().join("elsewhere");
        fs::rename(&file, &elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &file).unwrap();
        let error = StudyDirectory::read(toml.parent().unwrap()).unwrap_err().to_string();
        assert!(error.contains("it is a symbolic link"), "{error}");
        assert!(study().variant.share(folder.path()).unwrap_err().to_string().contains("symbolic link"));
        // Studies repeat the text then.
        drop(StudyDirectory::create(&folder.path().join("two"), &study()).unwrap());
        assert_eq!(StudyDirectory::read(&folder.path().join("two")).unwrap(), study());
    }

    fn replace(path: &Path, from: &str, to: &str) {
        let text = fs::read_to_string(path).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(path, text.replace(from, to)).unwrap();
    }
}
