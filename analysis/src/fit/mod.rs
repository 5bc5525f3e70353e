//! Ordered logit of results on material.
//!
//! The models and fits that [piece values](crate::values) are based on: the ordered logit of a regression by Newton's method, with
//! its sandwich errors, its bootstrap and its correction for errors in ratings, and the network of imbalances with its random
//! effects, and with interactions. What a caller chooses is the [`Model`], and the [`Clustering`] of observations; `METHODS.md` has the formulas.

mod bootstrap;
mod interactions;
mod likelihood;
mod model;
mod network;
mod newton;
mod observations;
mod sandwich;
mod simex;

pub(crate) use bootstrap::{Resampling, bootstrap};
pub(crate) use interactions::{Interacting, Measured};
pub(crate) use likelihood::{Link, expected_score, expected_score_slopes};
pub use model::{Clustering, Model};
pub(crate) use network::{
    Mixture, NetworkFit, NetworkFitError, NetworkRow, RowFit, SharedSetups, fit_network,
};
pub(crate) use newton::{Fit, FitError, ParameterLayout, fit};
pub(crate) use observations::Observations;
pub(crate) use sandwich::covariance;
pub(crate) use simex::correction;
