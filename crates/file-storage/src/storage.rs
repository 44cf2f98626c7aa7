//! The storage: which objects there are, and their bytes.

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::ops::Range;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt};
use object_store::client::HttpConnector;
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{GetOptions, ObjectStore, ObjectStoreExt};
use pagesmith_model::{Error, FileContentId, Result, TenantId};

use crate::bucket::{self, Bucket, BucketOptions};
use crate::failure::failure;
use crate::folder;
use crate::upload::{GoesTo, Upload};

/// How much of a file in a folder is written at once.
const FOLDER_PART: usize = 1024 * 1024;

/// The bytes of a file, or of a part of it, as they are read.
pub type FileBytes = BoxStream<'static, Result<Bytes>>;

/// Where the bytes of files are kept; cheap to clone.
#[derive(Clone)]
pub struct Storage {
    objects: Arc<dyn ObjectStore>,
    place: Backend,
}

/// What the storage is.
#[derive(Clone)]
enum Backend {
    Memory,
    Folder(Arc<PathBuf>),
    Bucket(Arc<Bucket>),
}

impl fmt::Debug for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Storage({})", self.objects)
    }
}

impl Storage {
    /// A folder of this machine, which is made if it is not there.
    pub fn in_folder(path: &FilePath) -> Result<Storage> {
        let told = |error: io::Error| unusable(path, &error);
        folder::make(path).map_err(told)?;
        let path = path.canonicalize().map_err(told)?;
        let objects = LocalFileSystem::new_with_prefix(&path).map_err(Error::internal)?.with_fsync(true);
        Ok(Storage { objects: Arc::new(objects), place: Backend::Folder(Arc::new(path)) })
    }

    /// A bucket of an S3 server, spoken to through this connector. Whether it can be used is not known before [`Storage::try_out`].
    pub fn in_bucket(options: BucketOptions, connector: impl HttpConnector) -> Result<Storage> {
        let bucket = Arc::new(Bucket::new(options, connector)?);
        Ok(Storage { objects: Arc::clone(&bucket.objects) as _, place: Backend::Bucket(bucket) })
    }

    /// The memory of this process, for simulations and tests.
    pub fn in_memory() -> Storage {
        Storage { objects: Arc::new(InMemory::new()), place: Backend::Memory }
    }

    /// The folder, if it is one of this machine.
    pub fn folder(&self) -> Option<&FilePath> {
        if let Backend::Folder(path) = &self.place { Some(path) } else { None }
    }

    /// Fails if the storage is a bucket that cannot be used; says why, and what to do. A small object stays there.
    pub async fn try_out(&self) -> Result<()> {
        if let Backend::Bucket(bucket) = &self.place { bucket.try_out().await } else { Ok(()) }
    }

    /// Begins to store the bytes of a content that is not there yet.
    pub fn begin(&self, tenant: &TenantId, id: &FileContentId) -> Upload {
        let (part, goes_to) = match &self.place {
            Backend::Memory => (FOLDER_PART, GoesTo::Memory),
            Backend::Folder(path) => {
                (FOLDER_PART, GoesTo::File(path.join(tenant.as_str()).join(id.as_str())))
            }
            Backend::Bucket(bucket) => (bucket::PART, GoesTo::Bucket(Arc::clone(bucket))),
        };
        Upload::new(Arc::clone(&self.objects), name(tenant, id), part, goes_to)
    }

    /// The bytes of a content in this range, which must be within it.
    pub async fn read(&self, tenant: &TenantId, id: &FileContentId, range: Range<u64>) -> Result<FileBytes> {
        if range.is_empty() {
            return Ok(futures_util::stream::empty().boxed());
        }
        let options = GetOptions { range: Some(range.into()), ..GetOptions::default() };
        let found = self.objects.get_opts(&name(tenant, id), options).await.map_err(failure)?;
        Ok(found.into_stream().map_err(failure).boxed())
    }

    /// All bytes of a content of that size, unless they are more than `most`.
    pub async fn read_whole(
        &self,
        tenant: &TenantId,
        id: &FileContentId,
        size: u64,
        most: usize,
    ) -> Result<Option<Vec<u8>>> {
        let Some(size) = usize::try_from(size).ok().filter(|size| *size <= most) else { return Ok(None) };
        let mut bytes = Vec::with_capacity(size);
        let mut pieces = self.read(tenant, id, 0..size as u64).await?;
        while let Some(piece) = pieces.try_next().await? {
            bytes.extend_from_slice(&piece);
        }
        Ok(Some(bytes))
    }

    /// Removes a content, and what uploads of it have left. One that is not there is removed already.
    pub async fn remove(&self, tenant: &TenantId, id: &FileContentId) -> Result<()> {
        let object = name(tenant, id);
        match self.objects.delete(&object).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => {}
            Err(error) => return Err(failure(error)),
        }
        match &self.place {
            Backend::Memory => Ok(()),
            Backend::Folder(path) => {
                let (tenant, object) = (path.join(tenant.as_str()), id.as_str().to_owned());
                on_thread(move || folder::remove_unfinished(&tenant, &object)).await
            }
            Backend::Bucket(bucket) => bucket.remove_unfinished(&object).await,
        }
    }

    /// The contents of a tenant, also those of uploads that are not finished.
    pub async fn list(&self, tenant: &TenantId) -> Result<BTreeSet<FileContentId>> {
        let mut found = BTreeSet::new();
        let mut objects = self.objects.list(Some(&Path::from(tenant.as_str())));
        while let Some(object) = objects.try_next().await.map_err(failure)? {
            let name = object.location.filename();
            let name = name.map(|name| Bucket::object_of_note(name).unwrap_or(name));
            found.extend(name.and_then(FileContentId::parse));
        }
        if let Some(folder) = self.folder() {
            let path = folder.join(tenant.as_str());
            let unfinished = on_thread(move || folder::unfinished(&path)).await?;
            found.extend(unfinished.iter().filter_map(|object| FileContentId::parse(object)));
        }
        Ok(found)
    }

    /// Copies a folder to another one: what is not there yet. How many objects that were; `None` if the storage is no folder.
    pub fn copy_to(&self, target: &FilePath) -> Result<Option<u64>> {
        let Some(folder) = self.folder() else { return Ok(None) };
        folder::copy(folder, target).map(Some).map_err(|error| unusable(target, &error))
    }

    /// Copies into a folder what such a copy holds.
    pub fn copy_from(&self, source: &FilePath) -> Result<Option<u64>> {
        let Some(folder) = self.folder() else { return Ok(None) };
        folder::copy(source, folder).map(Some).map_err(|error| unusable(source, &error))
    }
}

/// The name of an object.
fn name(tenant: &TenantId, id: &FileContentId) -> Path {
    Path::from_iter([tenant.as_str(), id.as_str()])
}

async fn on_thread<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)?.map_err(Error::internal)
}

fn unusable(path: &FilePath, error: &io::Error) -> Error {
    Error::unavailable(format!("The folder {} cannot be used for files: {error}.", path.display()))
}
