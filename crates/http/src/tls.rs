//! TLS for connections: certificates from a folder and from an authority, of which each client gets the one for the name that it asks for.
//!
//! A certificate is a file `NAME.pem` or `NAME.crt` (with the chain behind it) and its key in `NAME.key`. The names are those in the certificate,
//! wildcards included. Files come first, then what an authority has issued (`ordered`). A client that asks for a name without a certificate is
//! refused, and one that asks for no name gets the first file's. The files are read again every minute, and issued certificates each second: what
//! cannot be read then leaves the certificates as they were.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use pagesmith_model::Timestamp;
use pagesmith_operations::Platform;
use pagesmith_operations::certificates::x509::Facts;
use pagesmith_store::Store;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use tokio::sync::watch;
use webpki::EndEntityCert;

pub use self::acceptor::Acceptor;
pub(crate) use self::acceptor::is_second;
use self::ordered::Ordered;

mod acceptor;
mod ordered;

/// How often it is asked whether certificates were issued.
const PERIOD: Duration = Duration::from_secs(1);
/// How often the files are read, in periods.
const FILES: u32 = 60;
/// The largest file that is read, in bytes.
const LARGEST: u64 = 1024 * 1024;

/// What was read.
#[derive(Debug, Default, PartialEq)]
struct Files(Vec<(PathBuf, Vec<u8>, Vec<u8>)>);

#[derive(Debug, Default)]
struct Loaded {
    files: Files,
    by_name: HashMap<String, Arc<CertifiedKey>>,
    first: Option<Arc<CertifiedKey>>,
}

/// The certificates of a folder, as they were when it was last read, and those that an authority has issued.
#[derive(Debug)]
pub struct Certificates {
    folder: Option<PathBuf>,
    loaded: ArcSwap<Loaded>,
    /// What was issued, where certificates are ordered by themselves.
    ordered: Option<Ordered>,
}

impl Certificates {
    /// Reads a folder; the error names the file that cannot be used.
    pub fn read(folder: &Path) -> io::Result<Arc<Certificates>> {
        Certificates::of(Some(folder), false)
    }

    /// Reads a folder, if there is one; without certificates in it there must be some that are ordered (`are_ordered`).
    pub fn of(folder: Option<&Path>, are_ordered: bool) -> io::Result<Arc<Certificates>> {
        let loaded = match folder {
            Some(folder) => load(Files::read(folder)?)?,
            None => Loaded::default(),
        };
        if loaded.first.is_none() && !are_ordered {
            return Err(none_there());
        }
        let (folder, loaded) = (folder.map(Path::to_owned), ArcSwap::from_pointee(loaded));
        Ok(Arc::new(Certificates { folder, loaded, ordered: are_ordered.then(Ordered::default) }))
    }

    /// Reads the folder again; whether anything has changed.
    pub fn read_again(&self) -> io::Result<bool> {
        let Some(folder) = &self.folder else { return Ok(false) };
        let files = Files::read(folder)?;
        if files == self.loaded.load().files {
            return Ok(false);
        }
        let loaded = load(files)?;
        if loaded.first.is_none() && self.ordered.is_none() {
            return Err(none_there());
        }
        self.loaded.store(Arc::new(loaded));
        Ok(true)
    }

    /// Whether there is a certificate for a host name, in whatever case.
    pub fn is_there(&self, name: &str) -> bool {
        self.find(&name.to_ascii_lowercase()).is_some()
    }

    /// Whether the folder has one.
    pub fn is_in_files(&self, name: &str) -> bool {
        self.loaded.load().find(&name.to_ascii_lowercase()).is_some()
    }

    /// The files of certificates that can be read, each with when its certificate ends.
    pub fn ends_of_files(&self) -> Vec<(String, Timestamp)> {
        let loaded = self.loaded.load();
        let end = |(path, chain, _): &(PathBuf, Vec<u8>, Vec<u8>)| {
            let facts = Facts::of_pem(chain)?;
            let file = path.file_name().map(|name| name.to_string_lossy().into_owned());
            Some((file.unwrap_or_default(), facts.validity.not_after))
        };
        loaded.files.0.iter().filter_map(end).collect()
    }

    /// Whether certificates are ordered by themselves.
    pub fn are_ordered(&self) -> bool {
        self.ordered.is_some()
    }

    /// The certificate for a name in lower case.
    fn find(&self, name: &str) -> Option<Arc<CertifiedKey>> {
        let of_file = self.loaded.load().find(name).map(Arc::clone);
        of_file.or_else(|| self.ordered.as_ref()?.find(name))
    }

    /// Reads which certificates were issued since.
    pub async fn refresh(&self, store: &Store, platform: &Arc<Platform>) -> pagesmith_model::Result<()> {
        match &self.ordered {
            Some(ordered) => ordered.refresh(store, platform.context()).await,
            None => Ok(()),
        }
    }

    /// Reads the folder and what was issued again and again until the server stops.
    pub async fn follow(
        self: Arc<Certificates>,
        (store, platform): (Store, Arc<Platform>),
        mut stop: watch::Receiver<bool>,
    ) {
        let mut complaint = String::new();
        for round in 1_u32.. {
            tokio::select! {
                () = tokio::time::sleep(PERIOD) => {}
                _ = stop.wait_for(|stop| *stop) => return,
            }
            if let Err(error) = self.refresh(&store, &platform).await {
                tracing::warn!(%error, "it could not be asked which certificates were issued");
            }
            if !round.is_multiple_of(FILES) {
                continue;
            }
            let certificates = Arc::clone(&self);
            let Ok(read) = tokio::task::spawn_blocking(move || certificates.read_again()).await else {
                return;
            };
            match read {
                Ok(true) => tracing::info!("the certificates in the folder have changed"),
                Ok(false) => {}
                Err(error) if error.to_string() == complaint => continue,
                Err(error) => {
                    complaint = error.to_string();
                    tracing::error!(%error, "the certificates could not be read again: the old ones stay");
                    continue;
                }
            }
            complaint.clear();
        }
    }

    /// Who speaks TLS with these certificates.
    pub fn acceptor(self: &Arc<Certificates>) -> io::Result<Acceptor> {
        Acceptor::new(self)
    }
}

impl ResolvesServerCert for Certificates {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        match hello.server_name() {
            Some(name) => self.find(&name.to_ascii_lowercase()),
            None => self.loaded.load().first.clone(),
        }
    }
}

impl Loaded {
    /// The certificate for a name in lower case.
    fn find(&self, name: &str) -> Option<&Arc<CertifiedKey>> {
        let wildcard = || self.by_name.get(&format!("*.{}", name.split_once('.')?.1));
        self.by_name.get(name).or_else(wildcard)
    }
}

impl Files {
    fn read(folder: &Path) -> io::Result<Files> {
        let about = |path: &Path, error: &io::Error| {
            io::Error::new(error.kind(), format!("{}: {error}", path.display()))
        };
        let mut paths = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(|error| about(folder, &error))? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "pem" || extension == "crt") {
                paths.push(path);
            }
        }
        paths.sort();
        let read = |path: &Path| {
            let size = std::fs::metadata(path).map_err(|error| about(path, &error))?.len();
            if size > LARGEST {
                return Err(about(path, &io::Error::other("the file is too large")));
            }
            std::fs::read(path).map_err(|error| about(path, &error))
        };
        let pair = |path: PathBuf| {
            let (chain, key) = (read(&path)?, read(&path.with_extension("key"))?);
            Ok((path, chain, key))
        };
        paths.into_iter().map(pair).collect::<io::Result<_>>().map(Files)
    }
}

fn none_there() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "there is no certificate (NAME.pem or NAME.crt, and NAME.key)")
}

fn load(files: Files) -> io::Result<Loaded> {
    let (mut by_name, mut first) = (HashMap::new(), None);
    for (path, chain, key) in &files.0 {
        let about =
            |what: &str| io::Error::new(io::ErrorKind::InvalidData, format!("{}: {what}", path.display()));
        let (certified, names) = certified(chain, key).map_err(about)?;
        for name in names {
            // Of several certificates for a name, the first file's counts.
            by_name.entry(name).or_insert_with(|| Arc::clone(&certified));
        }
        first.get_or_insert(certified);
    }
    Ok(Loaded { files, by_name, first })
}

/// A certificate with its key, and the names in it.
fn certified(chain: &[u8], key: &[u8]) -> Result<(Arc<CertifiedKey>, Vec<String>), &'static str> {
    let chain: Vec<CertificateDer<'static>> = CertificateDer::pem_slice_iter(chain)
        .collect::<Result<_, _>>()
        .map_err(|_| "it is no certificate in PEM form")?;
    let key =
        PrivateKeyDer::from_pem_slice(key).map_err(|_| "its .key file has no private key in PEM form")?;
    let key = ring::sign::any_supported_type(&key).map_err(|_| "its key is of no kind that is known")?;
    let names = {
        let leaf = chain.first().ok_or("it has no certificate")?;
        let leaf = EndEntityCert::try_from(leaf).map_err(|_| "its first certificate cannot be read")?;
        leaf.valid_dns_names().map(str::to_ascii_lowercase).collect()
    };
    let certified = CertifiedKey::new(chain, key);
    certified.keys_match().map_err(|_| "its .key file is another certificate's")?;
    Ok((Arc::new(certified), names))
}

#[cfg(test)]
mod tests;
