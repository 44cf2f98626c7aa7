//! Signing in at an identity provider: the authorization code flow of OpenID Connect with PKCE.
//!
//! What belongs to a sign-in (which provider, `state`, `nonce`, the verifier of PKCE, where to go on) is sealed and kept by the browser that
//! began it, so that strangers write nothing into the database, and an answer counts only in that browser and from that provider. An
//! answer that has counted once does not count again. What the provider says is judged in [`pagesmith_model::identity_provider`], who that is
//! here in [`super::identities`].

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use pagesmith_model::identity_provider::IdentityProvider;
use pagesmith_model::identity_provider::claims::Claims;
use pagesmith_model::identity_provider::id_token::{self, Expected, Refusal};
use pagesmith_model::identity_provider::metadata::Metadata;
use pagesmith_model::{Error, Kind, Result, Timestamp};
use pagesmith_store::Store;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use subtle::ConstantTimeEq as _;

use super::identities::{self, Arrived};
use super::identity_providers::{IdentityProviders, ProviderCall, unreachable};
use super::sign_in::{Rules, SignIn};
use super::{Client, token};
use crate::context::Context;

/// How long a sign-in at a provider may take.
pub const GOOD_FOR: Duration = Duration::from_mins(10);
/// The longest code that is passed on to a provider, in bytes.
const LONGEST_CODE: usize = 4_096;
/// What the sealed sign-in is bound to.
const BOUND_TO: &[u8] = b"sign-in at an identity provider";

/// A sign-in that has begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Begun {
    /// Where the browser is sent.
    pub address: String,
    /// What the browser keeps.
    pub kept: String,
}

/// What belongs to a sign-in.
#[derive(Serialize, Deserialize)]
struct Flow {
    provider: String,
    state: String,
    nonce: String,
    verifier: String,
    next: String,
    invitation: Option<String>,
    expires_at: i64,
}

/// What a provider has sent back by the browser.
#[derive(Debug, Clone, Default)]
pub struct Returned {
    /// `state`.
    pub state: String,
    /// `code`, if it let the user in.
    pub code: Option<String>,
    /// `error`, if it did not.
    pub error: Option<String>,
    /// `iss`, if the provider names itself.
    pub issuer: Option<String>,
}

/// Begins a sign-in. `next` is where to go on, `invitation` the token of an invitation that is to be accepted.
pub async fn begin(
    providers: &IdentityProviders,
    ctx: &Context,
    provider: &IdentityProvider,
    next: String,
    invitation: Option<String>,
) -> Result<Begun> {
    let metadata = providers.metadata(provider, ctx.now).await?;
    let ((state, _), (nonce, _), (verifier, challenge)) = (token(ctx)?, token(ctx)?, token(ctx)?);
    let mut address = metadata.authorization_endpoint.clone();
    address
        .query_pairs_mut()
        .append_pair("response_type", "code")
        .append_pair("client_id", &provider.client_id)
        .append_pair("redirect_uri", &providers.return_address(provider))
        .append_pair("scope", &provider.scopes)
        .append_pair("state", &state)
        .append_pair("nonce", &nonce)
        // The digest of a token is the SHA-256 of its text, as PKCE has it.
        .append_pair("code_challenge", &URL_SAFE_NO_PAD.encode(challenge))
        .append_pair("code_challenge_method", "S256");
    let flow = Flow {
        provider: provider.id.clone(),
        state,
        nonce,
        verifier,
        next,
        invitation,
        expires_at: ctx.now.plus(GOOD_FOR).as_micros(),
    };
    let plain = serde_json::to_vec(&flow).map_err(Error::internal)?;
    let sealed = ctx.secret()?.seal(ctx.random()?, BOUND_TO, &plain);
    Ok(Begun { address: address.into(), kept: URL_SAFE_NO_PAD.encode(sealed) })
}

fn open(ctx: &Context, kept: &str) -> Result<Option<Flow>> {
    let Ok(sealed) = URL_SAFE_NO_PAD.decode(kept) else { return Ok(None) };
    let plain = ctx.secret()?.open(BOUND_TO, &sealed);
    let flow: Option<Flow> = plain.and_then(|plain| serde_json::from_slice(&plain).ok());
    Ok(flow.filter(|flow| ctx.now.as_micros() < flow.expires_at))
}

fn refused(detail: impl Into<String>) -> Error {
    Error::new(Kind::Unauthorized, detail)
}

/// Ends a sign-in: who it is, and where to go on. 401 if the answer does not belong to a sign-in that this browser began, if the provider
/// has refused, or if what it says does not count; 403 if whoever it is may not come in; 503 while the provider cannot be reached.
pub async fn complete(
    (store, providers): (&Store, &IdentityProviders),
    ctx: &Context,
    rules: Rules,
    client: &Client,
    provider: &IdentityProvider,
    (kept, returned): (&str, Returned),
    replaced: Option<String>,
) -> Result<(SignIn, String)> {
    let flow = open(ctx, kept)?.ok_or_else(|| {
        refused(
            "The sign-in was not begun in this browser, or took longer than ten minutes. Please begin again.",
        )
    })?;
    let is_same = bool::from(flow.state.as_bytes().ct_eq(returned.state.as_bytes()));
    if flow.provider != provider.id || !is_same {
        return Err(refused("This answer belongs to another sign-in. Please begin again."));
    }
    let metadata = providers.metadata(provider, ctx.now).await?;
    let is_named = match &returned.issuer {
        Some(issuer) => *issuer == provider.issuer,
        None => !metadata.names_itself,
    };
    if !is_named {
        return Err(refused("This answer comes from another provider. Please begin again."));
    }
    if let Some(error) = &returned.error {
        return Err(not_let_in(provider, error));
    }
    let code = returned.code.filter(|code| !code.is_empty() && code.len() <= LONGEST_CODE);
    let code =
        code.ok_or_else(|| refused(format!("{} has sent no code. Please begin again.", provider.name)))?;
    let claims = claims(providers, ctx, provider, &metadata, (&code, &flow)).await?;
    let arrived = Arrived {
        provider: provider.clone(),
        claims,
        invitation: flow.invitation,
        digest: pagesmith_model::key::digest(&flow.state),
        expires_at: Timestamp::from_micros(flow.expires_at),
    };
    let (ctx, client) = (ctx.clone(), client.clone());
    let write = move |tx: &mut pagesmith_store::Tx<'_>| {
        identities::sign_in(tx, &ctx, rules, &client, &arrived, replaced.as_deref())
    };
    Ok((store.write(write).await?, flow.next))
}

/// What a user is told whom a provider did not let in. Only what the standard names is repeated.
fn not_let_in(provider: &IdentityProvider, error: &str) -> Error {
    let name = &provider.name;
    match error {
        "access_denied" => refused(format!("{name} did not let you in, or you declined.")),
        "temporarily_unavailable" | "server_error" => {
            Error::unavailable(format!("{name} cannot sign you in at the moment."))
        }
        _ if error.len() <= 60 && error.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_') => {
            refused(format!("{name} refused the sign-in ({error}). An operator has to look at its settings."))
        }
        _ => refused(format!("{name} refused the sign-in.")),
    }
}

/// Exchanges a code and reads what the provider says of the user.
async fn claims(
    providers: &IdentityProviders,
    ctx: &Context,
    provider: &IdentityProvider,
    metadata: &Metadata,
    (code, flow): (&str, &Flow),
) -> Result<Claims> {
    let call = exchange(providers, provider, metadata, code, &flow.verifier);
    let (status, body) = providers.call(provider, call).await?;
    let answer: Value = serde_json::from_slice(&body).unwrap_or_default();
    let Some(id_token) = answer["id_token"].as_str().filter(|_| status == 200) else {
        let error = answer["error"].as_str().unwrap_or("no token");
        if status >= 500 {
            return Err(unreachable(provider, &format!("its token endpoint answers {status}")));
        }
        let told: String = error.chars().filter(|char| !char.is_control()).take(100).collect();
        let detail = format!(
            "{} did not take the code: it was used, or is too old. Please begin again.",
            provider.name
        );
        return Err(refused(detail).caused_by(format!("identity provider {}: {status} {told}", provider.id)));
    };
    let expected = Expected {
        issuer: &provider.issuer,
        client_id: &provider.client_id,
        nonce: &flow.nonce,
        now: ctx.now,
    };
    let keys = providers.keys(provider, metadata, ctx.now, false).await?;
    let verified = match id_token::verify(id_token, &keys, &expected) {
        Err(Refusal::UnknownKey) => {
            let keys = providers.keys(provider, metadata, ctx.now, true).await?;
            id_token::verify(id_token, &keys, &expected)
        }
        verified => verified,
    };
    let claims = verified.map_err(|refusal| {
        refused(format!("What {} says of you does not count: {}.", provider.name, refusal.why()))
    })?;
    let lacks = |claim: &str| !claims.has(claim);
    let wants_more =
        lacks("email") || lacks("email_verified") || provider.roles_claim.as_deref().is_some_and(lacks);
    match (&metadata.user_info, answer["access_token"].as_str()) {
        (Some(address), Some(access_token)) if wants_more => {
            let more = more_claims(providers, provider, address.as_str(), access_token).await?;
            if more.subject() != claims.subject() {
                return Err(refused(format!("{} says something of somebody else.", provider.name)));
            }
            Ok(claims.and(more))
        }
        _ => Ok(claims),
    }
}

/// The call that makes a token of a code.
fn exchange(
    providers: &IdentityProviders,
    provider: &IdentityProvider,
    metadata: &Metadata,
    code: &str,
    verifier: &str,
) -> ProviderCall {
    let mut form = vec![
        ("grant_type".to_owned(), "authorization_code".to_owned()),
        ("code".to_owned(), code.to_owned()),
        ("redirect_uri".to_owned(), providers.return_address(provider)),
        ("code_verifier".to_owned(), verifier.to_owned()),
    ];
    let in_form = |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let authorization = match &provider.client_secret {
        Some(secret) if !metadata.secret_in_form => {
            let pair = format!("{}:{}", in_form(&provider.client_id), in_form(secret));
            Some(format!("Basic {}", STANDARD.encode(pair)))
        }
        secret => {
            form.push(("client_id".to_owned(), provider.client_id.clone()));
            form.extend(secret.clone().map(|secret| ("client_secret".to_owned(), secret)));
            None
        }
    };
    ProviderCall { url: metadata.token_endpoint.to_string(), form: Some(form), authorization }
}

/// What a provider says beside its token.
async fn more_claims(
    providers: &IdentityProviders,
    provider: &IdentityProvider,
    address: &str,
    access_token: &str,
) -> Result<Claims> {
    let call =
        ProviderCall { authorization: Some(format!("Bearer {access_token}")), ..ProviderCall::get(address) };
    let (status, body) = providers.call(provider, call).await?;
    let said = serde_json::from_slice(&body).ok().filter(|_| status == 200).and_then(Claims::of);
    said.ok_or_else(|| unreachable(provider, &format!("{address} answers {status}, or no object")))
}
