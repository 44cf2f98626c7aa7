//! The example that `pagesmith demo` serves: a small company with its brand, three pages and the people whom it knows.
//!
//! What it holds is in `story.toml`, as the bodies of requests; it is made by the operations that carry requests out, in one
//! transaction, so that it is there whole or not at all. The third page follows when what it is made with is read ([`learn`]). What this is not: a way past the rules of the API.
//! Invariant: a tenant that is there already is left as it is; only its demo key is made anew, since no key can be shown twice.

use std::fmt::Write as _;
use std::sync::Arc;

use pagesmith_http::state::SitePicture;
use pagesmith_http::{Settings, site_address};
use pagesmith_model::account::NewAccount;
use pagesmith_model::audience::NewAudience;
use pagesmith_model::form::NewForm;
use pagesmith_model::key::Scope;
use pagesmith_model::link_block::NewLinkBlock;
use pagesmith_model::log::{NewAccountLog, NewPersonLog};
use pagesmith_model::page::NewPage;
use pagesmith_model::person::NewPerson;
use pagesmith_model::question::QuestionSettings;
use pagesmith_model::tenant::Tenant;
use pagesmith_model::{Error, Kind};
use pagesmith_operations::context::{Context, TenantContext};
use pagesmith_operations::keys::{self, NewKey};
use pagesmith_operations::precondition::Precondition;
use pagesmith_operations::tenants::{self, NewTenant};
use pagesmith_operations::{
    Platform, accounts, audiences, brands, forms, link_blocks, logs, page_links, pages, persons, questions,
    site,
};
use pagesmith_store::tables::page_links::PageLinkFilter;
use pagesmith_store::{Extent, Store, Tx, tables};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::failure::{Failure, Result};

mod learning;
mod month;

pub use learning::learn;
pub use month::live_through;

const STORY: &str = include_str!("demo/story.toml");

/// What is in the story for the address of its own site.
const SITE: &str = "{site}";

/// The pictures of the story, which must come from somewhere when nobody is online.
pub const PICTURES: &[SitePicture] = &[
    SitePicture { path: "/pictures/screen.svg", svg: include_str!("demo/screen.svg") },
    SitePicture { path: "/pictures/sensor.svg", svg: include_str!("demo/sensor.svg") },
];

/// What a link that shares its visitors among a page's audiences is announced as.
const SHARED: &str = "One of these";

/// What the QR code of such a link is announced as.
const CODE: &str = "Its QR code";

/// What the key of the example is called.
const KEY_NAME: &str = "demo";

/// More pages than the example has, and more audiences than a page of it.
const MANY: usize = 100;

/// The example as it is in its file; the bodies are read when they are sent.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Story {
    tenant: TenantOfStory,
    takes_questions: bool,
    site: Value,
    persons: Vec<Value>,
    accounts: Vec<Value>,
    person_logs: Vec<Value>,
    account_logs: Vec<Value>,
    link_blocks: Vec<Value>,
    forms: Vec<Value>,
    month: month::Month,
    pages: Vec<Value>,
    brand: Value,
    knowledge: KnowledgeOfStory,
    assets: Vec<Value>,
    known_page: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KnowledgeOfStory {
    topic: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TenantOfStory {
    name: String,
    slug: String,
}

/// Makes the example unless its tenant is there, and a fresh key; the key's text.
pub async fn prepare(store: &Store, platform: &Arc<Platform>, settings: &Settings) -> Result<String> {
    let mut story = read()?;
    let site = site_address(settings, &story.tenant.slug, "");
    for page in &mut story.pages {
        if let Some(Value::String(context)) = page.get_mut("pageContext") {
            *context = context.replace(SITE, &site);
        }
    }
    let context = platform.context();
    let secret = store
        .write(move |tx| {
            match tenants::find(tx, &story.tenant.slug) {
                Ok(_) => {}
                Err(error) if matches!(error.kind(), Kind::NotFound) => create_story(tx, &context, &story)?,
                Err(error) => return Err(error),
            }
            fresh_key(tx, &context, &story.tenant.slug)
        })
        .await?;
    Ok(secret)
}

fn read() -> Result<Story> {
    toml::from_str(STORY).map_err(|error| Failure::new(format!("the example is broken: {error}")))
}

/// Creates what the story says.
fn create_story(tx: &mut Tx<'_>, context: &Context, story: &Story) -> pagesmith_model::Result<()> {
    let new = NewTenant {
        name: story.tenant.name.clone(),
        slug: Some(story.tenant.slug.clone()),
        default_region: None,
    };
    let ctx = &context.of(tenants::create(tx, context, &new)?.tenant_id);
    let settings = (&request(&story.site)?, vec![]);
    site::settings::replace(tx, ctx, settings, &Precondition::Unconditional)?;
    let taken = QuestionSettings { is_shown: story.takes_questions, ..QuestionSettings::default() };
    questions::settings::set(tx, ctx, taken, &Precondition::Unconditional)?;
    brands::create(tx, ctx, &request(&story.brand)?, vec![])?;
    let mut known = Vec::new();
    for body in &story.persons {
        let new: NewPerson = request(body)?;
        let email = new.email.as_ref().map(ToString::to_string).unwrap_or_default();
        known.push((email, persons::create(tx, ctx, &new)?.person.person_id));
    }
    for body in &story.accounts {
        accounts::create(tx, ctx, &request::<NewAccount>(body)?)?;
    }
    for body in &story.person_logs {
        logs::persons::create(tx, ctx, &request::<NewPersonLog>(body)?)?;
    }
    for body in &story.account_logs {
        logs::accounts::create(tx, ctx, &request::<NewAccountLog>(body)?)?;
    }
    let mut blocks = Vec::new();
    for body in &story.link_blocks {
        let block = link_blocks::create(tx, ctx, &request::<NewLinkBlock>(body)?)?;
        blocks.push((block.name, block.link_block_id));
    }
    let mut made_forms = Vec::new();
    for body in &story.forms {
        let new: NewForm = request(body)?;
        made_forms.push((new.name.clone(), forms::create(tx, ctx, &new)?.form_id));
    }
    // The file cannot know ids, so it names link blocks and forms by their names and persons by their addresses.
    for body in &story.pages {
        let mut body = body.clone();
        let (of_page, link) = (take(&mut body, "audiences"), take(&mut body, "link"));
        for (name, field) in [("navLinkBlock", "navLinkBlockId"), ("footerLinkBlock", "footerLinkBlockId")] {
            let name = take(&mut body, name);
            let block = blocks.iter().find(|(known, _)| Some(known.as_str()) == name.as_str());
            body[field] = block.map_or(Value::Null, |(_, id)| id.as_str().into());
        }
        for action in body["actions"].as_array_mut().into_iter().flatten() {
            let made = made_forms.iter().find(|(name, _)| action["formId"].as_str() == Some(name));
            if let Some((_, form_id)) = made {
                action["formId"] = form_id.as_str().into();
            }
        }
        let page = pages::create(tx, ctx, &pages::prepare(ctx, request::<NewPage>(&body)?)?)?;
        let mut routes = Vec::new();
        for mut body in of_page.as_array().cloned().unwrap_or_default() {
            let email = take(&mut body, "person");
            let mut new: NewAudience = request(&body)?;
            let person = known.iter().find(|(known, _)| Some(known.as_str()) == email.as_str());
            new.person_id = person.map(|(_, person_id)| person_id.to_string());
            let made = audiences::create(tx, ctx, &page.page_id, &new)?;
            let weight = &link["weights"][new.custom_name.as_deref().unwrap_or_default()];
            if weight.is_number() {
                routes.push(json!({ "audienceId": made, "weight": weight }));
            }
        }
        if let Some(path) = link["path"].as_str() {
            let target =
                json!({ "targetType": "page_routing", "pageId": page.page_id, "routingTable": routes });
            page_links::create(tx, ctx, &request(&json!({ "path": path, "target": target }))?)?;
        }
    }
    Ok(())
}

/// A body as the type that the API reads it into, by the same text.
fn request<T: DeserializeOwned>(body: &Value) -> pagesmith_model::Result<T> {
    serde_json::from_str(&body.to_string()).map_err(|error| Error::internal(format!("{error} in {body}")))
}

fn take(body: &mut Value, field: &str) -> Value {
    body.as_object_mut().and_then(|fields| fields.remove(field)).unwrap_or_default()
}

/// A key for whoever looks at the example; the one of an earlier run is of no more use to anybody.
fn fresh_key(tx: &mut Tx<'_>, context: &Context, tenant: &str) -> pagesmith_model::Result<String> {
    for key in keys::list(tx, Some(tenant))? {
        if key.name == KEY_NAME && key.revoked_at.is_none() {
            keys::revoke(tx, context, &key.key_id)?;
        }
    }
    let new = NewKey {
        name: KEY_NAME.to_owned(),
        scope: Scope::Write,
        tenants: vec![tenant.to_owned()],
        expires_in: None,
        rate_limit: None,
    };
    Ok(keys::create(tx, context, &new)?.secret)
}

/// What is printed when the example can be looked at: every published page with its address, the console, and how to call the API with a key.
/// While there is no user, the console is shown by the link that makes one.
pub async fn announcement(
    store: &Store,
    platform: &Arc<Platform>,
    settings: &Settings,
    (secret, set_up): (&str, Option<&str>),
) -> Result<String> {
    let context = platform.context();
    let slug = read()?.tenant.slug;
    let (tenant, linked_pages) = store
        .read(move |tx| {
            let tenant = tenants::find(tx, &slug)?;
            let ctx = context.of(tenant.tenant_id.clone());
            Ok((tenant, linked_pages(tx, &ctx)?))
        })
        .await?;
    Ok(write(&tenant, &linked_pages, settings, (secret, set_up)))
}

/// A page and what can be opened of it: names and paths.
struct LinkedPage {
    page: String,
    audiences: Vec<(String, String)>,
    /// Those that lead to one of the audiences or another, with their ids.
    links: Vec<(String, String)>,
}

fn linked_pages(tx: &mut Tx<'_>, ctx: &TenantContext) -> pagesmith_model::Result<Vec<LinkedPage>> {
    let listed = tables::pages::stamps::list(tx, &ctx.tenant, None, MANY)?;
    let ids: Vec<&str> = listed.items.iter().map(|(page_id, _)| page_id.as_str()).collect();
    let pages = tables::pages::ROWS.find_newest(tx, &ctx.tenant, &ids, usize::MAX)?;
    let mut linked_pages = Vec::with_capacity(pages.len());
    for (_, _, (_, page)) in pages.iter().rev() {
        let (listed, _) =
            tables::audiences::list(tx, &ctx.tenant, &page.page_id, None, Extent::of_items(MANY))?;
        let live = listed.items.iter().rev().filter(|listed| {
            listed.published.is_some() && listed.audience.archived_at.is_none() && page.archived_at.is_none()
        });
        let audiences = live.map(|listed| {
            let audience = &listed.audience;
            let name = audience.custom_name.as_ref().unwrap_or(&audience.computed_name);
            (name.clone(), format!("/{}/{}", page.slug, listed.address()))
        });
        let filter = PageLinkFilter { page_id: Some(page.page_id.to_string()), ..PageLinkFilter::default() };
        let (links, _) = tables::page_links::list(tx, &ctx.tenant, &filter, None, Extent::of_items(MANY))?;
        let links = links
            .items
            .iter()
            .map(|(_, link)| (link.path.to_string(), link.page_link_id.to_string()))
            .collect();
        linked_pages.push(LinkedPage { page: page.name.clone(), audiences: audiences.collect(), links });
    }
    Ok(linked_pages)
}

fn write(
    tenant: &Tenant,
    linked_pages: &[LinkedPage],
    settings: &Settings,
    (secret, set_up): (&str, Option<&str>),
) -> String {
    let mut text = format!("\n{} is an invented company. Its pages, one for each audience:\n", tenant.name);
    let names =
        linked_pages.iter().flat_map(|linked| &linked.audiences).map(|(name, _)| name.chars().count());
    let width = names.max().unwrap_or_default();
    for linked in linked_pages.iter().filter(|linked| !linked.audiences.is_empty()) {
        let _ = writeln!(text, "\n  {}", linked.page);
        for (name, path) in &linked.audiences {
            let _ = writeln!(text, "    {name:<width$}  {}", site_address(settings, &tenant.slug, path));
        }
        for (path, id) in &linked.links {
            let _ = writeln!(text, "    {SHARED:<width$}  {}", site_address(settings, &tenant.slug, path));
            let qr = format!("{}/v0/page_links/{id}/qr.svg", settings.base_url);
            let _ = writeln!(text, "    {CODE:<width$}  {qr} (takes the key below)");
        }
    }
    let (api, console) = (&settings.base_url, settings.console_url());
    let _ = match set_up {
        Some(link) => writeln!(text, "\nThe console; open this within 30 minutes to set it up:\n  {link}"),
        None => writeln!(text, "\nThe console: {console}/console"),
    };
    let _ = write!(
        text,
        "\nThe API, with forms to try it: {api}/docs\nIts key, until the next start:  {secret}\n\n\
         \u{20} curl -s {api}/v0/pages -H 'x-api-key: {secret}'\n\nCtrl-C ends it.\n"
    );
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_story_is_what_the_api_takes() {
        let story: Story = toml::from_str(STORY).unwrap();
        assert_eq!(story.pages.len(), 2);
        let audiences = |page: &Value| page["audiences"].as_array().unwrap().len();
        assert_eq!(story.pages.iter().map(audiences).sum::<usize>(), 6);
        assert_eq!((story.persons.len(), story.accounts.len()), (3, 3));
        // Each block is named by a page, and each name is that of a block.
        let named = |page: &Value| {
            ["navLinkBlock", "footerLinkBlock"].map(|field| page[field].as_str().map(ToOwned::to_owned))
        };
        let named: BTreeSet<String> = story.pages.iter().flat_map(named).flatten().collect();
        let blocks: BTreeSet<String> =
            story.link_blocks.iter().map(|block| block["name"].as_str().unwrap().to_owned()).collect();
        assert_eq!((&named, blocks.len()), (&blocks, 2));
    }

    #[test]
    fn the_console_is_shown_by_the_link_that_makes_its_first_user_while_there_is_none() {
        let settings = Settings::usual("http://127.0.0.1:8080");
        let tenant = Tenant {
            tenant_id: pagesmith_model::TenantId::parse("tenant_01jpbz8n4xf5k9w2d7hq3mv6ta").unwrap(),
            name: "Norrvik".to_owned(),
            slug: "norrvik".to_owned(),
            default_region: None,
            created_at: pagesmith_model::Timestamp::from_micros(0),
            suspended_at: None,
            resumed_at: None,
        };
        let shown = |set_up| write(&tenant, &[], &settings, ("ps_0", set_up));
        let link = "http://127.0.0.1:8080/console/setup?token=t";
        assert!(shown(Some(link)).contains(link));
        assert!(shown(None).contains("The console: http://127.0.0.1:8080/console\n"));
    }

    #[test]
    fn nobody_in_the_story_can_be_real() {
        for word in STORY.split(|char: char| char.is_whitespace() || "\",()<>".contains(char)) {
            let host = word.strip_prefix("https://").or_else(|| word.split_once('@').map(|(_, host)| host));
            let host = host.map(|host| host.split('/').next().unwrap_or_default());
            assert!(host.is_none_or(|host| host.ends_with(".example")), "{word}");
        }
    }
}
