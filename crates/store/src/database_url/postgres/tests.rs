//! What addresses say, and which of them are refused.

use super::*;

fn parsed(address: &str) -> PostgresAddress {
    PostgresAddress::parse(address).unwrap()
}

fn refused(address: &str) -> String {
    PostgresAddress::parse(address).unwrap_err()
}

#[test]
fn modes_and_authorities_mean_what_they_mean_to_libpq() {
    let file = || PathBuf::from("/etc/ca.crt");
    for (query, encryption) in [
        ("", Encryption::IfOffered),
        ("?sslmode=disable", Encryption::Off),
        ("?sslmode=prefer", Encryption::IfOffered),
        ("?sslmode=prefer&sslrootcert=/etc/ca.crt", Encryption::IfOffered),
        ("?sslmode=require", Encryption::Unverified),
        ("?sslmode=require&sslrootcert=", Encryption::Unverified),
        ("?sslmode=require&sslrootcert=/etc/ca.crt", Encryption::Authority(file())),
        ("?sslrootcert=/etc/ca.crt&sslmode=verify-ca", Encryption::Authority(file())),
        ("?sslmode=verify-full&sslrootcert=/etc/ca.crt", Encryption::Name(Authorities::File(file()))),
        ("?sslmode=verify-full&sslrootcert=system", Encryption::Name(Authorities::System)),
        ("?sslmode=verify-full", Encryption::Name(Authorities::System)),
        ("?sslrootcert=system", Encryption::Name(Authorities::System)),
        // The last one counts, and names and values may be written in any way.
        ("?sslmode=disable&ssl%6Dode=verify%2Dca&sslrootcert=%2Fetc%2Fca.crt", Encryption::Authority(file())),
        // In another parameter it is something else.
        ("?application_name=sslmode%3Ddisable&sslmode=require", Encryption::Unverified),
    ] {
        assert_eq!(parsed(&format!("postgres://me@db/x{query}")).encryption, encryption, "{query}");
    }
}

#[test]
fn values_that_mean_nothing_are_refused_by_name() {
    for (query, expected) in [
        ("sslmode=allow", "sslmode=allow is not one of disable, prefer"),
        ("sslmode=", "sslmode= is not one of"),
        ("sslmode=Require", "sslmode=Require is not one of"),
        ("sslmode=verify-ca", "sslmode=verify-ca needs sslrootcert=FILE"),
        ("sslmode=require&sslrootcert=system", "too weak for sslrootcert=system"),
        ("sslmode=verify-ca&sslrootcert=system", "too weak for sslrootcert=system"),
        ("sslnegotiation=direct", "sslnegotiation=direct needs sslmode=require"),
        ("target_session_attrs=standby", "target_session_attrs=standby is not one of"),
        ("target_session_attrs=read-only", "Pagesmith writes"),
        ("sslmode=%FF", "a parameter is not UTF-8"),
        ("sslcert=mine.crt", "unknown option `sslcert`"),
        ("hostaddr=10.0.0.1,10.0.0.2", "not as many values of hostaddr"),
    ] {
        let why = refused(&format!("postgres://me:hunter2@db/x?{query}"));
        assert!(why.contains(expected) && !why.contains("hunter2"), "{query}: {why}");
    }
    assert!(refused("postgres:///x").contains("names no host"));
    assert!(
        refused("postgres://a,b,c/x?port=1,2").contains("port"),
        "{}",
        refused("postgres://a,b,c/x?port=1,2")
    );
}

#[test]
fn every_host_has_what_the_address_says_of_it_and_of_all() {
    let address = parsed(
        "postgres://me:pa%20ss@a:5433,[::1],%2Frun%2Fpostgresql/shop?sslmode=require&options=-c%20x%3D1&connect_timeout=7",
    );
    let seen: Vec<_> = address
        .hosts
        .iter()
        .map(|host| (host.get_hosts().to_vec(), host.get_ports().to_vec(), host.get_ssl_mode()))
        .collect();
    let tcp = |name: &str| vec![Host::Tcp(name.to_owned())];
    let socket = vec![Host::Unix(PathBuf::from("/run/postgresql"))];
    assert_eq!(
        seen,
        [
            (tcp("a"), vec![5433], SslMode::Require),
            (tcp("::1"), vec![5432], SslMode::Require),
            (socket, vec![5432], SslMode::Disable),
        ]
    );
    for host in &address.hosts {
        assert_eq!((host.get_user(), host.get_password()), (Some("me"), Some(&b"pa ss"[..])));
        assert_eq!((host.get_dbname(), host.get_options()), (Some("shop"), Some("-c x=1")));
        assert_eq!(host.get_connect_timeout().map(std::time::Duration::as_secs), Some(7));
        assert_eq!(host.get_target_session_attrs(), TargetSessionAttrs::ReadWrite);
    }
}

#[test]
fn a_host_that_is_only_an_address_is_called_by_it() {
    let one = &parsed("postgres://me@/x?hostaddr=10.0.0.1&port=5433").hosts[0];
    assert_eq!(one.get_hosts(), [Host::Tcp("10.0.0.1".to_owned())]);
    assert_eq!((one.get_hostaddrs().len(), one.get_ports()), (1, &[5433][..]));
}

#[test]
fn of_several_servers_the_one_that_writes_is_wanted() {
    let (writes, any) = (TargetSessionAttrs::ReadWrite, TargetSessionAttrs::Any);
    for (address, session) in [
        ("postgres://me@a,b/x", writes),
        ("postgres://me@a,b/x?target_session_attrs=read-write", writes),
        ("postgres://me@a,b/x?target_session_attrs=any", any),
        ("postgres://me@a/x", any),
        ("postgres://me@a/x?target_session_attrs=primary", writes),
    ] {
        let hosts = parsed(address).hosts;
        assert!(hosts.iter().all(|host| host.get_target_session_attrs() == session), "{address}");
    }
}

#[test]
fn a_question_mark_in_a_password_begins_no_parameters() {
    let one = &parsed("postgres://me:what?sslmode=no@db/x?sslmode=require").hosts[0];
    assert_eq!((one.get_password(), one.get_ssl_mode()), (Some(&b"what?sslmode=no"[..]), SslMode::Require));
}
