//! Questions of visitors: where they are taken, how many, and which were not answered.

pub mod asked;
pub mod askers;
pub mod counts;
pub mod settings;
pub mod unanswered;
