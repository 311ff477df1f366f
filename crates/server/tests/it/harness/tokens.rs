//! Valid and invalid tokens of every kind.

use pointbook_access::tokens::issue::{NewToken, issue_token};
use pointbook_access::tokens::revoke::{revoke_super_user_tokens, revoke_token};
use pointbook_domain::{Networks, Scopes, TokenKind};
use pointbook_http::Caller;
use pointbook_store::ports::tokens::token_hash;
use pointbook_store::{Actor, Clock};
use pointbook_testkit::build;
use pointbook_testkit::build::user_id;

use super::TestServer;

impl TestServer {
    /// A token of a user in production.
    pub(crate) async fn issue(&self, user: &str) -> String {
        self.issue_for(user, None).await
    }

    pub(crate) async fn issue_for(&self, user: &str, seconds: Option<u32>) -> String {
        self.issue_kind("shop", TokenKind::Customer(user_id(user)), seconds).await
    }

    pub(crate) async fn issue_expired(&self, user: &str) -> String {
        self.issue_for(user, Some(0)).await
    }

    pub(crate) async fn issue_revoked(&self, user: &str) -> String {
        let token = self.issue(user).await;
        self.revoke(&token).await;
        token
    }

    /// A key of the back office with these scopes, from these networks.
    pub(crate) async fn issue_key(&self, scopes: Scopes, networks: &str) -> String {
        let context = build::context(&self.production(), Actor::CommandLine, self.clock.now());
        let networks = Networks::parse(networks).unwrap();
        let new = NewToken { scopes: Some(scopes), networks, ..NewToken::new(TokenKind::SuperUser, None) };
        issue_token(&context, new, &*self.secrets).await.unwrap().text
    }

    pub(crate) async fn issue_super_user(&self) -> String {
        self.issue_kind("shop", TokenKind::SuperUser, None).await
    }

    /// A new token of the kind that an operation requires. A customer's token is of `u1`. A key expires after an hour, because
    /// a tenant has a bounded number of active keys.
    pub(crate) async fn issue_to(&self, tenant: &str, caller: Caller) -> String {
        let (kind, seconds) = match caller {
            Caller::Customer | Caller::Anyone => (TokenKind::Customer(user_id("u1")), None),
            Caller::Key(_) | Caller::KeyOfBoth(_) => (TokenKind::SuperUser, Some(3_600)),
        };
        self.issue_kind(tenant, kind, seconds).await
    }

    pub(crate) async fn issue_in_staging(&self, user: &str) -> String {
        self.issue_kind("shop/staging", TokenKind::Customer(user_id(user)), None).await
    }

    pub(crate) async fn issue_kind(&self, tenant: &str, kind: TokenKind, seconds: Option<u32>) -> String {
        let context = build::context(&self.find(tenant), Actor::CommandLine, self.clock.now());
        issue_token(&context, NewToken::new(kind, seconds), &*self.secrets).await.unwrap().text
    }

    /// Revokes all keys of a tenant.
    pub(crate) async fn revoke_keys_of(&self, tenant: &str) {
        let context = build::context(&self.find(tenant), Actor::CommandLine, self.clock.now());
        revoke_super_user_tokens(&context).await.unwrap();
    }

    /// Revokes a token through this process.
    pub(crate) async fn revoke(&self, token: &str) {
        let context = build::context(&self.production(), Actor::CommandLine, self.clock.now());
        assert!(revoke_token(&context, token_hash(token.as_bytes())).await.unwrap());
    }
}
