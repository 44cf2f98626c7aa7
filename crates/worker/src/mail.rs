//! E-mails: the mail server that an operator has set, and how invitations are sent by it.
//!
//! What is sent is told by [`Texts`], since words have their place in the console. Invariant: nothing of what others have typed becomes a
//! header: addresses are parsed, and a subject is one line.

use std::sync::Arc;
use std::time::Duration;

use lettre::message::Mailbox;
use lettre::message::header::ContentType;
use lettre::transport::smtp::Error as SmtpError;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use pagesmith_operations::users::invitation_mails::{Begun, MailOutcome};

/// How the connection to the mail server is kept private.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Security {
    /// TLS from the first byte.
    Tls,
    /// TLS after the greeting; nothing is sent if the server does not offer it.
    StartTls,
    /// None at all.
    Nothing,
}

/// The mail server.
#[derive(Clone)]
pub struct MailServer {
    /// Its name.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// How the connection is kept private.
    pub security: Security,
    /// Name and password there, if it wants any.
    pub credentials: Option<(String, String)>,
    /// More authorities to trust, as PEM.
    pub roots: Option<Vec<u8>>,
    /// Whom mails are from.
    pub from: Mailbox,
    /// How we introduce ourselves.
    pub hello: String,
    /// How long each step may take.
    pub time_limit: Duration,
}

/// Subject and text of the invitation to a tenant with a link, in a language.
pub type Texts = Arc<dyn Fn(&str, &str, &str) -> (String, String) + Send + Sync>;

/// Sends e-mails.
#[derive(Clone)]
pub struct Mailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
    /// What is in invitations: of language, tenant and token.
    texts: Texts,
}

/// Whom mails are from, as in `Pagesmith <pagesmith@example.com>`.
pub fn sender(text: &str) -> Option<Mailbox> {
    text.parse().ok()
}

impl Mailer {
    /// Sends by that server; a sentence if its certificates cannot be used.
    pub fn new(server: &MailServer, texts: Texts) -> Result<Mailer, String> {
        let tls = || {
            let mut parameters = TlsParameters::builder(server.host.clone());
            if let Some(pem) = &server.roots {
                let roots = Certificate::from_pem(pem).map_err(|error| error.to_string())?;
                parameters = parameters.add_root_certificate(roots);
            }
            parameters.build_rustls().map_err(|error| error.to_string())
        };
        let tls = match server.security {
            Security::Tls => Tls::Wrapper(tls()?),
            Security::StartTls => Tls::Required(tls()?),
            Security::Nothing => Tls::None,
        };
        let mut transport = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(&server.host)
            .port(server.port)
            .tls(tls)
            .hello_name(ClientId::Domain(server.hello.clone()))
            .timeout(Some(server.time_limit));
        if let Some((name, password)) = server.credentials.clone() {
            transport = transport.credentials(Credentials::new(name, password));
        }
        Ok(Mailer { transport: transport.build(), from: server.from.clone(), texts })
    }

    /// Connects, signs in and leaves again; a sentence if that fails.
    pub async fn try_out(&self) -> Result<(), String> {
        match self.transport.test_connection().await {
            Ok(true) => Ok(()),
            Ok(false) => Err("the mail server does not answer as it should".to_owned()),
            Err(error) => Err(describe(&error)),
        }
    }

    /// Sends an invitation.
    pub(crate) async fn send_invitation(&self, begun: &Begun) -> MailOutcome {
        let Some(token) = &begun.token else {
            let why = "the server's key was replaced since: revoke the invitation and make another";
            return MailOutcome::Refused(why.to_owned());
        };
        let (subject, text) = (self.texts)(&begun.language, &begun.tenant, token);
        let message = match message(self.from.clone(), &begun.to, &subject, text) {
            Ok(message) => message,
            Err(why) => return MailOutcome::Refused(why),
        };
        match self.transport.send(message).await {
            Ok(_) => MailOutcome::Sent,
            Err(error) if error.is_permanent() => MailOutcome::Refused(describe(&error)),
            Err(error) => MailOutcome::TryAgain(describe(&error)),
        }
    }
}

/// A message with one recipient.
fn message(from: Mailbox, to: &str, subject: &str, text: String) -> Result<Message, String> {
    let to: Address = to.parse().map_err(|_| "the address cannot be sent to".to_owned())?;
    let subject: String = subject.chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
    let message = Message::builder().from(from).to(Mailbox::new(None, to)).subject(subject);
    message.header(ContentType::TEXT_PLAIN).body(text).map_err(|error| error.to_string())
}

/// What went wrong, with its cause.
fn describe(error: &SmtpError) -> String {
    let cause = std::error::Error::source(error).map(|cause| format!(": {cause}")).unwrap_or_default();
    format!("{error}{cause}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_was_typed_becomes_a_header() {
        let from = || sender("Pagesmith <pages@example.com>").unwrap();
        let subject = "Acme\r\nBcc: eve@evil.example\r\n\r\nHello";
        let sent = message(from(), "jane@example.com", subject, "Text\r\n.\r\nQUIT".to_owned()).unwrap();
        let text = String::from_utf8(sent.formatted()).unwrap();
        let (head, _) = text.split_once("\r\n\r\n").unwrap();
        assert!(!head.lines().any(|line| line.starts_with("Bcc")), "{head}");
        assert_eq!(sent.envelope().to().len(), 1);
        for to in
            ["jane@example.com\r\nRCPT TO:<eve@evil.example>", "jane@example.com, eve@evil.example", "jane"]
        {
            assert!(message(from(), to, "x", String::new()).is_err(), "{to}");
        }
        assert!(sender("Pagesmith\r\nBcc: <eve@evil.example>").is_none());
    }
}
