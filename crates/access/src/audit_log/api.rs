//! `GET /v1/manage/audit-log`: who changed what, the oldest entry first.

use http::StatusCode;
use pointbook_domain::Scope;
use pointbook_http::describe::Operation;
use pointbook_http::documentation::Tag;
use pointbook_http::kernel::{Response, json};
use pointbook_http::query::{ReadQuery, describe};
use pointbook_http::{ApiError, ApiRequest, Caller, RouteSpec, route};

use crate::audit_log::query::{AuditLogQuery, audit_log};
use crate::audit_log::view::{AuditEntryView, AuditLogMeta, AuditLogView};
use crate::audit_log::{audit_chain, audit_entries};

pub(crate) static ROUTES: [RouteSpec; 1] = [route!(
    "manage.audit-log.list", GET "/v1/manage/audit-log",
    Caller::Key(Scope::AuditRead), list, documentation
)];

async fn list(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let AuditLogQuery { filter, after, limit } = request.query_string.read(audit_log)?;
    let data = &*request.tenant.data;
    let chain = audit_chain(data).await?;
    let entries = audit_entries(data, &filter, after, limit).await?;
    let meta = AuditLogMeta::new(&entries, after, &chain);
    let data = entries.iter().map(AuditEntryView::from).collect();
    let body = serde_json::to_vec(&AuditLogView { data, meta }).map_err(|_| ApiError::Internal)?;
    Ok(json(StatusCode::OK, body))
}

fn documentation() -> Operation {
    Operation::ours("listAuditLog", Tag::Management, "List the audit log")
        .describe(
            "Lists who changed what, the oldest entry first. Each change by a key, by an operator at the command line or by a \
             job has an entry, in the commit of the change. What customers do, and single activities, are in the ledger \
             instead. Ask again with `after` set to `meta.next` for the entries that follow.",
        )
        .taking(describe(audit_log))
        .body::<AuditLogView<'_>>(StatusCode::OK, "The entries.", EXAMPLE)
}

const EXAMPLE: &str = r#"{
    "data": [
        {
            "seq": 12,
            "timestamp": "2026-05-04T08:00:00.000000Z",
            "actor": "key:a0a1a2a3a4a5a6a7a8a9",
            "actor_label": "Warehouse",
            "operation": "product.change",
            "object": "product:cafe-mug",
            "before": {"regular_price": 700},
            "after": {"regular_price": 650},
            "reason": null,
            "request_id": "1f0a91c7-77",
            "address": "203.0.113.9",
            "hash": "3b1c0e5d7a9f4d2286b0c1f4e8a7d3951d2c3b4a5f60718293a4b5c6d7e8f901"
        }
    ],
    "meta": {"next": 12, "earliest": 1, "latest": 12}
}"#;
