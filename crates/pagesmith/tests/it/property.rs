//! Properties of the whole server: random input against one app, each case in a tenant of its own.
//!
//! Starting a server for each of many cases would take most of the time; a fresh tenant is as empty. A failing case is made
//! smaller and shown as it is, so that it can become a test of its own.

use std::future::Future;
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};

use pagesmith_model::TenantId;
use pagesmith_model::key::Scope;
use pagesmith_testkit::app::Plan;
use pagesmith_testkit::{Client, TestApp};
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, TestError, TestRunner};

/// Where one case happens.
pub(crate) struct Case {
    /// The server, shared with the other cases.
    pub(crate) app: Rc<TestApp>,
    /// The slug of the case's own tenant.
    pub(crate) tenant: String,
    /// That tenant.
    pub(crate) tenant_id: TenantId,
    /// A caller of that tenant.
    pub(crate) client: Client,
}

/// Runs `check` on as many random values.
pub(crate) fn holds<S, F>(cases: u32, values: &S, check: impl Fn(Case, S::Value) -> F)
where
    S: Strategy,
    F: Future<Output = ()>,
{
    holds_with(|_| {}, cases, values, check);
}

/// The same on a server of another plan.
pub(crate) fn holds_with<S, F>(
    change: impl FnOnce(&mut Plan),
    cases: u32,
    values: &S,
    check: impl Fn(Case, S::Value) -> F,
) where
    S: Strategy,
    F: Future<Output = ()>,
{
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let app = Rc::new(runtime.block_on(TestApp::with(change)));
    let next = AtomicU32::new(0);
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let outcome = runner.run(values, |value| {
        runtime.block_on(async {
            let tenant = format!("case-{}", next.fetch_add(1, Ordering::Relaxed));
            let tenant_id = app.add_tenant(&tenant).await;
            let client = app.client_with(&app.add_key(&tenant, Scope::Write).await);
            check(Case { app: Rc::clone(&app), tenant, tenant_id, client }, value).await;
        });
        Ok(())
    });
    match outcome {
        Ok(()) => {}
        Err(TestError::Fail(reason, value)) => panic!("{reason}\nthe smallest input that fails: {value:#?}"),
        Err(TestError::Abort(reason)) => panic!("{reason}"),
    }
}
