//! Ids in the path. A malformed one is not found, as if it had never been given out.

use pagesmith_model::{
    AccountId, AccountLogId, AudienceId, DeliveryId, Error, PageId, PersonId, PersonLogId, SubscriptionId,
    VersionId,
};

use crate::extract::{Extract, Findings, Incoming};
use crate::openapi::{Operation, Schemas};

/// An id that stands in the path.
pub trait PathId: Sized + Send {
    /// The parameter's name in the route.
    const NAME: &'static str;
    /// What it is the id of, as in "No such page."
    const NOUN: &'static str;
    /// The id of that text.
    fn parse(text: &str) -> Option<Self>;
}

macro_rules! path_ids {
    ($($id:ident: $name:literal, $noun:literal;)*) => {$(
        impl PathId for $id {
            const NAME: &'static str = $name;
            const NOUN: &'static str = $noun;

            fn parse(text: &str) -> Option<$id> {
                $id::parse(text)
            }
        }
    )*};
}

path_ids! {
    PageId: "page_id", "page";
    AudienceId: "audience_id", "audience";
    VersionId: "version_id", "version";
    PersonId: "person_id", "person";
    PersonLogId: "person_log_id", "log entry";
    AccountId: "account_id", "account";
    AccountLogId: "account_log_id", "log entry";
    SubscriptionId: "subscription_id", "webhook subscription";
    DeliveryId: "delivery_id", "delivery";
}

/// An id from the path.
pub struct Path<T>(pub T);

impl<T: PathId> Extract for Path<T> {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        operation.takes_path(T::NAME, T::NOUN);
    }

    fn extract(request: &Incoming, findings: &mut Findings) -> Option<Path<T>> {
        let text = request.path.iter().find(|(name, _)| name == T::NAME).map(|(_, text)| text.as_str());
        let id = text.and_then(T::parse);
        if id.is_none() {
            findings.refuse(Error::not_found(T::NOUN));
        }
        id.map(Path)
    }
}
