//! A tenant with rows in every table.

use std::sync::Arc;
use std::time::Duration;

use pointbook_access::operators::manage::AddOperator;
use pointbook_access::tokens::issue::StoreToken;
use pointbook_access::tokens::revoke::RevokeTokensOf;
use pointbook_catalogue::commands::{ReplaceCategories, RetireProducts, UpsertProducts};
use pointbook_catalogue::pictures::AddPicture;
use pointbook_domain::{
    Activity, DisabledBecause, OperatorSession, Product, Role, Tenant, TenantId, TenantSettings, Timestamp,
    TokenKind, TransactionId, Webhook, WebhookState,
};
use pointbook_events::webhooks::{AddWebhook, ChangeWebhook, WebhookChange};
use pointbook_points::campaigns::manage::{PutCampaign, RequestTime};
use pointbook_points::campaigns::rules_cache::KnownVersions;
use pointbook_points::earning::record_activities::RecordHistory;
use pointbook_points::held::HoldActivity;
use pointbook_points::ledger::Terms;
use pointbook_points::members::notices::TellNotices;
use pointbook_points::members::put::ChangeUser;
use pointbook_points::members::read::EndPoints;
use pointbook_points::orders::place::PlaceOrder;
use pointbook_points::orders::step::StepOrder;
use pointbook_reports::catch_up;
use pointbook_store::Actor;
use pointbook_store::data_key::KeepDataKey;
use pointbook_store::ports::{
    Cell, Database, JobId, NewOrder, OrderStep, Row, SealedDataKey, TenantData, UserChange,
};
use pointbook_store::schema::rows::{
    BackFillRow, BackTestResultRow, BackTestRow, CampaignRunRow, ExpiryNotices, HeldActivity,
};
use pointbook_store::schema::{
    BACK_FILLS, BACK_TEST_RESULTS, BACK_TESTS, CAMPAIGN_RUNS, Column, Group, Kind, OPERATOR_SESSIONS, TABLES,
    Table, WEBHOOK_ATTEMPTS, WEBHOOK_PROGRESS, Write, cells,
};
use serde_json::{Value, json};

use crate::build::{activity, on_day, order, recorded, request_key, upsert, user_id};
use crate::conformance::campaign_helpers::{active, campaign, earning, service};
use crate::conformance::expiry_scene::terms;
use crate::{build, pictures};

/// A tenant with rows in every table, including kinds that are easily forgotten: a retired product, a revoked token, a
/// disabled user, a cancelled order, and a kept response.
pub async fn filled(database: &Arc<dyn Database>, slug: &str) -> Arc<dyn TenantData> {
    let tenant = with_settings(build::tenant(slug));
    database.insert_tenant(&tenant, &[]).await.unwrap();
    let data = database.tenant(&tenant.id);
    fill_catalogue(&data).await;
    fill_campaigns(&data).await;
    fill_ledger(&data).await;
    fill_figures(database, &tenant.id).await;
    data.secret("tenant", &[7; 32], on_day(1)).await.unwrap();
    let (master_key_id, sealed, created_at) = ("k-1".to_owned(), vec![7; 60], on_day(1));
    data.write(KeepDataKey(SealedDataKey { master_key_id, sealed, created_at })).await.unwrap();
    for (name, role) in [("zoe", Role::Owner), ("ada", Role::Auditor)] {
        data.write(AddOperator(build::operator(name, role))).await.unwrap().unwrap();
    }
    let sessions = [(1, None), (2, Some(on_day(2)))].map(|(number, last_used_at)| OperatorSession {
        last_used_at,
        ..build::operator_session(number, "zoe", on_day(4))
    });
    data.write_rows(&OPERATOR_SESSIONS, &rows(&sessions)).await.unwrap();
    fill_pictures(&data).await;
    let job = JobId::recurring(&tenant.id, "clean-tokens");
    database.schedule_job(&job, on_day(1)).await.unwrap();
    for (number, user) in [(1, Some("ann")), (2, Some("bob")), (3, None)] {
        data.write(StoreToken(build::token(number, user))).await.unwrap();
    }
    data.write(RevokeTokensOf { owner: TokenKind::Customer(user_id("bob")), at: on_day(2) }).await.unwrap();
    let disabled = UserChange { disabled: Some(true), ..build::user_change("ann") };
    let change = ChangeUser { change: disabled.clone(), now: on_day(3) };
    data.execute_by(Some(build::author()), change, None).await.unwrap();
    fill_webhooks(&data).await;
    fill_others(&data).await;
    // The newest block has no position yet.
    data
}

/// Writes two rows of plain values to each table that is empty, so that a new table needs no step here.
async fn fill_others(data: &Arc<dyn TenantData>) {
    for table in TABLES.iter().filter(|table| table.key_columns > 0) {
        if data.rows_after(table, None, 1).await.unwrap().is_empty() {
            data.write_rows(table, &[1, 2].map(|number| plain_row(table, number))).await.unwrap();
        }
    }
}

fn plain_row(table: &Table, number: u8) -> Row {
    let value = |column: &Column| match (column.name, column.kind) {
        ("user_id", _) => Cell::Text("ann".into()),
        ("product_id", _) => Cell::Text("cup".into()),
        (_, Kind::Integer | Kind::Truth) => Cell::Integer(number.into()),
        (name, Kind::Text) => Cell::Text(format!("{name} {number}").into()),
        (_, Kind::Bytes) => Cell::Bytes([number; 32].into()),
    };
    table.columns.iter().map(value).collect()
}

fn with_settings(mut tenant: Tenant) -> Tenant {
    let own =
        [("activity_types", "checkin"), ("low_stock_threshold", "3"), ("texts.de", "checkin-title = Besuch")];
    for (key, value) in own {
        tenant.settings.set(key, value).unwrap();
    }
    tenant
}

async fn fill_pictures(data: &Arc<dyn TenantData>) {
    for (day, bytes) in [(1, pictures::png(3, 2, 1)), (2, pictures::avif(3, 2))] {
        let picture = AddPicture::of(&bytes, on_day(day)).unwrap();
        data.write(picture).await.unwrap().unwrap();
    }
}

async fn fill_catalogue(data: &Arc<dyn TenantData>) {
    let leaf = |id| build::category(id, Vec::new());
    let tree = build::tree(vec![build::category("z", vec![leaf("a"), leaf("m")]), leaf("b")]);
    data.write(ReplaceCategories::with(&tree)).await.unwrap();
    let limited = Product { stock: Some(9), popular: true, ..build::product("cup") };
    let products = [limited, build::product("mug"), build::product("old")].map(upsert);
    data.write(UpsertProducts(products.to_vec())).await.unwrap();
    data.write(RetireProducts { ids: vec![build::product_id("old")], at: on_day(1) }).await.unwrap();
}

/// They are disabled, so that a server of a test sends nothing and changes no state.
async fn fill_webhooks(data: &Arc<dyn TenantData>) {
    let (state, disabled_because) = (WebhookState::Disabled, Some(DisabledBecause::Request));
    let [old, new] = ["wh_1", "wh_2"].map(|id| Webhook { state, disabled_because, ..build::webhook(id) });
    let rotated = ChangeWebhook {
        id: new.id.clone(),
        change: WebhookChange::Rotate(build::webhook_secret('B')),
        at: on_day(2),
    };
    data.write(AddWebhook(old.clone())).await.unwrap();
    data.write(AddWebhook(new)).await.unwrap();
    data.write(rotated).await.unwrap();
    let attempts = [1_001, 1_002].map(|slot| build::attempt(&old, slot));
    data.write_rows(&WEBHOOK_PROGRESS, &rows(&[build::blocked(&old, 3)])).await.unwrap();
    data.write_rows(&WEBHOOK_ATTEMPTS, &rows(&attempts)).await.unwrap();
}

/// The rows of values that have all columns of their table.
pub fn rows<T: Group + Write>(values: &[T]) -> Vec<Row> {
    values.iter().map(|value| cells(value).into_iter().map(Cell::from).collect()).collect()
}

/// The fields of a campaign that gives one activity a bonus, out of its budget.
fn campaign_fields() -> Value {
    json!({
        "reward": {"points": 43},
        "conditions": {"source_prefixes": ["s-2"]},
        "limits": {"budget": {"awards": 1_000}},
    })
}

/// Writes a campaign with these fields beside its defaults.
pub fn put_campaign(fields: &Value, now: Timestamp, known: KnownVersions) -> PutCampaign {
    let (campaign, settings) = (campaign(fields), TenantSettings::default());
    let (asked, author) = (RequestTime { now, clock: None }, "command-line".to_owned());
    PutCampaign { campaign, takes_over_at: None, after: None, asked, known, author, settings }
}

async fn fill_campaigns(data: &Arc<dyn TenantData>) {
    data.write(put_campaign(&campaign_fields(), on_day(1), KnownVersions::default())).await.unwrap();
    let run = CampaignRunRow {
        campaign_id: "spring".to_owned(),
        started_at: on_day(1),
        started_version: 1,
        ended_at: Some(on_day(2)),
        ended_version: Some(1),
    };
    data.write_rows(&CAMPAIGN_RUNS, &rows(&[run])).await.unwrap();
    fill_back_tests(data).await;
}

async fn fill_back_tests(data: &Arc<dyn TenantData>) {
    let back_test = BackTestRow {
        campaign_id: "spring".to_owned(),
        version: 1,
        state: "done".to_owned(),
        events_from: on_day(0),
        events_until: on_day(1),
        rows_read: 3,
        rows_total: Some(3),
        requested_at: on_day(1),
        requested_by: "command-line".to_owned(),
        ended_at: Some(on_day(1)),
    };
    let result = BackTestResultRow { campaign_id: "spring".to_owned(), version: 1, result: "{}".to_owned() };
    let back_fill = BackFillRow {
        campaign_id: "spring".to_owned(),
        version: 1,
        state: "done".to_owned(),
        events_from: on_day(0),
        events_until: on_day(1),
        found_awards: 2,
        found_points: 86,
        found_hash: "5d".to_owned(),
        paid_before: 0,
        given_awards: 1,
        given_points: 43,
        left_out: 1,
        requested_at: on_day(1),
        requested_by: "command-line".to_owned(),
        ended_at: Some(on_day(1)),
    };
    data.write_rows(&BACK_TESTS, &rows(&[back_test])).await.unwrap();
    data.write_rows(&BACK_TEST_RESULTS, &rows(&[result])).await.unwrap();
    data.write_rows(&BACK_FILLS, &rows(&[back_fill])).await.unwrap();
}

/// Counts the ledger, so that each table of figures has rows.
async fn fill_figures(database: &Arc<dyn Database>, id: &TenantId) {
    let directory = service(database).await.directory();
    let served = directory.tenants().iter().find(|served| served.tenant.id == *id).unwrap();
    let context = build::context(served, Actor::CommandLine, on_day(2));
    assert!(catch_up(&context, Duration::from_mins(1)).await.unwrap());
}

async fn fill_ledger(data: &Arc<dyn TenantData>) {
    let bonus = Activity { bonuses: build::bonuses(&[7]), ..activity("s-2", 100) };
    let later = Activity { created_at: on_day(1), ..activity("s-3", 350) };
    let rows = [activity("s-1", 100), bonus, later].map(|activity| recorded("bob", activity));
    let campaigns = earning("01", [active(&campaign_fields())]);
    data.write(RecordHistory::new(rows.to_vec(), on_day(1)).earning(campaigns)).await.unwrap();
    let rows = [recorded("ann", activity("s-1", 500))];
    data.write(RecordHistory::new(rows.to_vec(), on_day(1))).await.unwrap();
    let terms = terms(&[("points_expire", "after:24-months:month")]);
    let begin = EndPoints { users: vec![build::user_id("ann")], terms, at: on_day(1) };
    data.write(begin).await.unwrap();
    for (number, user) in ["ann", "bob"].into_iter().enumerate() {
        let held = build::held(recorded(user, activity("waits", 20)), on_day(1), on_day(40));
        let held = HeldActivity { id: TransactionId::new(format!("held-{number}")).unwrap(), ..held };
        let command = HoldActivity {
            held,
            has_own_time: true,
            has_own_release: true,
            now: on_day(1),
            due_at: on_day(40),
            terms: Terms::default(),
        };
        data.write(command).await.unwrap();
    }
    let told = ExpiryNotices {
        told_on: on_day(1).day(),
        telling_on: on_day(2).day(),
        after_user: "ann".to_owned(),
        counted: 5,
        ending_points: Some(7),
    };
    data.write(TellNotices { before: None, after: told, notices: Vec::new() }).await.unwrap();
    for (id, user) in [("o-1", "ann"), ("o-2", "ann"), ("o-3", "bob")] {
        let order = NewOrder { at: on_day(2), ..order(id, user, "cup") };
        data.execute(PlaceOrder::without_end(order), build::once(request_key(id, 1), on_day(2)))
            .await
            .unwrap();
    }
    data.write(StepOrder::without_end(build::order_id("o-2"), build::cancel("o-2"), on_day(2)))
        .await
        .unwrap();
    data.write(StepOrder::without_end(build::order_id("o-3"), OrderStep::Fulfil, on_day(3))).await.unwrap();
}
