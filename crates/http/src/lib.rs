//! Everything that speaks HTTP inwards.
