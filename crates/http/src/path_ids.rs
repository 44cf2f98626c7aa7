//! The ids of what a request is about, for the log: those in its path, or of what was found where the path has other names.
//!
//! Only a text with the form of its id is kept: any other text in a path may be a misplaced secret.

use std::sync::Arc;

use axum::body::Body;
use axum::http::Response;
use pagesmith_model::id::is_path_id;

/// An answer, and what it is about.
pub(crate) type AboutIds = (Response<Body>, PathIds);

/// The parameters of a route that are ids, or what would be such, with their values; cheap to clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct PathIds(Arc<Vec<(String, String)>>);

impl PathIds {
    pub(crate) fn new(parameters: &Arc<Vec<(String, String)>>) -> PathIds {
        if parameters.iter().all(is_id) {
            return PathIds(Arc::clone(parameters));
        }
        PathIds(Arc::new(parameters.iter().filter(|parameter| is_id(parameter)).cloned().collect()))
    }

    /// The ids of what was found, by the names that they have as parameters.
    pub(crate) fn found(ids: &[(&str, &str)]) -> PathIds {
        let owned = |(name, id): &(&str, &str)| ((*name).to_owned(), (*id).to_owned());
        PathIds(Arc::new(ids.iter().map(owned).filter(is_id).collect()))
    }

    /// Says of an answer what it is about; the request's line in the log has it.
    pub(crate) fn note_on<B>(self, response: &mut Response<B>) {
        response.extensions_mut().insert(self);
    }

    /// What was said of an answer.
    pub(crate) fn noted_on<B>(response: &mut Response<B>) -> Option<PathIds> {
        response.extensions_mut().remove::<PathIds>()
    }

    /// The ids, each with the name of its parameter.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

fn is_id((name, value): &(String, String)) -> bool {
    is_path_id(name, value)
}

/// The answer, which says itself what it is about.
pub(crate) fn noted((mut response, about): AboutIds) -> Response<Body> {
    about.note_on(&mut response);
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::routes;

    #[test]
    fn every_id_in_a_path_of_the_api_can_be_logged() {
        let digits = "0".repeat(26);
        for route in routes().into_iter().filter(|route| route.path.starts_with("/v0/")) {
            for name in route.path.split('{').skip(1).filter_map(|part| Some(part.split_once('}')?.0)) {
                let prefix = match name {
                    "page_link_block_id" => "linkblock".to_owned(),
                    "audience_session_id" => "session".to_owned(),
                    "subscription_id" => "sub".to_owned(),
                    "tenant_domain_id" => "domain".to_owned(),
                    "other_version_id" => "version".to_owned(),
                    name => name.trim_end_matches("_id").replace('_', ""),
                };
                let parameter = |value: String| Arc::new(vec![(name.to_owned(), value)]);
                let id = format!("{prefix}_{digits}");
                let ids = PathIds::new(&parameter(id.clone()));
                assert_eq!(ids.iter().collect::<Vec<_>>(), [(name, id.as_str())], "{}", route.path);
                let misplaced = PathIds::new(&parameter(format!("ps_{digits}")));
                assert_eq!(misplaced.iter().count(), 0, "{}", route.path);
            }
        }
    }
}
