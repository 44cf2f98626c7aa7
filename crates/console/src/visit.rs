//! A request of somebody who is signed in, and what is drawn for it.

use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Body;
use axum::http::{HeaderMap, Response};
use maud::Markup;
use pagesmith_model::Timestamp;
use pagesmith_model::actor::Actor;
use pagesmith_model::tenant::Tenant;
use pagesmith_model::user::session::Session;
use pagesmith_model::user::{Permission, Role, User};
use pagesmith_operations::context::Context;
use pagesmith_operations::idempotency::Request;
use pagesmith_store::Tx;

use crate::client::{Client, Refused};
use crate::entered::{Entered, query_value};
use crate::installation::Installation;
use crate::parts::live::SINCE;
use crate::parts::navigation::Area;
use crate::words::Words;

/// A request of somebody who is signed in, to a screen of one tenant.
pub struct Visit {
    /// Who.
    pub user: User,
    /// By which session.
    pub session: Session,
    /// What the user may do in the tenant.
    pub role: Role,
    /// The tenant.
    pub tenant: Arc<Tenant>,
    /// The user's tenants.
    pub tenants: Vec<(Tenant, Role)>,
    /// The language.
    pub words: Words,
    /// The instant.
    pub now: Timestamp,
    /// The API, as the user.
    pub api: Client,
    /// What is not the tenant's: users, the platform.
    pub installation: Arc<Installation>,
    /// The ids in the path.
    pub path: Vec<(String, String)>,
    /// The query as it was sent.
    pub query: String,
    /// What was entered into the form that was sent.
    pub entered: Entered,
    /// A form with files as it arrives, with its headers; it is passed on to the API unread.
    pub upload: Mutex<Option<(HeaderMap, Body)>>,
    /// Where the request came from.
    pub client: pagesmith_operations::users::Client,
    /// Whether only a part of a screen is wanted.
    pub wants_part: bool,
}

/// What is drawn for a request.
pub enum Drawn {
    /// A screen.
    Screen(Box<Screen>),
    /// A part of a screen, which the browser puts where it belongs.
    Part(Markup),
    /// Something was done; where to go on.
    Moved(String),
    /// Bytes that are no screen: a file, a stream of events.
    Response(Response<Body>),
}

/// A screen, without what is around all of them.
pub struct Screen {
    /// The area it belongs to.
    pub area: Option<Area>,
    /// The screens above it: titles and addresses.
    pub crumbs: Vec<(String, String)>,
    /// Its title.
    pub title: String,
    /// What can be done here, beside the title.
    pub actions: Markup,
    /// What it shows.
    pub main: Markup,
    /// The refusal for which it is shown again, if it is.
    pub refused: Option<Refused>,
    /// The origin of what it shows in a frame, if it does.
    pub frames: Option<String>,
    /// The origin of pictures that it shows, if it is not the console's own.
    pub pictures: Option<String>,
}

impl Screen {
    /// A screen of an area.
    pub fn new(area: Area, title: impl Into<String>, main: Markup) -> Screen {
        Screen {
            area: Some(area),
            crumbs: vec![],
            title: title.into(),
            actions: Markup::default(),
            main,
            refused: None,
            frames: None,
            pictures: None,
        }
    }

    /// With a screen above it.
    #[must_use]
    pub fn below(mut self, title: impl Into<String>, href: impl Into<String>) -> Screen {
        self.crumbs.push((title.into(), href.into()));
        self
    }

    /// With what can be done here.
    #[must_use]
    pub fn actions(self, actions: Markup) -> Screen {
        Screen { actions, ..self }
    }

    /// Shown again because something was refused.
    #[must_use]
    pub fn refused(self, refused: Option<Refused>) -> Screen {
        Screen { refused, ..self }
    }
}

impl From<Screen> for Drawn {
    fn from(screen: Screen) -> Drawn {
        Drawn::Screen(Box::new(screen))
    }
}

impl Visit {
    /// The address of a path of the tenant's console: `/pages`.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.root())
    }

    /// The address that all screens of the tenant stand below.
    pub fn root(&self) -> String {
        root(&self.tenant.slug)
    }

    /// An id of the path; empty if the path has none of that name, which the API does not find.
    pub fn id(&self, name: &str) -> &str {
        let found = self.path.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value.as_str())
    }

    /// A value of the query.
    pub fn asked(&self, name: &str) -> Option<String> {
        query_value(&self.query, name).filter(|value| !value.is_empty())
    }

    /// Passes on the events of a state of the API, from what was shown on: see [`since`](crate::parts::live::since).
    pub async fn follow(&self, path: &str) -> Result<Drawn, Refused> {
        let shown = self.asked(SINCE);
        self.api.follow(path, shown.as_deref()).await.map(Drawn::Response)
    }

    /// The form with files that was sent, once.
    pub fn take_upload(&self) -> Option<(HeaderMap, Body)> {
        self.upload.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Whether the user may do that here.
    pub fn may(&self, permission: Permission) -> bool {
        self.role.allows(permission)
    }

    /// Whether the user may change anything here.
    pub fn may_write(&self) -> bool {
        self.may(Permission::Write)
    }

    /// Goes on at a path of the tenant's console.
    pub fn moved(&self, path: &str) -> Drawn {
        Drawn::Moved(self.url(path))
    }

    /// The instant, with the user as the actor.
    pub(crate) fn context(&self) -> Context {
        self.installation.platform.context().by(Actor::User(self.user.user_id.clone()))
    }

    /// The form that was sent, as a request that is carried out once, for what is done without a call of the API.
    pub(crate) fn form_request(&self, form: &str) -> Result<Option<Request>, Refused> {
        let ctx = self.context().of(self.tenant.tenant_id.clone());
        let request = self.api.form_key().map(|key| Request::of_form(&ctx, form, key, &self.entered.0));
        request.transpose().map_err(|error| Refused::of(&error))
    }

    /// Reads what is not the tenant's.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        run: impl Fn(&mut Tx<'_>) -> pagesmith_model::Result<T> + Send + 'static,
    ) -> Result<T, Refused> {
        self.installation.store.read(run).await.map_err(|error| Refused::of(&error))
    }

    /// Changes what is not the tenant's.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        run: impl Fn(&mut Tx<'_>) -> pagesmith_model::Result<T> + Send + 'static,
    ) -> Result<T, Refused> {
        self.installation.store.write(run).await.map_err(|error| Refused::of(&error))
    }

    /// A count as it is written in the user's language.
    pub(crate) fn count(&self, count: u64) -> String {
        self.words.count(count)
    }

    /// A text in the user's language.
    pub fn text(&self, key: &str) -> String {
        self.words.text(key)
    }
}

/// The address that all screens of a tenant stand below.
pub fn root(slug: &str) -> String {
    format!("{ROOT}/t/{slug}")
}

/// The path of the console.
pub const ROOT: &str = "/console";
