//! Checking that a study is continued with the options it was begun with.

use std::path::Path;

use super::definition::Study;
use super::differences::lines_of;
use super::error::StudyError;

impl Study {
    /// Checks that this study, which was begun in a directory, is continued with the same options.
    ///
    /// # Errors
    ///
    /// When the two studies differ. The error names the differences.
    pub fn check_unchanged(&self, path: &Path, now: &Self) -> Result<(), StudyError> {
        let differences = self.differences(now);
        if differences.is_empty() {
            return Ok(());
        }
        let path = path.to_path_buf();
        if differences.iter().all(|[name, ..]| name.ends_with(".fingerprint")) {
            let fingerprint = |study: &Self| {
                [&study.white, &study.black].into_iter().find_map(|player| player.fingerprint.clone())
            };
            return Err(StudyError::OtherEngine { path, was: fingerprint(self), is: fingerprint(now) });
        }
        Err(StudyError::OtherOptions { path, lines: lines_of(&differences) })
    }
}
