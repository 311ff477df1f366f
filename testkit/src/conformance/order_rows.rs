//! Facts of activities of the type `order`. The ledger model checks that only the store's orders use their source ids.

use std::sync::Arc;

use pointbook_domain::{Activity, ActivityType, Product};
use pointbook_points::earning::record_activities::RecordHistory;
use pointbook_points::earning::record_activity::RecordActivity;
use pointbook_store::ports::{
    ActivityToRecord, Database, NewTransaction, OrderStep, RecordActivityOutcome, RecordOutcome, TenantData,
};

use super::order_steps::done;
use super::orders::{placed, shop};
use super::state::tenant_state;
use super::{record_all, whole_history};
use crate::build;
use crate::build::{activity, cancel, order, product, recorded};

/// The user u1 with 1,000 points, and u2. The first order of u1 is placed, the second cancelled and the third fulfilled.
async fn shop_with_orders(database: &Arc<dyn Database>) -> Arc<dyn TenantData> {
    let data = shop(database, Product { stock: Some(10), ..product("mug") }, 1_000).await;
    for id in ["o1", "o2", "o3"] {
        placed(&data, &order(id, "u1", "mug")).await;
    }
    done(&data, "o2", &cancel("o2")).await;
    done(&data, "o3", &OrderStep::Fulfil).await;
    data.write(build::import([build::profile("u2")])).await.unwrap();
    data
}

/// An activity of the type `order` from a back office.
fn by_hand(source: &str, amount: i64) -> Activity {
    Activity { kind: ActivityType::order(), ..activity(source, amount) }
}

/// An import of an exported ledger repeats such rows.
pub async fn row_of_an_order_may_be_imported_again(database: Arc<dyn Database>) {
    let data = shop_with_orders(&database).await;
    let before = tenant_state(&data).await;
    let rows: Vec<_> = before.entries.iter().filter(|entry| entry.seq > 1).collect();
    assert_eq!(rows.len(), 4);
    for entry in rows {
        let new = NewTransaction { user_id: entry.user_id.clone(), transaction: entry.transaction.clone() };
        let one = ActivityToRecord { new: build::again(&new, "told"), has_own_time: true };
        let told = data.write(RecordActivity::without_end(one.clone(), build::on_day(9))).await.unwrap();
        let RecordActivityOutcome::AlreadyRecorded(stored) = told else { panic!("{told:?}") };
        assert_eq!((stored.seq, &*stored.transaction), (entry.seq, &entry.transaction));
        let imported =
            data.write(RecordHistory::new(vec![build::again(&new, "imported")], build::on_day(9))).await;
        assert_eq!(imported.unwrap(), [RecordOutcome::AlreadyRecorded]);
    }
    assert_eq!(tenant_state(&data).await, before);
}

/// Both spending and refund are marked, and no row that only looks like one.
pub async fn history_marks_rows_of_the_stores_orders(database: Arc<dyn Database>) {
    let data = shop_with_orders(&database).await;
    let foreign = ["elsewhere", "elsewhere:refund", "o1:refund:refund"].map(|source| by_hand(source, -1));
    for activity in foreign.into_iter().chain([activity("o1", 1)]) {
        record_all(&data, &[recorded("u1", activity)]).await;
    }
    let history = whole_history(&data, "u1").await;
    let own: Vec<_> = history.rows.iter().filter(|row| row.is_own_order).collect();
    assert!(own.iter().all(|row| row.kind == "order" && row.title == "Product mug"), "{own:?}");
    let mut numbers: Vec<_> = own.iter().map(|row| row.subtitle).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, ["NO-o1", "NO-o2", "NO-o2", "NO-o3"]);
}

/// Such an activity has another type, or the source id of another tenant's order or of no order.
pub async fn foreign_orders_are_ordinary_activities(database: Arc<dyn Database>) {
    let other = super::add_tenant(&database, "other").await;
    let data = shop_with_orders(&database).await;
    let of_another_type = [activity("o1", 1), activity("o1:refund", 1)];
    let of_no_order = ["O1", "o1:Refund", "o1:refund:refund", ":refund", "elsewhere", "elsewhere:refund"];
    let told = of_another_type.into_iter().chain(of_no_order.map(|source| by_hand(source, 1)));
    for activity in told {
        let told = data.write(build::history([recorded("u1", activity.clone())])).await.unwrap();
        assert_eq!(told, [RecordOutcome::Recorded], "{activity:?}");
    }
    let elsewhere = other.write(build::history([recorded("u1", by_hand("o1:refund", 1))])).await;
    assert_eq!(elsewhere.unwrap(), [RecordOutcome::Recorded]);
}
