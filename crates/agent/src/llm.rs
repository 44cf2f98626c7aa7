//! Agents that ask a model.
