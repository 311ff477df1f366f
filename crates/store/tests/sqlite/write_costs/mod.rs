//! The cost of a write depends on what it changes and not on how much is stored, because every write waits for the one
//! before. The tests count the instructions of SQLite's virtual machine, which are the same in every run.

mod counted;

use std::fmt::Debug;

use pointbook_access::tokens::issue::StoreToken;
use pointbook_access::tokens::revoke::{RevokeToken, RevokeTokensOf};
use pointbook_catalogue::commands::{ReplaceCategories, RetireProducts, UpsertProducts};
use pointbook_catalogue::pictures::AddPicture;
use pointbook_domain::{
    Category, CategoryTree, Picture, PictureFormat, PictureId, Product, Tenant, TokenHash, TokenKind,
    TokenRecord,
};
use pointbook_points::campaigns::manage::PutCampaign;
use pointbook_points::campaigns::rules_cache::{KnownVersions, RulesCache};
use pointbook_points::earning::record_activities::RecordHistory;
use pointbook_points::earning::record_activity::RecordActivity;
use pointbook_points::members::put::{ChangeUser, ImportUsers};
use pointbook_points::orders::place::PlaceOrder;
use pointbook_points::orders::step::StepOrder;
use pointbook_store::ports::{Once, OrderStep, UserChange, UserFilter};
use pointbook_store::schema::PICTURES;
use pointbook_testkit::build::{activity, order, order_id, product, recorded, upsert, user_id};
use pointbook_testkit::filled::put_campaign;
use pointbook_testkit::{build, filled, pictures};
use serde_json::json;

use self::counted::Counted;

/// How many rows each table has in the first and in the second database.
const FEW: u32 = 20;
const MANY: u32 = 10 * FEW;

#[tokio::test]
async fn write_costs_the_same_with_few_and_many_rows() {
    let few = work_of_writes(&filled(FEW).await).await;
    let many = work_of_writes(&filled(MANY).await).await;
    for ((write, few), (_, many)) in few.into_iter().zip(many) {
        assert!(
            few > 0 && many <= few + few / 10,
            "{write}: {few} instructions with few rows, {many} with many"
        );
    }
}

/// The name of each write with its number of instructions.
type WriteCosts = Vec<(&'static str, u64)>;

/// Writes one of each kind.
async fn work_of_writes(counted: &Counted) -> WriteCosts {
    [
        work_of_users(counted).await,
        work_of_points(counted).await,
        work_of_the_catalogue(counted).await,
        work_beside_large_tables(counted).await,
    ]
    .concat()
}

async fn work_of_users(counted: &Counted) -> WriteCosts {
    let (data, at) = (&counted.data, build::on_day(1));
    let token = token("new", Some("ann"));
    let disable = UserChange { disabled: Some(true), ..build::user_change("u7") };
    vec![
        (
            "upsert_users",
            counted.work(data.write(ImportUsers { profiles: vec![build::profile("ann")], now: at })).await,
        ),
        (
            "put_user",
            counted.work(data.write(ChangeUser { change: build::user_change("bea"), now: at })).await,
        ),
        ("put_user again", counted.work(data.write(ChangeUser { change: disable.clone(), now: at })).await),
        ("insert_token", counted.work(data.write(StoreToken(token.clone()))).await),
        (
            "revoke_token",
            counted.work(data.write(RevokeToken { hash: token.hash, customer: None, at })).await,
        ),
        ("remove_ended_tokens", counted.work(data.remove_ended_tokens(build::on_day(9), 5)).await),
        (
            "revoke_tokens_of",
            counted.work(data.write(RevokeTokensOf { owner: TokenKind::Customer(user_id("u6")), at })).await,
        ),
    ]
}

async fn work_of_points(counted: &Counted) -> WriteCosts {
    let (data, at) = (&counted.data, build::on_day(1));
    let one = || RecordActivity::without_end(build::to_record("u0", activity("one", 5)), at);
    let record = |key| data.execute(one(), once(key));
    let (new, old) = (recorded("u0", activity("new", 5)), recorded("u0", activity("s3", 1_000)));
    let sent = order("new", "u0", "p0");
    let step = |id, step| data.execute(StepOrder::without_end(order_id(id), step, at), once(id));
    vec![
        ("record_history", counted.work(data.write(RecordHistory::new(vec![new], at))).await),
        ("record_history again", counted.work(data.write(RecordHistory::new(vec![old], at))).await),
        ("record_activity", counted.work(record("a")).await),
        ("record_activity again", counted.work(record("b")).await),
        ("record_activity replayed", counted.work(record("b")).await),
        ("place_order", counted.work(data.execute(PlaceOrder::without_end(sent), once("c"))).await),
        ("fulfil", counted.work(step("o3", OrderStep::Fulfil)).await),
        ("cancel", counted.work(step("o4", build::cancel("o4"))).await),
        ("forget_request_keys", counted.work(data.forget_request_keys(build::on_day(9), 5)).await),
    ]
}

async fn work_of_the_catalogue(counted: &Counted) -> WriteCosts {
    let (data, at) = (&counted.data, build::on_day(1));
    let dearer = Product { regular_price: build::price(200), ..product("p7") };
    let limited = Product { stock: Some(7), ..product("p8") };
    let tenant = Tenant { name: "Another".to_owned(), ..build::tenant("acme") };
    vec![
        ("upsert_products", counted.work(data.write(UpsertProducts(vec![upsert(product("new"))]))).await),
        ("upsert_products: price", counted.work(data.write(UpsertProducts(vec![upsert(dearer)]))).await),
        ("upsert_products: stock", counted.work(data.write(UpsertProducts(vec![upsert(limited)]))).await),
        (
            "retire_products",
            counted.work(data.write(RetireProducts { ids: vec![build::product_id("p9")], at })).await,
        ),
        ("update_tenant", counted.work(counted.database.update_tenant(&tenant, &[])).await),
    ]
}

/// Writes that once loaded all campaigns, all pictures or the whole category tree in their turn.
async fn work_beside_large_tables(counted: &Counted) -> WriteCosts {
    let (data, at) = (&counted.data, build::on_day(1));
    let picture = || AddPicture::of(&pictures::png(3, 2, 1), at);
    data.write(picture().unwrap()).await.unwrap().unwrap();
    let known = RulesCache::new(data.clone()).known().await.unwrap();
    let put = put_campaign(&json!({"id": "c7", "priority": 9}), at, known.clone());
    let refused = PutCampaign { after: Some(99), ..put_campaign(&json!({"id": "c8"}), at, known) };
    vec![
        ("add_picture again", counted.work(data.write(picture().unwrap())).await),
        ("put_campaign", counted.work(data.write(put)).await),
        ("put_campaign, refused", counted.work(data.write(refused)).await),
        ("replace_categories", counted.work(data.write(ReplaceCategories::with(&tree(10, "new")))).await),
    ]
}

/// A request with this idempotency key.
fn once<T: Debug>(key: &str) -> Option<Once<T>> {
    build::once(build::request_key(key, 1), build::noon())
}

/// A database with this many rows of each kind. User `u0` and product `p0` have related rows of every kind.
async fn filled(rows: u32) -> Counted {
    let counted = Counted::open().await;
    let data = &counted.data;
    let ids = |letter| (0..rows).map(move |number| format!("{letter}{number}"));
    let profiles: Vec<_> = ids('u').map(|id| build::profile(&id)).collect();
    data.write(build::import(profiles.clone())).await.unwrap();
    let products: Vec<_> = ids('p').map(|id| upsert(product(&id))).collect();
    data.write(UpsertProducts(products.clone())).await.unwrap();
    data.write(ReplaceCategories::with(&tree(rows, "old"))).await.unwrap();
    for id in ids('c') {
        data.write(put_campaign(&json!({"id": id}), build::noon(), KnownVersions::default())).await.unwrap();
    }
    let pictures = (1..rows).map(|number| {
        let mut id = [0; 32];
        id[..4].copy_from_slice(&number.to_be_bytes());
        let (id, created_at) = (PictureId(id), build::noon());
        Picture { id, format: PictureFormat::Png, width: 1, height: 1, size_bytes: 1, created_at }
    });
    data.write_rows(&PICTURES, &filled::rows(&pictures.collect::<Vec<_>>())).await.unwrap();
    let own = ids('s').map(|id| recorded("u0", activity(&id, 1_000)));
    let others = ids('u').map(|id| recorded(&id, activity("s", 1_000)));
    data.write(build::history(own.chain(others))).await.unwrap();
    for (id, user) in ids('o').zip(ids('u')) {
        data.write(StoreToken(token(&id, Some(&user)))).await.unwrap();
        data.execute(PlaceOrder::without_end(order(&id, "u0", "p0")), once(&id)).await.unwrap();
    }
    assert_eq!(data.users(&UserFilter::default(), build::page(1, 1)).await.unwrap().total, u64::from(rows));
    counted
}

fn token(name: &str, user: Option<&str>) -> TokenRecord {
    let mut hash = [0; 32];
    hash[..name.len()].copy_from_slice(name.as_bytes());
    TokenRecord { hash: TokenHash(hash), ..build::token(0, user) }
}

/// A tree of `size` categories: each root has nine children.
fn tree(size: u32, label: &str) -> CategoryTree {
    let leaves = |root: u32| (1..10).map(move |leaf| (root, leaf));
    let category =
        |id: String, children| Category { label: format!("{label} {id}"), ..build::category(&id, children) };
    let root = |root: u32| {
        let children = leaves(root).map(|(root, leaf)| category(format!("{root}.{leaf}"), Vec::new()));
        category(root.to_string(), children.collect())
    };
    build::tree((0..size / 10).map(root).collect())
}
