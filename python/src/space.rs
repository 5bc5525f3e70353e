//! Spaces and setups.

use std::sync::Arc;

use backrank_enumerate::{Constraint, Drawn, Numbering, Space};
use backrank_rules::{Diagram, File, FirstRank, Setup, StartFen, Variant};
use pyo3::exceptions::{PyIndexError, PyMemoryError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PySlice};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::errors::wrong;
use crate::pickling::{Reduced, reduced};
use crate::variant::{PyVariant, VariantArg};

/// All the setups of a variant, in the order of a numbering.
///
/// >>> space = Space("chess960")
/// >>> len(space), space[518].white, space.index("RNBQKBNR")
/// (960, 'RNBQKBNR', 518)
/// >>> [setup.id for setup in space[::-400]]
/// [959, 559, 159]
/// >>> [setup.id for setup in space.draw("City Open 2026, round 3", 3)]
/// [911, 928, 244]
#[pyclass(name = "Space", module = "backrank", frozen)]
pub struct PySpace {
    pub variant: Arc<Variant>,
    pub space: Arc<Space>,
    constraints: Vec<String>,
    numbering: Numbering,
}

/// A starting arrangement. A notebook shows its board.
#[pyclass(name = "Setup", module = "backrank", frozen, from_py_object)]
#[derive(Clone)]
pub struct PySetup {
    pub variant: Arc<Variant>,
    pub setup: Setup,
    #[pyo3(get)]
    id: u128,
}

/// A rank or a FEN as text, or a `Setup`.
#[derive(FromPyObject)]
pub enum SetupArg {
    Setup(PySetup),
    Text(String),
}

/// An index: an id, or a slice of ids.
#[derive(FromPyObject)]
enum IndexArg<'py> {
    Id(i128),
    Slice(Bound<'py, PySlice>),
}

#[pyclass]
struct SetupIterator {
    space: Py<PySpace>,
    next: u128,
}

impl PySpace {
    /// The space of a variant in its default numbering.
    pub fn of(variant: Arc<Variant>) -> PyResult<Self> {
        Self::create(variant, Vec::new(), None)
    }

    fn create(variant: Arc<Variant>, constraints: Vec<String>, numbering: Option<&str>) -> PyResult<Self> {
        let read: Result<Vec<Constraint>, _> = constraints.iter().map(|text| text.parse()).collect();
        let space = Space::narrowed(&variant, &read.map_err(wrong)?).map_err(wrong)?;
        let numbering = match numbering {
            None => space.default_numbering().clone(),
            Some(name) => space.numbering(name).cloned().ok_or_else(|| {
                let known: Vec<&str> = space.numberings().iter().map(Numbering::name).collect();
                wrong(format!("no numbering `{name}` here; there is {}", known.join(", ")))
            })?,
        };
        Ok(Self { variant, space: Arc::new(space), constraints, numbering })
    }

    fn setup(&self, id: u128) -> Option<PySetup> {
        let setup = self.space.unrank_by(&self.numbering, id)?;
        Some(PySetup { variant: Arc::clone(&self.variant), setup, id })
    }

    /// Rejects a number of setups that cannot be drawn.
    fn check_number(&self, n: usize, distinct: bool) -> PyResult<()> {
        let (key, setups) = (&self.variant.key, self.space.len());
        if n > 0 && setups == 0 {
            return Err(wrong(format!("{key} has no setups")));
        }
        if distinct && n as u128 > setups {
            return Err(wrong(format!("{n} distinct setups cannot be drawn: {key} has {setups}")));
        }
        Ok(())
    }

    /// The setup with an id, which counts from the end if it is negative.
    pub fn at(&self, id: i128) -> PyResult<PySetup> {
        let length = self.space.len();
        let from_start = if id < 0 { length as i128 + id } else { id };
        let setup = u128::try_from(from_start).ok().and_then(|id| self.setup(id));
        setup.ok_or_else(|| {
            let key = &self.variant.key;
            PyIndexError::new_err(format!("no setup {id}: {key} has {length} setups, with ids from 0"))
        })
    }
}

#[pymethods]
impl PySpace {
    #[new]
    #[pyo3(signature = (variant, *, numbering=None))]
    fn new(variant: VariantArg, numbering: Option<&str>) -> PyResult<Self> {
        Self::create(variant.find()?, Vec::new(), numbering)
    }

    #[getter]
    fn variant(&self) -> PyVariant {
        PyVariant(Arc::clone(&self.variant))
    }

    #[getter]
    fn numbering(&self) -> &str {
        self.numbering.name()
    }

    #[getter]
    fn numberings(&self) -> Vec<&str> {
        self.space.numberings().iter().map(Numbering::name).collect()
    }

    #[getter]
    fn constraints(&self) -> Vec<String> {
        self.constraints.clone()
    }

    fn __len__(&self) -> PyResult<usize> {
        usize::try_from(self.space.len()).map_err(|_| wrong("there are more setups than Python can count"))
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: IndexArg<'py>) -> PyResult<Bound<'py, PyAny>> {
        match index {
            IndexArg::Id(id) => Ok(Bound::new(py, self.at(id)?)?.into_any()),
            IndexArg::Slice(slice) => {
                let indices = slice.indices(self.__len__()? as isize)?;
                let ids = (0..indices.slicelength).map(|place| indices.start + place as isize * indices.step);
                let setups = ids.filter_map(|id| self.setup(id as u128));
                Ok(list(py, indices.slicelength, setups)?.into_any())
            }
        }
    }

    fn __iter__(slf: Bound<'_, Self>) -> SetupIterator {
        SetupIterator { space: slf.unbind(), next: 0 }
    }

    fn __contains__(&self, setup: SetupArg) -> bool {
        self.index(setup).is_ok()
    }

    /// The id of a setup; of a text White's first rank, `WHITE/BLACK` where sides are independent, or the FEN of a starting
    /// position.
    fn index(&self, setup: SetupArg) -> PyResult<u128> {
        let setup = match setup {
            SetupArg::Setup(setup) => setup.setup,
            SetupArg::Text(text) => self.space.read_start(&self.variant, &text).map_err(wrong)?,
        };
        self.space.rank_by(&self.numbering, &setup).map_err(wrong)
    }

    /// The setups that satisfy more constraints, such as `opposite_colours="B,B"`. They get new ids.
    #[pyo3(name = "where", signature = (**constraints))]
    fn narrowed(&self, constraints: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut all = self.constraints.clone();
        for (name, value) in constraints.into_iter().flatten() {
            let name: String = name.extract()?;
            for value in values_of(&value)? {
                all.push(format!("{name}={value}"));
            }
        }
        Self::create(Arc::clone(&self.variant), all, None)
    }

    /// Setups drawn with equal probabilities, those of `backrank random` for the same seed; none twice if they are to be distinct.
    #[pyo3(signature = (n, seed=0, *, distinct=false))]
    fn random<'py>(
        &self,
        py: Python<'py>,
        n: usize,
        seed: u64,
        distinct: bool,
    ) -> PyResult<Bound<'py, PyList>> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        self.check_number(n, distinct)?;
        let setup = |(id, setup)| PySetup { variant: Arc::clone(&self.variant), setup, id };
        if distinct {
            return list(py, n, self.space.distinct_by(&self.numbering, &mut rng).take(n).map(setup));
        }
        list(py, n, (0..n).filter_map(|_| self.space.random_by(&self.numbering, &mut rng).map(setup)))
    }

    /// Distinct setups drawn from a phrase by SHA-256, those of `backrank draw`.
    #[pyo3(signature = (phrase, n=1))]
    fn draw<'py>(&self, py: Python<'py>, phrase: &str, n: usize) -> PyResult<Bound<'py, PyList>> {
        self.check_number(n, true)?;
        if phrase.is_empty() {
            return Err(wrong("the phrase is empty"));
        }
        let setup =
            |drawn: Drawn| PySetup { variant: Arc::clone(&self.variant), setup: drawn.setup, id: drawn.id };
        list(py, n, self.space.draw_by(&self.numbering, phrase).take(n).map(setup))
    }

    /// The columns `id`, `white`, `black` and `fen` of all setups, or of those with the ids from `start` to `end`.
    #[pyo3(signature = (start=0, end=None))]
    fn to_frame<'py>(&self, py: Python<'py>, start: u64, end: Option<u64>) -> PyResult<Bound<'py, PyAny>> {
        let (start, end) = (u128::from(start), end.map_or(self.space.len(), u128::from));
        let setups: Vec<Setup> = py.detach(|| self.space.range_by(&self.numbering, start..end).collect());
        let fen = StartFen::new(&self.variant);
        let columns = PyDict::new(py);
        let ids: Vec<u64> = (start as u64..).take(setups.len()).collect();
        columns.set_item("id", ids)?;
        let texts = |text: &dyn Fn(&Setup) -> String| setups.iter().map(text).collect::<Vec<String>>();
        columns.set_item("white", texts(&|setup| setup.white.to_string()))?;
        columns.set_item("black", texts(&|setup| setup.black.to_string()))?;
        columns.set_item("fen", texts(&|setup| fen.of(setup)))?;
        py.import("polars")?.call_method1("DataFrame", (columns,))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let arguments = (self.variant(), self.constraints.clone(), self.numbering.name().to_string());
        reduced(py, "space", arguments)
    }

    #[staticmethod]
    fn _unpickled(variant: PyVariant, constraints: Vec<String>, numbering: &str) -> PyResult<Self> {
        Self::create(variant.0, constraints, Some(numbering))
    }

    fn __repr__(&self) -> String {
        let narrowed: String = self.constraints.iter().map(|text| format!(", where {text}")).collect();
        format!("<Space of {}{narrowed}: {} setups>", self.variant.key, self.space.len())
    }
}

/// A list of so many setups. Ctrl-C ends it, and one that has no room in memory is not begun.
fn list<'py>(
    py: Python<'py>,
    length: usize,
    setups: impl Iterator<Item = PySetup>,
) -> PyResult<Bound<'py, PyList>> {
    /// Setups between looks for Ctrl-C.
    const AT_ONCE: usize = 4096;

    if Vec::<PySetup>::new().try_reserve_exact(length).is_err() {
        return Err(PyMemoryError::new_err(format!("{length} setups take more memory than there is")));
    }
    let list = PyList::empty(py);
    for (number, setup) in setups.enumerate() {
        if number.is_multiple_of(AT_ONCE) {
            py.check_signals()?;
        }
        list.append(Bound::new(py, setup)?)?;
    }
    Ok(list)
}

/// The texts of a constraint's value: a text, `True`, or a list of either.
fn values_of(value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if let Ok(flag) = value.extract::<bool>() {
        return Ok(vec![flag.to_string()]);
    }
    if let Ok(text) = value.extract::<String>() {
        return Ok(vec![text]);
    }
    value
        .extract::<Vec<String>>()
        .map_err(|_| PyTypeError::new_err("a constraint is a text, True, or a list of texts"))
}

#[pymethods]
impl SetupIterator {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self) -> Option<PySetup> {
        let setup = self.space.get().setup(self.next);
        self.next += 1;
        setup
    }
}

#[pymethods]
impl PySetup {
    #[getter]
    fn variant(&self) -> PyVariant {
        PyVariant(Arc::clone(&self.variant))
    }

    #[getter]
    fn white(&self) -> String {
        self.setup.white.to_string()
    }

    #[getter]
    fn black(&self) -> String {
        self.setup.black.to_string()
    }

    #[getter]
    fn fen(&self) -> String {
        StartFen::new(&self.variant).of(&self.setup)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        // Behind the letters are the files of the pawns that start on the farther of two ranks.
        let bytes = |rank: FirstRank| {
            let advanced = rank.advanced_pawns().map(|file| file.letter() as u8);
            let bytes: Vec<u8> = rank.as_bytes().iter().copied().chain(advanced).collect();
            PyBytes::new(py, &bytes).unbind()
        };
        let [white, black] = [self.setup.white, self.setup.black].map(bytes);
        reduced(py, "setup", (self.variant(), white, black, self.id))
    }

    #[staticmethod]
    fn _unpickled(variant: PyVariant, white: &[u8], black: &[u8], number: u128) -> PyResult<Self> {
        let files = variant.0.board.files();
        let rank = |bytes: &[u8]| {
            let (letters, advanced) = bytes.split_at_checked(files)?;
            let pawn = |&letter: &u8| {
                Some(File(letter.checked_sub(b'a')?)).filter(|file| usize::from(file.0) < files)
            };
            let advanced = advanced.iter().map(pawn).collect::<Option<Vec<_>>>()?;
            Some(FirstRank::new(letters)?.with_advanced_pawns(advanced))
        };
        let (Some(white), Some(black)) = (rank(white), rank(black)) else {
            return Err(wrong("the pickle does not hold first ranks of this game"));
        };
        Ok(Self { variant: variant.0, setup: Setup { white, black }, id: number })
    }

    fn __repr__(&self) -> String {
        format!("<Setup {} of {}: {}>", self.id, self.variant.key, self.__str__())
    }

    fn __str__(&self) -> String {
        match self.setup.white == self.setup.black {
            true => self.white(),
            false => format!("{}/{}", self.white(), self.black()),
        }
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.setup == other.setup && self.variant.key == other.variant.key
    }

    fn __hash__(&self) -> u64 {
        self.id as u64
    }

    fn _repr_svg_(&self) -> String {
        Diagram::of_setup(&self.variant, &self.setup).to_svg()
    }
}
