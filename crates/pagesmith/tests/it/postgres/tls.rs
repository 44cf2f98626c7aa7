//! `sslmode` and `sslrootcert`: each value connects or is refused as psql does it, and what is connected is encrypted or not.

use pagesmith_store::{Store, StoreOptions};
use pagesmith_testkit::database;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd};

use crate::process::postgres::Postgres;

/// Who may connect how: two roles by one way only.
const ACCESS: &str = "\
local all all trust
hostssl all postgres,encrypted 127.0.0.1/32 trust
hostnossl all postgres,open 127.0.0.1/32 trust
";

/// What comes of an address.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Comes {
    Encrypted,
    Open,
    /// With these words.
    Refused(&'static str),
}
use Comes::{Encrypted, Open, Refused};

/// A server that shows certificates of several kinds.
struct Shown {
    postgres: Postgres,
    authority: String,
    stranger: String,
}

/// Whether this run is on a PostgreSQL that was built with TLS, as all packages of distributions are.
fn encrypts() -> bool {
    database::is_postgres() && {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let built = runtime.block_on(database::ask("SELECT setting FROM pg_config WHERE name = 'CONFIGURE'"));
        built.contains("ssl")
    }
}

fn params(names: &[&str]) -> CertificateParams {
    let names: Vec<_> = names.iter().map(|&name| name.to_owned()).collect();
    CertificateParams::new(names).unwrap()
}

fn authority(name: &str) -> CertifiedIssuer<'static, KeyPair> {
    let mut params = params(&[]);
    params.distinguished_name.push(DnType::CommonName, name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

impl Shown {
    /// A server that shows the certificate, made from its parameters and a new key.
    fn of(make: impl FnOnce(&CertifiedIssuer<'_, KeyPair>, &KeyPair) -> rcgen::Certificate) -> Shown {
        let (issuer, key) = (authority("The authority"), KeyPair::generate().unwrap());
        let certificate = make(&issuer, &key);
        let mut postgres = Postgres::new();
        postgres.write("server.crt", &certificate.pem());
        postgres.write("server.key", &key.serialize_pem());
        postgres.write("pg_hba.conf", ACCESS);
        let file = |name: &str, content: &str| postgres.write(name, content).display().to_string();
        let (authority, stranger) =
            (file("authority.crt", &issuer.pem()), file("stranger.crt", &authority("A stranger").pem()));
        file("empty.crt", "");
        postgres.set(&["ssl=on"]);
        postgres.start();
        Shown { postgres, authority, stranger }
    }

    /// An address by name, with the words of the files in their places.
    fn address(&self, user: &str, host: &str, query: &str) -> String {
        let query = query.replace("AUTHORITY", &self.authority).replace("STRANGER", &self.stranger);
        let query = query.replace("FOLDER", &self.authority.replace("/authority.crt", ""));
        format!("postgres://{user}@{host}:{}/postgres?{query}", self.postgres.port)
    }

    #[track_caller]
    fn check(&self, user: &str, host: &str, query: &str, expected: Comes) {
        let address = self.address(user, host, query);
        let came = self.of_us(&address);
        match (&came, expected) {
            (Err(why), Refused(words)) => assert!(why.contains(words), "{address}: {why}"),
            (Ok(true), Encrypted) | (Ok(false), Open) => {}
            _ => panic!("{address}: {came:?} and not {expected:?}"),
        }
        if let Some(theirs) = self.of_psql(&address) {
            assert_eq!(theirs, came.clone().ok(), "psql, {address}: {came:?}");
        }
    }

    /// Whether the store's connection is encrypted, or why there is none.
    fn of_us(&self, address: &str) -> Result<bool, String> {
        let url = address.parse().map_err(|error: pagesmith_model::Error| error.to_string())?;
        let mut options = StoreOptions::new(url);
        options.connections = 1;
        let told = |error: pagesmith_model::Error| {
            pagesmith_store::fault::of(&error).map_or_else(|| error.to_string(), ToString::to_string)
        };
        let store = Store::open(options).map_err(told)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(store.schema_state()).map_err(told)?;
        let seen = self.postgres.ask(
            "SELECT string_agg(DISTINCT ssl::text, ' ') FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
             WHERE application_name = 'pagesmith'",
        );
        runtime.block_on(store.close()).unwrap();
        Ok(seen == "true")
    }

    /// The same of psql, where it is there and has these parameters.
    fn of_psql(&self, address: &str) -> Option<Option<bool>> {
        let mut psql = self.postgres.program("psql");
        psql.args(["-X", "-A", "-t", "-w", "-d", address]);
        psql.args(["-c", "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"]);
        // No certificates of whoever runs the tests.
        psql.env("HOME", "/nonexistent");
        let done = psql.output().ok()?;
        Some(done.status.success().then(|| done.stdout.starts_with(b"t")))
    }
}

#[test]
fn a_certificate_of_an_authority_is_verified_as_far_as_the_address_says() {
    if !encrypts() {
        return;
    }
    let shown = Shown::of(|issuer, key| params(&["localhost"]).signed_by(key, issuer).unwrap());
    for (user, host, query, expected) in [
        ("postgres", "127.0.0.1", "sslmode=disable", Open),
        ("postgres", "127.0.0.1", "sslmode=prefer", Encrypted),
        ("postgres", "127.0.0.1", "sslmode=require", Encrypted),
        ("postgres", "127.0.0.1", "sslmode=require&sslrootcert=AUTHORITY", Encrypted),
        ("postgres", "127.0.0.1", "sslmode=require&sslrootcert=STRANGER", Refused("UnknownIssuer")),
        ("postgres", "127.0.0.1", "sslmode=verify-ca&sslrootcert=AUTHORITY", Encrypted),
        ("postgres", "127.0.0.1", "sslmode=verify-ca&sslrootcert=STRANGER", Refused("UnknownIssuer")),
        ("postgres", "127.0.0.1", "sslmode=verify-full&sslrootcert=AUTHORITY", Refused("not valid for name")),
        ("postgres", "localhost", "sslmode=verify-full&sslrootcert=AUTHORITY", Encrypted),
        ("postgres", "localhost", "sslmode=verify-full&sslrootcert=STRANGER", Refused("UnknownIssuer")),
        ("postgres", "localhost", "sslmode=verify-full", Refused("UnknownIssuer")),
        ("postgres", "localhost", "sslmode=verify-ca", Refused("sslmode=verify-ca needs sslrootcert")),
        ("postgres", "localhost", "sslmode=verify-ca&sslrootcert=FOLDER/none.crt", Refused("none.crt")),
        ("postgres", "localhost", "sslmode=verify-full&sslrootcert=FOLDER/empty.crt", Refused("empty.crt")),
        ("encrypted", "127.0.0.1", "sslmode=prefer", Encrypted),
        ("encrypted", "127.0.0.1", "sslmode=disable", Refused("does not let the user encrypted in")),
        ("open", "127.0.0.1", "sslmode=prefer", Open),
        ("open", "127.0.0.1", "sslmode=require", Refused("does not let the user open in")),
    ] {
        if user != "postgres" {
            shown.postgres.execute(&format!(
                "DO $$ BEGIN CREATE ROLE {user} LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$"
            ));
        }
        shown.check(user, host, query, expected);
    }
}

#[test]
fn a_certificate_that_signed_itself_is_encrypted_with_and_verified_only_where_it_is_trusted() {
    if !encrypts() {
        return;
    }
    // What `openssl req -x509` makes: an authority of its own.
    let shown = Shown::of(|_, key| {
        let mut params = params(&["localhost"]);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.self_signed(key).unwrap()
    });
    for (host, query, expected) in [
        ("127.0.0.1", "sslmode=prefer", Encrypted),
        ("127.0.0.1", "sslmode=require", Encrypted),
        ("127.0.0.1", "sslmode=require&sslrootcert=AUTHORITY", Refused("certificate")),
        ("127.0.0.1", "sslmode=verify-ca&sslrootcert=FOLDER/server.crt", Encrypted),
        ("127.0.0.1", "sslmode=verify-full&sslrootcert=FOLDER/server.crt", Refused("not valid for name")),
        ("localhost", "sslmode=verify-full&sslrootcert=FOLDER/server.crt", Encrypted),
        ("localhost", "sslmode=verify-full&sslrootcert=STRANGER", Refused("certificate")),
    ] {
        shown.check("postgres", host, query, expected);
    }
}

#[test]
fn a_certificate_whose_time_is_over_is_not_trusted_even_if_it_signed_itself() {
    if !encrypts() {
        return;
    }
    let shown = Shown::of(|_, key| {
        let mut params = params(&["localhost"]);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        (params.not_before, params.not_after) = (date_time_ymd(2020, 1, 1), date_time_ymd(2021, 1, 1));
        params.self_signed(key).unwrap()
    });
    shown.check("postgres", "localhost", "sslmode=require", Encrypted);
    shown.check(
        "postgres",
        "localhost",
        "sslmode=verify-full&sslrootcert=FOLDER/server.crt",
        Refused("expired"),
    );
}

#[test]
fn a_server_without_encryption_is_taken_only_by_prefer_and_disable() {
    if !encrypts() {
        return;
    }
    let mut shown = Shown::of(|issuer, key| params(&["localhost"]).signed_by(key, issuer).unwrap());
    shown.postgres.stop();
    shown.postgres.set(&["ssl=off"]);
    shown.postgres.start();
    for (query, expected) in [
        ("sslmode=disable", Open),
        ("sslmode=prefer", Open),
        ("sslmode=prefer&sslrootcert=AUTHORITY", Open),
        ("sslmode=require", Refused("does not support TLS")),
        ("sslmode=verify-full&sslrootcert=AUTHORITY", Refused("does not support TLS")),
    ] {
        shown.check("postgres", "localhost", query, expected);
    }
}
