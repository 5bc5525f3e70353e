//! Errors as Python's exceptions: `ValueError` for wrong input, `OSError` for files, `RuntimeError` for the rest.

use std::fmt::Display;

use backrank_analysis::AnalysisError;
use backrank_experiment::{ExperimentError, explained};
use backrank_selfplay::import::ImportError;
use backrank_selfplay::store::StoreError;
use pyo3::PyErr;
use pyo3::exceptions::{PyKeyboardInterrupt, PyOSError, PyRuntimeError, PyValueError};

/// Wrong input.
pub fn wrong(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Something else went wrong.
pub fn failed(error: impl Display) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

/// What is wrong with a study.
pub fn of_study(error: StoreError) -> PyErr {
    match error {
        StoreError::Read { .. } | StoreError::Write { .. } => PyOSError::new_err(error.to_string()),
        StoreError::Locked(_) => failed(error),
        error => wrong(explained(error)),
    }
}

/// What is wrong with an experiment.
pub fn of_experiment(error: ExperimentError) -> PyErr {
    match error {
        ExperimentError::Study(error) => of_study(error),
        ExperimentError::Analysis(error) => of_analysis(error),
        ExperimentError::Run(error) => failed(error),
        error => wrong(error),
    }
}

/// Why studies cannot be analysed.
pub fn of_analysis(error: AnalysisError) -> PyErr {
    match error {
        AnalysisError::Study(error) => of_study(error),
        error => wrong(error),
    }
}

/// Why games cannot be imported.
pub fn of_import(error: ImportError) -> PyErr {
    match error {
        ImportError::Study(error) => of_study(error),
        ImportError::Read { .. } => PyOSError::new_err(error.to_string()),
        ImportError::Stopped => PyKeyboardInterrupt::new_err(error.to_string()),
        error => wrong(error),
    }
}
