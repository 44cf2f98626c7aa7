//! `[sign_in]`: passwords, and identity providers.

use std::path::PathBuf;

use pagesmith_model::identity_provider::metadata::is_issuer;
use pagesmith_model::identity_provider::{IdentityProvider, RoleRule, is_id};
use pagesmith_model::user::Role;
use pagesmith_model::user::session::SessionLimits;
use pagesmith_operations::users::sign_in::Rules;
use toml::{Table, Value};

use super::{ConfigError, Settings, secret};
use crate::failure::Result;
use crate::nearest::did_you_mean;

const PROVIDERS: &str = "sign_in.providers";
/// How many providers a sign-in screen shows.
const MOST_PROVIDERS: usize = 20;
/// What a provider may have.
const PARTS: &[&str] = &[
    "id",
    "name",
    "issuer",
    "client_id",
    "client_secret",
    "client_secret_file",
    "scopes",
    "email_domains",
    "create_users",
    "roles_claim",
    "roles",
];

/// How users sign in.
#[derive(Debug, Clone)]
pub struct SignIn {
    passwords_for_all: bool,
    code_after_provider: bool,
    providers: Vec<Configured>,
}

/// A provider, whose secret may be in a file.
#[derive(Debug, Clone)]
struct Configured {
    provider: IdentityProvider,
    secret_file: Option<PathBuf>,
}

impl SignIn {
    /// Reads the section.
    pub fn read(settings: &Settings) -> Result<SignIn, ConfigError> {
        let passwords_for_all = settings.flag("sign_in.passwords")?;
        let code_after_provider = settings.flag("sign_in.code_after_provider")?;
        let tables = settings.tables(PROVIDERS)?;
        if tables.len() > MOST_PROVIDERS {
            return Err(settings.refuse_part(PROVIDERS, "the list", "at most 20 providers"));
        }
        let mut providers: Vec<Configured> = Vec::with_capacity(tables.len());
        for (at, table) in tables.into_iter().enumerate() {
            let configured = Entry { settings, table, at }.configured()?;
            if providers.iter().any(|known| known.provider.id == configured.provider.id) {
                let part = format!("the id {:?}", configured.provider.id);
                return Err(settings.refuse_part(PROVIDERS, &part, "the id of one provider alone"));
            }
            providers.push(configured);
        }
        if !passwords_for_all && providers.is_empty() {
            let expected = "true where sign_in.providers has none, or nobody else could sign in";
            return Err(settings.refuse("sign_in.passwords", expected));
        }
        Ok(SignIn { passwords_for_all, code_after_provider, providers })
    }

    /// The rules, for sessions that last so long.
    pub fn rules(&self, sessions: SessionLimits) -> Rules {
        let (passwords_for_all, code_after_provider) = (self.passwords_for_all, self.code_after_provider);
        Rules { sessions, passwords_for_all, code_after_provider }
    }

    /// The providers, with the secrets from their files.
    pub fn providers(&self) -> Result<Vec<IdentityProvider>> {
        self.providers.iter().map(Configured::with_secret).collect()
    }
}

impl Configured {
    fn with_secret(&self) -> Result<IdentityProvider> {
        let Some(path) = &self.secret_file else { return Ok(self.provider.clone()) };
        let what = format!("the client secret of the identity provider {}", self.provider.id);
        let secret = secret::of_file("client_secret_file", &what, path, is_secret)?;
        Ok(IdentityProvider { client_secret: Some(secret), ..self.provider.clone() })
    }
}

fn is_secret(text: &str) -> bool {
    !text.is_empty() && text.len() <= 4_096 && text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}

/// A table of the list.
struct Entry<'a> {
    settings: &'a Settings,
    table: &'a Table,
    at: usize,
}

impl Entry<'_> {
    fn refuse(&self, name: &str, expected: &str) -> ConfigError {
        self.settings.refuse_part(PROVIDERS, &format!("{name} of provider {}", self.at + 1), expected)
    }

    fn text(&self, name: &str) -> Result<Option<&str>, ConfigError> {
        match self.table.get(name) {
            None => Ok(None),
            Some(Value::String(text)) if text.is_empty() => Ok(None),
            Some(Value::String(text)) if !text.chars().any(char::is_control) => Ok(Some(text)),
            Some(_) => Err(self.refuse(name, "a text")),
        }
    }

    fn required(
        &self,
        name: &str,
        expected: &str,
        is_fitting: impl Fn(&str) -> bool,
    ) -> Result<String, ConfigError> {
        let found = self.text(name)?.filter(|text| is_fitting(text));
        found.map(str::to_owned).ok_or_else(|| self.refuse(name, expected))
    }

    fn configured(&self) -> Result<Configured, ConfigError> {
        if let Some(unknown) = self.table.keys().find(|name| !PARTS.contains(&name.as_str())) {
            let guess = did_you_mean(unknown, PARTS.iter().copied());
            return Err(self.refuse(unknown, &format!("absent, since there is no such part{guess}")));
        }
        let id = self.required("id", "1 to 40 lower case letters, digits and hyphens", is_id)?;
        let name = self.text("name")?.unwrap_or(&id).to_owned();
        let expected =
            "an address that begins with https:// (http:// on this machine), as the provider gives it";
        let issuer = self.required("issuer", expected, is_issuer)?;
        let client_id = self.required("client_id", "what the provider calls Pagesmith", |_| true)?;
        let secret = self.text("client_secret")?;
        let file = self.text("client_secret_file")?;
        if secret.is_some() && file.is_some() {
            return Err(self.refuse("client_secret_file", "absent where client_secret is set"));
        }
        if secret.is_some_and(|secret| !is_secret(secret)) {
            return Err(self.refuse("client_secret", "printable characters of ASCII"));
        }
        let secret_file = file.map(|path| {
            let expected = "an absolute path where there is no configuration file beside which it could lie";
            self.settings.beside_file(path).ok_or_else(|| self.refuse("client_secret_file", expected))
        });
        let scopes = self.text("scopes")?.unwrap_or("openid email profile").to_owned();
        if !scopes.split(' ').any(|scope| scope == "openid") {
            return Err(self.refuse("scopes", "scopes with spaces between them, openid among them"));
        }
        let creates_users = match self.table.get("create_users") {
            None => false,
            Some(value) => value.as_bool().ok_or_else(|| self.refuse("create_users", "true or false"))?,
        };
        let (roles_claim, roles) = (self.text("roles_claim")?.map(str::to_owned), self.roles()?);
        if roles_claim.is_some() == roles.is_empty() {
            return Err(self.refuse("roles", "set together with roles_claim"));
        }
        if creates_users && roles.is_empty() {
            return Err(self.refuse(
                "create_users",
                "false where no claim gives roles: a user without any sees nothing",
            ));
        }
        let provider = IdentityProvider {
            id,
            name,
            issuer,
            client_id,
            client_secret: secret.map(str::to_owned),
            scopes,
            email_domains: self.domains()?,
            creates_users,
            roles_claim,
            roles,
        };
        Ok(Configured { provider, secret_file: secret_file.transpose()? })
    }

    fn domains(&self) -> Result<Vec<String>, ConfigError> {
        let refuse = || self.refuse("email_domains", "a list of domains, such as [\"acme.example\"]");
        let Some(value) = self.table.get("email_domains") else { return Ok(vec![]) };
        let domains = value.as_array().ok_or_else(refuse)?.iter();
        let domains = domains.map(|domain| {
            let domain = domain.as_str().map(str::to_lowercase);
            domain.filter(|domain| !domain.is_empty() && !domain.contains(['@', ' '])).ok_or_else(refuse)
        });
        domains.collect()
    }

    fn roles(&self) -> Result<Vec<RoleRule>, ConfigError> {
        let expected = "a list such as [{ value = \"admins\", tenant = \"default\", role = \"owner\" }]";
        let refuse = || self.refuse("roles", expected);
        let Some(value) = self.table.get("roles") else { return Ok(vec![]) };
        let rule = |rule: &Value| {
            let rule = rule.as_table().filter(|rule| rule.len() == 3)?;
            let text = |name: &str| rule.get(name)?.as_str().filter(|text| !text.is_empty());
            Some(RoleRule {
                value: text("value")?.to_owned(),
                tenant: text("tenant")?.to_owned(),
                role: Role::parse(text("role")?)?,
            })
        };
        value.as_array().ok_or_else(refuse)?.iter().map(|one| rule(one).ok_or_else(refuse)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Environment;

    fn read(providers: &str, passwords: &str) -> Result<SignIn, ConfigError> {
        let variables =
            [("PAGESMITH_SIGN_IN_PROVIDERS", providers), ("PAGESMITH_SIGN_IN_PASSWORDS", passwords)];
        SignIn::read(&Settings::load(None, &Environment::of(&variables), &[])?)
    }

    const ACME: &str = "id = 'acme', issuer = 'https://id.acme.example', client_id = 'pagesmith'";

    #[test]
    fn providers_are_read() {
        let list = format!(
            "[{{ {ACME}, client_secret = 'hunter2', email_domains = ['Acme.example'], create_users = true, roles_claim = 'groups', \
             roles = [{{ value = 'admins', tenant = 'default', role = 'owner' }}] }}]"
        );
        let sign_in = read(&list, "false").unwrap();
        let rules = sign_in.rules(SessionLimits::USUAL);
        assert!(!rules.passwords_for_all && !rules.code_after_provider);
        let [provider] = &sign_in.providers().unwrap()[..] else { panic!("one provider") };
        assert_eq!((provider.name.as_str(), provider.scopes.as_str()), ("acme", "openid email profile"));
        assert_eq!(provider.email_domains, ["acme.example"]);
        assert_eq!(provider.roles[0].role, Role::Owner);
        assert!(!format!("{sign_in:?}").contains("hunter2"));
        assert!(read("[]", "true").unwrap().providers.is_empty());
    }

    #[test]
    fn a_wrong_provider_is_refused_by_the_part_that_is_wrong_and_no_secret_is_repeated() {
        for (list, expected) in [
            ("[".to_owned(), "must be an array"),
            ("[1]".to_owned(), "a list of tables"),
            ("[{ id = 'A' }]".to_owned(), "id of provider 1"),
            (format!("[{{ {ACME}, isuer = '' }}]"), "did you mean issuer?"),
            (format!("[{{ {} }}]", ACME.replace("https", "http")), "issuer of provider 1"),
            (format!("[{{ {ACME} }}, {{ {ACME} }}]"), "one provider alone"),
            (format!("[{{ {ACME}, scopes = 'email' }}]"), "openid"),
            (format!("[{{ {ACME}, client_secret = 'hunter2é' }}]"), "client_secret of provider 1"),
            (
                format!("[{{ {ACME}, client_secret = 'hunter2', client_secret_file = '/x' }}]"),
                "client_secret_file",
            ),
            (format!("[{{ {ACME}, client_secret_file = 'x' }}]"), "absolute path"),
            (format!("[{{ {ACME}, create_users = true }}]"), "create_users"),
            (format!("[{{ {ACME}, roles_claim = 'groups' }}]"), "roles_claim"),
            (
                format!(
                    "[{{ {ACME}, roles_claim = 'g', roles = [{{ value = 'a', tenant = 'b', role = 'king' }}] }}]"
                ),
                "roles of provider 1",
            ),
            (format!("[{{ {ACME}, email_domains = 'acme.example' }}]"), "email_domains"),
        ] {
            let message = read(&list, "true").unwrap_err().to_string();
            assert!(message.contains("sign_in.providers") && message.contains(expected), "{list}: {message}");
            assert!(!message.contains("hunter2"), "{message}");
        }
        assert!(read("[]", "false").unwrap_err().to_string().contains("sign_in.passwords"));
    }

    #[test]
    fn a_secret_is_read_from_its_file() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let list = format!("[{{ {ACME}, client_secret_file = '{}' }}]", file.path().display());
        let secret =
            || read(&list, "true").unwrap().providers().map(|all| all[0].client_secret.clone().unwrap());
        assert!(secret().unwrap_err().to_string().contains("client secret of the identity provider acme"));
        std::fs::write(file.path(), "hunter2\n").unwrap();
        assert_eq!(secret().unwrap(), "hunter2");
    }
}
