//! Checking that a study or an atlas is continued with the options that it was begun with.

use std::fmt;
use std::path::Path;

use super::definition::Study;
use super::differences::NOTHING;
use super::error::StudyError;

/// What a run can continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Continued {
    /// A study.
    Study,
    /// An atlas.
    Atlas,
}

impl Continued {
    pub(super) fn with_article(self) -> &'static str {
        match self {
            Self::Study => "a study",
            Self::Atlas => "an atlas",
        }
    }

    /// Checks that there are no differences between what was begun in a directory and what is to be continued.
    pub(crate) fn check_unchanged(self, path: &Path, differences: &[[String; 3]]) -> Result<(), StudyError> {
        let path = path.to_path_buf();
        let is_engine = |name: &str| name.rsplit('.').next() == Some("fingerprint");
        match differences {
            [] => Ok(()),
            [[_, was, is], ..] if differences.iter().all(|[name, ..]| is_engine(name)) => {
                let was = Some(was.clone()).filter(|was| was != NOTHING);
                Err(StudyError::OtherEngine { what: self, path, was, is: is.clone() })
            }
            _ => {
                let line =
                    |[name, begun, now]: &[String; 3]| format!("\n  {name}: begun with {begun}, now {now}");
                Err(StudyError::OtherOptions {
                    what: self,
                    path,
                    lines: differences.iter().map(line).collect(),
                })
            }
        }
    }
}

impl fmt::Display for Continued {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Study => "study",
            Self::Atlas => "atlas",
        })
    }
}

impl Study {
    /// Checks that this study, which was begun in a directory, is continued with the same options.
    ///
    /// # Errors
    ///
    /// When the two studies differ. The error names the differences.
    pub fn check_unchanged(&self, path: &Path, now: &Self) -> Result<(), StudyError> {
        Continued::Study.check_unchanged(path, &self.differences(now))
    }
}
