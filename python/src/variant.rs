//! Variants.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use backrank_rules::{Rules, Variant, catalogue};
use pyo3::prelude::*;

use crate::errors::wrong;
use crate::pickling::{Reduced, reduced};

/// The catalogue's games by their keys.
static CATALOGUE: LazyLock<HashMap<String, Arc<Variant>>> =
    LazyLock::new(|| catalogue().map(|variant| (variant.key.clone(), Arc::new(variant))).collect());

/// A game: by its key, or by the path of its file.
///
/// >>> Variant("pmrc").name
/// 'Pseudo-Modern Random Chess'
#[pyclass(name = "Variant", module = "backrank", frozen, from_py_object)]
#[derive(Clone)]
pub struct PyVariant(pub Arc<Variant>);

/// A variant as functions take it: a key, the path of a file, or a `Variant`.
#[derive(FromPyObject)]
pub enum VariantArg {
    Variant(PyVariant),
    Name(String),
    Path(PathBuf),
}

impl VariantArg {
    pub fn find(self) -> PyResult<Arc<Variant>> {
        match self {
            Self::Variant(variant) => Ok(variant.0),
            Self::Name(name) => Ok(Arc::new(Variant::find(&name).map_err(wrong)?)),
            Self::Path(path) => Ok(Arc::new(Variant::open(&path).map_err(wrong)?)),
        }
    }
}

/// The rules of a variant. Positions borrow them, so they are made once for each text of a variant and kept.
pub fn rules_of(variant: &Variant, adjustment: bool) -> PyResult<&'static Rules> {
    static RULES: Mutex<Option<HashMap<(String, bool), &'static Rules>>> = Mutex::new(None);
    if variant.count_only {
        let key = &variant.key;
        return Err(wrong(format!("{key} is counted and listed only: its file says `count_only = true`")));
    }
    let mut all = RULES.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (format!("{}\n{}", variant.key, variant.text()), adjustment);
    Ok(all.get_or_insert_default().entry(key).or_insert_with(|| {
        let rules = Rules::new(variant);
        Box::leak(Box::new(if adjustment { rules } else { rules.without_adjustment() }))
    }))
}

#[pymethods]
impl PyVariant {
    #[new]
    fn new(variant: VariantArg) -> PyResult<Self> {
        Ok(Self(variant.find()?))
    }

    /// The game of a variant file.
    #[staticmethod]
    fn from_file(path: PathBuf) -> PyResult<Self> {
        Ok(Self(Arc::new(Variant::open(&path).map_err(wrong)?)))
    }

    #[getter]
    fn key(&self) -> &str {
        &self.0.key
    }

    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// Where its rules come from.
    #[getter]
    fn source(&self) -> &str {
        &self.0.source
    }

    #[getter]
    fn files(&self) -> usize {
        self.0.board.files()
    }

    #[getter]
    fn ranks(&self) -> usize {
        self.0.board.ranks()
    }

    /// Whether its setups are counted and listed, but the game is not played.
    #[getter]
    fn count_only(&self) -> bool {
        self.0.count_only
    }

    /// The text of its file.
    #[getter]
    fn text(&self) -> &str {
        self.0.text()
    }

    /// The letters of the pieces and how they move, in Betza's notation.
    #[getter]
    fn pieces(&self) -> Vec<(char, String)> {
        self.0.pieces.iter().map(|piece| (piece.letter.as_char(), piece.betza.to_string())).collect()
    }

    fn __repr__(&self) -> String {
        format!("Variant({:?})", self.0.key)
    }

    /// Games of the catalogue are pickled by their keys: a list of setups then does not hold the text as many times.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let known = CATALOGUE.get(&self.0.key).filter(|known| known.text() == self.0.text());
        reduced(py, "variant", (self.0.key.clone(), known.is_none().then(|| self.0.text().to_string())))
    }

    #[staticmethod]
    fn _unpickled(key: &str, text: Option<&str>) -> PyResult<Self> {
        Ok(Self(match (text, CATALOGUE.get(key)) {
            (Some(text), _) => Arc::new(Variant::parse(key, "the pickle", text).map_err(wrong)?),
            (None, Some(known)) => Arc::clone(known),
            (None, None) => return Err(wrong(format!("this version has no game `{key}`"))),
        }))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0.key == other.0.key && self.0.text() == other.0.text()
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        (&self.0.key, self.0.text()).hash(&mut hasher);
        hasher.finish()
    }
}

/// The catalogue.
#[pyfunction]
pub fn variants() -> Vec<PyVariant> {
    catalogue().map(|variant| PyVariant(Arc::new(variant))).collect()
}
