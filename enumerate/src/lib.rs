//! Spaces.
