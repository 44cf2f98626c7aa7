//! What commands read beside their arguments: a file, or standard input.

use std::io::Read as _;
use std::path::Path;

use crate::failure::{Failure, Result};

/// The bytes of a file; of standard input where none is named.
pub fn bytes(file: Option<&Path>) -> Result<Vec<u8>> {
    let Some(path) = file else {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes)?;
        return Ok(bytes);
    };
    std::fs::read(path).map_err(|error| Failure::new(format!("{} cannot be read: {error}", path.display())))
}
