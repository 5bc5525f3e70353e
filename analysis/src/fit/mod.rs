//! Ordered logit of results on material.

mod bootstrap;
mod likelihood;
mod model;
mod network;
mod newton;
mod observations;
mod sandwich;
mod simex;

pub(crate) use bootstrap::{Resampling, bootstrap};
pub(crate) use likelihood::{Link, expected_score, expected_score_slopes};
pub use model::{Clustering, Model};
pub(crate) use network::{NetworkFit, NetworkFitError, NetworkRow, RowFit, USUAL_DEVIATION, fit_network};
pub(crate) use newton::{Fit, FitError, ParameterLayout, fit};
pub(crate) use observations::Observations;
pub(crate) use sandwich::covariance;
pub(crate) use simex::correction;
