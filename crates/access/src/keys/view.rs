//! An API key of the back office.

use pointbook_domain::network::MAX_NETWORKS;
use pointbook_domain::token::MAX_LABEL_CHARS;
use pointbook_domain::{Network, Scope, Scopes, Timestamp, TokenLabel, TokenRecord};
use pointbook_http::describe::{Field, Schema, required};
use pointbook_http::views::values::DateTimeView;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct KeyView<'k> {
    id: String,
    label: Option<&'k str>,
    scopes: Vec<&'static str>,
    networks: Vec<String>,
    created_at: DateTimeView,
    created_by: Option<&'k str>,
    expires_at: Option<DateTimeView>,
    last_used_at: Option<DateTimeView>,
}

impl<'k> From<&'k TokenRecord> for KeyView<'k> {
    fn from(key: &'k TokenRecord) -> Self {
        let TokenRecord { hash, kind: _, created_at, expires_at, revoked_at: _, label, scopes, .. } = key;
        let TokenRecord { networks, created_by, last_used_at, .. } = key;
        let view = |time: &Option<Timestamp>| time.map(DateTimeView);
        Self {
            id: hash.id().to_string(),
            label: label.as_ref().map(TokenLabel::as_str),
            scopes: scopes.unwrap_or(Scopes::ALL).iter().map(Scope::as_str).collect(),
            networks: networks.iter().map(Network::to_string).collect(),
            created_at: DateTimeView(*created_at),
            created_by: created_by.as_deref(),
            expires_at: view(expires_at),
            last_used_at: view(last_used_at),
        }
    }
}

/// A key with its text, which is shown once.
#[derive(Debug, Serialize)]
pub struct AddedKeyView<'k> {
    pub key: &'k str,
    #[serde(flatten)]
    pub view: KeyView<'k>,
}

#[derive(Debug, Serialize)]
pub struct KeyListView<'k> {
    pub data: Vec<KeyView<'k>>,
}

pub fn key_schema() -> Schema {
    Schema::object(key_members())
}

pub fn added_key_schema() -> Schema {
    let text = Schema::text().describe("The key itself. The server shows it only in this response.");
    Schema::object([required("key", text)].into_iter().chain(key_members()))
}

pub fn key_list_schema() -> Schema {
    Schema::object([required("data", Schema::list(Schema::named("ApiKey")))])
}

fn key_members() -> impl Iterator<Item = Field> {
    let created_by =
        "Who added the key: `key:` and its id, or `command-line`. Null for keys from before 0.3.";
    [
        required("id", Schema::text().describe("The public name of the key, as logs show it.")),
        required("label", Schema::title_to(MAX_LABEL_CHARS).or_null()),
        required("scopes", Schema::list(Schema::named("Scope")).at_least(1)),
        required(
            "networks",
            Schema::list(network_schema())
                .at_most(MAX_NETWORKS)
                .describe("Networks from which the key works. Empty: it works from everywhere."),
        ),
        required("created_at", Schema::date_time()),
        required("created_by", Schema::text().or_null().describe(created_by)),
        required("expires_at", Schema::date_time().or_null().describe("Null for a key that never expires.")),
        required(
            "last_used_at",
            Schema::date_time()
                .or_null()
                .describe("The hour in which the key was last used. Null for never."),
        ),
    ]
    .into_iter()
}

pub fn network_schema() -> Schema {
    Schema::matching("^[0-9A-Fa-f.:]+(/[0-9]{1,3})?$")
}
