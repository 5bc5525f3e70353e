//! Pickles: what `__reduce__` returns.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// How an object is made again: a function, and what it is called with.
pub type Reduced<'py> = (Bound<'py, PyAny>, Bound<'py, PyTuple>);

/// An object that a function of `backrank._pickling` makes again.
pub fn reduced<'py>(
    py: Python<'py>,
    function: &str,
    arguments: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
) -> PyResult<Reduced<'py>> {
    Ok((py.import("backrank._pickling")?.getattr(function)?, arguments.into_pyobject(py)?))
}
