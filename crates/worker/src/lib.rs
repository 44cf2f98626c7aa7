//! Everything in the background.
