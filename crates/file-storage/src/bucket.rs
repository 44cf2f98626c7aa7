//! A bucket of an S3 server as the storage: how it is reached, what a crash leaves in it, and whether it can be used.
//!
//! Each request is signed together with the SHA-256 of what it carries. A file
//! of several parts has a note beside it with the number of its upload for as long as the parts are no object: the parts themselves are in
//! no list of objects, and whoever finds the note can have them removed.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::client::HttpConnector;
use object_store::multipart::{MultipartStore, PartId};
use object_store::path::Path;
use object_store::{
    BackoffConfig, Error as Failed, MultipartId, ObjectStore, ObjectStoreExt, PutPayload, RetryConfig,
};
use pagesmith_model::{Error, Result};

use crate::failure::{code_of, failure};

/// How much of an upload is sent at once: the least that S3 takes for a part that is not the last.
pub(crate) const PART: usize = 5 * 1024 * 1024;

/// How often a request is repeated that failed for a reason that may pass.
const REPETITIONS: usize = 5;

/// What the name of a note ends with.
const NOTE: &str = ".parts";

/// The object with which the bucket is tried out, and what it holds.
const TRIAL: &str = "pagesmith/trial";
const TRIAL_TEXT: &str = "Pagesmith writes this to see whether it can.";

/// Where a bucket is, and whose key opens it.
#[derive(Clone, PartialEq, Eq)]
pub struct BucketOptions {
    /// The address of the server; nothing: that of Amazon in the region.
    pub endpoint: Option<String>,
    /// Its name.
    pub name: String,
    /// Its region.
    pub region: String,
    /// The name of the key.
    pub access_key_id: String,
    /// The key's secret.
    pub secret_access_key: String,
    /// Whether the bucket's name is in the path of addresses; else it is a part of the host.
    pub is_in_path: bool,
    /// For how long a request that fails is repeated.
    pub time_limit: Duration,
}

impl fmt::Debug for BucketOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BucketOptions({})", self.place())
    }
}

impl BucketOptions {
    /// The bucket, as operators are told of it.
    fn place(&self) -> String {
        let server = self.endpoint.as_deref().unwrap_or("Amazon S3");
        format!("the bucket {} at {server}", self.name)
    }

    /// The address below which objects are, if it is not Amazon's.
    fn address(&self) -> Option<String> {
        let endpoint = self.endpoint.as_deref()?.trim_end_matches('/');
        if self.is_in_path {
            return Some(endpoint.to_owned());
        }
        let (scheme, host) = endpoint.split_once("://")?;
        Some(format!("{scheme}://{}.{host}", self.name))
    }
}

/// A bucket.
pub(crate) struct Bucket {
    pub(crate) objects: Arc<AmazonS3>,
    options: BucketOptions,
}

impl Bucket {
    /// The bucket, spoken to through this connector.
    pub(crate) fn new(options: BucketOptions, connector: impl HttpConnector) -> Result<Bucket> {
        let backoff = BackoffConfig {
            init_backoff: Duration::from_millis(100),
            max_backoff: Duration::from_secs(2),
            base: 2.0,
        };
        let retry = RetryConfig { backoff, max_retries: REPETITIONS, retry_timeout: options.time_limit };
        let mut builder = AmazonS3Builder::new()
            .with_bucket_name(&options.name)
            .with_region(&options.region)
            .with_access_key_id(&options.access_key_id)
            .with_secret_access_key(&options.secret_access_key)
            .with_virtual_hosted_style_request(!options.is_in_path)
            // Not every server knows how to delete several at once.
            .with_disable_bulk_delete(true)
            .with_retry(retry)
            .with_http_connector(connector);
        if let Some(address) = options.address() {
            let is_plain = address.starts_with("http://");
            builder = builder.with_endpoint(address).with_allow_http(is_plain);
        }
        let objects = builder.build().map_err(Error::internal)?;
        Ok(Bucket { objects: Arc::new(objects), options })
    }

    /// Writes, reads and lists, and may delete; else says what is wrong and what to do.
    pub(crate) async fn try_out(&self) -> Result<()> {
        let trial = Path::from(TRIAL);
        let told = |doing: &str, error: Failed| Error::unavailable(self.explain(doing, &error));
        let text = PutPayload::from_static(TRIAL_TEXT.as_bytes());
        self.objects.put(&trial, text).await.map_err(|error| told("write to", error))?;
        let found = async { self.objects.get(&trial).await?.bytes().await };
        let found = found.await.map_err(|error| told("read from", error))?;
        if found != TRIAL_TEXT.as_bytes() {
            let place = self.options.place();
            let detail = format!("{place} does not give back what was written to it: look at the S3 server");
            return Err(Error::unavailable(detail));
        }
        let listed = self.objects.list_with_delimiter(Some(&trial));
        listed.await.map_err(|error| told("list what is in", error))?;
        // Another node may be trying at the same time, so the object itself stays. The right is the same for one that is not there.
        match self.objects.delete(&Path::from(format!("{TRIAL}-of-deleting"))).await {
            Ok(()) | Err(Failed::NotFound { .. }) => Ok(()),
            Err(error) => Err(told("delete from", error)),
        }
    }

    /// One sentence for the operator: the cause and the next step.
    fn explain(&self, doing: &str, error: &Failed) -> String {
        let place = self.options.place();
        let code = code_of(error);
        let known = match code.as_deref() {
            Some("NoSuchBucket") => "there is no such bucket: create it, or correct files.s3.bucket",
            Some("InvalidAccessKeyId") => "the server does not know the key: correct files.s3.access_key_id",
            Some("SignatureDoesNotMatch") => {
                "the secret does not fit the key: correct files.s3.secret_access_key"
            }
            Some("RequestTimeTooSkewed") => "the clocks differ: synchronise this machine's clock",
            Some(
                "AuthorizationHeaderMalformed" | "PermanentRedirect" | "IllegalLocationConstraintException",
            ) => "it is in another region: correct files.s3.region",
            _ => match error {
                Failed::PermissionDenied { .. } | Failed::Unauthenticated { .. } => {
                    "the key may not: allow it to put, get, list and delete objects, and to abort uploads of several parts"
                }
                Failed::NotFound { .. } => "there is no such bucket: create it, or correct files.s3.bucket",
                _ => return format!("cannot {doing} {place}: {}", unknown(error)),
            },
        };
        format!("cannot {doing} {place}: {known}")
    }

    /// The name of an object's note.
    pub(crate) fn note_of(object: &Path) -> Path {
        Path::from(format!("{object}{NOTE}"))
    }

    /// The name of the object that a note is about.
    pub(crate) fn object_of_note(name: &str) -> Option<&str> {
        name.strip_suffix(NOTE)
    }

    /// Removes parts that a crash has left of an object.
    pub(crate) async fn remove_unfinished(&self, object: &Path) -> Result<()> {
        let note = Bucket::note_of(object);
        let found = match self.objects.get(&note).await {
            Ok(found) => found.bytes().await.map_err(failure)?,
            Err(Failed::NotFound { .. }) => return Ok(()),
            Err(error) => return Err(failure(error)),
        };
        if let Ok(id) = String::from_utf8(found.into()) {
            // One that the server does not know has ended.
            match self.objects.abort_multipart(object, &id).await {
                Ok(()) | Err(Failed::NotFound { .. }) => {}
                Err(error) => return Err(failure(error)),
            }
        }
        self.objects.delete(&note).await.map_err(failure)
    }
}

/// A failure that has no explanation of ours: the innermost cause.
fn unknown(error: &Failed) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    let text: String = cause.to_string().chars().take(200).collect();
    let text = text.trim_end_matches('.').to_owned();
    format!("{text}; correct files.s3.endpoint or files.s3.roots, or look whether the S3 server runs")
}

/// An upload of several parts to a bucket. Dropped before its end, it has its parts removed.
pub(crate) struct BucketUpload {
    objects: Arc<AmazonS3>,
    object: Path,
    id: MultipartId,
    sent: Vec<PartId>,
    has_ended: bool,
}

impl BucketUpload {
    pub(crate) async fn begin(objects: Arc<AmazonS3>, object: Path) -> object_store::Result<BucketUpload> {
        let id = objects.create_multipart(&object).await?;
        let upload = BucketUpload { objects, object, id, sent: Vec::new(), has_ended: false };
        let note = PutPayload::from(upload.id.clone().into_bytes());
        upload.objects.put(&Bucket::note_of(&upload.object), note).await?;
        Ok(upload)
    }

    pub(crate) async fn put_part(&mut self, part: PutPayload) -> object_store::Result<()> {
        let sent = self.objects.put_part(&self.object, &self.id, self.sent.len(), part).await?;
        self.sent.push(sent);
        Ok(())
    }

    /// Makes an object of the parts.
    pub(crate) async fn complete(mut self) -> object_store::Result<()> {
        let sent = std::mem::take(&mut self.sent);
        match self.objects.complete_multipart(&self.object, &self.id, sent).await {
            Ok(_) => {}
            // What a repetition is told whose first answer was lost. Whether the object is there is looked at afterwards.
            Err(Failed::NotFound { .. }) => {}
            Err(error) => return Err(error),
        }
        self.has_ended = true;
        // A note that stays goes with its object.
        drop(self.objects.delete(&Bucket::note_of(&self.object)).await);
        Ok(())
    }

    /// Removes the parts.
    pub(crate) async fn abort(mut self) {
        self.has_ended = true;
        remove_parts(&self.objects, &self.object, &self.id).await;
    }
}

impl Drop for BucketUpload {
    fn drop(&mut self) {
        if self.has_ended {
            return;
        }
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let (objects, object, id) = (Arc::clone(&self.objects), self.object.clone(), self.id.clone());
        drop(runtime.spawn(async move { remove_parts(&objects, &object, &id).await }));
    }
}

/// What fails here is left to the sweep, which finds the note.
async fn remove_parts(objects: &AmazonS3, object: &Path, id: &MultipartId) {
    if objects.abort_multipart(object, id).await.is_ok() {
        drop(objects.delete(&Bucket::note_of(object)).await);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> BucketOptions {
        BucketOptions {
            endpoint: Some("https://s3.example:9000/".to_owned()),
            name: "files".to_owned(),
            region: "us-east-1".to_owned(),
            access_key_id: "id".to_owned(),
            secret_access_key: "hunter2".to_owned(),
            is_in_path: true,
            time_limit: Duration::from_secs(1),
        }
    }

    #[test]
    fn the_name_of_a_bucket_is_in_the_path_or_in_the_host() {
        let host = BucketOptions { is_in_path: false, ..options() };
        let amazon = BucketOptions { endpoint: None, ..options() };
        assert_eq!(options().address().as_deref(), Some("https://s3.example:9000"));
        assert_eq!(host.address().as_deref(), Some("https://files.s3.example:9000"));
        assert_eq!(amazon.address(), None);
    }

    #[test]
    fn a_secret_is_not_shown() {
        assert!(!format!("{:?}", options()).contains("hunter2"));
    }

    #[test]
    fn a_note_is_beside_its_object() {
        let note = Bucket::note_of(&Path::from("tenant_1/content_2"));
        assert_eq!(note.as_ref(), "tenant_1/content_2.parts");
        assert_eq!(note.filename().and_then(Bucket::object_of_note), Some("content_2"));
    }
}
