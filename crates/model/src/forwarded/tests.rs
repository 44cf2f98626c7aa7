//! Tests of the addresses that proxies tell.

use proptest::prelude::*;

use super::*;

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

fn lines<'a>(forwarded: &[&'a str], x_forwarded_for: &[&'a str]) -> Lines<'a> {
    let bytes = |lines: &[&'a str]| lines.iter().map(|line| line.as_bytes()).collect();
    Lines { forwarded: bytes(forwarded), x_forwarded_for: bytes(x_forwarded_for) }
}

const PROXY: &str = "10.0.0.1";

fn told(forwarded: &[&str], x_forwarded_for: &[&str]) -> String {
    let trusted = "10.0.0.0/8,fd00::/8".parse().unwrap();
    client(ip(PROXY), &trusted, ProxyHeader::Either, &lines(forwarded, x_forwarded_for)).to_string()
}

#[test]
fn forwarded_is_read_by_its_whole_grammar() {
    for (line, expected) in [
        ("for=192.0.2.1", "192.0.2.1"),
        ("For=\"192.0.2.1\"", "192.0.2.1"),
        ("for=\"192.0.2.1:4711\";proto=http;by=203.0.113.43", "192.0.2.1"),
        ("for=\"[2001:db8:cafe::17]:4711\"", "2001:db8:cafe::17"),
        ("FOR=\"[2001:db8::1]\"", "2001:db8::1"),
        ("for=\"\\1\\92.0.2.1\"", "192.0.2.1"),
        ("proto=https;for=192.0.2.9;host=\"a, b; for=1.1.1.1\"", "192.0.2.9"),
        ("for=192.0.2.43, for=198.51.100.17", "198.51.100.17"),
        ("for=192.0.2.43,for=10.1.1.1;by=_x , ,", "192.0.2.43"),
        (" for=192.0.2.43 ; proto=http ", "192.0.2.43"),
        ("for=\"[::ffff:192.0.2.1]\"", "192.0.2.1"),
        // Not named: the proxy that does not name it is what is known.
        ("for=unknown", PROXY),
        ("for=_hidden, for=10.2.2.2", "10.2.2.2"),
        ("for=\"_gazonk:_p\"", PROXY),
        ("proto=https", PROXY),
        // Not valid.
        ("for=192.0.2.1;for=192.0.2.2", PROXY),
        ("for=2001:db8::1", PROXY),
        ("for=\"2001:db8::1\"", PROXY),
        ("for=\"192.0.2.1", PROXY),
        ("for=\"192.0.2.1\\", PROXY),
        ("for=\"[2001:db8::1\"", PROXY),
        ("for=\"[2001:db8::1]:x\"", PROXY),
        ("for = 192.0.2.1", PROXY),
        ("for=192.0.2.1 for=192.0.2.2", PROXY),
        ("for=", PROXY),
        ("192.0.2.1", PROXY),
        ("for=\"192.0.2.1:123456\"", PROXY),
        ("for=300.0.2.1", PROXY),
        ("", PROXY),
    ] {
        assert_eq!(told(&[line], &[]), expected, "{line}");
    }
}

#[test]
fn x_forwarded_for_is_a_list_of_addresses() {
    for (line, expected) in [
        ("192.0.2.1", "192.0.2.1"),
        ("192.0.2.1:80", "192.0.2.1"),
        ("2001:db8::1", "2001:db8::1"),
        ("[2001:db8::1]:80", "2001:db8::1"),
        ("1.1.1.1, 192.0.2.1 ,10.0.0.2", "192.0.2.1"),
        ("192.0.2.1,,", "192.0.2.1"),
        ("10.0.0.3, 10.0.0.2", "10.0.0.3"),
        ("192.0.2.1, unknown", PROXY),
        ("192.0.2.1, localhost", PROXY),
        ("192.0.2.1, 2130706433", PROXY),
    ] {
        assert_eq!(told(&[], &[line]), expected, "{line}");
    }
}

#[test]
fn several_lines_are_one_list_and_a_broken_one_ends_it() {
    assert_eq!(told(&["for=192.0.2.1", "for=10.0.0.2"], &[]), "192.0.2.1");
    assert_eq!(told(&["for=\"never closed", "for=192.0.2.2"], &[]), "192.0.2.2");
    assert_eq!(told(&["for=\"never closed", "for=10.0.0.2"], &[]), "10.0.0.2");
    assert_eq!(told(&[], &["192.0.2.1", "10.0.0.2, 10.0.0.3"]), "192.0.2.1");
}

#[test]
fn both_headers_count_only_if_they_agree() {
    assert_eq!(told(&["for=192.0.2.1"], &["192.0.2.1"]), "192.0.2.1");
    assert_eq!(told(&["for=192.0.2.1"], &["192.0.2.2"]), PROXY);
    let both = lines(&["for=192.0.2.1"], &["192.0.2.2"]);
    let by = |header: &str| client(ip(PROXY), &"10.0.0.0/8".parse().unwrap(), header.parse().unwrap(), &both);
    assert_eq!(by("Forwarded"), ip("192.0.2.1"));
    assert_eq!(by("X-Forwarded-For"), ip("192.0.2.2"));
    assert_eq!("via".parse::<ProxyHeader>(), Err(UnknownHeader));
}

/// What somebody may write who wants to be taken for another.
fn anything() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~]{0,40}",
        "(for=)?\"?\\[?(198\\.51\\.100\\.7|2001:db8::7|unknown|_x)\\]?(:80)?\"?(;[a-z]{1,3}=[\"a-z]{0,3})?",
        proptest::collection::vec(
            proptest::sample::select(vec![
                "for=198.51.100.7",
                "198.51.100.7",
                "for=\"",
                "\"",
                ",",
                ";",
                "\\",
                "10.0.0.9",
                "for=10.0.0.9"
            ]),
            0..8
        )
        .prop_map(|parts| parts.concat()),
    ]
}

proptest! {
    #[test]
    fn no_line_breaks_the_reader(line in proptest::collection::vec(any::<u8>(), 0..80), text in anything()) {
        for line in [line.as_slice(), text.as_bytes()] {
            forwarded(line);
            x_forwarded_for(line);
        }
    }

    #[test]
    fn a_client_that_is_not_trusted_is_who_it_is(written in proptest::collection::vec(anything(), 0..3)) {
        let written: Vec<&str> = written.iter().map(String::as_str).collect();
        let trusted = "10.0.0.0/8".parse().unwrap();
        let found = client(ip("192.0.2.1"), &trusted, ProxyHeader::Either, &lines(&written, &written));
        prop_assert_eq!(found, ip("192.0.2.1"));
        prop_assert_eq!(client(ip("10.0.0.1"), &Networks::default(), ProxyHeader::Either, &lines(&written, &[])), ip(PROXY));
    }

    /// The proxy appends the client's true address, in a line of its own or behind what the client wrote. Then nothing that the client
    /// wrote makes it anybody but itself, or the proxy.
    #[test]
    fn what_a_client_writes_does_not_make_it_another(
        written in proptest::collection::vec(anything(), 0..3),
        same_line in any::<bool>(),
        by_forwarded in any::<bool>(),
        other in proptest::option::of(anything()),
    ) {
        let own = if by_forwarded { "for=192.0.2.1" } else { "192.0.2.1" };
        let mut sent: Vec<String> = written;
        match sent.last_mut() {
            Some(last) if same_line => *last = format!("{last}, {own}"),
            _ => sent.push(own.to_owned()),
        }
        let sent: Vec<&str> = sent.iter().map(String::as_str).collect();
        let other: Vec<&str> = other.iter().map(String::as_str).collect();
        let (all, header) = if by_forwarded {
            (lines(&sent, &other), ProxyHeader::Forwarded)
        } else {
            (lines(&other, &sent), ProxyHeader::XForwardedFor)
        };
        let trusted = "10.0.0.0/8".parse().unwrap();
        for header in [header, ProxyHeader::Either] {
            let found = client(ip(PROXY), &trusted, header, &all);
            prop_assert!(found == ip("192.0.2.1") || found == ip(PROXY), "{found}");
        }
    }
}
