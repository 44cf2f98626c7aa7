//! Storing bytes as they arrive.

use std::path::PathBuf;
use std::sync::Arc;

use bytes::BytesMut;
use object_store::path::Path;
use object_store::{MultipartUpload, ObjectStore, ObjectStoreExt, PutPayload};
use pagesmith_model::{Error, Result};

use crate::bucket::{Bucket, BucketUpload};
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
    parts: Option<UploadedParts>,
    /// How many bytes there were.
    size: u64,
    goes_to: GoesTo,
}

/// Where the object will be.
pub(crate) enum GoesTo {
    /// In memory.
    Memory,
    /// In this file, whose mode has to be set.
    File(PathBuf),
    /// In this bucket.
    Bucket(Arc<Bucket>),
}

/// Parts that were sent.
enum UploadedParts {
    /// To a folder or to memory.
    Near(Box<dyn MultipartUpload>),
    /// To a bucket.
    Far(BucketUpload),
}

impl Upload {
    pub(crate) fn new(objects: Arc<dyn ObjectStore>, name: Path, part: usize, goes_to: GoesTo) -> Upload {
        Upload { objects, name, waiting: BytesMut::new(), part, parts: None, size: 0, goes_to }
    }

    /// Takes the next bytes; a part is sent as soon as it is full.
    pub async fn write(&mut self, mut bytes: &[u8]) -> Result<()> {
        self.size += bytes.len() as u64;
        while !bytes.is_empty() {
            let taken;
            (taken, bytes) = bytes.split_at(bytes.len().min(self.part - self.waiting.len()));
            self.waiting.extend_from_slice(taken);
            if self.waiting.len() == self.part {
                self.send().await.map_err(failure)?;
            }
        }
        Ok(())
    }

    async fn send(&mut self) -> object_store::Result<()> {
        let part = PutPayload::from(self.waiting.split().freeze());
        let parts = match &mut self.parts {
            Some(parts) => parts,
            none => none.insert(match &self.goes_to {
                GoesTo::Bucket(bucket) => {
                    let objects = Arc::clone(&bucket.objects);
                    UploadedParts::Far(BucketUpload::begin(objects, self.name.clone()).await?)
                }
                _ => UploadedParts::Near(self.objects.put_multipart(&self.name).await?),
            }),
        };
        match parts {
            UploadedParts::Near(parts) => parts.put_part(part).await,
            UploadedParts::Far(parts) => parts.put_part(part).await,
        }
    }

    /// Sends what is left. The object is whole and durable then.
    pub async fn finish(mut self) -> Result<()> {
        if self.parts.is_some() && !self.waiting.is_empty() {
            self.send().await.map_err(failure)?;
        }
        match self.parts.take() {
            None => {
                let whole = PutPayload::from(self.waiting.split().freeze());
                self.objects.put(&self.name, whole).await.map_err(failure)?;
            }
            Some(UploadedParts::Near(mut parts)) => {
                parts.complete().await.map_err(failure)?;
            }
            Some(UploadedParts::Far(parts)) => parts.complete().await.map_err(failure)?,
        }
        match self.goes_to {
            GoesTo::Memory => Ok(()),
            GoesTo::File(path) => {
                let closing = tokio::task::spawn_blocking(move || folder::close(&path));
                closing.await.map_err(Error::internal)?.map_err(Error::internal)
            }
            // What a server answers is not yet what it has.
            GoesTo::Bucket(bucket) => {
                let kept = bucket.objects.head(&self.name).await.map_err(unkept)?.size;
                if kept == self.size { Ok(()) } else { Err(unkept(format!("{kept} of {} bytes", self.size))) }
            }
        }
    }

    /// Gives up, and removes the parts that were sent. What of it fails is left to the sweep.
    pub async fn abort(mut self) {
        match self.parts.take() {
            None => {}
            Some(UploadedParts::Near(mut parts)) => drop(parts.abort().await),
            Some(UploadedParts::Far(parts)) => parts.abort().await,
        }
    }
}

/// The storage has not kept what it took.
fn unkept(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::unavailable("The storage of files has not kept the bytes. Send them again.").caused_by(cause)
}
