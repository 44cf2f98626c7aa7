//! The identity providers that an operator has set up: what they say of themselves, kept for an hour, and their keys.
//!
//! What this is not: the way to them. That is given as [`ProviderGateway`], since it speaks to the network.
//! Invariant: however many sign in, and with whatever tokens, a provider is asked for what it says of itself once in ten seconds at most, and
//! for its keys once in a minute.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use pagesmith_model::identity_provider::IdentityProvider;
use pagesmith_model::identity_provider::keys::KeySet;
use pagesmith_model::identity_provider::metadata::{self, Metadata};
use pagesmith_model::{Error, Kind, Result, Timestamp};
use tokio::sync::Semaphore;

/// For how long is kept what a provider says of itself, and its keys.
const KEPT_FOR: Duration = Duration::from_hours(1);
/// How long a provider is left alone that could not be reached, or has just been asked.
const PAUSE: Duration = Duration::from_secs(10);
/// How long a provider is left alone after its keys were asked for.
const KEYS_PAUSE: Duration = Duration::from_mins(1);
/// How many calls to providers run at a time.
const CALLS: usize = 16;

/// A call to a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderCall {
    /// Its address.
    pub url: String,
    /// The form that is sent; a `GET` if there is none.
    pub form: Option<Vec<(String, String)>>,
    /// What is in the header `Authorization`.
    pub authorization: Option<String>,
}

impl ProviderCall {
    /// Reads what is at an address.
    pub fn get(url: &str) -> ProviderCall {
        ProviderCall { url: url.to_owned(), form: None, authorization: None }
    }
}

/// The status and the body of an answer; or why there is none, a sentence for the operator.
pub type Calling<'a> = Pin<Box<dyn Future<Output = Result<(u16, Vec<u8>), String>> + Send + 'a>>;

/// The way to the providers.
pub trait ProviderGateway: Send + Sync {
    /// Calls a provider.
    fn call(&self, call: ProviderCall) -> Calling<'_>;
}

/// What is known of a provider.
#[derive(Default)]
struct ProviderCache {
    metadata: Option<(Arc<Metadata>, Timestamp)>,
    keys: Option<(Arc<KeySet>, Timestamp)>,
    metadata_asked: Option<Timestamp>,
    keys_asked: Option<Timestamp>,
}

/// The providers, and the way to them.
pub struct IdentityProviders {
    console_url: String,
    providers: Vec<IdentityProvider>,
    known: Mutex<BTreeMap<String, ProviderCache>>,
    gateway: OnceLock<Arc<dyn ProviderGateway>>,
    calls: Semaphore,
}

impl IdentityProviders {
    /// These, without a way to them yet. `console_url` is the address of the console, without a slash at the end.
    pub fn new(console_url: &str, providers: Vec<IdentityProvider>) -> IdentityProviders {
        IdentityProviders {
            console_url: console_url.to_owned(),
            providers,
            known: Mutex::default(),
            gateway: OnceLock::new(),
            calls: Semaphore::new(CALLS),
        }
    }

    /// Lets them be called in this way; only the first one counts.
    pub fn call_by(&self, gateway: Arc<dyn ProviderGateway>) {
        drop(self.gateway.set(gateway));
    }

    /// The providers in the operator's order.
    pub fn all(&self) -> &[IdentityProvider] {
        &self.providers
    }

    /// The provider of this id.
    pub fn find(&self, id: &str) -> Result<&IdentityProvider> {
        let found = self.providers.iter().find(|provider| provider.id == id);
        found.ok_or_else(|| Error::new(Kind::NotFound, "There is no such way to sign in."))
    }

    /// Where a provider sends browsers back to; each has a place of its own, so that no answer can be taken for another's.
    pub fn return_address(&self, provider: &IdentityProvider) -> String {
        format!("{}/console/provider/{}/return", self.console_url, provider.id)
    }

    /// Asks a provider for what signing in takes: what it says of itself, and its keys.
    pub async fn try_out(&self, provider: &IdentityProvider, now: Timestamp) -> Result<()> {
        let metadata = self.metadata(provider, now).await?;
        self.keys(provider, &metadata, now, false).await.map(drop)
    }

    /// What a provider says of itself.
    pub(super) async fn metadata(
        &self,
        provider: &IdentityProvider,
        now: Timestamp,
    ) -> Result<Arc<Metadata>> {
        {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            let known = known.entry(provider.id.clone()).or_default();
            if let Some((metadata, read_at)) = &known.metadata
                && (now < read_at.plus(KEPT_FOR) || is_recent(known.metadata_asked, now, PAUSE))
            {
                return Ok(Arc::clone(metadata));
            }
            if is_recent(known.metadata_asked, now, PAUSE) {
                return Err(unreachable(provider, "it could not be reached a moment ago"));
            }
            known.metadata_asked = Some(now);
        }
        let read = async {
            let document = self.read(provider, &metadata::address(&provider.issuer)).await?;
            Metadata::read(&document, &provider.issuer).map_err(|why| unreachable(provider, &why))
        };
        let read = read.await.map(Arc::new);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.entry(provider.id.clone()).or_default();
        match read {
            Ok(metadata) => {
                known.metadata = Some((Arc::clone(&metadata), now));
                known.metadata_asked = None;
                Ok(metadata)
            }
            // What it said before is better than nothing.
            Err(error) => known.metadata.as_ref().map(|(before, _)| Arc::clone(before)).ok_or(error),
        }
    }

    /// The keys of a provider; those that are known, unless others are wanted or an hour has passed, and the provider was not asked a moment
    /// ago.
    pub(super) async fn keys(
        &self,
        provider: &IdentityProvider,
        metadata: &Metadata,
        now: Timestamp,
        wants_others: bool,
    ) -> Result<Arc<KeySet>> {
        {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            let known = known.entry(provider.id.clone()).or_default();
            let may_ask = !is_recent(known.keys_asked, now, KEYS_PAUSE);
            match &known.keys {
                Some((keys, read_at)) if !may_ask || !wants_others && now < read_at.plus(KEPT_FOR) => {
                    return Ok(Arc::clone(keys));
                }
                None if !may_ask => {
                    return Err(unreachable(provider, "its keys could not be read a moment ago"));
                }
                _ => known.keys_asked = Some(now),
            }
        }
        let read = async {
            let document = self.read(provider, metadata.keys.as_str()).await?;
            let keys = KeySet::read(&document);
            keys.ok_or_else(|| unreachable(provider, "its keys have no proper form"))
        };
        let read = read.await.map(Arc::new);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.entry(provider.id.clone()).or_default();
        match read {
            Ok(keys) => {
                known.keys = Some((Arc::clone(&keys), now));
                Ok(keys)
            }
            // Those of before are better than none, for a token that names one of them.
            Err(error) => known.keys.as_ref().map(|(before, _)| Arc::clone(before)).ok_or(error),
        }
    }

    async fn read(&self, provider: &IdentityProvider, url: &str) -> Result<Vec<u8>> {
        match self.call(provider, ProviderCall::get(url)).await? {
            (200, body) => Ok(body),
            (status, _) => Err(unreachable(provider, &format!("{url} answers {status}"))),
        }
    }

    /// Calls a provider.
    pub(super) async fn call(
        &self,
        provider: &IdentityProvider,
        call: ProviderCall,
    ) -> Result<(u16, Vec<u8>)> {
        let gateway = self.gateway.get();
        let gateway = gateway.ok_or_else(|| unreachable(provider, "this server calls no providers"))?;
        let Ok(_turn) = self.calls.try_acquire() else {
            return Err(Error::unavailable("Too many sign in at the moment: please try again."));
        };
        gateway.call(call).await.map_err(|why| unreachable(provider, &why))
    }
}

fn is_recent(asked: Option<Timestamp>, now: Timestamp, pause: Duration) -> bool {
    asked.is_some_and(|asked| now < asked.plus(pause))
}

/// What users are told while a provider cannot be used; the log gets the reason.
pub(super) fn unreachable(provider: &IdentityProvider, why: &str) -> Error {
    let detail = format!("{} cannot be reached at the moment, or is not set up right.", provider.name);
    Error::unavailable(detail).caused_by(format!("identity provider {}: {why}", provider.id))
}
