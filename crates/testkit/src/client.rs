//! A caller of the API.

use axum::body::Body;
use axum::http::{Method, Request};
use http_body_util::BodyExt;
use pagesmith_http::App;
use pagesmith_operations::messages::runs;
use pagesmith_store::Tx;
use pagesmith_worker::messages;
use pagesmith_worker::tools::Tools;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;
use tokio::sync::watch;
use tower::ServiceExt;

use crate::answer::Answer;
use crate::contract;

/// A caller; each request goes through the whole router.
#[derive(Clone)]
pub struct Client {
    router: App,
    headers: Vec<(String, String)>,
    /// What carries messages out.
    tools: Option<Box<Tools>>,
}

impl Client {
    /// A caller of that router with that key.
    pub fn new(router: App, key: Option<String>) -> Client {
        let client = Client { router, headers: vec![], tools: None };
        match key {
            Some(key) => client.with("x-api-key", &key),
            None => client,
        }
    }

    /// The same caller, who can have messages carried out.
    #[must_use]
    pub fn with_tools(self, tools: Tools) -> Client {
        Client { tools: Some(Box::new(tools)), ..self }
    }

    /// Carries out the messages of the caller's tenant, and looks at no other tenant for that.
    pub async fn carry_messages_out(&self) {
        let tools = self.tools.as_ref().unwrap();
        let (_, key) = self.headers.iter().find(|(name, _)| name == "x-api-key").unwrap();
        let caller = tools.keys.authenticate(key, tools.platform.clock().now()).await.unwrap();
        let (ctx, tenant) = (tools.context(), caller.tenant.tenant_id.clone());
        let claim = move |tx: &mut Tx<'_>| runs::claim(tx, &ctx, (&tenant, 16));
        let claimed = tools.store.claim(claim).await.unwrap();
        let (_running, stop) = watch::channel(false);
        for claimed in claimed {
            messages::carry_on((**tools).clone(), claimed, stop.clone()).await;
        }
    }

    /// The same caller, sending one more header with every request.
    #[must_use]
    pub fn with(&self, name: &str, value: &str) -> Client {
        let mut client = self.clone();
        client.headers.push((name.to_owned(), value.to_owned()));
        client
    }

    /// GET.
    pub async fn get(&self, path: &str) -> Answer {
        self.send("GET", path, None).await
    }

    /// GET with query parameters, encoded.
    pub async fn get_with(&self, path: &str, parameters: &[(&str, &str)]) -> Answer {
        let encoded = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        let pairs = parameters.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value)));
        self.get(&format!("{path}?{}", pairs.collect::<Vec<_>>().join("&"))).await
    }

    /// POST of a JSON body.
    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, Some(body.to_string().into_bytes())).await
    }

    /// PATCH of a JSON body.
    pub async fn patch(&self, path: &str, body: &Value) -> Answer {
        self.send("PATCH", path, Some(body.to_string().into_bytes())).await
    }

    /// DELETE.
    pub async fn delete(&self, path: &str) -> Answer {
        self.send("DELETE", path, None).await
    }

    /// POST of a file of that name.
    pub async fn upload(&self, name: &str, bytes: &[u8]) -> Answer {
        let name = utf8_percent_encode(name, NON_ALPHANUMERIC);
        let client = self.with("content-type", "application/octet-stream");
        client.send("POST", &format!("/v0/files?name={name}"), Some(bytes.to_vec())).await
    }

    /// Any method, and any bytes as a JSON body.
    pub async fn send(&self, method: &str, path: &str, body: Option<Vec<u8>>) -> Answer {
        let mut request = Request::builder().method(Method::from_bytes(method.as_bytes()).unwrap()).uri(path);
        if body.is_some() && !self.headers.iter().any(|(name, _)| name == "content-type") {
            request = request.header("content-type", "application/json");
        }
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let request = request.body(body.map_or_else(Body::empty, Body::from)).unwrap();
        let answer = self.raw(request).await;
        contract::check(method, path, &answer);
        answer
    }

    /// A request as it is, and its answer unchecked.
    pub async fn raw(&self, request: Request<Body>) -> Answer {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        Answer { status: parts.status, headers: parts.headers, bytes }
    }
}
