//! A text that everyone may ask for: made once, and compressed when the first client asks for that.
//!
//! Sending it must cost next to nothing.

use std::sync::Arc;

use axum::http::HeaderValue;
use bytes::Bytes;
use pagesmith_model::{Error, Result};
use tokio::sync::OnceCell;

use crate::coding::Coding;
use crate::offload::Offload;
use crate::reply::etag;

/// The text in its forms.
pub(crate) struct StaticText {
    media_type: &'static str,
    text: Bytes,
    plain: OnceCell<Form>,
    gzip: OnceCell<Form>,
    brotli: OnceCell<Form>,
}

/// One form of a text.
#[derive(Clone)]
pub(crate) struct Form {
    /// What the text is.
    pub media_type: &'static str,
    /// How it is coded.
    pub coding: Coding,
    /// Its bytes.
    pub bytes: Bytes,
    /// Its `ETag`.
    pub tag: HeaderValue,
}

impl StaticText {
    /// The text, of that media type.
    pub fn new(media_type: &'static str, text: impl Into<Bytes>) -> StaticText {
        let [plain, gzip, brotli] = [OnceCell::new(), OnceCell::new(), OnceCell::new()];
        StaticText { media_type, text: text.into(), plain, gzip, brotli }
    }

    /// The form in that coding.
    pub async fn form(&self, coding: Coding, offload: &Arc<Offload>) -> Result<Form> {
        let cell = match coding {
            Coding::Identity => &self.plain,
            Coding::Gzip => &self.gzip,
            Coding::Brotli => &self.brotli,
        };
        let make = || async {
            let bytes = match coding {
                Coding::Identity => self.text.clone(),
                _ => {
                    let text = self.text.clone();
                    offload.run(None, move || coding.encode(&text)).await??.into()
                }
            };
            let tag = HeaderValue::try_from(etag(&bytes)).map_err(Error::internal)?;
            Ok(Form { media_type: self.media_type, coding, bytes, tag })
        };
        cell.get_or_try_init(make).await.cloned()
    }
}
