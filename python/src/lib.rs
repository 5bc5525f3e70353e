//! The Python package `backrank`: thin bindings of the crates. Long work runs without the interpreter's lock, and can
//! be ended by Ctrl-C.

mod atlas;
mod endgame;
mod errors;
mod experiment;
mod pickling;
mod position;
mod search;
mod space;
mod statistics;
mod study;
mod variant;
mod work;

use pyo3::prelude::*;

#[pymodule]
fn _backrank(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<variant::PyVariant>()?;
    module.add_class::<space::PySpace>()?;
    module.add_class::<space::PySetup>()?;
    module.add_class::<position::PyPosition>()?;
    module.add_class::<search::PyLine>()?;
    module.add_class::<search::PySearchResult>()?;
    module.add_function(wrap_pyfunction!(variant::variants, module)?)?;
    module.add_function(wrap_pyfunction!(search::search, module)?)?;
    module.add_function(wrap_pyfunction!(endgame::endgame, module)?)?;
    module.add_class::<statistics::PyEstimate>()?;
    module.add_function(wrap_pyfunction!(statistics::correlation, module)?)?;
    module.add_function(wrap_pyfunction!(statistics::published, module)?)?;
    module.add_function(wrap_pyfunction!(statistics::wilson, module)?)?;
    module.add_function(wrap_pyfunction!(atlas::make_atlas, module)?)?;
    module.add_function(wrap_pyfunction!(atlas::read_atlas, module)?)?;
    module.add_function(wrap_pyfunction!(atlas::atlas_statistics, module)?)?;
    module.add_function(wrap_pyfunction!(study::play, module)?)?;
    module.add_function(wrap_pyfunction!(study::import_pgn, module)?)?;
    module.add_function(wrap_pyfunction!(study::read_study, module)?)?;
    module.add_function(wrap_pyfunction!(study::values, module)?)?;
    module.add_function(wrap_pyfunction!(study::compare_values, module)?)?;
    module.add_function(wrap_pyfunction!(study::setup_statistics, module)?)?;
    module.add_function(wrap_pyfunction!(study::report, module)?)?;
    module.add_function(wrap_pyfunction!(experiment::begun_variant, module)?)?;
    module.add_function(wrap_pyfunction!(experiment::studies_within, module)?)?;
    module.add_function(wrap_pyfunction!(experiment::study, module)?)?;
    Ok(())
}

/// The name of the first instruction set that this processor lacks: its bytes go to `name`, its length is returned, 0 if
/// there is none. Python asks before it imports the module, whose own first function may need what is missing.
///
/// # Safety
///
/// `name` points to a pointer that can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn backrank_missing_instructions(name: *mut *const u8) -> usize {
    #[cfg(target_arch = "x86_64")]
    if let Some(missing) = backrank_rules::missing_instructions() {
        // SAFETY: the caller promises it.
        unsafe { *name = missing.as_ptr() };
        return missing.len();
    }
    0
}
