//! Search among more accounts than a search looks at one by one: it finds the same as its definition, whichever way its words are found.

use pagesmith_model::account::Account;
use pagesmith_model::domain::Domain;
use pagesmith_model::id::Uuid7Source;
use pagesmith_model::text::Query;
use pagesmith_model::{AccountId, Timestamp};

use pagesmith_store::tables::accounts;
use pagesmith_store::{Extent, Tx, rows_read};
use pagesmith_testkit::TestApp;
use pagesmith_testkit::database::{execute_at, is_postgres};

use super::model::{Known, expected, found};

/// More than the newest among which a common word is looked for.
const MANY: i64 = 2_600;

/// The account of a number. What is rare is among the oldest as well as among the newest, and the best matches are the oldest.
fn account(number: i64, source: &Uuid7Source) -> Account {
    let at = Timestamp::from_micros(number * 1_000);
    let (domain, name) = match number {
        3 => ("spring.com".to_owned(), None),
        4 => ("harbor-light.de".to_owned(), Some("Spring")),
        5 => ("tokyo-tower.jp".to_owned(), Some("東京タワー株式会社")),
        6 => ("strasse.de".to_owned(), Some("Große Straße & Co")),
        7 => ("oneil.ie".to_owned(), Some("O'Neil (Holding)")),
        // What is special in patterns, in replacements and between grams.
        8 => ("odd.example".to_owned(), Some("Tab\tTrade \\1 & 100% 🚀🚀🚀 e\u{301}te\u{301}")),
        number if number % 500 == 9 => (format!("early-spring{number}.net"), Some("Offspring")),
        // Found more often than is ranked at once, and rarely among the newest.
        number if number < 300 => (format!("garden{number}.io"), Some("Old Garden")),
        number if number % 3 == 0 => (format!("acme{number}.com"), None),
        number => (format!("my-{number}.com"), (number % 5 == 0).then_some("Acme and sons")),
    };
    Account {
        account_id: AccountId::mint(source.next(at, 0)),
        domain: Domain::parse(&domain).unwrap(),
        name: name.map(str::to_owned),
        is_empty: number % 7 == 0,
        created_at: at,
        updated_at: at,
    }
}

const QUERIES: [&str; 31] = [
    "com",
    "acme",
    "acme com",
    "spring",
    "SPRING",
    "springs",
    "early spring",
    "garden",
    "old garden",
    "garden2",
    "acme1500.com",
    "my-14",
    "and acme",
    "東京タワー",
    "東京",
    "株式会社 jp",
    "straße",
    "o'neil",
    "(holding)",
    "de",
    "e",
    "zzz",
    "pring off",
    "acme acm cme",
    "light spring",
    "tab trade",
    "\\1",
    "100%",
    "🚀🚀🚀",
    "été",
    "...",
];

#[tokio::test]
async fn among_many_accounts_search_finds_what_its_definition_finds_in_the_same_order() {
    let app = TestApp::start().await;
    // Others have the same names.
    let other = app.add_tenant("other").await;
    let mut known = Vec::new();
    for tenant in [other, app.tenant.clone()] {
        let source = Uuid7Source::new();
        let all: Vec<Account> = (0..MANY).map(|number| account(number, &source)).collect();
        known = all
            .iter()
            .map(|account| Known {
                id: account.account_id.to_string(),
                domain: account.domain.to_string(),
                name: account.name.clone(),
                is_empty: account.is_empty,
            })
            .collect();
        for some in all.chunks(500) {
            let (tenant, some) = (tenant.clone(), some.to_vec());
            let insert = move |tx: &mut Tx<'_>| {
                accounts::insert(tx, &tenant, &some)?;
                tx.change(some.iter().map(|account| accounts::put_name(&tenant, account)).collect())
            };
            app.store.write(insert).await.unwrap();
        }
    }
    // Beside these, parts of names and domains, which begin and end anywhere in a word.
    let parts = known.iter().enumerate().step_by(97).map(|(at, account)| {
        let text = account.name.as_ref().unwrap_or(&account.domain);
        let from = at % text.chars().count().saturating_sub(3).max(1);
        text.chars().skip(from).take(3 + at % 6).collect::<String>()
    });
    for query in QUERIES.map(str::to_owned).into_iter().chain(parts) {
        for only_empty in [false, true] {
            let found = found(&app.client(), &query, only_empty, "100").await;
            assert_eq!(found, expected(&known, &query, only_empty), "{query:?}");
        }
    }
}

#[tokio::test]
async fn postgresql_looks_at_few_accounts_for_a_rare_word() {
    if !is_postgres() {
        return;
    }
    let app = TestApp::start().await;
    // Past the service, which would take long.
    for statement in [
        "INSERT INTO account_names (tenant_id, account_id, folded_name, name_words, folded_domain, domain_words)
         SELECT t.tenant_id, 'account_' || n, '', ' ', 'acme' || n || '.com', ' acme' || n || ' com'
         FROM tenants t, generate_series(100000, 129999) n",
        "VACUUM (ANALYZE) account_names",
    ] {
        execute_at(&app.database.address, statement).await;
    }
    for (query, most) in [("spring", 100), ("acme101234.com", 100), ("spring acme", 100)] {
        let tenant = app.tenant.clone();
        let search = move |tx: &mut Tx<'_>| {
            let before = rows_read::of(tx, "account_names")?;
            accounts::search(tx, &tenant, &Query::parse(query), false, None, Extent::of_items(5))?;
            Ok(rows_read::of(tx, "account_names")? - before)
        };
        let read = app.store.read(search).await.unwrap();
        // The newest are looked at in any case.
        assert!(read < 2_000 + most, "a search for {query} has read {read} names");
    }
}
