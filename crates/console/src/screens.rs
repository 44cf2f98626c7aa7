//! The table of contents of the console: every screen, and who may open it.
//!
//! A path is below the tenant's root. `GET` shows, `POST` does something and goes on. A noun has its file by the name that it has in every
//! layer; an address may say it shorter, as `/links` and `/domains` do, and stays as it is, since people keep addresses.

mod account;
mod accounts;
mod actors;
mod assets;
mod audiences;
mod brands;
mod entering;
mod figures;
mod find;
mod forms;
mod knowledge;
mod link_blocks;
mod listing;
mod names;
mod offered;
pub mod operator;
mod page_links;
mod pages;
mod persons;
mod removal;
mod settings;
mod site_frame;
mod start;
mod status;
mod tenant_domains;
mod visits;
mod webhooks;
mod withheld;

pub(crate) use visits::report::Report;

use std::pin::Pin;
use std::sync::Arc;

use pagesmith_model::user::Permission;
use pagesmith_model::user::Permission::{ManageUsers, Read, ReadPersonalData, Write};

use crate::client::Refused;
use crate::parts::navigation::Area;
use crate::visit::{Drawn, Visit};

/// What is being drawn.
pub(crate) type Drawing = Pin<Box<dyn Future<Output = Result<Drawn, Refused>> + Send>>;

/// A screen, or something that is done on one.
pub struct Row {
    /// `GET` or `POST`.
    pub method: &'static str,
    /// The path below the tenant's root, with ids in braces.
    pub path: &'static str,
    /// What the user has to be allowed.
    pub needs: Permission,
    pub(crate) serve: Arc<dyn Fn(Visit) -> Drawing + Send + Sync>,
}

macro_rules! screen {
    ($method:ident $path:literal, $handler:path, $needs:expr) => {
        Row {
            method: stringify!($method),
            path: $path,
            needs: $needs,
            serve: Arc::new(|visit| Box::pin($handler(visit))),
        }
    };
}

/// Every area that has a screen among these, with what a user has to be allowed to open it.
pub(crate) fn areas(rows: &[Row]) -> Vec<(Area, Permission)> {
    let first = |area: Area| rows.iter().find(|row| row.method == "GET" && row.path == area.path());
    Area::ALL.into_iter().filter_map(|area| Some((area, first(area)?.needs))).collect()
}

/// Every screen.
pub fn rows() -> Vec<Row> {
    let mut rows = rows_of_pages();
    rows.extend(rows_of_people());
    rows.extend(rows_of_webhooks());
    rows.extend(rows_of_content_and_addresses());
    rows.extend(rows_of_settings());
    rows
}

fn rows_of_pages() -> Vec<Row> {
    vec![
        screen!(GET "", start::start, Read),
        screen!(GET "/start/events", start::events, Read),
        screen!(GET "/pages", pages::list, Read),
        screen!(GET "/pages/events", pages::list_changes, Read),
        screen!(GET "/pages/new", pages::new, Write),
        screen!(POST "/pages/new", pages::create, Write),
        screen!(GET "/pages/{page_id}", pages::show, Read),
        screen!(GET "/pages/{page_id}/edit", pages::editing::about, Write),
        screen!(POST "/pages/{page_id}/edit", pages::editing::save_about, Write),
        screen!(GET "/pages/{page_id}/edit/actions", pages::editing::actions, Write),
        screen!(POST "/pages/{page_id}/edit/actions", pages::editing::save_actions, Write),
        screen!(GET "/pages/{page_id}/edit/navigation", pages::editing::navigation, Write),
        screen!(POST "/pages/{page_id}/edit/navigation", pages::editing::save_navigation, Write),
        screen!(GET "/pages/{page_id}/edit/metadata", pages::editing::metadata, Write),
        screen!(POST "/pages/{page_id}/edit/metadata", pages::editing::save_metadata, Write),
        screen!(GET "/pages/{page_id}/edit/scripts", pages::editing::scripts, Write),
        screen!(POST "/pages/{page_id}/edit/scripts", pages::editing::save_scripts, Write),
        screen!(GET "/pages/{page_id}/archive", pages::ask_archive, Write),
        screen!(POST "/pages/{page_id}/archive", pages::archive, Write),
        screen!(GET "/pages/{page_id}/delete", pages::ask_delete, Write),
        screen!(POST "/pages/{page_id}/delete", pages::delete, Write),
        screen!(POST "/pages/{page_id}/restore", pages::restore, Write),
        screen!(GET "/pages/{page_id}/audiences/new", audiences::new, Write),
        screen!(POST "/pages/{page_id}/audiences/new", audiences::create, Write),
        screen!(GET "/pages/{page_id}/audiences/new/persons", audiences::persons, Write),
        screen!(POST "/pages/{page_id}/audiences/new/persons", audiences::create_for_persons, Write),
        screen!(GET "/pages/{page_id}/audiences/new/accounts", audiences::accounts, Write),
        screen!(POST "/pages/{page_id}/audiences/new/accounts", audiences::create_for_accounts, Write),
        screen!(GET "/pages/{page_id}/audiences/new/file", audiences::new_of_file, Write),
        screen!(POST "/pages/{page_id}/audiences/new/file", audiences::create_of_file, Write),
        screen!(GET "/pages/{page_id}/audiences/new/notes", audiences::notes, Write),
        screen!(POST "/pages/{page_id}/audiences/new/notes", audiences::create_of_notes, Write),
        screen!(POST "/pages/{page_id}/audiences/selected", audiences::change_selected, Write),
        screen!(GET "/pages/{page_id}/audiences/events", pages::audiences_changes, Read),
        screen!(GET "/pages/{page_id}/audiences/{audience_id}", audiences::show, Read),
        screen!(POST "/pages/{page_id}/audiences/{audience_id}/context", audiences::context, Write),
        screen!(POST "/pages/{page_id}/audiences/{audience_id}/archive", audiences::archive, Write),
        screen!(POST "/pages/{page_id}/audiences/{audience_id}/restore", audiences::restore, Write),
        screen!(POST "/pages/{page_id}/audiences/{audience_id}/publish", audiences::publish, Write),
        screen!(POST "/pages/{page_id}/audiences/{audience_id}/cancel", audiences::cancel, Write),
        screen!(POST "/pages/{page_id}/audiences/{audience_id}/rewrite", audiences::rewrite, Write),
        screen!(POST "/pages/{page_id}/audiences/{audience_id}/schedule", audiences::set_schedule, Write),
        screen!(POST "/pages/{page_id}/audiences/{audience_id}/unschedule", audiences::unschedule, Write),
        screen!(POST "/pages/{page_id}/audiences/{audience_id}/restore-version", audiences::restore_version, Write),
        screen!(GET "/pages/{page_id}/audiences/{audience_id}/versions", audiences::versions, Read),
        screen!(GET "/pages/{page_id}/audiences/{audience_id}/versions/events", audiences::versions_events, Read),
        screen!(GET "/pages/{page_id}/audiences/{audience_id}/versions/{version_id}/events", audiences::writing_events, Read),
        screen!(GET "/pages/{page_id}/audiences/{audience_id}/compare", audiences::choose_compared, Read),
        screen!(GET "/pages/{page_id}/audiences/{audience_id}/compare/{from_id}/{to_id}", audiences::compare, Read),
        screen!(POST "/pages/{page_id}/audiences/{audience_id}/say", audiences::say, Write),
        screen!(POST "/pages/{page_id}/audiences/{audience_id}/interrupt", audiences::interrupt, Write),
        screen!(POST "/pages/{page_id}/audiences/{audience_id}/revert", audiences::revert, Write),
        screen!(POST "/pages/{page_id}/audiences/{audience_id}/snapshot", audiences::to_snapshot, Write),
        screen!(GET "/pages/{page_id}/audiences/{audience_id}/events", audiences::conversation_events, Read),
        screen!(GET "/pages/{page_id}/audiences/{audience_id}/add-block", audiences::new_block, Write),
        screen!(POST "/pages/{page_id}/audiences/{audience_id}/add-block", audiences::create_block, Write),
        screen!(GET "/pages/{page_id}/audiences/{audience_id}/blocks/{block_id}", audiences::show_block, Write),
        screen!(POST "/pages/{page_id}/audiences/{audience_id}/blocks/{block_id}", audiences::update_block, Write),
        screen!(POST "/pages/{page_id}/audiences/{audience_id}/blocks/{block_id}/move", audiences::move_block, Write),
        screen!(POST "/pages/{page_id}/audiences/{audience_id}/blocks/{block_id}/duplicate", audiences::duplicate_block, Write),
        screen!(POST "/pages/{page_id}/audiences/{audience_id}/blocks/{block_id}/remove", audiences::remove_block, Write),
        screen!(POST "/pages/{page_id}/audiences/{audience_id}/messages/{message_id}/undo", audiences::undo, Write),
        screen!(GET "/pages/{page_id}/audiences/{audience_id}/qr.svg", audiences::qr_svg, Read),
        screen!(GET "/pages/{page_id}/audiences/{audience_id}/qr.png", audiences::qr_png, Read),
    ]
}

fn rows_of_people() -> Vec<Row> {
    vec![
        screen!(GET "/persons", persons::list, ReadPersonalData),
        screen!(GET "/persons/new", persons::new, Write),
        screen!(POST "/persons/new", persons::create, Write),
        screen!(GET "/persons/imports", persons::imports::list, ReadPersonalData),
        screen!(GET "/persons/imports/events", persons::imports::list_changes, ReadPersonalData),
        screen!(GET "/persons/imports/new", persons::imports::new, Write),
        screen!(POST "/persons/imports/new", persons::imports::create, Write),
        screen!(GET "/persons/imports/{person_import_id}", persons::imports::show, ReadPersonalData),
        screen!(GET "/persons/imports/{person_import_id}/events", persons::imports::events, ReadPersonalData),
        screen!(GET "/persons/imports/{person_import_id}/refused.csv", persons::imports::refused_file, ReadPersonalData),
        screen!(POST "/persons/imports/{person_import_id}/check", persons::imports::check, Write),
        screen!(POST "/persons/imports/{person_import_id}/start", persons::imports::start, Write),
        screen!(POST "/persons/imports/{person_import_id}/cancel", persons::imports::cancel, Write),
        screen!(GET "/persons/{person_id}", persons::show, ReadPersonalData),
        screen!(POST "/persons/{person_id}/edit", persons::update, Write),
        screen!(GET "/persons/{person_id}/delete", persons::ask_delete, Write),
        screen!(POST "/persons/{person_id}/delete", persons::delete, Write),
        screen!(POST "/persons/{person_id}/restore", persons::restore, Write),
        screen!(GET "/persons/{person_id}/merge", persons::merging::show, Write),
        screen!(POST "/persons/{person_id}/merge", persons::merging::merge, Write),
        screen!(POST "/persons/{person_id}/unmerge", persons::merging::unmerge, Write),
        screen!(GET "/persons/{person_id}/export", persons::erasing::export, ReadPersonalData),
        screen!(GET "/persons/{person_id}/erase", persons::erasing::ask, Write),
        screen!(POST "/persons/{person_id}/erase", persons::erasing::erase, Write),
        screen!(GET "/accounts", accounts::list, Read),
        screen!(GET "/accounts/new", accounts::new, Write),
        screen!(POST "/accounts/new", accounts::create, Write),
        screen!(GET "/accounts/{account_id}", accounts::show, Read),
        screen!(POST "/accounts/{account_id}/edit", accounts::update, Write),
        screen!(GET "/forms", forms::list, Read),
        screen!(GET "/forms/events", forms::list_changes, ReadPersonalData),
        screen!(GET "/forms/submissions/{submission_id}", forms::submission, ReadPersonalData),
        screen!(POST "/forms/submissions/{submission_id}", forms::judge, Write),
        screen!(GET "/forms/all", forms::building::list, Read),
        screen!(GET "/forms/new", forms::building::new, Write),
        screen!(POST "/forms/new", forms::building::create, Write),
        screen!(GET "/forms/{form_id}", forms::building::show, Read),
        screen!(POST "/forms/{form_id}/edit", forms::building::update, Write),
        screen!(GET "/forms/{form_id}/delete", forms::building::ask_delete, Write),
        screen!(POST "/forms/{form_id}/delete", forms::building::delete, Write),
        screen!(POST "/forms/{form_id}/restore", forms::building::restore, Write),
        screen!(GET "/forms/{form_id}/export", forms::building::export, ReadPersonalData),
        screen!(GET "/visits", visits::list, Read),
        screen!(GET "/visits/events", visits::list_changes, Read),
        screen!(GET "/visits/{page_id}", visits::show, Read),
        screen!(GET "/visits/{page_id}/questions", visits::questions::list, Read),
        screen!(POST "/visits/{page_id}/questions/done", visits::questions::done, Write),
        screen!(GET "/visits/{page_id}/shares", visits::shares::list, Write),
        screen!(POST "/visits/{page_id}/shares", visits::shares::create, Write),
        screen!(POST "/visits/{page_id}/shares/end", visits::shares::end, Write),
        screen!(GET "/visits/{page_id}/now", visits::now, Read),
        screen!(GET "/visits/{page_id}/events", visits::events, Read),
        screen!(GET "/visits/{page_id}/sessions", visits::sessions::list, ReadPersonalData),
        screen!(GET "/visits/{page_id}/sessions.csv", visits::sessions::download, ReadPersonalData),
        screen!(GET "/visits/{page_id}/sessions/{audience_session_id}", visits::sessions::show, ReadPersonalData),
        screen!(GET "/visits/{page_id}/sessions/{audience_session_id}/events", visits::sessions::events, ReadPersonalData),
        screen!(GET "/find", find::find, Read),
        screen!(GET "/account", account::show, Read),
        screen!(POST "/account", account::update, Read),
        screen!(POST "/account/password", account::password, Read),
        screen!(POST "/account/app", account::add_app, Read),
        screen!(POST "/account/app/confirm", account::confirm_app, Read),
        screen!(POST "/account/app/remove", account::ask_remove_app, Read),
        screen!(POST "/account/app/removed", account::remove_app, Read),
        screen!(POST "/account/codes", account::renew_codes, Read),
        screen!(POST "/account/end-session", account::end_session, Read),
        screen!(POST "/account/end-others", account::end_others, Read),
    ]
}

fn rows_of_webhooks() -> Vec<Row> {
    vec![
        screen!(GET "/webhooks", webhooks::list, Read),
        screen!(GET "/webhooks/events", webhooks::list_changes, Read),
        screen!(GET "/webhooks/new", webhooks::new, Write),
        screen!(POST "/webhooks/new", webhooks::create, Write),
        screen!(GET "/webhooks/{subscription_id}", webhooks::show, ReadPersonalData),
        screen!(GET "/webhooks/{subscription_id}/events", webhooks::events, ReadPersonalData),
        screen!(GET "/webhooks/{subscription_id}/edit", webhooks::edit, Write),
        screen!(POST "/webhooks/{subscription_id}/edit", webhooks::update, Write),
        screen!(GET "/webhooks/{subscription_id}/delete", webhooks::ask_delete, Write),
        screen!(POST "/webhooks/{subscription_id}/delete", webhooks::delete, Write),
        screen!(POST "/webhooks/{subscription_id}/test", webhooks::test, Write),
        screen!(POST "/webhooks/{subscription_id}/active", webhooks::set_active, Write),
        screen!(POST "/webhooks/{subscription_id}/recover", webhooks::recover, Write),
        screen!(POST "/webhooks/{subscription_id}/rotate", webhooks::rotate, Write),
        screen!(GET "/webhooks/{subscription_id}/deliveries/{delivery_id}", webhooks::delivery, ReadPersonalData),
        screen!(GET "/webhooks/{subscription_id}/deliveries/{delivery_id}/events", webhooks::delivery_events, ReadPersonalData),
        screen!(POST "/webhooks/{subscription_id}/deliveries/{delivery_id}/resend", webhooks::resend, Write),
    ]
}

fn rows_of_content_and_addresses() -> Vec<Row> {
    vec![
        screen!(GET "/knowledge", knowledge::list, Read),
        screen!(GET "/knowledge/events", knowledge::list_changes, Read),
        screen!(GET "/knowledge/new", knowledge::new, Write),
        screen!(POST "/knowledge/new", knowledge::create, Write),
        screen!(GET "/knowledge/search", knowledge::search, Read),
        screen!(GET "/knowledge/{topic_id}", knowledge::show, Read),
        screen!(POST "/knowledge/{topic_id}/edit", knowledge::update, Write),
        screen!(GET "/knowledge/{topic_id}/delete", knowledge::ask_delete, Write),
        screen!(POST "/knowledge/{topic_id}/delete", knowledge::delete, Write),
        screen!(GET "/knowledge/{topic_id}/text", knowledge::adding::new_text, Write),
        screen!(POST "/knowledge/{topic_id}/text", knowledge::adding::add_text, Write),
        screen!(GET "/knowledge/{topic_id}/address", knowledge::adding::new_address, Write),
        screen!(POST "/knowledge/{topic_id}/address", knowledge::adding::add_address, Write),
        screen!(GET "/knowledge/{topic_id}/file", knowledge::adding::new_file, Write),
        screen!(POST "/knowledge/{topic_id}/file", knowledge::adding::add_file, Write),
        screen!(GET "/knowledge/{topic_id}/events", knowledge::entries::list_changes, Read),
        screen!(GET "/knowledge/{topic_id}/entries/{topic_entry_id}", knowledge::entries::show, Read),
        screen!(GET "/knowledge/{topic_id}/entries/{topic_entry_id}/events", knowledge::entries::events, Read),
        screen!(POST "/knowledge/{topic_id}/entries/{topic_entry_id}/edit", knowledge::entries::update, Write),
        screen!(POST "/knowledge/{topic_id}/entries/{topic_entry_id}/refresh", knowledge::entries::refresh, Write),
        screen!(GET "/knowledge/{topic_id}/entries/{topic_entry_id}/delete", knowledge::entries::ask_delete, Write),
        screen!(POST "/knowledge/{topic_id}/entries/{topic_entry_id}/delete", knowledge::entries::delete, Write),
        screen!(GET "/domains", tenant_domains::list, Read),
        screen!(GET "/domains/events", tenant_domains::list_changes, Read),
        screen!(GET "/domains/new", tenant_domains::new, Write),
        screen!(POST "/domains/new", tenant_domains::create, Write),
        screen!(GET "/domains/{tenant_domain_id}", tenant_domains::show, Read),
        screen!(GET "/domains/{tenant_domain_id}/events", tenant_domains::events, Read),
        screen!(POST "/domains/{tenant_domain_id}/verify", tenant_domains::verify, Write),
        screen!(POST "/domains/{tenant_domain_id}/default", tenant_domains::set_default, Write),
        screen!(GET "/domains/{tenant_domain_id}/delete", tenant_domains::ask_delete, Write),
        screen!(POST "/domains/{tenant_domain_id}/delete", tenant_domains::delete, Write),
        screen!(GET "/assets", assets::list, Read),
        screen!(GET "/assets/trash", assets::trash, Read),
        screen!(GET "/assets/new", assets::adding::new, Write),
        screen!(POST "/assets/new", assets::adding::upload, Write),
        screen!(GET "/assets/describe", assets::adding::describe, Write),
        screen!(POST "/assets/describe", assets::adding::create, Write),
        screen!(GET "/assets/video", assets::adding::new_video, Write),
        screen!(POST "/assets/video", assets::adding::create_video, Write),
        screen!(GET "/assets/{asset_id}", assets::show, Read),
        screen!(POST "/assets/{asset_id}/edit", assets::update, Write),
        screen!(POST "/assets/{asset_id}/trash", assets::to_trash, Write),
        screen!(POST "/assets/{asset_id}/restore", assets::restore, Write),
        screen!(GET "/brands", brands::list, Read),
        screen!(GET "/brands/new", brands::new, Write),
        screen!(POST "/brands/new", brands::create, Write),
        screen!(GET "/brands/website", brands::website, Write),
        screen!(POST "/brands/website", brands::propose, Write),
        screen!(POST "/brands/preview", brands::preview::part, Write),
        screen!(GET "/brands/{brand_id}", brands::show, Read),
        screen!(POST "/brands/{brand_id}/edit", brands::update, Write),
        screen!(POST "/brands/{brand_id}/default", brands::make_default, Write),
        screen!(GET "/brands/{brand_id}/delete", brands::ask_delete, Write),
        screen!(POST "/brands/{brand_id}/delete", brands::delete, Write),
        screen!(GET "/links", page_links::list, Read),
        screen!(GET "/links/new", page_links::making::new, Write),
        screen!(POST "/links/new", page_links::making::create, Write),
        screen!(GET "/links/blocks", link_blocks::list, Read),
        screen!(GET "/links/blocks/new", link_blocks::new, Write),
        screen!(POST "/links/blocks/new", link_blocks::create, Write),
        screen!(GET "/links/blocks/{block_id}", link_blocks::show, Read),
        screen!(POST "/links/blocks/{block_id}/edit", link_blocks::update, Write),
        screen!(GET "/links/blocks/{block_id}/delete", link_blocks::ask_delete, Write),
        screen!(POST "/links/blocks/{block_id}/delete", link_blocks::delete, Write),
        screen!(GET "/links/{page_link_id}", page_links::show, Read),
        screen!(POST "/links/{page_link_id}/edit", page_links::update, Write),
        screen!(GET "/links/{page_link_id}/target", page_links::target::show, Write),
        screen!(POST "/links/{page_link_id}/target", page_links::target::update, Write),
        screen!(GET "/links/{page_link_id}/target/page", page_links::target::choose_page, Write),
        screen!(GET "/links/{page_link_id}/qr.svg", page_links::qr_svg, Read),
        screen!(GET "/links/{page_link_id}/qr.png", page_links::qr_png, Read),
        screen!(GET "/links/{page_link_id}/delete", page_links::ask_delete, Write),
        screen!(POST "/links/{page_link_id}/delete", page_links::delete, Write),
    ]
}

fn rows_of_settings() -> Vec<Row> {
    use settings::{agent, keys, records, site};
    vec![
        screen!(GET "/settings", settings::show, Read),
        screen!(POST "/settings/invite", settings::invite, ManageUsers),
        screen!(POST "/settings/resend", settings::resend, ManageUsers),
        screen!(POST "/settings/revoke", settings::revoke, ManageUsers),
        screen!(POST "/settings/role", settings::set_role, ManageUsers),
        screen!(POST "/settings/remove-user", settings::remove_user, ManageUsers),
        screen!(GET "/settings/site", site::show, Read),
        screen!(POST "/settings/site", site::update, Write),
        screen!(GET "/settings/consent", site::show_consent, Read),
        screen!(POST "/settings/consent", site::update_consent, Write),
        screen!(POST "/settings/measurement", site::update_measurement, Write),
        screen!(GET "/settings/agent", agent::show, Read),
        screen!(POST "/settings/agent", agent::update, Write),
        screen!(POST "/settings/agent/try", agent::try_out, Write),
        screen!(POST "/settings/questions", agent::update_questions, Write),
        screen!(GET "/settings/keys", keys::list, ManageUsers),
        screen!(GET "/settings/keys/new", keys::new, ManageUsers),
        screen!(POST "/settings/keys/new", keys::create, ManageUsers),
        screen!(POST "/settings/keys/{key_id}/rotate", keys::rotate, ManageUsers),
        screen!(GET "/settings/keys/{key_id}/revoke", keys::ask_revoke, ManageUsers),
        screen!(POST "/settings/keys/{key_id}/revoke", keys::revoke, ManageUsers),
        screen!(GET "/settings/usage", records::usage, Read),
        screen!(GET "/settings/audit", records::audit, Read),
        screen!(GET "/settings/retention", records::retention, Read),
        screen!(POST "/settings/retention", records::update_retention, Write),
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{areas, find, rows};
    use crate::parts::navigation::Area;

    #[test]
    fn every_address_means_one_row() {
        let rows = rows();
        let named: BTreeSet<(&str, &str)> = rows.iter().map(|row| (row.method, row.path)).collect();
        assert_eq!(named.len(), rows.len());
        let paths: BTreeSet<&str> = rows.iter().map(|row| row.path).collect();
        let mut found = matchit::Router::new();
        for path in &paths {
            found.insert(format!("/t{path}"), *path).unwrap();
        }
        for path in &paths {
            let address = format!("/t{}", path.replace(['{', '}'], ""));
            assert_eq!(found.at(&address).unwrap().value, path);
        }
    }

    #[test]
    fn the_palette_finds_every_screen_on_which_something_is_made() {
        let is_for_itself = |path: &&str| path.ends_with("/new") && !path.contains('{');
        for path in rows().iter().filter(|row| row.method == "GET").map(|row| row.path).filter(is_for_itself)
        {
            assert!(find::named(path), "{path} is not among the places of the palette");
        }
    }

    #[test]
    fn every_area_has_a_screen() {
        let areas = areas(&rows());
        for one in Area::ALL {
            assert!(areas.iter().any(|(area, _)| *area == one), "{one:?}");
        }
    }
}
