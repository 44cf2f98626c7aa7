//! What things are called that a screen knows by their ids.

use pagesmith_model::user::Permission;
use pagesmith_operations::names::{self, Ids};
use serde_json::Value;

use crate::client::Refused;
use crate::json::{list_of, some};
use crate::visit::Visit;

/// The names of a screen's things.
pub(crate) struct Names(names::Names);

impl Names {
    /// Reads the names of these.
    pub(crate) async fn read(visit: &Visit, ids: Ids) -> Result<Names, Refused> {
        let (tenant, shows_persons) =
            (visit.tenant.tenant_id.clone(), visit.may(Permission::ReadPersonalData));
        visit.read(move |tx| names::of(tx, &tenant, &ids, shows_persons)).await.map(Names)
    }

    /// Of the pages and audiences that these targets of links lead to.
    pub(crate) async fn of_targets<'a>(
        visit: &Visit,
        targets: impl Iterator<Item = &'a Value>,
    ) -> Result<Names, Refused> {
        let mut ids = Ids::default();
        for target in targets {
            add_target(&mut ids, target);
        }
        Names::read(visit, ids).await
    }

    /// A page's name, or its id if it is deleted.
    pub(crate) fn page<'a>(&'a self, id: &'a str) -> &'a str {
        self.0.pages.get(id).map_or(id, String::as_str)
    }

    /// A form's name, if it is there.
    pub(crate) fn form(&self, id: &str) -> Option<&str> {
        self.0.forms.get(id).map(String::as_str)
    }

    /// An audience's name behind that of its page, or its id if it is archived or the user may not know whose it is.
    pub(crate) fn audience(&self, id: &str) -> String {
        let found = self.0.audiences.get(id);
        found.map_or_else(|| id.to_owned(), |named| format!("{} · {}", named.page_name, named.effective_name))
    }

    /// The id of an audience's page.
    pub(crate) fn page_of(&self, audience: &str) -> Option<&str> {
        self.0.audiences.get(audience).map(|named| named.page_id.as_str())
    }
}

/// Adds what the target of a link leads to.
pub(crate) fn add_target(ids: &mut Ids, target: &Value) {
    ids.pages.extend(some(target, "pageId").map(str::to_owned));
    let routes = list_of(target, "routingTable").iter();
    let audiences = routes.chain([target]).filter_map(|of| some(of, "audienceId"));
    ids.audiences.extend(audiences.map(str::to_owned));
}
