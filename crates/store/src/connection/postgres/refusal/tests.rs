//! What is said of servers that cannot be used, and which of them are worth another attempt; the servers are fake.

use std::net::TcpListener;
use std::time::Duration;

use super::*;
use crate::connection::postgres::Session;
use crate::connection::postgres::fake_server::{fake_server, message, welcome};
use crate::connection::postgres::servers::Servers;
use crate::database_url::DatabaseUrl;

fn error(code: &str, text: &str) -> Vec<u8> {
    message(b'E', format!("SFATAL\0VFATAL\0C{code}\0M{text}\0\0").as_bytes())
}

/// The servers on these ports.
fn servers(ports: &[u16], more: &str) -> Servers {
    let hosts: Vec<_> = ports.iter().map(|port| format!("127.0.0.1:{port}")).collect();
    let url = format!("postgres://me:hunter2@{}/shop?{more}", hosts.join(","));
    let Ok(DatabaseUrl::Postgres(url)) = url.parse() else { panic!("not an address: {url}") };
    Servers::of(&url).unwrap()
}

/// Why no session can be had with the server on that port.
fn fault(port: u16, more: &str) -> Fault {
    fault_of(&servers(&[port], more))
}

fn fault_of(servers: &Servers) -> Fault {
    let fault = Session::connect(servers, 0, Duration::from_secs(10)).err().unwrap();
    assert!(!fault.to_string().contains("hunter2"), "{fault}");
    fault
}

#[test]
fn what_no_attempt_can_mend_is_told_with_the_next_step_and_the_rest_may_pass() {
    let plain = "sslmode=disable";
    let at = "the PostgreSQL server at 127.0.0.1:PORT";
    for (answer, more, may_pass, expected) in [
        (
            error("28P01", "password authentication failed for user \"me\""),
            plain,
            false,
            format!("{at} does not accept the password of the user me: correct it in the setting `database`"),
        ),
        (
            error("28000", "role \"me\" does not exist"),
            plain,
            false,
            format!("{at} does not let the user me in (role \"me\" does not exist): create the role, or allow it in pg_hba.conf, or name another user in the setting `database`"),
        ),
        (
            error("3D000", "database \"shop\" does not exist"),
            plain,
            false,
            format!("{at} has no database shop: create it with CREATE DATABASE \"shop\" ENCODING 'UTF8' TEMPLATE template0, or correct its name in the setting `database`"),
        ),
        (
            error("42501", "permission denied for database \"shop\""),
            plain,
            false,
            format!("the user me lacks a right at {at} (permission denied for database \"shop\"): grant it, as in GRANT CONNECT ON DATABASE \"shop\" TO \"me\""),
        ),
        (
            error("22023", "invalid value"),
            plain,
            false,
            format!("{at} refuses the connection: invalid value (22023)"),
        ),
        (
            welcome("14.9 (Debian 14.9-1)"),
            plain,
            false,
            "the server is PostgreSQL 14.9 (Debian 14.9-1), and 15 or newer is needed: upgrade it, or use another server".to_owned(),
        ),
        (
            b"N".to_vec(),
            "sslmode=require",
            false,
            format!("no encrypted connection to {at} can be made (server does not support TLS): turn TLS on there, or allow a connection without it with sslmode=disable in the setting `database`"),
        ),
        (
            b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n".to_vec(),
            "sslmode=prefer",
            false,
            "what listens at 127.0.0.1:PORT does not speak PostgreSQL's protocol: correct the address in the setting `database`".to_owned(),
        ),
        (
            error("57P03", "the database system is starting up"),
            plain,
            true,
            format!("database unavailable: {at} is starting or stopping (the database system is starting up)"),
        ),
        (
            error("53300", "too many clients already"),
            plain,
            true,
            format!("database unavailable: {at} has no connection left (too many clients already): raise its max_connections, or lower the setting `database_connections`"),
        ),
        (
            error("08P01", "no more room"),
            plain,
            true,
            format!("database unavailable: {at} refuses the connection for now: no more room (08P01)"),
        ),
    ] {
        let port = fake_server(answer);
        let fault = fault(port, more);
        assert_eq!(fault.to_string(), expected.replace("PORT", &port.to_string()));
        assert_eq!(fault.may_pass(), may_pass, "{fault}");
    }
}

#[test]
fn a_server_that_is_not_there_yet_may_come() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let nobody = fault(port, "sslmode=prefer");
    let expected = format!(
        "database unavailable: nothing listens where the PostgreSQL server at 127.0.0.1:{port} should be: start it, or correct its address in the setting `database`"
    );
    assert_eq!((nobody.to_string(), nobody.may_pass()), (expected, true));
    // Something in between that has nobody to hand the connection to.
    let closed = fault(fake_server(vec![]), "sslmode=prefer");
    assert!(
        closed.may_pass() && closed.to_string().contains("ended the connection before it was ready"),
        "{closed}"
    );
    let reads = io::Error::new(io::ErrorKind::PermissionDenied, "database does not allow writes");
    let standby = unreached(Some(&reads), &reads.to_string(), "it");
    assert!(standby.may_pass() && standby.why().starts_with("it only reads"), "{standby}");
    let name = io::Error::other("failed to lookup address information");
    assert!(unreached(Some(&name), "failed to lookup address information", "it").may_pass());
}

#[test]
fn a_server_of_a_version_that_is_known_to_do_is_taken_as_is_one_that_counts_otherwise() {
    for version in ["15.0", "16beta1", "17.2 (Debian)", "", "CockroachDB"] {
        assert_eq!(check_version(version), Ok(()), "{version}");
    }
    assert!(check_version("9.6").is_err());
}

#[test]
fn several_servers_are_tried_in_turn_and_the_one_that_failed_last() {
    let starting = fake_server(error("57P03", "the database system is starting up"));
    let lacking = fake_server(error("3D000", "database \"shop\" does not exist"));
    let servers = servers(&[starting, lacking], "sslmode=disable");
    let order = |fault: &Fault| {
        let text = fault.to_string();
        text.find("is starting or stopping").unwrap() < text.find("has no database").unwrap()
    };
    let faults = [(); 3].map(|()| fault_of(&servers));
    assert_eq!(faults.each_ref().map(order), [true, false, true], "{faults:?}");
    assert!(faults.iter().all(Fault::may_pass), "one of them may come: {faults:?}");
}

#[test]
fn a_server_that_says_nothing_keeps_nobody_from_the_next_one() {
    // The system takes connections for it.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let lacking = fake_server(error("3D000", "database \"shop\" does not exist"));
    let port = silent.local_addr().unwrap().port();
    let fault = fault_of(&servers(&[port, lacking], "sslmode=disable&connect_timeout=1")).to_string();
    assert!(fault.contains("does not answer within 1 s") && fault.contains("has no database"), "{fault}");
}
