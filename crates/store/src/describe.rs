//! The tables as they are now, in a form that both engines share.
use pagesmith_model::Result;
use crate::database_url::DatabaseUrl;
pub(crate) fn describe(_url: &DatabaseUrl) -> Result<String> { Ok(String::new()) }
