//! An API key of the back office.

use pointbook_domain::network::MAX_NETWORKS;
use pointbook_domain::token::MAX_LABEL_CHARS;
use pointbook_domain::{Network, Scope, Scopes, Timestamp, TokenLabel, TokenRecord};
use pointbook_http::describe::Schema;
use pointbook_http::view;
use pointbook_http::views::values::DateTimeView;

view! {
    #[derive(Debug)]
    pub struct KeyView<'k> as "ApiKey" {
        /// The public name of the key, as logs show it.
        id: String,
        label: Option<&'k str> => Schema::title_to(MAX_LABEL_CHARS).or_null(),
        scopes: Vec<&'static str> => Schema::list(Schema::named("Scope")).at_least(1),
        /// Networks from which the key works. Empty: it works from everywhere.
        networks: Vec<String> => Schema::list(network_schema()).at_most(MAX_NETWORKS),
        created_at: DateTimeView,
        /// Who added the key: `key:` and its id, or `command-line`. Null for keys from before 0.3.
        created_by: Option<&'k str>,
        /// Null for a key that never expires.
        expires_at: Option<DateTimeView>,
        /// The hour in which the key was last used. Null for never.
        last_used_at: Option<DateTimeView>,
    }

    #[derive(Debug)]
    pub struct AddedKeyView<'k> as "AddedApiKey" {
        /// The key itself. The server shows it only in this response.
        pub key: &'k str,
        #[serde(flatten)]
        pub view: KeyView<'k>,
    }

    #[derive(Debug)]
    pub struct KeyListView<'k> as "ApiKeyList" {
        pub data: Vec<KeyView<'k>>,
    }
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

pub fn network_schema() -> Schema {
    Schema::matching("^[0-9A-Fa-f.:]+(/[0-9]{1,3})?$")
}
