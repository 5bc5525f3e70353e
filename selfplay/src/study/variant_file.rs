//! The variant of a study, in its `study.toml` or in a file that several studies share.
//!
//! An experiment has hundreds of studies of one variant. They can name a file in the folder around them, which is called by the
//! variant and the SHA-256 of its text: `file = "../pmrc-1a2b3c4d.toml"`. A study's file says nothing about any other place: what
//! it names is beside it or in the folder above, and is read only if it is a regular file with the text of that SHA-256.

use std::io;
use std::path::{Component, Path};

use backrank_rules::Variant;
use backrank_rules::files::{MAX_TEXT, read_text};
use serde::{Deserialize, Serialize};

use super::spec::VariantText;
use crate::store::{durable, sha256};

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

/// The folders in which a study's variant can be, from its directory.
const FOLDERS: [&str; 2] = ["", "../"];

/// The name of the file for a variant's text.
fn name(key: &str, sha256: &str) -> String {
    format!("{key}-{}.toml", sha256.get(..8).unwrap_or(sha256))
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
        match FOLDERS.map(|folder| format!("{folder}{name}")).into_iter().find(is_there) {
            Some(file) => Self { text: None, file: Some(file), ..self },
            None => self,
        }
    }
}

fn read(file: &str, key: &str, hash: &str, directory: &Path) -> Result<String, String> {
    let name = name(key, hash);
    let is_name = matches!(Path::new(&name).components().collect::<Vec<_>>()[..], [Component::Normal(_)]);
    if !is_name || !FOLDERS.iter().any(|folder| file.strip_prefix(folder) == Some(&name)) {
        return Err(format!("it must be {name} or ../{name}"));
    }
    let path = match file.strip_prefix(FOLDERS[1]) {
        None => directory.join(&name),
        Some(_) => directory.join("..").join(&name),
    };
    let found = path.symlink_metadata().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            "it is not there; a study needs it beside its directory, wherever that is moved".to_string()
        }
        _ => error.to_string(),
    })?;
    if found.is_symlink() {
        return Err("it is a symbolic link, and could lead out of the folder".to_string());
    }
    let text = read_text(&path, MAX_TEXT).map_err(|error| error.to_string())?;
    match sha256(text.as_bytes()) == hash {
        true => Ok(text),
        false => {
            Err("its SHA-256 is not variant.sha256, so it was edited; put a copy of it back".to_string())
        }
    }
}

impl VariantText {
    /// Writes the variant to a file in a folder, which studies in that folder, and directly below it, name from then on instead
    /// of repeating the text. If the file is there already, nothing is written.
    ///
    /// # Errors
    ///
    /// When the file cannot be written, or another one has its name.
    pub fn share(variant: &Variant, folder: &Path) -> io::Result<()> {
        let VariantText { key, sha256, text } = Self::new(variant);
        let name = name(&key, &sha256);
        let path = folder.join(&name);
        if path.symlink_metadata().is_err() {
            durable::create_folder(folder)?;
            durable::write_whole(&path, &text)?;
        }
        let check = read(&name, &key, &sha256, folder).map(|_| ());
        check.map_err(|problem| io::Error::other(format!("{}: {problem}", path.display())))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::definition::Study;

    use super::super::directory::StudyDirectory;
    use super::super::setup_choice::SetupChoice;
    use super::super::spec::StudySpec;
    use super::*;

    fn chess() -> Variant {
        Variant::find("chess").unwrap()
    }

    fn study() -> Study {
        Study::new(StudySpec::new(&chess(), SetupChoice::All.into(), "lex", 1)).unwrap()
    }

    /// A folder with the variant's file and a study below it; the paths of both files.
    fn shared(folder: &Path) -> [std::path::PathBuf; 2] {
        VariantText::share(&chess(), folder).unwrap();
        drop(StudyDirectory::create(&folder.join("one"), &study()).unwrap());
        let file = folder.join(name("chess", &study().variant.sha256));
        [file, folder.join("one/study.toml")]
    }

    #[test]
    fn studies_of_a_folder_name_one_file_and_are_the_same_studies() {
        let folder = tempfile::tempdir().unwrap();
        let alone = tempfile::tempdir().unwrap();
        drop(StudyDirectory::create(alone.path(), &study()).unwrap());
        let [file, toml] = shared(folder.path());
        let text = fs::read_to_string(&toml).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), study().variant.text);
        assert!(text.ends_with(&format!("file = \"../{}\"\n", file.file_name().unwrap().to_string_lossy())));
        assert!(!text.contains("text = "), "{text}");
        for path in [folder.path().join("one"), alone.path().to_path_buf()] {
            assert_eq!(StudyDirectory::read(&path).unwrap(), study());
            drop(StudyDirectory::create_or_open(&path, &study()).unwrap());
        }
        // Once more, in the folder itself, and too far below it.
        VariantText::share(&chess(), folder.path()).unwrap();
        for (path, says) in [("", "file = \"chess-"), ("two/three", "text = ")] {
            drop(StudyDirectory::create(&folder.path().join(path), &study()).unwrap());
            let text = fs::read_to_string(folder.path().join(path).join("study.toml")).unwrap();
            assert!(text.contains(says), "{path}: {text}");
        }
    }

    #[test]
    fn a_file_that_is_not_there_or_not_the_variants_is_refused_with_a_sentence() {
        type Damage = fn(&Path, &Path);
        let cases: [(Damage, &str); 9] = [
            (|file, _| fs::remove_file(file).unwrap(), "it is not there; a study needs it beside"),
            (|file, _| fs::write(file, "[board]\n").unwrap(), "its SHA-256 is not variant.sha256"),
            (|file, _| fs::write(file, b"\xff").unwrap(), "UTF-8"),
            (
                |file, _| {
                    fs::remove_file(file).unwrap();
                    fs::create_dir(file).unwrap();
                },
                "is a directory",
            ),
            (|_, toml| replace(toml, "file = \"../", "file = \"../../"), "it must be chess-"),
            (|_, toml| replace(toml, "file = \"../", "file = \"/tmp/"), "it must be chess-"),
            (|_, toml| replace(toml, "file = \"../chess-", "file = \"../chesz-"), "it must be chess-"),
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
        // The study alone, moved elsewhere; and a text that was cut off, which the command that began it repairs.
        let [folder, elsewhere] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let [_, toml] = shared(folder.path());
        let moved = elsewhere.path().join("study");
        fs::rename(toml.parent().unwrap(), &moved).unwrap();
        assert!(StudyDirectory::read(&moved).unwrap_err().to_string().contains("it is not there"));
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
        assert!(
            VariantText::share(&chess(), folder.path()).unwrap_err().to_string().contains("symbolic link")
        );
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
