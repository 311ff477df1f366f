//! An entry as a sentence: who did what to what.

use std::collections::HashMap;

use maud::{Markup, html};
use pointbook_domain::{AuditEntry, NewAuditEntry, Order, Product};
use pointbook_http::pages::{PageError, number, points, visible};
use pointbook_store::ports::{Query, read_all};
use serde_json::{Map, Value};

use crate::console_kit::Visit;
use crate::console_kit::authors::Authors;
use crate::console_kit::components::filled;
use crate::console_kit::path_part::segment;

/// A longer value is not in a sentence, only in the details.
const MAX_VALUE_CHARS: usize = 60;

/// The names of what entries are about, beside their ids.
pub(crate) struct Names {
    authors: Authors,
    /// By object, such as `product:mug`.
    objects: HashMap<String, String>,
}

impl Names {
    /// Reads the operators, and the products and the orders of these entries.
    pub(crate) async fn of(visit: &Visit<'_>, entries: &[AuditEntry]) -> Result<Self, PageError> {
        let data = &*visit.served.data;
        let ids = |noun: &str| {
            let of_noun = |entry: &AuditEntry| Some(entry.new.object.strip_prefix(noun)?.to_owned());
            entries.iter().filter_map(of_noun).collect::<Vec<_>>()
        };
        let (products, orders) = (ids("product:"), ids("order:"));
        let products =
            Query::of::<Product>("audit_products", &["id"]).one_of("id", products.iter().map(|id| &**id));
        let orders = Query::of::<Order>("audit_orders", &["id"]).one_of("id", orders.iter().map(|id| &**id));
        let products: Vec<Product> = read_all(data, products).await?;
        let orders: Vec<Order> = read_all(data, orders).await?;
        let products = products.into_iter().map(|row| (format!("product:{}", row.id), row.title));
        let orders = orders.into_iter().map(|row| (format!("order:{}", row.id), row.number));
        Ok(Self { authors: Authors::of(visit).await?, objects: products.chain(orders).collect() })
    }
}

/// What happened. An operation without a sentence of its own is told by its name.
pub(crate) fn sentence(visit: &Visit<'_>, new: &NewAuditEntry, names: &Names) -> Markup {
    let (words, [before, after]) =
        (visit.words, [&new.before, &new.after].map(|json| fields(json.as_deref())));
    let changed = changed(&before, &after);
    let own = format!("audit-say-{}", new.operation.replace(['.', '_'], "-"));
    let verb = new.operation.rsplit('.').next().unwrap_or_default();
    let is_change = new.before.is_some() && new.after.is_some();
    let id = match (verb, &changed[..]) {
        _ if !words.say(&own).is_empty() => &own,
        (_, [one]) if is_change && is_short(one, &before, &after) => "audit-say-field",
        (_, [_, ..]) if is_change => "audit-say-change",
        ("add" | "create", _) => "audit-say-add",
        ("remove" | "retire", _) => "audit-say-remove",
        _ => "audit-say-other",
    };
    let first = changed.first().map_or("", |name| name);
    let of = |name: &str| after.get(name).or(before.get(name));
    let amount = |name: &str| points(of(name).and_then(Value::as_i64).unwrap_or_default(), words);
    let member = of("user_id").and_then(Value::as_str).map(|id| object(visit, &format!("user:{id}"), names));
    let text = |text: String| html! { (text) };
    let object = match of("label").and_then(Value::as_str).filter(|_| new.object.starts_with("key:")) {
        Some(label) => text(words.with("audit-key", "name", label).into_owned()),
        None => object(visit, &new.object, names),
    };
    filled(
        words,
        id,
        &[
            ("actor", actor(visit, new, names)),
            ("object", object),
            ("action", html! { code { (new.operation) } }),
            ("field", text(field(visit, first))),
            ("before", html! { del { (value(visit, before.get(first))) } }),
            ("after", html! { ins { (value(visit, after.get(first))) } }),
            (
                "what",
                html! {
                    @for (at, name) in changed.iter().copied().enumerate() {
                        @if at > 0 { ", " }
                        (field(visit, name))
                        @if is_short(name, &before, &after) { " " del { (value(visit, before.get(name))) } " → " ins { (value(visit, after.get(name))) } }
                    }
                },
            ),
            ("member", member.unwrap_or_default()),
            ("points", text(amount(if verb == "reverse" { "taken" } else { "points" }))),
            ("count", text(number(of("recorded").and_then(Value::as_i64).unwrap_or_default(), words))),
        ],
    )
}

/// Who made the change: the name of the operator, the label of the key, the job, or the command line.
pub(crate) fn actor(visit: &Visit<'_>, new: &NewAuditEntry, names: &Names) -> Markup {
    let words = visit.words;
    let (kind, id) = new.actor.split_once(':').unwrap_or((&new.actor, ""));
    let label = new.actor_label.as_deref().unwrap_or(id);
    let text = match (kind, names.authors.name(&new.actor)) {
        (_, Some(name)) => name.to_owned(),
        ("operator", None) => label.to_owned(),
        ("key" | "job", None) => words.with(&format!("audit-{kind}"), "name", label).into_owned(),
        ("command-line", None) => words.say("audit-command-line").into_owned(),
        _ => new.actor.clone(),
    };
    html! { strong { (visible(&text)) } }
}

/// What an entry is about, with a link to its page.
fn object(visit: &Visit<'_>, object: &str, names: &Names) -> Markup {
    let (noun, id) = object.split_once(':').unwrap_or((object, ""));
    let name = names.objects.get(object).map_or(id, |name| name.trim());
    let section = match noun {
        "product" => "products",
        "order" => "orders",
        "user" => "members",
        "campaign" => "campaigns",
        "operator" => return html! { (names.authors.name(object).unwrap_or(id)) },
        "tenant" => return html! { (visit.served.tenant.name) },
        _ => return html! { (visible(object)) },
    };
    html! { a href=(visit.path(&format!("/{section}/{}", segment(id)))) { (visible(name)) } }
}

/// The name of a field in the language of the page, or as the interface has it.
fn field(visit: &Visit<'_>, name: &str) -> String {
    let text = visit.words.say(&format!("audit-field-{}", name.replace('_', "-")));
    if text.is_empty() { name.to_owned() } else { text.into_owned() }
}

/// The names of the fields before and after, in order, each once.
pub(super) fn changed<'f>(before: &'f Map<String, Value>, after: &'f Map<String, Value>) -> Vec<&'f str> {
    let mut names: Vec<&str> = after.keys().chain(before.keys()).map(String::as_str).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn is_short(name: &str, before: &Map<String, Value>, after: &Map<String, Value>) -> bool {
    [before.get(name), after.get(name)].into_iter().flatten().all(|value| match value {
        Value::String(text) => text.chars().count() <= MAX_VALUE_CHARS,
        Value::Array(_) | Value::Object(_) => false,
        _ => true,
    })
}

/// An entry that another version wrote may have another form: then its fields are left out.
pub(super) fn fields(json: Option<&str>) -> Map<String, Value> {
    json.and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default()
}

/// A long text is in the log by its length and hash.
pub(super) fn value(visit: &Visit<'_>, value: Option<&Value>) -> Markup {
    match value {
        None | Some(Value::Null) => html! { "–" },
        Some(Value::String(text)) => html! { (text) },
        Some(Value::Number(count)) if count.is_i64() => {
            html! { (number(count.as_i64().unwrap_or_default(), visit.words)) }
        }
        Some(Value::Object(object)) if object.contains_key("sha256") => {
            let length = object.get("length").and_then(Value::as_i64).unwrap_or_default();
            html! { (visit.words.with("audit-long-text", "count", number(length, visit.words))) }
        }
        Some(other) => html! { code { (other.to_string()) } },
    }
}
