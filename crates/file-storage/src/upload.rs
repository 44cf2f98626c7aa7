//! Storing bytes as they arrive.

use std::path::PathBuf;
use std::sync::Arc;

use bytes::BytesMut;
use object_store::path::Path;
use object_store::{MultipartUpload, ObjectStore, ObjectStoreExt, PutPayload};
use pagesmith_model::{Error, Result};

use crate::failure::failure;
use crate::folder;

/// An object that is being written. Dropped before it is finished, it leaves nothing that anybody sees.
pub struct Upload {
    objects: Arc<dyn ObjectStore>,
    name: Path,
    /// Bytes that were not sent yet, fewer than a part.
    waiting: BytesMut,
    part: usize,
    /// The parts that were sent, once there is more than one.
    parts: Option<Box<dyn MultipartUpload>>,
    /// The file that the object becomes, whose mode has to be set.
    closes: Option<PathBuf>,
}

impl Upload {
    pub(crate) fn new(
        objects: Arc<dyn ObjectStore>,
        name: Path,
        part: usize,
        closes: Option<PathBuf>,
    ) -> Upload {
        Upload { objects, name, waiting: BytesMut::new(), part, parts: None, closes }
    }

    /// Takes the next bytes; a part is sent as soon as it is full.
    pub async fn write(&mut self, mut bytes: &[u8]) -> Result<()> {
        while !bytes.is_empty() {
            let taken;
            (taken, bytes) = bytes.split_at(bytes.len().min(self.part - self.waiting.len()));
            self.waiting.extend_from_slice(taken);
            if self.waiting.len() == self.part {
                self.send().await?;
            }
        }
        Ok(())
    }

    async fn send(&mut self) -> Result<()> {
        let part = PutPayload::from(self.waiting.split().freeze());
        let parts = match &mut self.parts {
            Some(parts) => parts,
            none => none.insert(self.objects.put_multipart(&self.name).await.map_err(failure)?),
        };
        parts.put_part(part).await.map_err(failure)
    }

    /// Sends what is left. The object is whole and durable then.
    pub async fn finish(mut self) -> Result<()> {
        if self.parts.is_none() {
            let whole = PutPayload::from(self.waiting.split().freeze());
            self.objects.put(&self.name, whole).await.map_err(failure)?;
        } else {
            if !self.waiting.is_empty() {
                self.send().await?;
            }
            if let Some(parts) = &mut self.parts {
                parts.complete().await.map_err(failure)?;
            }
        }
        let Some(path) = self.closes else { return Ok(()) };
        let closing = tokio::task::spawn_blocking(move || folder::close(&path));
        closing.await.map_err(Error::internal)?.map_err(Error::internal)
    }

    /// Gives up. In an object store, parts that were sent stay until this or until the store itself removes them.
    pub async fn abort(mut self) {
        if let Some(mut parts) = self.parts.take() {
            // What is left of it is removed later, here by the sweep, there by the store's own rule.
            drop(parts.abort().await);
        }
    }
}
