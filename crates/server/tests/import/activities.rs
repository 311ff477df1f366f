//! An activity is recorded once, even when a file is imported again.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{self, Cursor, Read};
use std::sync::mpsc;

use pointbook_server::import::{Effect, Ending, Input, Kind, Options};
use pointbook_testkit::build::page;
use tokio::sync::oneshot;

use crate::harness::{Store, memory};

const HEADER: &str = "user_id,type,source_id,points,bonus_breakdown,title,subtitle,created_at\n";

fn row(user: &str, source: &str, points: i64) -> String {
    format!("{user},code,{source},{points},,QR code scan,Mug,2025-01-01T00:00:00Z\n")
}

async fn balance(store: &Store, user: &str) -> i64 {
    let data = &store.tenant("acme").data;
    let user = pointbook_domain::UserId::new(user).unwrap();
    data.history_page(&user, page(1, 15)).await.unwrap().user_points.get()
}

#[tokio::test]
async fn a_dry_run_names_the_users_that_the_import_would_create() {
    let store = Store::open().await;
    store.import(Kind::Activities, format!("{HEADER}{}", row("ann", "1", 5))).await;
    // A batch has 10,000 rows, so the last rows come after the first ones were tried.
    let many: String = (0..10_000).map(|number| row("zoe", &number.to_string(), 1)).collect();
    let rows = ["ann", "bob", "abe", "bob"].map(|user| row(user, "2", 5)).concat();
    let text = format!(
        "{HEADER}{rows}{}bad,code,3,x,,T,,2025-01-01T00:00:00Z\n{many}{}",
        row("bad id", "", 1),
        row("zoe", "x", 1)
    );
    let options = Options { effect: Effect::Try, ..Options::default() };
    let tried = store.run(Kind::Activities, memory(text), options).await.unwrap().new_users.unwrap();
    assert_eq!(tried.to_string(), "new users: 3: \"bob\", \"abe\", \"zoe\"");
    let users = "user_id\nann\nnew\n".to_owned();
    let options = Options { effect: Effect::Try, ..Options::default() };
    let tried = store.run(Kind::Users, memory(users), options).await.unwrap().new_users.unwrap();
    assert_eq!(tried.to_string(), "new user: 1: \"new\"");
    let done = store.run(Kind::Users, memory("user_id\nnew\n"), Options::default()).await.unwrap();
    assert!(done.new_users.is_none());
}

#[tokio::test]
async fn interrupted_import_can_be_repeated() {
    let store = Store::open().await;
    let (first, second) = (row("ann", "1", 5), row("ann", "2", 7) + &row("bob", "1", 9));
    let numbers = store.import(Kind::Activities, format!("{HEADER}{first}")).await;
    assert_eq!(numbers, "activities: 1 read, 1 recorded, 0 skipped, 0 rejected");
    store.clock.advance_seconds(60);
    let numbers = store.import(Kind::Activities, format!("{HEADER}{first}{second}")).await;
    assert_eq!(numbers, "activities: 3 read, 2 recorded, 1 skipped, 0 rejected");
    assert_eq!((balance(&store, "ann").await, balance(&store, "bob").await), (12, 9));
}

#[tokio::test]
async fn the_same_source_with_other_content_is_a_conflict() {
    let store = Store::open().await;
    let text = format!("{HEADER}{}{}{}", row("ann", "1", 5), row("ann", "1", 6), row("ann", "1", 5));
    let numbers = store.import(Kind::Activities, text).await;
    assert_eq!(numbers, "activities: 3 read, 1 recorded, 1 skipped, 1 rejected");
    let (line, reason, _) = store.rejects().remove(0);
    assert_eq!((line, reason.as_str()), (3, "source_id: recorded before with other content"));
    assert_eq!(balance(&store, "ann").await, 5);
}

#[tokio::test]
async fn imported_history_keeps_its_times() {
    let store = Store::open().await;
    let most = 9_007_199_254_740_991;
    let rows = row("ann", "1", -5) + &row("bob", "1", most) + &row("bob", "2", 1) + &row("bob", "3", -1);
    store.import(Kind::Activities, format!("{HEADER}{rows}")).await;
    assert_eq!(balance(&store, "ann").await, -5);
    assert_eq!(balance(&store, "bob").await, most - 1);
    let rejects = store.rejects();
    assert_eq!(rejects.len(), 1);
    assert_eq!((rejects[0].0, rejects[0].1.as_str()), (4, "points: the balance would be out of range"));
}

/// Pseudo-random numbers that are the same in every run.
struct PseudoRandom(u64);

impl PseudoRandom {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

#[tokio::test]
async fn balances_and_days_of_many_rows_equal_a_naive_sum() {
    let (mut chance, mut text) = (PseudoRandom(7), HEADER.to_owned());
    let mut expected: BTreeMap<String, (i64, BTreeSet<u64>, u64)> = BTreeMap::new();
    for source in 0..20_000 {
        let user = format!("user-{}", chance.below(300));
        let (points, bonus) = (i64::try_from(chance.below(2_000)).unwrap() - 700, chance.below(50));
        let (month, day) = (chance.below(12) + 1, chance.below(28) + 1);
        let breakdown = match bonus {
            0 => String::new(),
            bonus => format!(
                "\"[{{\"\"type\"\":\"\"campaign\"\",\"\"points\"\":{bonus},\"\"title\"\":\"\"Spring\"\"}}]\""
            ),
        };
        let kind = ["code", "video", "quiz", "order"][usize::try_from(chance.below(4)).unwrap()];
        writeln!(text, "{user},{kind},s{source},{points},{breakdown},T,,2025-{month:02}-{day:02}T10:00:00Z")
            .unwrap();
        let (sum, days, rows) = expected.entry(user).or_default();
        *sum += points + i64::try_from(bonus).unwrap();
        days.insert(month * 100 + day);
        *rows += 1;
    }
    let store = Store::open().await;
    let numbers = store.import(Kind::Activities, text).await;
    assert_eq!(numbers, "activities: 20000 read, 20000 recorded, 0 skipped, 0 rejected");
    let mut found = BTreeMap::new();
    let data = &store.tenant("acme").data;
    let report = pointbook_points::audit::ledger::audit_ledger(&**data, |user| {
        let totals = &user.totals;
        found.insert(totals.user_id.to_string(), (totals.user_points, totals.days, totals.transactions));
    });
    assert_eq!(report.await.unwrap().differences, 0);
    let expected: BTreeMap<_, _> = expected
        .into_iter()
        .map(|(user, (sum, days, rows))| (user, (i128::from(sum), days.len() as u64, rows)))
        .collect();
    assert_eq!(found, expected);
}

/// Gives its rows. At the next read it stops the import and waits until the import has ended.
struct Stopping {
    rows: Cursor<Vec<u8>>,
    stop: Option<oneshot::Sender<()>>,
    over: mpsc::Receiver<()>,
}

impl Read for Stopping {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.rows.read(buffer)?;
        if read == 0 {
            drop(self.stop.take());
            // The sender sends nothing. It ends the wait when it is dropped.
            let _ = self.over.recv();
        }
        Ok(read)
    }
}

#[tokio::test]
async fn an_interrupted_import_stops_between_two_commits() {
    let store = Store::open().await;
    let rows = (0..7_000).map(|source| row("ann", &source.to_string(), 1)).collect::<Vec<_>>().concat();
    let text = format!("{HEADER}{rows}");
    let (stop, stopped) = oneshot::channel();
    let (over, wait) = mpsc::channel();
    let rows = Stopping { rows: Cursor::new(text.clone().into_bytes()), stop: Some(stop), over: wait };
    let stop = Box::pin(async { drop(stopped.await) });
    let options = Options { stop, ..Options::default() };
    let summary = store.run(Kind::Activities, Input::reader(rows, None), options).await.unwrap();
    drop(over);
    assert!(matches!(summary.ending, Ending::Interrupted), "{summary:?}");
    assert!([0, 5_000].contains(&summary.created), "{summary:?}");
    assert_eq!(
        (summary.read, balance(&store, "ann").await),
        (summary.created, i64::try_from(summary.read).unwrap())
    );
    let again = store.run(Kind::Activities, memory(text), Options::default()).await.unwrap();
    assert_eq!((again.created, again.unchanged), (7_000 - summary.created, summary.created));
    assert_eq!(balance(&store, "ann").await, 7_000);
}
