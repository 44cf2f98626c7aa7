//! `[mail]`: the mail server by which invitations are sent.

use std::path::PathBuf;
use std::time::Duration;

use pagesmith_worker::mail::{MailServer, Security, sender};

use super::{ConfigError, Settings, secret};
use crate::failure::{Failure, Result};

/// Where mails go.
#[derive(Clone)]
pub struct Mail {
    host: String,
    port: u16,
    security: Security,
    name: Option<String>,
    password: Option<String>,
    password_file: Option<PathBuf>,
    roots: Option<PathBuf>,
    from: String,
    time_limit: Duration,
}

impl std::fmt::Debug for Mail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Mail({}:{})", self.host, self.port)
    }
}

impl Mail {
    /// Reads the section; nothing if it names no server.
    pub fn read(settings: &Settings) -> Result<Option<Mail>, ConfigError> {
        let (server, name) = (settings.optional("mail.server")?, settings.optional("mail.username")?);
        let (password, password_file) =
            (settings.optional("mail.password")?, settings.path("mail.password_file")?);
        let security = match settings.text("mail.security")? {
            "tls" => Security::Tls,
            "starttls" => Security::StartTls,
            "none" => Security::Nothing,
            _ => return Err(settings.refuse("mail.security", "tls, starttls or none")),
        };
        let (roots, from) = (settings.path("mail.roots")?, settings.text("mail.from")?);
        let time_limit = settings.duration("mail.timeout")?;
        let Some(server) = server else { return Ok(None) };
        let usual = match security {
            Security::Tls => 465,
            Security::StartTls => 587,
            Security::Nothing => 25,
        };
        let parsed = match server.rsplit_once(':') {
            Some((host, port)) if !host.contains(':') => port.parse().ok().map(|port| (host, port)),
            _ => Some((server, usual)),
        };
        let is_host = |host: &str| {
            !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_graphic()) && !host.contains('/')
        };
        let (host, port) = parsed.filter(|(host, port)| is_host(host) && *port > 0).ok_or_else(|| {
            settings.refuse("mail.server", "a host name, with a port or not, such as smtp.example.com:587")
        })?;
        if sender(from).is_none() {
            let expected = "an address, with a name or not, such as Pagesmith <pages@example.com>";
            return Err(settings.refuse("mail.from", expected));
        }
        match (name, password, &password_file) {
            (Some(_), None, None) => {
                let expected =
                    "the password of mail.username, unless mail.password_file names a file with it";
                return Err(settings.refuse("mail.password", expected));
            }
            (_, Some(_), Some(_)) => {
                return Err(settings.refuse("mail.password_file", "empty where mail.password is set"));
            }
            (None, Some(_), _) | (None, _, Some(_)) => {
                return Err(settings.refuse("mail.username", "the user whose password is set"));
            }
            _ => {}
        }
        Ok(Some(Mail {
            host: host.to_owned(),
            port,
            security,
            name: name.map(str::to_owned),
            password: password.map(str::to_owned),
            password_file,
            roots,
            from: from.to_owned(),
            time_limit,
        }))
    }

    /// Its name and port, for messages.
    pub fn name(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }

    /// The mail server, with what is in files; `base_url` says how we introduce ourselves.
    pub fn server(&self, base_url: &str) -> Result<MailServer> {
        let read = |path: &PathBuf| {
            std::fs::read(path).map_err(|error| {
                let path = path.display();
                Failure::new(format!(
                    "mail.roots = {path} cannot be read ({error}): correct it, or let this user read it"
                ))
            })
        };
        let password = match (&self.password, &self.password_file) {
            (None, Some(path)) => {
                let is_line = |text: &str| !text.chars().any(char::is_control);
                Some(secret::of_file("mail.password_file", "the password of the mail server", path, is_line)?)
            }
            (password, _) => password.clone(),
        };
        let from = sender(&self.from).ok_or_else(|| Failure::new("mail.from is no address"))?;
        let url: Option<http::Uri> = base_url.parse().ok();
        let hello =
            url.and_then(|url| url.host().map(str::to_owned)).unwrap_or_else(|| "localhost".to_owned());
        Ok(MailServer {
            host: self.host.clone(),
            port: self.port,
            security: self.security,
            credentials: self.name.clone().zip(password),
            roots: self.roots.as_ref().map(read).transpose()?,
            from,
            hello,
            time_limit: self.time_limit,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Environment;

    fn read(variables: &[(&str, &str)]) -> Result<Option<Mail>, ConfigError> {
        let named: Vec<(String, &str)> =
            variables.iter().map(|(name, value)| (format!("PAGESMITH_MAIL_{name}"), *value)).collect();
        let all: Vec<(&str, &str)> = named.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        Mail::read(&Settings::load(None, &Environment::of(&all), &[])?)
    }

    const SERVER: (&str, &str) = ("SERVER", "smtp.example.com");
    const FROM: (&str, &str) = ("FROM", "Pagesmith <pages@example.com>");

    #[test]
    fn the_port_follows_from_the_security_unless_it_is_set() {
        assert!(read(&[]).unwrap().is_none());
        for (security, port) in [("tls", 465), ("starttls", 587), ("none", 25)] {
            let mail = read(&[SERVER, FROM, ("SECURITY", security)]).unwrap().unwrap();
            assert_eq!(mail.name(), format!("smtp.example.com:{port}"));
        }
        let mail = read(&[("SERVER", "127.0.0.1:2525"), FROM]).unwrap().unwrap();
        assert_eq!(mail.server("https://pages.example:8443").unwrap().hello, "pages.example");
    }

    #[test]
    fn a_wrong_setting_is_refused_and_no_password_repeated() {
        for (variables, expected) in [
            (&[SERVER][..], "mail.from"),
            (&[SERVER, ("FROM", "pages")], "mail.from"),
            (&[("SERVER", "smtp.example.com:x"), FROM], "mail.server"),
            (&[("SERVER", "smtp://smtp.example.com"), FROM], "mail.server"),
            (&[SERVER, FROM, ("SECURITY", "ssl")], "mail.security"),
            (&[SERVER, FROM, ("USERNAME", "me")], "mail.password"),
            (&[SERVER, FROM, ("PASSWORD", "hunter2")], "mail.username"),
            (&[SERVER, FROM, ("PASSWORD_FILE", "/x")], "mail.username"),
            (
                &[SERVER, FROM, ("USERNAME", "me"), ("PASSWORD", "hunter2"), ("PASSWORD_FILE", "/x")],
                "mail.password_file",
            ),
        ] {
            let message = read(variables).unwrap_err().to_string();
            assert!(message.starts_with(expected) && !message.contains("hunter2"), "{message}");
        }
        let mail = read(&[SERVER, FROM, ("USERNAME", "me"), ("PASSWORD", "hunter2")]).unwrap().unwrap();
        assert!(!format!("{mail:?}").contains("hunter2"));
    }
}
