//! What one caller may cost the others: the work that its bodies make, the length of what it stores, and the memory of its answers.
//!
//! Limits are looked at and work is counted; nothing here measures time.

mod answers;
mod bodies;
mod description;
mod lengths;
mod walks;
