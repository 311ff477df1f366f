//! The fields of objects, as the audit log has them.

use pointbook_domain::{
    CategoryId, CategoryTree, Locale, Network, Order, OrderStatus, Price, Product, Scope, Tenant, Timestamp,
    TokenLabel, TokenRecord, User,
};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

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
    let User { id: _, balance: _, birth_date, locale, disabled_at, created_at: _ } = user;
    fields([
        ("birth_date", birth_date.map(|day| day.to_string()).into()),
        ("locale", locale.as_ref().map(Locale::as_str).into()),
        ("disabled_at", time(*disabled_at)),
    ])
}

pub fn product_fields(product: &Product) -> Map<String, Value> {
    let Product { id: _, sku, title, description: _, description_source, regular_price, sale_price, .. } =
        product;
    let Product { thumbnail, gallery, categories, stock, popular, published_at, active, .. } = product;
    fields([
        ("sku", text(sku)),
        ("title", text(title)),
        ("description", text(description_source)),
        ("regular_price", regular_price.get().into()),
        ("sale_price", sale_price.map(Price::get).into()),
        ("thumbnail", text(thumbnail)),
        ("gallery", gallery.iter().map(|url| text(url)).collect()),
        ("categories", categories.iter().map(CategoryId::as_str).collect()),
        ("stock", (*stock).into()),
        ("popular", (*popular).into()),
        ("published_at", time(Some(*published_at))),
        ("active", (*active).into()),
    ])
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

pub fn order_fields(order: &Order, status: OrderStatus) -> Map<String, Value> {
    fields([("status", status.as_str().into()), ("user_id", order.user_id.as_str().into())])
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
