//! Facts of the audit log.

use std::sync::Arc;

use futures_util::future::join_all;
use pointbook_access::audit_log::{
    AuditLogFilter, SealAuditLog, audit_chain, audit_entries, verify_audit_log,
};
use pointbook_access::tokens::issue::StoreToken;
use pointbook_access::tokens::revoke::RevokeTokensOf;
use pointbook_catalogue::commands::{ReplaceCategories, RetireProducts, UpsertProducts};
use pointbook_domain::{AuditChain, AuditEntry, FieldChange, Locale, Product, TokenKind};
use pointbook_points::earning::record_activity::RecordActivity;
use pointbook_points::members::put::ChangeUser;
use pointbook_store::audit_log::AuditSeal;
use pointbook_store::commands::Command;
use pointbook_store::ports::{Database, ProductUpsert, TenantData, UserChange};

use super::add_tenant;
use crate::build;
use crate::build::{activity, noon, on_day, recorded};

pub(super) async fn write<C: Command>(data: &Arc<dyn TenantData>, command: C) -> C::Outcome {
    let (execution, _) = data.execute_by(Some(build::author()), command, None).await.unwrap();
    execution.without_key().unwrap()
}

pub(super) async fn log(data: &Arc<dyn TenantData>) -> Vec<AuditEntry> {
    audit_entries(&**data, &AuditLogFilter::default(), 0, 1_000).await.unwrap()
}

fn short(entry: &AuditEntry) -> (u64, &str, &str, &str, &str) {
    let [before, after] =
        [&entry.new.before, &entry.new.after].map(|values| values.as_deref().unwrap_or("-"));
    (entry.seq, &entry.new.operation, &entry.new.object, before, after)
}

fn product(stock: u32) -> ProductUpsert {
    build::upsert(Product { stock: Some(stock), ..build::product("mug") })
}

/// Each change of an object is one entry, with the fields that changed.
pub async fn a_change_leaves_an_entry(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let disabled = |disabled| UserChange { disabled: Some(disabled), ..build::user_change("ann") };
    write(&data, ChangeUser { change: disabled(false), now: noon() }).await;
    write(&data, ChangeUser { change: disabled(true), now: noon() }).await;
    write(&data, ChangeUser { change: disabled(true), now: on_day(1) }).await;
    write(&data, UpsertProducts(vec![product(3), product(4), product(4)])).await;
    write(&data, RetireProducts { ids: vec![build::product_id("mug")], at: noon() }).await;
    write(&data, StoreToken(build::token(1, None))).await;
    write(&data, RevokeTokensOf { owner: TokenKind::SuperUser, at: noon() }).await;
    let entries = log(&data).await;
    let shown: Vec<_> = entries.iter().map(short).collect();
    let disabled_at = format!(r#"{{"disabled_at":"{}"}}"#, noon());
    assert_eq!(shown[0], (1, "user.create", "user:ann", "-", "{}"));
    assert_eq!(shown[1], (2, "user.change", "user:ann", r#"{"disabled_at":null}"#, disabled_at.as_str()));
    assert_eq!((shown[2].1, shown[2].2, shown[2].3), ("product.create", "product:mug", "-"));
    assert_eq!(shown[3], (4, "product.change", "product:mug", r#"{"stock":3}"#, r#"{"stock":4}"#));
    assert_eq!((shown[4].1, shown[4].2, shown[4].4), ("product.retire", "product:mug", "-"));
    let operations: Vec<_> = shown[5..].iter().map(|entry| entry.1).collect();
    assert_eq!(operations, ["key.add", "key.revoke"]);
    let first = &entries[0].new;
    assert_eq!((first.actor.as_str(), first.at), ("key:k1", noon()));
    assert_eq!((first.request_id.as_deref(), first.address.as_deref()), (Some("r-1"), Some("203.0.113.9")));
    let report = verify_audit_log(&*data).await.unwrap();
    assert_eq!((report.entries, report.differences), (7, Vec::new()));
}

/// What changes nothing, what has no author, and what the ledger tells leaves no entry.
pub async fn some_writes_leave_no_entry(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    write(&data, ReplaceCategories::with(&build::tree(Vec::new()))).await;
    write(&data, RetireProducts { ids: vec![build::product_id("none")], at: noon() }).await;
    write(&data, RevokeTokensOf { owner: TokenKind::SuperUser, at: noon() }).await;
    write(&data, RecordActivity::without_end(build::to_record("u1", activity("s-1", 5)), noon())).await;
    write(&data, StoreToken(build::token(2, Some("u1")))).await;
    data.write(UpsertProducts(vec![product(3)])).await.unwrap();
    assert_eq!(log(&data).await, []);
    assert_eq!(audit_chain(&*data).await.unwrap(), AuditChain::EMPTY);
    assert_eq!(verify_audit_log(&*data).await.unwrap().entries, 0);
}

/// An import of activities is one entry per commit, if it records any.
pub async fn an_import_of_activities_is_counted(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let rows = || ["s-1", "s-2"].map(|source| recorded("u1", activity(source, 5)));
    write(&data, build::history(rows())).await;
    write(&data, build::history(rows())).await;
    let another = recorded("u1", activity("s-3", 5));
    write(&data, build::history(rows().into_iter().chain([another]))).await;
    let entries = log(&data).await;
    let shown: Vec<_> = entries.iter().map(short).collect();
    let first = r#"{"already_recorded":0,"recorded":2,"refused":0}"#;
    let second = r#"{"already_recorded":2,"recorded":1,"refused":0}"#;
    assert_eq!(shown[0], (1, "activities.import", "activities", "-", first));
    assert_eq!(shown[1], (2, "activities.import", "activities", "-", second));
}

/// The entries of a tenant are narrowed by actor and object, and come in pages.
pub async fn the_audit_log_is_listed(database: Arc<dyn Database>) {
    let (data, other) = (add_tenant(&database, "acme").await, add_tenant(&database, "other").await);
    for user in ["a", "b", "c", "a"] {
        write(&data, ChangeUser { change: build::user_change(user), now: noon() }).await;
        let locale =
            UserChange { locale: FieldChange::Set(Locale::new("de").ok()), ..build::user_change(user) };
        write(&data, ChangeUser { change: locale, now: noon() }).await;
    }
    write(&other, UpsertProducts(vec![product(1)])).await;
    let of_b = AuditLogFilter { object: Some("user:b".to_owned()), actor: Some("key:k1".to_owned()) };
    let seqs = |entries: Vec<AuditEntry>| entries.iter().map(|entry| entry.seq).collect::<Vec<_>>();
    assert_eq!(seqs(audit_entries(&*data, &of_b, 0, 9).await.unwrap()), [3, 4]);
    assert_eq!(seqs(audit_entries(&*data, &of_b, 3, 9).await.unwrap()), [4]);
    let all = AuditLogFilter::default();
    assert_eq!(seqs(audit_entries(&*data, &all, 2, 3).await.unwrap()), [3, 4, 5]);
    let unused = AuditLogFilter { actor: Some("command-line".to_owned()), object: None };
    assert_eq!(seqs(audit_entries(&*data, &unused, 0, 9).await.unwrap()), [0; 0]);
    assert_eq!(seqs(log(&other).await), [1]);
}

/// Writers at the same time continue one chain.
pub async fn entries_of_many_writers_form_one_chain(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let writers = (0..12).map(|writer| {
        let data = data.clone();
        tokio::spawn(async move {
            for round in 0..5 {
                let change = build::user_change(&format!("u{writer}-{round}"));
                write(&data, ChangeUser { change, now: noon() }).await;
            }
        })
    });
    join_all(writers).await.into_iter().for_each(|ended| ended.unwrap());
    let report = verify_audit_log(&*data).await.unwrap();
    assert_eq!((report.entries, report.differences), (60, Vec::new()));
    assert_eq!(audit_chain(&*data).await.unwrap().last_seq, 60);
}

/// Old entries go, and the chain is verified from the checkpoint on.
pub async fn old_entries_are_sealed(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    for user in ["a", "b", "c"] {
        write(&data, ChangeUser { change: build::user_change(user), now: noon() }).await;
    }
    let kept = log(&data).await;
    let seal = AuditSeal { from_seq: 0, to_seq: 2, to_hash: kept[1].hash, at: on_day(1) };
    data.write(SealAuditLog(seal)).await.unwrap();
    assert_eq!(log(&data).await, kept[2..]);
    let chain = audit_chain(&*data).await.unwrap();
    assert_eq!((chain.sealed_seq, chain.sealed_hash, chain.sealed_at), (2, kept[1].hash, Some(on_day(1))));
    assert_eq!(verify_audit_log(&*data).await.unwrap().differences, [""; 0]);
    let rest = AuditSeal { from_seq: 2, to_seq: 3, to_hash: kept[2].hash, at: on_day(2) };
    data.write(SealAuditLog(rest)).await.unwrap();
    write(&data, ChangeUser { change: build::user_change("d"), now: noon() }).await;
    assert_eq!(log(&data).await[0].seq, 4);
    assert_eq!(verify_audit_log(&*data).await.unwrap().differences, [""; 0]);
}
