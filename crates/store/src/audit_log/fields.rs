//! The fields of objects, as the audit log has them.

use pointbook_domain::{
    CategoryTree, Cursor, DisabledBecause, Locale, Network, Operator, OperatorSession, Order, OrderStatus,
    Picture, Scope, Tenant, Timestamp, TokenLabel, TokenRecord, User, Webhook,
};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::audit_log::note::ChangeNote;

/// A longer string is replaced by its length and its hash, so that an entry stays small.
const MAX_TEXT_CHARS: usize = 500;

fn fields<const N: usize>(all: [(&str, Value); N]) -> Map<String, Value> {
    all.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn text(text: &str) -> Value {
    let length = text.chars().count();
    if length <= MAX_TEXT_CHARS {
        return text.into();
    }
    json!({ "length": length, "sha256": data_encoding::HEXLOWER.encode(&Sha256::digest(text)) })
}

fn time(time: Option<Timestamp>) -> Value {
    time.map(|time| time.to_string()).into()
}

pub fn user_fields(user: &User) -> Map<String, Value> {
    let User {
        id: _,
        balance: _,
        birth_date,
        locale,
        disabled_at,
        created_at: _,
        birth_date_set_at: _,
        lots: _,
        pending: _,
    } = user;
    fields([
        ("birth_date", birth_date.map(|day| day.to_string()).into()),
        ("locale", locale.as_ref().map(Locale::as_str).into()),
        ("disabled_at", time(*disabled_at)),
    ])
}

/// Of a version of a campaign.
pub fn campaign_fields(
    version: u32,
    state: &str,
    valid_from: Timestamp,
    definition: &str,
) -> Map<String, Value> {
    fields([
        ("version", version.into()),
        ("state", state.into()),
        ("valid_from", time(Some(valid_from))),
        ("definition", text(definition)),
    ])
}

/// The members of a view, with long strings shortened.
pub fn shortened_fields(members: Map<String, Value>) -> Map<String, Value> {
    members.into_iter().map(|(name, value)| (name, shortened(value))).collect()
}

fn shortened(value: Value) -> Value {
    match value {
        Value::String(long) => text(&long),
        Value::Array(items) => items.into_iter().map(shortened).collect(),
        other => other,
    }
}

/// Each category by its id: its label, its parent and its index among its siblings, from 0.
pub fn category_fields(tree: &CategoryTree) -> Map<String, Value> {
    let mut all = Map::new();
    tree.visit(&mut |category, parent, position| {
        let parent = parent.map(|parent| parent.id.as_str());
        let value = json!({ "label": category.label, "parent": parent, "position": position });
        all.insert(category.id.as_str().to_owned(), value);
    });
    all
}

pub fn token_fields(token: &TokenRecord) -> Map<String, Value> {
    let TokenRecord {
        hash: _,
        kind: _,
        created_at: _,
        expires_at,
        revoked_at: _,
        label,
        scopes,
        networks,
        ..
    } = token;
    let scopes = scopes.map(|scopes| scopes.iter().map(Scope::as_str).collect::<Vec<_>>());
    fields([
        ("label", label.as_ref().map(TokenLabel::as_str).into()),
        ("scopes", scopes.map_or_else(|| "all".into(), Value::from)),
        ("networks", networks.iter().map(Network::to_string).collect()),
        ("expires_at", time(*expires_at)),
    ])
}

/// Without the secrets.
pub fn webhook_fields(webhook: &Webhook) -> Map<String, Value> {
    let Webhook {
        id: _,
        url,
        types,
        mode,
        lanes,
        secret: _,
        previous_secret: _,
        previous_secret_until,
        state,
        disabled_because,
        state_since: _,
        epoch,
        start_generation,
        start_position,
        created_at: _,
    } = webhook;
    let start = Cursor { generation: *start_generation, position: *start_position };
    fields([
        ("url", text(url)),
        ("event_types", text(&types.to_string())),
        ("mode", mode.as_str().into()),
        ("parallel", (*lanes).into()),
        ("previous_secret_until", time(*previous_secret_until)),
        ("state", state.as_str().into()),
        ("disabled_because", disabled_because.map(DisabledBecause::as_str).into()),
        ("cursor_set", (*epoch).into()),
        ("cursor", start.to_string().into()),
    ])
}

pub fn order_fields(order: &Order, status: OrderStatus) -> Map<String, Value> {
    fields([("status", status.as_str().into()), ("user_id", order.user_id.as_str().into())])
}

fn operator_fields(operator: &Operator) -> Map<String, Value> {
    let Operator { email, id: _, name, role, created_at: _, created_by: _ } = operator;
    fields([("email", email.as_str().into()), ("name", name.as_str().into()), ("role", role.as_str().into())])
}

/// An operator was added, changed or removed.
pub fn operator_note(before: Option<&Operator>, after: Option<&Operator>) -> ChangeNote {
    let operation = match (before, after) {
        (None, _) => "operator.add",
        (Some(_), Some(_)) => "operator.change",
        (Some(_), None) => "operator.remove",
    };
    let id = before.or(after).map_or("", |operator| operator.id.as_str());
    let (before, after) = (before.map(operator_fields), after.map(operator_fields));
    ChangeNote::new(operation, format!("operator:{id}"), before, after)
}

/// An operator signed in or out. `operation` is `session.begin` or `session.end`. `by` says how the operator signed in.
pub fn session_note(
    operation: &'static str,
    session: &OperatorSession,
    by: Option<&'static str>,
) -> ChangeNote {
    let OperatorSession { id, operator_id, .. } = session;
    let object = format!("operator:{operator_id}");
    ChangeNote::of_event(operation, object, serde_json::json!({"session": id.to_string(), "by": by}))
}

fn picture_fields(picture: &Picture) -> Map<String, Value> {
    let Picture { id: _, format, width, height, size_bytes, created_at: _ } = picture;
    fields([
        ("content_type", format.content_type().into()),
        ("width", (*width).into()),
        ("height", (*height).into()),
        ("bytes", (*size_bytes).into()),
    ])
}

/// A picture was stored.
pub fn picture_added_note(picture: &Picture) -> ChangeNote {
    ChangeNote::new("picture.add", format!("picture:{}", picture.id), None, Some(picture_fields(picture)))
}

/// A picture was removed.
pub fn picture_removed_note(picture: &Picture) -> ChangeNote {
    ChangeNote::new("picture.remove", format!("picture:{}", picture.id), Some(picture_fields(picture)), None)
}

pub fn tenant_fields(tenant: &Tenant) -> Map<String, Value> {
    let Tenant { id: _, slug, environment, base_url, name, locale, settings, created_at: _, clock: _ } =
        tenant;
    let mut all = fields([
        ("slug", slug.as_str().into()),
        ("environment", environment.as_str().into()),
        ("base_url", base_url.as_str().into()),
        ("name", text(name)),
        ("locale", locale.as_str().into()),
    ]);
    all.extend(settings.entries().into_iter().map(|(name, value)| (name, text(&value))));
    all
}
