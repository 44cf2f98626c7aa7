//! An identity provider on a port of the machine: it signs real tokens, checks what a provider has to check, and lies as the test says.
//!
//! Its time is the one at which every test begins, until the test turns it. [`TestProvider::let_in`] is what its screen would do when somebody signs
//! in there; the same is at `/authorize` for a browser.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{Response, StatusCode, header};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use http_body_util::BodyExt;
use pagesmith_model::identity_provider::IdentityProvider;
use ring::digest::{SHA256, digest};
use ring::hmac;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use url::{Url, form_urlencoded};

use crate::app::START;

mod signer;

pub use signer::Kind;
use signer::Signer;

/// What it calls us, and what we prove it with.
const CLIENT: (&str, &str) = ("pagesmith", "a secret: of the client");

/// How it signs a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signing {
    /// With its key.
    Right,
    /// With a key that it does not publish, under the name of one that it does.
    OtherKey,
    /// With its public key as if that were a shared secret, as HS256.
    PublicKeyAsSecret,
    /// Not at all, as `none`.
    Nothing,
}

type Twist = Box<dyn Fn(&mut Value) + Send>;

/// What a test decides.
struct Behaviour {
    kind: Kind,
    key_id: String,
    signing: Signing,
    person: Value,
    user_info: Option<Value>,
    twist: Twist,
    takes_codes_again: bool,
    is_down: bool,
    metadata: Value,
    now: i64,
    codes: BTreeMap<String, Authorized>,
    asked: Vec<String>,
}

/// What a code stands for.
#[derive(Clone)]
struct Authorized {
    nonce: String,
    challenge: String,
    redirect_uri: String,
}

/// A running provider; it ends with this.
pub struct TestProvider {
    address: SocketAddr,
    said: Arc<Mutex<Behaviour>>,
    task: JoinHandle<()>,
}

impl TestProvider {
    /// A provider at which `jane@acme.example` has signed in, and which signs with Ed25519.
    pub async fn start() -> TestProvider {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let said = Behaviour {
            kind: Kind::Ed25519,
            key_id: "key-1".to_owned(),
            signing: Signing::Right,
            person: json!({ "sub": "jane-1", "email": "jane@acme.example", "email_verified": true, "name": "Jane Doe" }),
            user_info: None,
            twist: Box::new(|_| {}),
            takes_codes_again: false,
            is_down: false,
            metadata: json!({}),
            now: START / 1_000_000,
            codes: BTreeMap::new(),
            asked: vec![],
        };
        let said = Arc::new(Mutex::new(said));
        let state = (format!("http://{address}"), Arc::clone(&said));
        let router = Router::new().fallback(answer).with_state(state);
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        TestProvider { address, said, task }
    }

    /// What it calls itself.
    pub fn issuer(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What an operator sets to let users sign in here.
    pub fn settings(&self, id: &str) -> IdentityProvider {
        IdentityProvider {
            id: id.to_owned(),
            name: format!("Provider {id}"),
            issuer: self.issuer(),
            client_id: CLIENT.0.to_owned(),
            client_secret: Some(CLIENT.1.to_owned()),
            scopes: "openid email profile".to_owned(),
            email_domains: vec![],
            creates_users: false,
            roles_claim: None,
            roles: vec![],
        }
    }

    /// Lets it sign with another kind of key.
    pub fn sign_with(&self, kind: Kind) {
        self.lock().kind = kind;
    }

    /// Lets it sign well or badly.
    pub fn sign(&self, signing: Signing) {
        self.lock().signing = signing;
    }

    /// Gives its key another name.
    pub fn rotate_key(&self, key_id: &str) {
        self.lock().key_id = key_id.to_owned();
    }

    /// Who signs in there from now on: claims of the token.
    pub fn person(&self, claims: Value) {
        self.lock().person = claims;
    }

    /// What it says beside the token.
    pub fn user_info(&self, claims: Value) {
        self.lock().user_info = Some(claims);
    }

    /// Changes what is in a token before it is signed.
    pub fn twist(&self, twist: impl Fn(&mut Value) + Send + 'static) {
        self.lock().twist = Box::new(twist);
    }

    /// Changes what it says of itself.
    pub fn metadata(&self, changes: Value) {
        self.lock().metadata = changes;
    }

    /// Lets it take a code that was used already.
    pub fn take_codes_again(&self) {
        self.lock().takes_codes_again = true;
    }

    /// Lets it fail whatever it is asked, or work again.
    pub fn set_down(&self, is_down: bool) {
        self.lock().is_down = is_down;
    }

    /// Turns its clock.
    pub fn advance(&self, seconds: i64) {
        self.lock().now += seconds;
    }

    /// How often a path was asked for.
    pub fn count(&self, path: &str) -> usize {
        self.lock().asked.iter().filter(|asked| *asked == path).count()
    }

    /// Signs somebody in who was sent to this address; where the browser is sent back to.
    pub fn let_in(&self, address: &str) -> String {
        let url = Url::parse(address).unwrap();
        assert!(address.starts_with(&self.issuer()), "{address}");
        authorize(&url, &self.issuer(), &mut self.lock())
    }

    /// Refuses somebody with this error; where the browser is sent back to.
    pub fn refuse(&self, address: &str, error: &str) -> String {
        let url = Url::parse(address).unwrap();
        let asked = parameters(&url);
        back(
            &asked["redirect_uri"],
            &[("error", error), ("error_description", "<b>evil</b>"), ("state", &asked["state"])],
        )
    }

    fn lock(&self) -> MutexGuard<'_, Behaviour> {
        self.said.lock().unwrap()
    }
}

impl Drop for TestProvider {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn parameters(url: &Url) -> BTreeMap<String, String> {
    url.query_pairs().into_owned().collect()
}

fn back(redirect_uri: &str, parameters: &[(&str, &str)]) -> String {
    let mut url = Url::parse(redirect_uri).unwrap();
    url.query_pairs_mut().extend_pairs(parameters);
    url.into()
}

fn authorize(url: &Url, issuer: &str, said: &mut Behaviour) -> String {
    let asked = parameters(url);
    assert_eq!((asked["response_type"].as_str(), asked["code_challenge_method"].as_str()), ("code", "S256"));
    assert_eq!(asked["client_id"], CLIENT.0);
    assert!(asked["scope"].split(' ').any(|scope| scope == "openid"));
    let code = format!("code-{}", said.codes.len() + 1);
    let authorized = Authorized {
        nonce: asked["nonce"].clone(),
        challenge: asked["code_challenge"].clone(),
        redirect_uri: asked["redirect_uri"].clone(),
    };
    said.codes.insert(code.clone(), authorized);
    back(&asked["redirect_uri"], &[("code", &code), ("state", &asked["state"]), ("iss", issuer)])
}

async fn answer(
    State((issuer, said)): State<(String, Arc<Mutex<Behaviour>>)>,
    request: Request,
) -> Response<Body> {
    let (head, body) = request.into_parts();
    let body = body.collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    let mut said = said.lock().unwrap();
    said.asked.push(head.uri.path().to_owned());
    if said.is_down {
        return json_of(StatusCode::BAD_GATEWAY, &json!({}));
    }
    let authorization = head.headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    match head.uri.path() {
        "/.well-known/openid-configuration" => {
            let mut document = json!({
                "issuer": issuer,
                "authorization_endpoint": format!("{issuer}/authorize"),
                "token_endpoint": format!("{issuer}/token"),
                "jwks_uri": format!("{issuer}/keys"),
                "userinfo_endpoint": format!("{issuer}/userinfo"),
                "authorization_response_iss_parameter_supported": true,
            });
            for (name, value) in said.metadata.as_object().unwrap() {
                document[name] = value.clone();
            }
            json_of(StatusCode::OK, &document)
        }
        "/keys" => json_of(StatusCode::OK, &json!({ "keys": [Signer::of(said.kind).public(&said.key_id)] })),
        "/authorize" => {
            let url = Url::parse(&format!("{issuer}{}", head.uri)).unwrap();
            let to = authorize(&url, &issuer, &mut said);
            Response::builder().status(303).header(header::LOCATION, to).body(Body::empty()).unwrap()
        }
        "/token" => {
            let form = form_urlencoded::parse(&body).into_owned().collect();
            match token(&issuer, &mut said, &form, authorization) {
                Ok(answer) => json_of(StatusCode::OK, &answer),
                Err(error) => json_of(StatusCode::BAD_REQUEST, &json!({ "error": error })),
            }
        }
        "/userinfo" if authorization == Some("Bearer access-1") => {
            json_of(StatusCode::OK, said.user_info.as_ref().unwrap_or(&json!({ "sub": said.person["sub"] })))
        }
        _ => json_of(StatusCode::NOT_FOUND, &json!({})),
    }
}

fn json_of(status: StatusCode, body: &Value) -> Response<Body> {
    let response = Response::builder().status(status).header(header::CONTENT_TYPE, "application/json");
    response.body(Body::from(body.to_string())).unwrap()
}

/// A token for a code, after everything that a provider has to check.
fn token(
    issuer: &str,
    said: &mut Behaviour,
    form: &BTreeMap<String, String>,
    authorization: Option<&str>,
) -> Result<Value, &'static str> {
    let escaped = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let pair = STANDARD.encode(format!("{}:{}", escaped(CLIENT.0), escaped(CLIENT.1)));
    let of_form = (form.get("client_id").map(String::as_str), form.get("client_secret").map(String::as_str));
    if authorization != Some(&format!("Basic {pair}")) && of_form != (Some(CLIENT.0), Some(CLIENT.1)) {
        return Err("invalid_client");
    }
    let code = form.get("code").ok_or("invalid_request")?;
    let authorized = said.codes.get(code).cloned().ok_or("invalid_grant")?;
    if !said.takes_codes_again {
        said.codes.remove(code);
    }
    let verifier = form.get("code_verifier").map(String::as_str).unwrap_or_default();
    let challenge = URL_SAFE_NO_PAD.encode(digest(&SHA256, verifier.as_bytes()));
    if form.get("redirect_uri") != Some(&authorized.redirect_uri) || challenge != authorized.challenge {
        return Err("invalid_grant");
    }
    let mut claims = json!({
        "iss": issuer, "aud": CLIENT.0, "nonce": authorized.nonce, "iat": said.now, "exp": said.now + 300,
    });
    for (name, value) in said.person.as_object().unwrap() {
        claims[name] = value.clone();
    }
    (said.twist)(&mut claims);
    Ok(
        json!({ "access_token": "access-1", "token_type": "Bearer", "expires_in": 300, "id_token": signed(said, &claims) }),
    )
}

fn signed(said: &Behaviour, claims: &Value) -> String {
    let signer = Signer::of(said.kind);
    let name = match said.signing {
        Signing::Right | Signing::OtherKey => said.kind.algorithm(),
        Signing::PublicKeyAsSecret => "HS256",
        Signing::Nothing => "none",
    };
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let text =
        format!("{}.{}", part(&json!({ "alg": name, "kid": said.key_id, "typ": "JWT" })), part(claims));
    let signature = match said.signing {
        Signing::Right => signer.sign(text.as_bytes()),
        Signing::OtherKey => signer::other().sign(text.as_bytes()),
        Signing::PublicKeyAsSecret => {
            let secret = signer.public(&said.key_id).to_string();
            hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes()), text.as_bytes())
                .as_ref()
                .to_vec()
        }
        Signing::Nothing => vec![],
    };
    format!("{text}.{}", URL_SAFE_NO_PAD.encode(signature))
}
