//! Writes on both sides during a copy.

use pointbook_access::tokens::issue::StoreToken;
use pointbook_catalogue::commands::UpsertProducts;
use pointbook_points::earning::record_activities::RecordHistory;
use pointbook_points::orders::place::PlaceOrder;
use pointbook_store::copy::{CopyError, CopyReport, copy_tenant};
use pointbook_store::ports::{Execution, PlaceOrderOutcome};
use pointbook_testkit::build;
use pointbook_testkit::build::{activity, order, recorded};
use tokio::runtime::Runtime;

use super::fixture::{CopyFixture, End, SOURCE, tables};

#[tokio::test]
async fn a_source_that_goes_on_is_copied_as_it_was() {
    for fixture in CopyFixture::all().await {
        fixture.copy().expect_code(0);
        let (source, third) = (&fixture.target, End::File("third.db"));
        let before = fixture.target();
        let report = copy_between(&fixture, [source, &third], "category_trees", || go_on(&fixture, source))
            .await
            .unwrap();
        assert_eq!(report.source, report.target);
        fixture.run(&third, "audit").expect_code(0);
        assert_eq!(of_acme(&tables(&fixture.folder, "third.db")), of_acme(&before));
        assert_ne!(of_acme(&fixture.target()), of_acme(&before));
        // The next copy includes the rest.
        let copied = fixture.folder.run(&format!("copy --from {} --to {}", source.url(), third.url()));
        let copied = copied.expect_code(0);
        assert!(
            copied.stdout.lines().next().unwrap().contains(" rows, 9 added, 1 changed, 0 removed"),
            "{copied:?}"
        );
        assert_eq!(tables(&fixture.folder, "third.db"), fixture.target());
    }
}

/// A new user earns points and places an order.
async fn go_on(fixture: &CopyFixture, end: &End) {
    let data = end.tenant(&fixture.folder, "acme").await;
    data.write(build::history([recorded("new", activity("s-1", 5_000))])).await.unwrap();
    data.write(UpsertProducts(vec![build::upsert(build::product("glass"))])).await.unwrap();
    let placed = data.execute(PlaceOrder::without_end(order("o-9", "new", "glass")), None).await.unwrap();
    assert!(matches!(placed, Execution::Executed(PlaceOrderOutcome::Placed(_))), "{placed:?}");
    data.write(StoreToken(build::token(9, Some("new")))).await.unwrap();
}

/// The copy compares the ledgers first and writes users later. The row may appear at either time.
#[tokio::test]
async fn rows_recorded_by_the_target_are_kept() {
    for fixture in CopyFixture::all().await {
        for (source_id, moment, seen_in) in
            [("t-1", "transactions", "users"), ("t-2", "users", "transactions")]
        {
            fixture.copy().expect_code(0);
            assert_eq!(fixture.change_source(&format!("UPDATE users SET birth_date = {}", moment.len())), 4);
            let record = || record(&fixture, source_id);
            let refused =
                copy_between(&fixture, [&SOURCE, &fixture.target], moment, record).await.unwrap_err();
            assert!(matches!(refused, CopyError::TargetInUse { table } if table == seen_in), "{refused:?}");
            let audit = fixture.run(&fixture.target, "audit --tenant acme").expect_code(0);
            // The target has all rows of the source, and one more.
            let source = fixture.run(&SOURCE, "audit --tenant acme").expect_code(0);
            assert_eq!(transactions(&audit.stdout), transactions(&source.stdout) + 1);
            // The source gets the same row, so that both are equal again.
            record_in(&fixture, &SOURCE, source_id).await;
        }
    }
}

#[tokio::test]
async fn a_target_that_is_written_to_at_the_end_is_told() {
    for fixture in CopyFixture::all().await {
        let record = || record(&fixture, "t-1");
        let ends = [&SOURCE, &fixture.target];
        // On PostgreSQL, nothing can be recorded for a tenant before its catalogue has a version.
        let report = copy_between(&fixture, ends, "tokens", record).await.unwrap();
        let differing = report.source.differing(&report.target);
        assert_eq!(differing, ["users", "transactions", "feed_blocks"]);
        assert_ne!(report.source.sha256(), report.target.sha256());
    }
}

/// The number of transactions that an audit read.
fn transactions(audit: &str) -> u64 {
    let (before, _) = audit.split_once(" transactions").unwrap();
    before.rsplit(' ').next().unwrap().parse().unwrap()
}

async fn record(fixture: &CopyFixture, source_id: &str) {
    record_in(fixture, &fixture.target, source_id).await;
}

async fn record_in(fixture: &CopyFixture, end: &End, source_id: &str) {
    let data = end.tenant(&fixture.folder, "acme").await;
    data.write(RecordHistory::new(vec![recorded("ann", activity(source_id, 5))], build::on_day(9)))
        .await
        .unwrap();
}

/// Copies the tenant `acme`. Calls a function at the first progress report of the copy.
async fn copy_between<F: Future<Output = ()>>(
    fixture: &CopyFixture,
    [source, target]: [&End; 2],
    moment: &str,
    happens: impl FnOnce() -> F + Send,
) -> Result<CopyReport, CopyError> {
    let (source, target) = (source.open(&fixture.folder).await, target.open(&fixture.folder).await);
    let tenant = source.tenants().await.unwrap().remove(0);
    let mut happens = Some(happens);
    let progress = |doing: &'static str, _: u64| {
        if doing == moment
            && let Some(happens) = happens.take()
        {
            at_once(happens);
        }
    };
    let report = copy_tenant(&*source, &*target, &tenant, progress).await;
    assert!(happens.is_none(), "the copy never called the function");
    report
}

/// Runs other work while the copy waits.
fn at_once<F: Future<Output = ()>>(work: impl FnOnce() -> F + Send) {
    std::thread::scope(|scope| {
        scope.spawn(|| Runtime::new().unwrap().block_on(work())).join().unwrap();
    });
}

/// The rows of one tenant.
fn of_acme(tables: &super::fixture::Tables) -> String {
    let rows = tables.values().flatten().filter(|row| row[0] == "acme".to_owned().into());
    format!("{:?}", rows.collect::<Vec<_>>())
}
