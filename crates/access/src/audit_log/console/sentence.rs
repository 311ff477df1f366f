//! An entry as a sentence: who did what to what.

use std::borrow::Cow;
use std::collections::HashMap;

use maud::{Markup, html};
use pointbook_domain::{AuditEntry, NewAuditEntry, Order, Product, Scope, TokenKind, TokenRecord, Webhook};
use pointbook_http::pages::{PageError, number, points, visible};
use pointbook_store::StoreResult;
use pointbook_store::ports::{Query, TenantData, TokenFilter, read_all};
use pointbook_store::schema::rows::CampaignVersionRow;
use pointbook_store::schema::{Group, Read};
use serde_json::{Map, Value};

use crate::console_kit::Visit;
use crate::console_kit::authors::Authors;
use crate::console_kit::components::filled;
use crate::console_kit::path_part::segment;
use crate::tokens::issue::list_tokens;

/// A longer value is not in a sentence, only in the details.
const MAX_VALUE_CHARS: usize = 60;
/// A sentence names so many fields, the details all of them.
const MAX_FIELDS: usize = 5;
/// How many versions of campaigns a page reads for their titles.
const MAX_VERSIONS: u32 = 100;

/// The names of what entries are about, beside their ids.
pub(crate) struct Names {
    pub(super) authors: Authors,
    /// By object, such as `product:mug`.
    objects: HashMap<String, String>,
}

impl Names {
    /// Reads the operators, and what these entries are about.
    pub(crate) async fn of(visit: &Visit<'_>, entries: &[AuditEntry]) -> Result<Self, PageError> {
        let data = &*visit.served.data;
        let mut objects = HashMap::new();
        let products = Query::of::<Product>("audit_products", &["id"]);
        for row in rows_of::<Product>(data, entries, "product:", (products, "id")).await? {
            objects.insert(format!("product:{}", row.id), row.title);
        }
        let orders = Query::of::<Order>("audit_orders", &["id"]);
        for row in rows_of::<Order>(data, entries, "order:", (orders, "id")).await? {
            objects.insert(format!("order:{}", row.id), row.number);
        }
        let webhooks = Query::of::<Webhook>("audit_webhooks", &["id"]);
        for row in rows_of::<Webhook>(data, entries, "webhook:", (webhooks, "id")).await? {
            objects.insert(format!("webhook:{}", row.id), row.url);
        }
        let versions = Query::of::<CampaignVersionRow>("audit_campaigns", &["revision"]).descending();
        let versions = (versions.limit(MAX_VERSIONS), "campaign_id");
        // The newest version of a campaign comes last, and names it.
        for row in rows_of::<CampaignVersionRow>(data, entries, "campaign:", versions).await?.iter().rev() {
            let title = title_of_campaign(visit, &row.definition);
            objects.extend(title.map(|title| (format!("campaign:{}", row.campaign_id), title)));
        }
        if entries.iter().any(|entry| entry.new.object.starts_with("key:")) {
            let keys = list_tokens(data, &TokenFilter::Of(TokenKind::SuperUser)).await?;
            let named = |row: TokenRecord| Some((format!("key:{}", row.hash.id()), row.label?.to_string()));
            objects.extend(keys.into_iter().filter_map(named));
        }
        Ok(Self { authors: Authors::of(visit).await?, objects })
    }
}

/// The rows that entries about this noun are about, by the column with their id.
async fn rows_of<T: Group + for<'r> Read<'r>>(
    data: &dyn TenantData,
    entries: &[AuditEntry],
    noun: &str,
    (query, column): (Query, &'static str),
) -> StoreResult<Vec<T>> {
    let ids: Vec<&str> = entries.iter().filter_map(|entry| entry.new.object.strip_prefix(noun)).collect();
    if ids.is_empty() { Ok(Vec::new()) } else { read_all(data, query.one_of(column, ids)).await }
}

/// The title in the language of the page, in that of the tenant, or in any.
fn title_of_campaign(visit: &Visit<'_>, definition: &str) -> Option<String> {
    let definition = fields(Some(definition));
    let titles = definition.get("title")?.as_object()?;
    let own = visit.served.tenant.locale.as_str();
    let title = titles.get(visit.words.tag).or_else(|| titles.get(own)).or_else(|| titles.values().next());
    title?.as_str().map(str::to_owned)
}

/// The id of a text about this many: that of one has an ending.
pub(super) fn of_count(id: &str, count: i64) -> Cow<'_, str> {
    if count == 1 { format!("{id}-one").into() } else { id.into() }
}

/// What happened. An operation without a sentence of its own is told by its name.
pub(crate) fn sentence(visit: &Visit<'_>, new: &NewAuditEntry, names: &Names) -> Markup {
    let (words, [before, after]) =
        (visit.words, [&new.before, &new.after].map(|json| fields(json.as_deref())));
    let changed = changed(&before, &after);
    let of = |name: &str| after.get(name).or(before.get(name));
    let recorded = of("recorded").and_then(Value::as_i64).unwrap_or_default();
    let own = format!("audit-say-{}", new.operation.replace(['.', '_'], "-"));
    let own_of_one = of_count(&own, recorded);
    let verb = new.operation.rsplit('.').next().unwrap_or_default();
    let is_change = new.before.is_some() && new.after.is_some();
    let id = match (verb, &changed[..]) {
        _ if !words.say(&own_of_one).is_empty() => &*own_of_one,
        _ if !words.say(&own).is_empty() => &own,
        (_, [one]) if is_change && is_short(one, &before, &after) => "audit-say-field",
        (_, [_, ..]) if is_change => "audit-say-change",
        ("add" | "create", _) => "audit-say-add",
        ("remove" | "retire", _) => "audit-say-remove",
        _ => "audit-say-other",
    };
    let first = changed.first().map_or("", |name| name);
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
                    @for (at, name) in changed.iter().copied().take(MAX_FIELDS).enumerate() {
                        @if at > 0 { ", " }
                        (field(visit, name))
                        @if is_short(name, &before, &after) { " " del { (value(visit, before.get(name))) } " → " ins { (value(visit, after.get(name))) } }
                    }
                    @if changed.len() > MAX_FIELDS { ", …" }
                },
            ),
            ("member", member.unwrap_or_default()),
            ("points", text(amount(if verb == "reverse" { "taken" } else { "points" }))),
            ("count", text(number(recorded, words))),
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
        _ => new.actor.clone(),
    };
    html! { strong { (visible(&text)) } }
}

/// What an entry is about, with a link to its page.
fn object(visit: &Visit<'_>, object: &str, names: &Names) -> Markup {
    let (noun, id) = object.split_once(':').unwrap_or((object, ""));
    let known = names.objects.get(object).map(|name| name.trim());
    let name = known.unwrap_or(id);
    let section = match noun {
        "key" => {
            let key = known.map(|label| visit.words.with("audit-key", "name", label));
            return html! { (key.unwrap_or_else(|| visit.words.say("audit-unnamed-key"))) };
        }
        "token" | "picture" => return html! { (visit.words.say(&format!("audit-{noun}"))) },
        "product" => "products",
        "order" => "orders",
        "user" => "members",
        "campaign" => "campaigns",
        // A webhook that was removed has no page.
        "webhook" if known.is_some() && may_open_webhooks(visit) => "webhooks",
        "webhook" => return html! { (visible(name)) },
        "operator" => return html! { (names.authors.name(object).unwrap_or(id)) },
        "tenant" => return html! { (visit.served.tenant.name) },
        _ => return html! { (visible(object)) },
    };
    html! { a href=(visit.path(&format!("/{section}/{}", segment(id)))) { (visible(name)) } }
}

/// Auditors read the log, and have no pages of webhooks.
fn may_open_webhooks(visit: &Visit<'_>) -> bool {
    visit.signed_in().is_ok_and(|signed_in| signed_in.operator.role.has(Scope::WebhooksWrite))
}

/// The name of a field in the language of the page, or as the interface has it.
fn field(visit: &Visit<'_>, name: &str) -> String {
    let id = name.replace('_', "-");
    let texts = ["audit-field", "setting"].map(|of| visit.words.say(&format!("{of}-{id}")));
    texts.into_iter().find(|text| !text.is_empty()).map_or_else(|| name.to_owned(), Cow::into_owned)
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
        Some(Value::Bool(is_so)) => {
            html! { (visit.words.say(if *is_so { "health-yes" } else { "health-no" })) }
        }
        Some(Value::Number(count)) if count.is_i64() => {
            html! { (number(count.as_i64().unwrap_or_default(), visit.words)) }
        }
        Some(Value::Object(object)) if object.contains_key("sha256") => {
            let length = object.get("length").and_then(Value::as_i64).unwrap_or_default();
            html! { (visit.words.with(&of_count("audit-long-text", length), "count", number(length, visit.words))) }
        }
        Some(other) => html! { code { (other.to_string()) } },
    }
}
