//! How variants of pictures are made.

use crate::limited_process::pictures::PictureReader;

/// How variants are made.
#[derive(Debug, Clone)]
pub struct PictureConfig {
    /// What reads pictures.
    pub reader: PictureReader,
    /// Whether variants are made as AVIF, too.
    pub makes_avif: bool,
    /// How many bytes the files of a tenant may take, their variants included.
    pub quota: u64,
}
