//! Lists the tokens of a tenant.

use pointbook_domain::TokenRecord;
use pointbook_store::ports::{StoreResult, TenantData, TokenFilter};

const TOKENS_PER_READ: u32 = 1_000;

/// The tokens that match a filter, expired and revoked ones included: the oldest first, then by id.
pub async fn list_tokens(data: &dyn TenantData, filter: &TokenFilter) -> StoreResult<Vec<TokenRecord>> {
    let mut tokens = Vec::<TokenRecord>::new();
    loop {
        let after = tokens.last().map(|token| token.hash);
        let mut page = data.tokens_after(filter, after.as_ref(), TOKENS_PER_READ).await?;
        let is_last = page.len() < TOKENS_PER_READ as usize;
        tokens.append(&mut page);
        if is_last {
            tokens.sort_by_key(|token| (token.created_at, token.hash.0));
            return Ok(tokens);
        }
    }
}
