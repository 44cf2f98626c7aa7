//! How users and their sessions are shown: as a table for people, as JSON for programs.

use pagesmith_model::Timestamp;
use pagesmith_model::user::session::Session;
use serde_json::{Value, json};

use super::Listed;
use crate::cli::output;
use crate::failure::Result;

/// Prints a user, and a link to set the password on a line of its own below.
pub fn one(listed: &Listed, link: Option<&str>, json: bool) -> Result<()> {
    if json {
        let mut object = to_json(listed);
        if let Some(link) = link {
            object["link"] = link.into();
        }
        return output::json(&object);
    }
    table(std::slice::from_ref(listed))?;
    link.map_or(Ok(()), |link| output::line(&format!("\n{link}")))
}

/// Prints users.
pub fn all(listed: &[Listed], json: bool) -> Result<()> {
    if json { output::json(&listed.iter().map(to_json).collect()) } else { table(listed) }
}

fn table(listed: &[Listed]) -> Result<()> {
    let row = |listed: &Listed| {
        let roles = listed.roles.iter().map(|(slug, role)| format!("{slug}:{role}"));
        let roles: Vec<String> =
            roles.chain(listed.user.is_operator.then(|| "operator".to_owned())).collect();
        [
            listed.user.user_id.to_string(),
            listed.user.email.to_string(),
            listed.user.name.clone(),
            roles.join(","),
            state(listed).to_owned(),
            (if listed.user.has_totp { "app" } else { "none" }).to_owned(),
            listed.user.created_at.to_string(),
        ]
    };
    let rows: Vec<_> = listed.iter().map(row).collect();
    output::table(["ID", "EMAIL", "NAME", "ROLES", "STATE", "SECOND FACTOR", "CREATED"], &rows)
}

fn state(listed: &Listed) -> &'static str {
    match () {
        () if listed.user.disabled_at.is_some() => "disabled",
        () if !listed.user.has_password && listed.issuers.is_empty() => "no password yet",
        () if listed.user.is_break_glass => "break glass",
        () => "active",
    }
}

fn to_json(listed: &Listed) -> Value {
    let role = |(slug, role): &(String, pagesmith_model::user::Role)| json!({ "tenant": slug, "role": role.as_str() });
    json!({
        "userId": listed.user.user_id.to_string(),
        "email": listed.user.email.as_str(),
        "name": listed.user.name,
        "language": listed.user.language,
        "roles": listed.roles.iter().map(role).collect::<Vec<_>>(),
        "state": state(listed),
        "hasTotp": listed.user.has_totp,
        "isBreakGlass": listed.user.is_break_glass,
        "identityProviders": listed.issuers,
        "isOperator": listed.user.is_operator,
        "disabledAt": listed.user.disabled_at.map(|at| at.to_string()),
        "createdAt": listed.user.created_at.to_string(),
    })
}

/// Prints where a user is signed in.
pub fn sessions(sessions: &[Session], now: Timestamp, json: bool) -> Result<()> {
    if json {
        let to_json = |session: &Session| {
            json!({
                "userSessionId": session.user_session_id.to_string(),
                "client": session.client,
                "network": session.network,
                "createdAt": session.created_at.to_string(),
                "lastSeenAt": session.last_seen_at.to_string(),
                "expiresAt": session.expires_at.to_string(),
            })
        };
        return output::json(&sessions.iter().map(to_json).collect());
    }
    let row = |session: &Session| {
        let minutes = now.since(session.last_seen_at).as_secs() / 60;
        [
            session.user_session_id.to_string(),
            session.network.clone(),
            session.client.clone(),
            session.created_at.to_string(),
            format!("{minutes} minutes ago"),
            session.expires_at.to_string(),
        ]
    };
    let rows: Vec<_> = sessions.iter().map(row).collect();
    output::table(["ID", "NETWORK", "CLIENT", "SIGNED IN", "LAST SEEN", "EXPIRES"], &rows)
}
