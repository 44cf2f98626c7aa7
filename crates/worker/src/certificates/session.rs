//! A round at an authority: the account is opened, and each name that is due is taken a step further.
//!
//! Invariant: what the authority is asked to look at is in the database before it is asked, and where it has an order is there before anything else is
//! done with it.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use instant_acme::{
    Account, AccountCredentials, AuthorizationStatus, CertificateIdentifier, ChallengeStatus, ChallengeType,
    Identifier, NewAccount, NewOrder, Order, OrderStatus, Problem,
};
use pagesmith_model::certificate::caa::Issuer;
use pagesmith_model::certificate::challenge::ChallengeKind;
use pagesmith_model::certificate::trouble::Trouble as Reason;
use pagesmith_model::certificate::{Certificate, OrderStage, Window};
use pagesmith_model::{Error, Timestamp};
use pagesmith_operations::certificates::{self, Challenge, lease::Lease};
use pagesmith_store::Tx;
use pagesmith_store::tables::certificates::acme_accounts::AcmeAccount;
use rcgen::{CertificateParams, DistinguishedName, KeyPair};
use rustls::pki_types::PrivatePkcs8KeyDer;

use super::Automatic;
use super::calls::{Calls, Identities, RequestedPause};
use super::permission;
use crate::egress::Failure;
use crate::tools::Tools;

/// When it is asked again when to renew, if the authority could not say.
const ASK_AGAIN: Duration = Duration::from_hours(6);
/// The most often that an order goes from one status to the next in a step.
const STATUSES: usize = 4;

/// Why a step went no further.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The authority cannot be spoken to, or is not well.
    Authority { why: String, asked: Option<Duration> },
    /// The authority issues nothing for this name now.
    Name { reason: Reason, detail: String, asked: Option<Duration> },
    /// It was us.
    Ours(Error),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Trouble {
        Trouble::Ours(error)
    }
}

type Outcome<T> = Result<T, Trouble>;

fn refused(reason: Reason, detail: impl Into<String>) -> Trouble {
    Trouble::Name { reason, detail: detail.into(), asked: None }
}

/// An account that is open.
pub(super) struct Session<'a> {
    tools: &'a Tools,
    automatic: &'a Arc<Automatic>,
    lease: &'a Lease,
    account: Account,
    asked: RequestedPause,
    identities: Identities,
    /// How many orders may be begun, and when there may be more.
    left: AtomicU64,
    more_at: Timestamp,
}

impl<'a> Session<'a> {
    /// Opens the account; makes it, if there is none.
    pub(super) async fn open(
        tools: &'a Tools,
        automatic: &'a Arc<Automatic>,
        lease: &'a Lease,
        stored: &AcmeAccount,
    ) -> Outcome<Session<'a>> {
        let (asked, identities) = (RequestedPause::default(), Identities::default());
        let calls = Calls {
            gateway: automatic.gateway.clone(),
            directory: automatic.directory.clone(),
            asked: asked.clone(),
            identities: identities.clone(),
        };
        let builder = Account::builder_with_http(Box::new(calls));
        let ctx = tools.context();
        let contacts: Vec<String> = Some(&automatic.contact)
            .filter(|c| !c.is_empty())
            .map(|c| format!("mailto:{c}"))
            .into_iter()
            .collect();
        let contacts: Vec<&str> = contacts.iter().map(String::as_str).collect();
        let account = match lease.open_account(&ctx, stored)? {
            Some(credentials) => {
                let read = serde_json::from_slice::<AccountCredentials>(&credentials);
                let credentials = read.map_err(|_| Error::internal("a broken account"))?;
                let account =
                    builder.from_credentials(credentials).await.map_err(|error| trouble(&error, &asked))?;
                if stored.contact != automatic.contact {
                    account.update_contacts(&contacts).await.map_err(|error| trouble(&error, &asked))?;
                    save_account(tools, automatic, lease, None).await?;
                }
                account
            }
            None => {
                let new = NewAccount {
                    contact: &contacts,
                    terms_of_service_agreed: true,
                    only_return_existing: false,
                };
                let made = builder.create(&new, automatic.directory.clone(), None).await;
                let (account, credentials) = made.map_err(|error| trouble(&error, &asked))?;
                save_account(tools, automatic, lease, Some(&credentials)).await?;
                tracing::info!(
                    directory = automatic.directory,
                    "made an account at the certificate authority"
                );
                account
            }
        };
        let (left, more_at) = lease.orders_left(stored, ctx.now);
        Ok(Session {
            tools,
            automatic,
            lease,
            account,
            asked,
            identities,
            left: AtomicU64::new(left),
            more_at,
        })
    }

    /// Takes a name a step further. What the authority refuses is kept with the name; an error is of all names.
    pub(super) async fn attend(&self, mut certificate: Certificate) -> Outcome<()> {
        let (reason, detail, asked) = match self.step(&mut certificate).await {
            Err(Trouble::Name { reason, detail, asked }) => (reason, detail, asked),
            outcome => return outcome,
        };
        if reason == Reason::AccountRefused {
            // The next round makes another one.
            let (ctx, lease) = (self.tools.context(), self.lease.clone());
            self.tools.store.write(move |tx| lease.forget_account(tx, &ctx)).await?;
        }
        let now = self.now();
        certificate.fail(reason, &detail, asked, now);
        self.automatic.metrics.ordered("failed");
        tracing::warn!(
            name = certificate.name,
            trouble = reason.code(),
            detail,
            failures = certificate.failures,
            next_attempt_at = %certificate.next_step_at,
            "no certificate was issued"
        );
        self.save(&certificate).await
    }

    async fn step(&self, certificate: &mut Certificate) -> Outcome<()> {
        let now = self.now();
        certificate.go_over_to(&self.automatic.directory, now);
        if certificate.order.is_none() && !certificate.wants_order(now) {
            return self.plan_renewal(certificate).await;
        }
        if certificate.is_overdue(now) {
            return Err(refused(Reason::Undecided, "The order was left undecided."));
        }
        let url = certificate.order.as_ref().and_then(|order| order.url.clone());
        let order = match url {
            Some(url) => self.account.order(url).await.map_err(|error| self.trouble(&error))?,
            None => match self.begin(certificate).await? {
                Some(order) => order,
                None => return Ok(()),
            },
        };
        self.advance(certificate, order).await
    }

    /// What the authority may look at, as far as the domain's records allow it; else why they allow nothing.
    async fn challenges(&self, name: &str) -> Result<Vec<ChallengeKind>, String> {
        let (all, identities) = (self.automatic.challenges, self.identities.read());
        let issuer = Issuer { identities: &identities, account: self.account.id(), challenges: all };
        permission::challenges(&self.tools.dns_checker, name, &issuer).await
    }

    /// Makes an order; nothing if no more may be made in this hour, or the domain's records forbid it.
    async fn begin(&self, certificate: &mut Certificate) -> Outcome<Option<Order>> {
        if let Err(why) = self.challenges(&certificate.name).await {
            certificate.forbid(&why, self.now());
            let next_attempt_at = certificate.next_step_at;
            tracing::warn!(name = certificate.name, why, %next_attempt_at, "no certificate was ordered");
            self.save(certificate).await?;
            return Ok(None);
        }
        let took = self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        if took.is_err() {
            certificate.put_off(self.more_at);
            self.save(certificate).await?;
            return Ok(None);
        }
        let key = KeyPair::generate().map_err(Error::internal)?.serialize_der();
        certificate.begin(self.now());
        let (ctx, lease, begun) = (self.tools.context(), self.lease.clone(), certificate.clone());
        let begin = move |tx: &mut Tx<'_>| certificates::begin(tx, &ctx, &lease, &begun, &key);
        self.tools.store.write(begin).await?;
        let identifiers = [Identifier::Dns(certificate.name.clone())];
        let replaced =
            certificate.issued.as_ref().and_then(|issued| issued.renewal_id.as_deref()).and_then(named);
        let mut made = match replaced.clone() {
            Some(replaced) => self.account.new_order(&NewOrder::new(&identifiers).replaces(replaced)).await,
            None => self.account.new_order(&NewOrder::new(&identifiers)).await,
        };
        if replaced.is_some() && made.as_ref().is_err_and(|error| !is_of_the_way(error)) {
            // It may have been replaced already, or be unknown: that is no reason to have none.
            made = self.account.new_order(&NewOrder::new(&identifiers)).await;
        }
        let order = made.map_err(|error| self.trouble(&error))?;
        certificate.ordered(order.url().to_owned());
        self.save(certificate).await?;
        Ok(Some(order))
    }

    /// Does what the order's status wants.
    async fn advance(&self, certificate: &mut Certificate, mut order: Order) -> Outcome<()> {
        for _ in 0..STATUSES {
            match order.state().status {
                OrderStatus::Pending => return self.answer(certificate, &mut order).await,
                OrderStatus::Ready => {
                    let request = self.request(&certificate.name).await?;
                    order.finalize_csr(&request).await.map_err(|error| self.trouble(&error))?;
                }
                OrderStatus::Processing => break,
                OrderStatus::Valid => return self.take(certificate, &mut order).await,
                OrderStatus::Invalid => return Err(self.why_invalid(&mut order).await),
            }
        }
        certificate.reached(OrderStage::Validated, self.now());
        self.save(certificate).await
    }

    /// Lets the authority look at the name, unless it does already.
    async fn answer(&self, certificate: &mut Certificate, order: &mut Order) -> Outcome<()> {
        let is_asked = certificate.order.as_ref().is_some_and(|order| order.stage != OrderStage::Begun);
        // Records that have changed since are the authority's to judge.
        let kinds = if is_asked { Ok(vec![]) } else { self.challenges(&certificate.name).await };
        let kinds = kinds.unwrap_or_else(|_| self.automatic.challenges.to_vec());
        let mut authorizations = order.authorizations();
        while let Some(authorization) = authorizations.next().await {
            let mut authorization = authorization.map_err(|error| self.trouble(&error))?;
            match authorization.status {
                AuthorizationStatus::Valid => continue,
                AuthorizationStatus::Pending => {}
                _ => return Err(why(&authorization.challenges)),
            }
            if is_asked {
                continue;
            }
            let is_offered =
                |kind: &ChallengeType| authorization.challenges.iter().any(|one| one.r#type == *kind);
            let chosen = kinds.iter().map(|kind| challenge_type(*kind)).find(is_offered);
            let Some(mut challenge) = chosen.and_then(|kind| authorization.challenge(kind)) else {
                let wanted: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
                let detail = format!("The authority does not offer {}.", wanted.join(" or "));
                return Err(refused(Reason::Refused, detail));
            };
            if challenge.status != ChallengeStatus::Pending {
                continue;
            }
            let answer = Challenge {
                token: challenge.token.clone(),
                key_authorization: challenge.key_authorization().as_str().to_owned(),
            };
            let (ctx, lease, saved) = (self.tools.context(), self.lease.clone(), certificate.clone());
            let save = move |tx: &mut Tx<'_>| certificates::save_challenge(tx, &ctx, &lease, &saved, &answer);
            self.tools.store.write(save).await?;
            challenge.set_ready().await.map_err(|error| self.trouble(&error))?;
        }
        certificate.reached(OrderStage::Challenged, self.now());
        self.save(certificate).await
    }

    /// What the authority signs: the name, and the key of the order.
    async fn request(&self, name: &str) -> Outcome<Vec<u8>> {
        let (ctx, of) = (self.tools.context(), name.to_owned());
        let key = self.tools.store.read(move |tx| certificates::order_key(tx, &ctx, &of)).await?;
        let key = key.ok_or_else(|| refused(Reason::Refused, "The key of the order is gone."))?;
        let key = KeyPair::try_from(&PrivatePkcs8KeyDer::from(key)).map_err(Error::internal)?;
        let mut params = CertificateParams::new(vec![name.to_owned()]).map_err(Error::internal)?;
        params.distinguished_name = DistinguishedName::new();
        Ok(params.serialize_request(&key).map_err(Error::internal)?.der().to_vec())
    }

    /// Takes the certificate, which every server shows from then on.
    async fn take(&self, certificate: &mut Certificate, order: &mut Order) -> Outcome<()> {
        let chain = order.certificate().await.map_err(|error| self.trouble(&error))?;
        let chain = chain.ok_or_else(|| refused(Reason::Undecided, "The certificate was not there yet."))?;
        let facts = certificates::read_issued(chain.as_bytes())?;
        certificate.issue(facts.validity, facts.renewal_id, self.now());
        let (ctx, lease, shown) = (self.tools.context(), self.lease.clone(), certificate.clone());
        let show = move |tx: &mut Tx<'_>| certificates::show(tx, &ctx, &lease, &shown, &chain);
        self.tools.store.write(show).await?;
        self.automatic.metrics.ordered("issued");
        tracing::info!(
            name = certificate.name,
            not_after = %facts.validity.not_after,
            "a certificate was issued"
        );
        Ok(())
    }

    async fn why_invalid(&self, order: &mut Order) -> Trouble {
        let error = order.state().error.as_ref().map(of_name);
        let mut authorizations = order.authorizations();
        while let Some(Ok(authorization)) = authorizations.next().await {
            if let Some(problem) = authorization.challenges.iter().find_map(|one| one.error.as_ref()) {
                return of_name(problem);
            }
        }
        error.unwrap_or_else(|| refused(Reason::Refused, "The authority gave no reason."))
    }

    /// Asks the authority when the certificate should be renewed. Whatever it answers, there is a time for it.
    async fn plan_renewal(&self, certificate: &mut Certificate) -> Outcome<()> {
        let fraction = u16::from_le_bytes(self.tools.context().random()?);
        let id = certificate.issued.as_ref().and_then(|issued| issued.renewal_id.as_deref()).and_then(named);
        let answer = match &id {
            Some(id) => self.account.renewal_info(id).await.map(Some),
            None => Ok(None),
        };
        let now = self.now();
        match answer {
            Ok(Some((info, asked))) => {
                let (start, end) = (info.suggested_window.start, info.suggested_window.end);
                let micros = |seconds: i64| Timestamp::from_micros(seconds.saturating_mul(1_000_000));
                let start = micros(start.unix_timestamp());
                let window = Window { start, end: micros(end.unix_timestamp()).max(start) };
                certificate.plan_renewal(Some(window), Some(asked), fraction, now);
            }
            Ok(None) | Err(instant_acme::Error::Unsupported(_)) => {
                certificate.plan_renewal(None, None, fraction, now);
            }
            Err(error) => {
                tracing::info!(%error, name = certificate.name, "the authority does not say when to renew");
                let renew_at = certificate.issued.as_ref().map_or(now, |issued| issued.renew_at);
                certificate.put_off(renew_at.min(now.plus(ASK_AGAIN)));
            }
        }
        self.save(certificate).await
    }

    fn now(&self) -> Timestamp {
        self.tools.platform.clock().now()
    }

    fn trouble(&self, error: &instant_acme::Error) -> Trouble {
        trouble(error, &self.asked)
    }

    async fn save(&self, certificate: &Certificate) -> Outcome<()> {
        let (ctx, lease, certificate) = (self.tools.context(), self.lease.clone(), certificate.clone());
        let save = move |tx: &mut Tx<'_>| certificates::save(tx, &ctx, &lease, &certificate);
        Ok(self.tools.store.write(save).await?)
    }
}

/// Keeps the account, or only the address that the authority has now.
async fn save_account(
    tools: &Tools,
    automatic: &Automatic,
    lease: &Lease,
    credentials: Option<&AccountCredentials>,
) -> Outcome<()> {
    let (ctx, lease, contact) = (tools.context(), lease.clone(), automatic.contact.clone());
    let credentials = credentials.map(serde_json::to_vec).transpose().map_err(Error::internal)?;
    let save = move |tx: &mut Tx<'_>| match &credentials {
        Some(credentials) => lease.save_account(tx, &ctx, &contact, credentials),
        None => lease.save_contact(tx, &ctx, &contact),
    };
    Ok(tools.store.write(save).await?)
}

/// The challenge as the library has it.
fn challenge_type(kind: ChallengeKind) -> ChallengeType {
    match kind {
        ChallengeKind::Http => ChallengeType::Http01,
        ChallengeKind::TlsAlpn => ChallengeType::TlsAlpn01,
    }
}

/// The name that an authority has for a certificate.
fn named(id: &str) -> Option<CertificateIdentifier<'_>> {
    let (key, serial) = id.split_once('.')?;
    Some(CertificateIdentifier {
        authority_key_identifier: Cow::Borrowed(key),
        serial: Cow::Borrowed(serial),
    })
}

/// Why an authorization came to nothing.
fn why(challenges: &[instant_acme::Challenge]) -> Trouble {
    let problem = challenges.iter().find_map(|challenge| challenge.error.as_ref());
    problem.map_or_else(|| refused(Reason::Refused, "The authority gave no reason."), of_name)
}

fn of_name(problem: &Problem) -> Trouble {
    let reason = Reason::of_error(problem.r#type.as_deref().unwrap_or_default());
    refused(reason, problem.detail.clone().unwrap_or_default())
}

/// Whether there was no answer of the authority.
fn is_of_the_way(error: &instant_acme::Error) -> bool {
    matches!(error, instant_acme::Error::Other(inner) if inner.is::<Failure>())
}

fn trouble(error: &instant_acme::Error, asked: &RequestedPause) -> Trouble {
    let asked = asked.take();
    match error {
        instant_acme::Error::Api(problem) => {
            let is_down = problem.status.is_some_and(|status| status >= 500);
            let kind = problem.r#type.as_deref().unwrap_or_default();
            if is_down || kind.ends_with(":serverInternal") || kind.ends_with(":badNonce") {
                return Trouble::Authority { why: problem.to_string(), asked };
            }
            match of_name(problem) {
                Trouble::Name { reason, detail, .. } => Trouble::Name { reason, detail, asked },
                other => other,
            }
        }
        instant_acme::Error::Crypto | instant_acme::Error::KeyRejected => {
            Trouble::Ours(Error::internal(error.to_string()))
        }
        instant_acme::Error::Unsupported(what) => refused(Reason::Refused, *what),
        _ => Trouble::Authority { why: error.to_string(), asked },
    }
}
