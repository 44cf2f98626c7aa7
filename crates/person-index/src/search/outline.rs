//! The outline of an index: its segments, and which chunks are beside them until they are posted.
//!
//! It changes with whole chunks and is asked by every search, so it is kept in memory. The database counts its changes.

use std::collections::HashMap;
use std::sync::Arc;

use pagesmith_model::{Result, TenantId};
use pagesmith_store::Tx;
use pagesmith_store::tables::person_index::chunks::{self, Name};
use pagesmith_store::tables::person_index::segments::{self, Segment};

use crate::document_set::{CAPACITY, Documents};
use crate::steps::Sizes;

/// See the file.
#[derive(Debug)]
pub(super) struct Outline {
    /// Those that are not dissolved, in their order.
    pub segments: Vec<Arc<Segment>>,
    /// By segment, the documents that it knows not to be current any more.
    pub removed: HashMap<i64, Documents>,
    /// The chunks of packed segments, in their order.
    pub packed: Vec<Name>,
}

impl Outline {
    pub(super) fn read(tx: &mut Tx<'_>, tenant: &TenantId, sizes: Sizes) -> Result<Outline> {
        let asked = vec![segments::list(tenant), chunks::packed(tenant, sizes.first_of(1))];
        let mut answers = tx.batch(asked)?.into_iter();
        let mut next = || answers.next().unwrap_or_default();
        let segments = segments::segments(&next())?;
        let packed = chunks::names(&next())?;
        let removed = |of: &Segment| Some((of.number, Documents::from_bytes(of.removed.as_ref()?)));
        Ok(Outline {
            removed: segments.iter().filter_map(removed).collect(),
            segments: segments.into_iter().map(Arc::new).collect(),
            packed,
        })
    }

    /// About how many bytes it takes.
    pub(super) fn size(&self) -> usize {
        let of_run = |run: &segments::Run| size_of_val(run) + run.oldest.len() + run.newest.len();
        let runs: usize = self.segments.iter().flat_map(|of| &of.runs).map(of_run).sum();
        let removed: usize = self.segments.iter().filter_map(|of| of.removed.as_ref()).map(Vec::len).sum();
        runs + removed
            + self.removed.len() * CAPACITY / 8
            + size_of_val(self.segments.as_slice())
            + size_of_val(self.packed.as_slice())
    }
}
