//! Files at lasting addresses, kept in memory with their bytes.
//!
//! What is at such an address never changes, but it can go, so it is looked up again when it is no longer fresh ([`ValidatedCache`]). Invariant:
//! all bytes together are never more than [`BUDGET`].

use std::sync::Arc;

use pagesmith_model::TenantId;
use pagesmith_model::file::File;

use crate::in_flight::KeptBytes;
use crate::site_cache::validated_cache::{ValidatedCache, Weighed};

/// How many bytes of files are kept.
const BUDGET: u64 = 64 * 1024 * 1024;
/// About how many files that is.
const EXPECTED_ENTRIES: usize = 1_000;
/// The largest file that is kept: most pictures of pages, and no video.
pub(crate) const LARGEST: usize = 1024 * 1024;
/// About what a file takes beside its bytes.
const ENTRY_OVERHEAD: u64 = 500;

/// Names a file: a tenant, and the path on its site.
pub(crate) type Key = (TenantId, Box<str>);

/// A file with its bytes.
#[derive(Debug, Clone)]
pub(crate) struct FileInMemory {
    /// What the database has of it.
    pub file: Arc<File>,
    /// All of its bytes.
    pub bytes: KeptBytes,
}

impl Weighed for FileInMemory {
    fn weight(&self) -> u64 {
        self.bytes.bytes().len() as u64 + ENTRY_OVERHEAD
    }
}

/// See the file.
pub(crate) type FileCache = ValidatedCache<Key, Arc<File>, FileInMemory>;

impl Default for FileCache {
    fn default() -> FileCache {
        FileCache::new(EXPECTED_ENTRIES, BUDGET)
    }
}
