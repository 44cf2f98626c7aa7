//! The OpenAPI document as it is sent: made once, and compressed when the first client asks for that.
//!
//! Everyone may ask for it, so sending it must cost next to nothing.

use std::sync::Arc;

use axum::http::HeaderValue;
use bytes::Bytes;
use pagesmith_model::{Error, Result};
use serde_json::Value;
use tokio::sync::OnceCell;

use crate::offload::Offload;
use crate::reply::etag;
use crate::site::coding::Coding;

/// The document in its forms.
pub(crate) struct Document {
    text: Bytes,
    plain: OnceCell<Form>,
    gzip: OnceCell<Form>,
    brotli: OnceCell<Form>,
}

/// One form of the document.
#[derive(Clone)]
pub(crate) struct Form {
    /// How it is coded.
    pub coding: Coding,
    /// Its bytes.
    pub bytes: Bytes,
    /// Its `ETag`.
    pub tag: HeaderValue,
}

impl Document {
    /// The document of that content.
    pub fn new(document: &Value) -> Document {
        let [plain, gzip, brotli] = [OnceCell::new(), OnceCell::new(), OnceCell::new()];
        Document { text: document.to_string().into(), plain, gzip, brotli }
    }

    /// The form in that coding.
    pub async fn form(&self, coding: Coding, offload: &Arc<Offload>) -> Result<Form> {
        let cell = match coding {
            Coding::Identity => &self.plain,
            Coding::Gzip => &self.gzip,
            Coding::Brotli => &self.brotli,
        };
        let make = || async {
            let text = self.text.clone();
            let code = move || {
                let bytes = if coding == Coding::Identity { text } else { coding.encode(&text)?.into() };
                let tag = HeaderValue::try_from(etag(&bytes)).map_err(Error::internal)?;
                Ok(Form { coding, bytes, tag })
            };
            offload.run(None, code).await?
        };
        cell.get_or_try_init(make).await.cloned()
    }
}
