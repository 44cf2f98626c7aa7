//! Why a PostgreSQL server cannot be used: the cause and the next step, in a sentence for whoever runs the program.
//!
//! What no later attempt can mend (a wrong password, a database that does not exist) becomes [`Fault::Refused`]; what may pass by itself
//! (nothing listens yet, the server is starting) becomes [`Fault::Unavailable`]. What this is not: the reading of what a statement
//! was answered, which is in [`super::wire`]. No sentence holds a password.

use std::error::Error as StdError;
use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_postgres::Config;
use tokio_postgres::config::Host;
use tokio_postgres::error::DbError;

use crate::fault::Fault;

/// The oldest PostgreSQL that has what the statements need.
const OLDEST: u32 = 15;

/// How long the question which protocol is spoken may take.
const PROBE: Duration = Duration::from_secs(2);

/// What a client says that would like TLS. PostgreSQL answers with one letter: yes, no, or the beginning of an error.
const TLS_REQUEST: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];

/// Why no connection could be made.
pub(crate) async fn explain(error: &tokio_postgres::Error, config: &Config) -> Fault {
    let server = server(config);
    if let Some(answer) = error.as_db_error() {
        return answered(answer, config, &server);
    }
    let cause = StdError::source(error).map_or_else(|| error.to_string(), ToString::to_string);
    let io = StdError::source(error).and_then(|cause| cause.downcast_ref::<io::Error>());
    // The library's kinds of errors are told apart by their texts alone.
    match error.to_string() {
        text if text.starts_with("error connecting to server") => unreached(io, &cause, &server),
        text if text.starts_with("timeout waiting for server") => Fault::Unavailable(format!(
            "{server} does not answer in time: see that it runs and that no firewall is between, or correct its address in the setting `database`"
        )),
        text if text.starts_with("error performing TLS handshake") && !is_cut(io) => {
            untrusted(&cause, &server)
        }
        text if text.starts_with("authentication error") => Fault::Refused(format!(
            "{server} asks for a proof of who the user {} is, and the setting `database` holds none that it takes ({cause})",
            user(config)
        )),
        text if text.starts_with("invalid con") => Fault::Refused(format!(
            "the address of {server} in the setting `database` cannot be used: {cause}"
        )),
        text if is_foreign(&text) || speaks_another_protocol(config).await => Fault::Refused(format!(
            "what listens at {} does not speak PostgreSQL's protocol: correct the address in the setting `database`",
            place(config)
        )),
        text => {
            Fault::Unavailable(format!("{server} ended the connection before it was ready ({text}: {cause})"))
        }
    }
}

/// What a server is that takes a connection and says nothing.
pub(crate) fn silent(config: &Config, waited: Duration) -> Fault {
    Fault::Unavailable(format!(
        "what listens at {} takes connections and does not answer within {} s: see that it is PostgreSQL, and that it is well",
        place(config),
        waited.as_secs()
    ))
}

/// Why none of several servers can be used; the next attempt may succeed if it may with one of them.
pub(crate) fn of_all(mut faults: Vec<Fault>) -> Fault {
    if faults.len() == 1
        && let Some(only) = faults.pop()
    {
        return only;
    }
    let may_pass = faults.iter().any(Fault::may_pass);
    let sentences: Vec<_> = faults.iter().map(|fault| fault.why().to_owned()).collect();
    let text = sentences.join("; ");
    if may_pass { Fault::Unavailable(text) } else { Fault::Refused(text) }
}

/// Refuses a server that is too old, by the version that it tells.
pub(crate) fn check_version(version: &str) -> Result<(), Fault> {
    let digits: String = version.chars().take_while(char::is_ascii_digit).collect();
    match digits.parse::<u32>() {
        Ok(major) if major < OLDEST => Err(Fault::Refused(format!(
            "the server is PostgreSQL {version}, and {OLDEST} or newer is needed: upgrade it, or use another server"
        ))),
        // A relative of PostgreSQL may count otherwise.
        _ => Ok(()),
    }
}

/// The server has answered the greeting with an error.
fn answered(answer: &DbError, config: &Config, server: &str) -> Fault {
    let (message, code, user) = (answer.message(), answer.code().code(), user(config));
    let database = config.get_dbname().unwrap_or(&user);
    match code {
        "28P01" => Fault::Refused(format!(
            "{server} does not accept the password of the user {user}: correct it in the setting `database`"
        )),
        "28000" => Fault::Refused(format!(
            "{server} does not let the user {user} in ({message}): create the role, or allow it in pg_hba.conf, or name another user in the setting `database`"
        )),
        "3D000" => Fault::Refused(format!(
            "{server} has no database {database}: create it with CREATE DATABASE \"{database}\" ENCODING 'UTF8' TEMPLATE template0, or correct its name in the setting `database`"
        )),
        "42501" => Fault::Refused(format!(
            "the user {user} lacks a right at {server} ({message}): grant it, as in GRANT CONNECT ON DATABASE \"{database}\" TO \"{user}\""
        )),
        "57P03" => Fault::Unavailable(format!("{server} is starting or stopping ({message})")),
        "53300" => Fault::Unavailable(format!(
            "{server} has no connection left ({message}): raise its max_connections, or lower the setting `database_connections`"
        )),
        // Only pgbouncer says so.
        "08P01" if message.starts_with("unsupported startup parameter") => Fault::Refused(format!(
            "the connection pooler at {} does not pass on what the address says ({message}): take it out of the address in the setting `database`, and set `options` for the role instead, with ALTER ROLE … SET",
            place(config)
        )),
        // Data, privileges, catalogue, syntax, features: the same greeting will be answered the same way.
        _ if matches!(&code[..2], "0A" | "22" | "28" | "3D" | "42") => {
            Fault::Refused(format!("{server} refuses the connection: {message} ({code})"))
        }
        _ => Fault::Unavailable(format!("{server} refuses the connection for now: {message} ({code})")),
    }
}

/// Nothing was reached that could answer.
fn unreached(io: Option<&io::Error>, cause: &str, server: &str) -> Fault {
    let correct = "or correct its address in the setting `database`";
    match io.map(io::Error::kind) {
        Some(io::ErrorKind::ConnectionRefused) => {
            Fault::Unavailable(format!("nothing listens where {server} should be: start it, {correct}"))
        }
        Some(io::ErrorKind::NotFound) => {
            Fault::Unavailable(format!("there is no socket of {server}: start it, {correct}"))
        }
        // The driver's words for a server that only reads.
        Some(io::ErrorKind::PermissionDenied) if cause.contains("does not allow writes") => {
            Fault::Unavailable(format!(
                "{server} only reads: it is a standby, or default_transaction_read_only is on. Promote it, or add the server that writes to the address, as in postgres://one,other/…"
            ))
        }
        Some(io::ErrorKind::PermissionDenied) => {
            Fault::Refused(format!("this user may not connect to {server}: give it the right to, {correct}"))
        }
        Some(io::ErrorKind::TimedOut) => Fault::Unavailable(format!(
            "{server} does not answer in time: see that it runs and that no firewall is between, {correct}"
        )),
        _ => Fault::Unavailable(format!(
            "{server} cannot be reached ({cause}): see that the name resolves, {correct}"
        )),
    }
}

/// No connection can be made with TLS.
fn untrusted(cause: &str, server: &str) -> Fault {
    let step = if cause.contains("does not support TLS") {
        "turn TLS on there, or allow a connection without it with sslmode=disable in the setting `database`"
    } else {
        "have the server show a certificate (X.509 version 3) that is valid, for the name in the address (as a subject alternative name, if sslmode is verify-full), from an authority that this machine trusts or whose certificate sslrootcert names"
    };
    Fault::Refused(format!("no encrypted connection to {server} can be made ({cause}): {step}"))
}

/// Whether the connection broke, which may be otherwise next time.
fn is_cut(io: Option<&io::Error>) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    io.is_some_and(|error| {
        matches!(error.kind(), BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof)
    })
}

/// Whether something was understood as far as that it is not of the protocol.
fn is_foreign(text: &str) -> bool {
    text.starts_with("unexpected message") || text.starts_with("error parsing response")
}

/// Asks what listens there for TLS, in PostgreSQL's way; a server of another protocol answers with something else.
async fn speaks_another_protocol(config: &Config) -> bool {
    let (Some(Host::Tcp(host)), port) = (config.get_hosts().first(), port(config)) else { return false };
    let ask = async {
        let mut stream = TcpStream::connect((host.as_str(), port)).await?;
        stream.write_all(&TLS_REQUEST).await?;
        stream.read_u8().await
    };
    matches!(timeout(PROBE, ask).await, Ok(Ok(letter)) if !b"SNE".contains(&letter))
}

fn user(config: &Config) -> String {
    config.get_user().unwrap_or("that runs this program").to_owned()
}

fn port(config: &Config) -> u16 {
    config.get_ports().first().copied().unwrap_or(5432)
}

fn server(config: &Config) -> String {
    format!("the PostgreSQL server at {}", place(config))
}

/// Where the server is, as far as it is told.
fn place(config: &Config) -> String {
    match config.get_hosts() {
        [Host::Unix(folder)] => folder.display().to_string(),
        [Host::Tcp(host)] => format!("{host}:{}", port(config)),
        hosts => {
            let name = |host: &Host| match host {
                Host::Tcp(host) => host.clone(),
                Host::Unix(folder) => folder.display().to_string(),
            };
            hosts.iter().map(name).collect::<Vec<_>>().join(", ")
        }
    }
}

#[cfg(test)]
mod tests;
