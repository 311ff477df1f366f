//! Access tokens.

mod lists;

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::ports::{FoundToken, TokenFilter, TokenStore};
use pointbook_domain::{Timestamp, TokenHash, TokenRecord};
use pointbook_schema::{Group, sql};

use crate::connection::Connection;
use crate::error::Outcome;
use crate::scoped::IntoScoped;
use crate::store::PostgresTenant;

#[async_trait]
impl TokenStore for PostgresTenant {
    async fn find_token(&self, hash: &TokenHash) -> StoreResult<Option<FoundToken>> {
        self.access.read_short("find_token", |database| find(database, &self.id, hash).scoped()).await
    }

    async fn tokens_after(
        &self,
        filter: &TokenFilter,
        after: Option<&TokenHash>,
        limit: u32,
    ) -> StoreResult<Vec<TokenRecord>> {
        self.access
            .read("tokens_after", |database| lists::page(database, &self.id, filter, after, limit).scoped())
            .await
    }

    async fn remove_ended_tokens(&self, ended_before: Timestamp, limit: u32) -> StoreResult<u32> {
        self.access
            .write("remove_ended_tokens", |database| {
                lists::remove_ended(database, &self.id, ended_before, limit).scoped()
            })
            .await
    }
}

async fn find(database: &Connection, tenant: &str, hash: &TokenHash) -> Outcome<Option<FoundToken>> {
    let select = sql!(format!(
        "SELECT {}, users.disabled_at
         FROM tokens LEFT JOIN users ON users.tenant_id = tokens.tenant_id AND users.id = tokens.user_id
         WHERE tokens.tenant_id = $1 AND tokens.hash = $2",
        TokenRecord::names_of("tokens")
    ));
    let found: Option<(TokenRecord, Option<Timestamp>)> =
        database.one_of(("tokens", 1), select, &[&tenant, &hash.0.as_slice()]).await?;
    Ok(found.map(|(record, disabled_at)| FoundToken { record, user_disabled: disabled_at.is_some() }))
}
