//! Facts of figures: each row of the ledger counts once, whenever it is counted.

use std::sync::Arc;

use pointbook_domain::Activity;
use pointbook_events::feed::clean_feed;
use pointbook_reports::{catch_up, rebuild, step};
use pointbook_store::Context;
use pointbook_store::ports::{Database, Query, Row, read_all};
use pointbook_store::schema::rows::{DailyTotal, FiguresState, MemberRow};
use pointbook_store::schema::{DAILY_TOTALS, FIGURES, MEMBER_FIGURES, Write, cells};

use super::figures_scene::{DAYS, PATIENCE, Scene};
use crate::build::{activity, on_day, recorded};
use crate::{FaultyDatabase, HeldWrite, build};

/// Rows come late, are counted one by one and many at once, and some are taken back.
pub async fn figures_are_what_the_ledger_gives(database: Arc<dyn Database>) {
    let mut scene = Scene::new(&database, 7).await;
    for number in 0..300 {
        scene.act(number).await;
        if scene.below(4) == 0 {
            step(&scene.context()).await.unwrap();
        }
        if number == 150 {
            scene.assert_right().await;
        }
    }
    scene.assert_right().await;
    let counted = scene.figures().await;
    assert!(counted.iter().all(|rows| !rows.is_empty()), "each table has rows");
    rebuild(&scene.context()).await.unwrap();
    assert!(catch_up(&scene.context(), PATIENCE).await.unwrap());
    assert!(scene.figures().await == counted, "counting again gives the same bytes");
    scene.assert_right().await;
}

/// An instance reads and counts. Before it writes, another one counts the same row and one more of the same day and type. The slow
/// instance must not write its old sums over the new ones.
pub async fn of_two_instances_one_counts(database: Arc<dyn Database>) {
    let faulty = Arc::new(FaultyDatabase::healthy(database));
    let database: Arc<dyn Database> = faulty.clone();
    let scene = Scene::new(&database, 11).await;
    assert!(catch_up(&scene.context(), PATIENCE).await.unwrap());
    scene.fixture.earn("ann", activity("s-9", 10)).await;
    let HeldWrite { begun, release } = faulty.hold_next_write();
    let (slow, fast) = (scene.context(), scene.context());
    let overtake = async {
        begun.await.unwrap();
        scene.fixture.earn("ben", activity("s-9", 20)).await;
        assert!(step(&fast).await.unwrap(), "it counts both rows");
        release.send(()).unwrap();
    };
    let (written, ()) = tokio::join!(step(&slow), overtake);
    assert!(!written.unwrap(), "the slow one writes nothing");
    assert_eq!(scene.differences().await, Vec::<String>::new());
    scene.assert_right().await;
}

/// Events that were removed before they were counted are in the ledger, and so are those of an earlier generation.
pub async fn figures_go_on_after_a_gap_in_the_feed(database: Arc<dyn Database>) {
    let mut scene = Scene::new(&database, 5).await;
    for number in 0..20 {
        scene.act(number).await;
    }
    assert!(catch_up(&scene.context(), PATIENCE).await.unwrap());
    for number in 20..60 {
        scene.act(number).await;
    }
    let later: Context = scene.fixture.context(on_day(DAYS + 200));
    assert!(clean_feed(&later).await.unwrap().removed > 0);
    scene.assert_right().await;
    pointbook_events::feed::restart_feed(&scene.context::<()>()).await.unwrap();
    for number in 60..80 {
        scene.act(number).await;
    }
    scene.assert_right().await;
}

/// Each figure that another program changed is found.
pub async fn the_audit_finds_wrong_figures(database: Arc<dyn Database>) {
    let scene = Scene::new(&database, 3).await;
    let rows = [("ann", 10), ("ben", 20)];
    for (user, points) in rows {
        scene.fixture.earn(user, activity("s-9", points)).await;
    }
    assert!(catch_up(&scene.context(), PATIENCE).await.unwrap());
    assert_eq!(scene.differences().await, Vec::<String>::new());
    // What is not counted yet is no difference.
    scene.fixture.earn("ann", activity("s-8", 5)).await;
    assert_eq!(scene.differences().await, Vec::<String>::new());
    assert!(catch_up(&scene.context(), PATIENCE).await.unwrap());
    scene.add_row_without_event().await;
    assert_eq!(scene.differences().await, ["user \"ben\": rows were never counted"]);
    let data = &scene.fixture.data;
    let totals: Vec<DailyTotal> =
        read_all(&**data, Query::of::<DailyTotal>("totals", &["day"])).await.unwrap();
    let wrong = DailyTotal { earned_points: 31, ..totals.into_iter().next().unwrap() };
    data.write_rows(&DAILY_TOTALS, &[row(&wrong)]).await.unwrap();
    let expected =
        "table daily_totals, day 2024-02-29, type \"code\": earned_points is 31 but the ledger gives 35";
    let found = scene.differences().await;
    assert_eq!((found.len(), found[1].as_str()), (2, expected));
    rebuild(&scene.context()).await.unwrap();
    assert!(catch_up(&scene.context(), PATIENCE).await.unwrap());
    assert_eq!(scene.differences().await, Vec::<String>::new());
}

/// The audit names each column of a member, with both values.
pub async fn the_audit_names_the_wrong_figures_of_members(database: Arc<dyn Database>) {
    let scene = Scene::new(&database, 3).await;
    for (user, points) in [("ann", 15), ("ben", 20)] {
        scene.fixture.earn(user, activity("s-9", points)).await;
    }
    assert!(catch_up(&scene.context(), PATIENCE).await.unwrap());
    let data = &scene.fixture.data;
    let mut members: Vec<MemberRow> =
        read_all(&**data, Query::of::<MemberRow>("members", &["user_id"])).await.unwrap();
    let ann = members.remove(0);
    let (days, vintages) = (Vec::new(), ann.vintages.replace("15", "14"));
    let wrong = MemberRow {
        spent_points: 9,
        day_count: 0,
        last_day: None,
        days,
        vintages,
        campaigns: vec!["tea".to_owned()],
        ..ann
    };
    data.write_rows(&MEMBER_FIGURES, &[row(&wrong)]).await.unwrap();
    let expected = "user \"ann\": spent_points is 9 but the ledger gives 0, \
                    days, 2024-02-29: is missing, but the ledger gives earned_points 15, bonus_points 0, orders 0, \
                    vintages, 2024-02: issued_points is 14 but the ledger gives 15, \
                    campaigns is {\"tea\"} but the ledger gives {}";
    assert_eq!(scene.differences().await, [expected]);
    let ben = members.remove(0);
    let wrong = MemberRow { day_count: 7, last_day: None, ..ben };
    data.write_rows(&MEMBER_FIGURES, &[row(&wrong)]).await.unwrap();
    let of_ben = "user \"ben\": day_count is 7 but the ledger gives 1, last_day is none but the ledger gives 2024-02-29";
    assert_eq!(scene.differences().await, [expected, of_ben]);
}

/// A version of the server with other rules of the time zone counts again. Until then, the audit does not compare.
pub async fn other_rules_of_a_time_zone_begin_again(database: Arc<dyn Database>) {
    let scene = Scene::new(&database, 2).await;
    scene.fixture.earn("ann", activity("s-9", 10)).await;
    assert!(catch_up(&scene.context(), PATIENCE).await.unwrap());
    let (data, counted) = (&scene.fixture.data, scene.figures().await);
    let state: Vec<FiguresState> =
        read_all(&**data, Query::of::<FiguresState>("state", &[]).limit(1)).await.unwrap();
    let other = FiguresState { zone_rules: 1, ..state.into_iter().next().unwrap() };
    data.write_rows(&FIGURES, &[row(&other)]).await.unwrap();
    data.remove_rows(&DAILY_TOTALS, &data.rows_after(&DAILY_TOTALS, None, 10).await.unwrap()).await.unwrap();
    assert_eq!(scene.differences().await, Vec::<String>::new());
    assert!(catch_up(&scene.context(), PATIENCE).await.unwrap());
    assert!(scene.figures().await == counted);
    scene.assert_right().await;
}

fn row<T: Write>(value: &T) -> Row {
    cells(value).into_iter().map(Into::into).collect()
}

/// The members with the most points come first, by what they earned in the days of the report.
pub async fn earners_come_by_points(database: Arc<dyn Database>) {
    let scene = Scene::new(&database, 1).await;
    let rows = [("ann", 10, 0), ("ben", 30, 1), ("ben", 4, 1), ("cid", 99, DAYS + 60), ("dan", 10, 2)];
    let new = |(number, (user, points, day)): (usize, (&str, i64, i64))| {
        recorded(user, Activity { created_at: on_day(day), ..activity(&format!("e-{number}"), points) })
    };
    scene.fixture.data.write(build::history(rows.into_iter().enumerate().map(new))).await.unwrap();
    let expected = [["ben", "34", "0", "1", "0"], ["ann", "10", "0", "1", "0"], ["dan", "10", "0", "1", "0"]];
    assert_eq!(scene.texts("earners", &[]).await, expected);
}
