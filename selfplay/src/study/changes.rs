//! Whether a study is still the one that was begun.

use std::path::Path;

use super::definition::Study;
use super::differences::lines_of;
use super::error::StudyError;

impl Study {
    /// Refuses to continue a study, begun in a directory, with anything else than it was begun with.
    ///
    /// # Errors
    ///
    /// When the two differ. The error names what does.
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
