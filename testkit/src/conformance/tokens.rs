//! Facts of the token store.

use std::sync::Arc;

use pointbook_access::keys::uses::UseKeys;
use pointbook_access::tokens::issue::{MAX_KEYS, StoreToken};
use pointbook_access::tokens::revoke::{RevokeToken, RevokeTokensOf};
use pointbook_domain::{Networks, Scopes, TokenHash, TokenKind, TokenLabel, TokenRecord};
use pointbook_points::members::put::ChangeUser;
use pointbook_store::ports::InsertTokenOutcome::{Stored, TooManyKeys, UserDisabled};
use pointbook_store::ports::{Database, FoundToken, TenantData, TokenFilter, UserChange};

use super::{add_tenant, record_all, whole_history};
use crate::build;

/// Checks both kinds of tokens, with and without optional times.
pub async fn a_token_is_found_in_full(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let customer = TokenRecord {
        expires_at: Some(build::on_day(30)),
        revoked_at: Some(build::on_day(2)),
        label: Some(TokenLabel::new("Zoë's phone").unwrap()),
        ..build::token(1, Some("Zoë/1"))
    };
    let key = TokenRecord {
        scopes: Some(Scopes::parse("orders:read keys:write").unwrap()),
        networks: Networks::parse("192.0.2.0/24 2001:db8::/32").unwrap(),
        created_by: Some("command-line".to_owned()),
        last_used_at: Some(build::on_day(3)),
        ..build::token(3, None)
    };
    for record in [customer, build::token(2, None), key] {
        assert_eq!(data.write(StoreToken(record.clone())).await.unwrap(), Stored);
        let found = data.find_token(&record.hash).await.unwrap();
        assert_eq!(found, Some(FoundToken { record, user_disabled: false }));
    }
}

/// A hash that differs in one byte is unknown.
pub async fn an_unknown_token_is_not_found(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let token = build::token(1, Some("u1"));
    assert_eq!(data.write(StoreToken(token.clone())).await.unwrap(), Stored);
    let mut other = token.hash;
    other.0[31] ^= 1;
    assert_eq!(data.find_token(&other).await.unwrap(), None);
}

/// A demo that starts again keeps its tokens.
pub async fn a_token_replaces_one_of_the_same_hash(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let first = TokenRecord { revoked_at: Some(build::noon()), ..build::token(1, Some("u1")) };
    let second = TokenRecord { created_at: build::on_day(1), ..build::token(1, Some("u2")) };
    assert_eq!(data.write(StoreToken(first.clone())).await.unwrap(), Stored);
    assert_eq!(data.write(StoreToken(second.clone())).await.unwrap(), Stored);
    let found = data.find_token(&first.hash).await.unwrap().unwrap();
    assert_eq!(found.record, second);
}

/// The user's creation time is the time of the token.
pub async fn a_token_creates_its_unknown_user(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let token = TokenRecord { created_at: build::on_day(5), ..build::token(1, Some("u1")) };
    assert_eq!(data.write(StoreToken(token.clone())).await.unwrap(), Stored);
    assert_eq!(data.write(StoreToken(build::token(2, None))).await.unwrap(), Stored);
    let users = data.users_after(None, 10).await.unwrap();
    assert_eq!(users.len(), 1);
    assert_eq!((users[0].id.as_str(), users[0].created_at), ("u1", build::on_day(5)));
    assert_eq!((users[0].balance.get(), users[0].disabled_at), (0, None));
}

/// Balance, history and creation time stay.
pub async fn a_token_leaves_a_known_user_alone(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    record_all(&data, &[build::recorded("u1", build::activity("s1", 7))]).await;
    let before = (data.users_after(None, 10).await.unwrap(), whole_history(&data, "u1").await);
    let token = TokenRecord { created_at: build::on_day(5), ..build::token(1, Some("u1")) };
    assert_eq!(data.write(StoreToken(token.clone())).await.unwrap(), Stored);
    let after = (data.users_after(None, 10).await.unwrap(), whole_history(&data, "u1").await);
    assert_eq!(after, before);
}

/// The time of the first revocation stays.
pub async fn a_token_is_revoked_once(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let token = build::token(1, Some("u1"));
    assert!(!data.write(RevokeToken { hash: token.hash, customer: None, at: build::noon() }).await.unwrap());
    assert_eq!(data.write(StoreToken(token.clone())).await.unwrap(), Stored);
    assert!(
        data.write(RevokeToken { hash: token.hash, customer: None, at: build::on_day(1) }).await.unwrap()
    );
    assert!(
        !data.write(RevokeToken { hash: token.hash, customer: None, at: build::on_day(2) }).await.unwrap()
    );
    let found = data.find_token(&token.hash).await.unwrap().unwrap();
    assert_eq!(found.record, TokenRecord { revoked_at: Some(build::on_day(1)), ..token });
}

/// Expired and revoked tokens are not returned, nor those of other users.
pub async fn revoking_a_user_returns_the_active_tokens(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let (now, later) = (build::on_day(1), build::on_day(2));
    let of_u1 = |number| build::token(number, Some("u1"));
    let good = [of_u1(1), TokenRecord { expires_at: Some(later), ..of_u1(2) }];
    let ended = TokenRecord { expires_at: Some(now), ..of_u1(3) };
    let revoked = TokenRecord { revoked_at: Some(build::noon()), ..of_u1(4) };
    let others = [build::token(5, Some("u2")), build::token(6, None)];
    for token in good.iter().chain([&ended, &revoked]).chain(&others) {
        assert_eq!(data.write(StoreToken(token.clone())).await.unwrap(), Stored);
    }
    let mut gave = data
        .write(RevokeTokensOf { owner: TokenKind::Customer(build::user_id("u1")), at: now })
        .await
        .unwrap();
    gave.sort_by_key(|hash| hash.0);
    assert_eq!(gave, [TokenHash([1; 32]), TokenHash([2; 32])]);
    for (number, revoked_at) in
        [(1, Some(now)), (2, Some(now)), (4, Some(build::noon())), (5, None), (6, None)]
    {
        let found = data.find_token(&TokenHash([number; 32])).await.unwrap().unwrap();
        assert_eq!(found.record.revoked_at, revoked_at, "token {number}");
    }
    assert_eq!(
        data.write(RevokeTokensOf { owner: TokenKind::Customer(build::user_id("u1")), at: later })
            .await
            .unwrap(),
        []
    );
}

/// Only tokens of the back office are revoked, and expired ones are not returned.
pub async fn revoking_the_back_office_leaves_users_alone(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let now = build::on_day(1);
    let ended = TokenRecord { expires_at: Some(now), ..build::token(3, None) };
    for token in [build::token(1, None), build::token(2, None), ended, build::token(4, Some("u1"))] {
        assert_eq!(data.write(StoreToken(token.clone())).await.unwrap(), Stored);
    }
    let gave = data.write(RevokeTokensOf { owner: TokenKind::SuperUser, at: now }).await.unwrap();
    assert_eq!(gave, [TokenHash([1; 32]), TokenHash([2; 32])]);
    let kept = data.find_token(&TokenHash([4; 32])).await.unwrap().unwrap();
    assert_eq!(kept.record.revoked_at, None);
    assert_eq!(data.write(RevokeTokensOf { owner: TokenKind::SuperUser, at: now }).await.unwrap(), []);
}

/// Pages are in the order of hashes, and include expired and revoked tokens.
pub async fn tokens_are_listed_by_owner_and_by_id(database: Arc<dyn Database>) {
    let (data, other) = (add_tenant(&database, "acme").await, add_tenant(&database, "bolt").await);
    let revoked = TokenRecord { revoked_at: Some(build::noon()), ..build::token(3, Some("u1")) };
    let ended = TokenRecord { expires_at: Some(build::noon()), ..build::token(4, None) };
    let tokens =
        [build::token(1, Some("u1")), build::token(2, Some("u2")), revoked, ended, build::token(5, None)];
    for token in tokens.iter().rev() {
        assert_eq!(data.write(StoreToken(token.clone())).await.unwrap(), Stored);
    }
    assert_eq!(other.write(StoreToken(build::token(6, None))).await.unwrap(), Stored);
    for (filter, places) in [
        (TokenFilter::All, vec![0, 1, 2, 3, 4]),
        (TokenFilter::Of(TokenKind::Customer(build::user_id("u1"))), vec![0, 2]),
        (TokenFilter::Of(TokenKind::Customer(build::user_id("stranger"))), vec![]),
        (TokenFilter::Of(TokenKind::SuperUser), vec![3, 4]),
        (TokenFilter::WithId(TokenHash([2; 32]).id()), vec![1]),
        (TokenFilter::WithId(TokenHash([6; 32]).id()), vec![]),
    ] {
        let expected: Vec<_> = places.into_iter().map(|place: usize| tokens[place].clone()).collect();
        assert_eq!(data.tokens_after(&filter, None, 10).await.unwrap(), expected, "{filter:?}");
        let mut found = Vec::<TokenRecord>::new();
        while let [token] =
            &data.tokens_after(&filter, found.last().map(|token| &token.hash), 1).await.unwrap()[..]
        {
            found.push(token.clone());
        }
        assert_eq!(found, expected, "{filter:?}");
    }
}

/// A token id is the beginning of its hash.
pub async fn a_token_is_found_by_the_beginning_of_its_hash(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let hash = |last_of_id: u8, rest: u8| {
        TokenHash(std::array::from_fn(|place| match place {
            0..9 => 7,
            9 => last_of_id,
            _ => rest,
        }))
    };
    for hash in [hash(6, 255), hash(7, 0), hash(7, 255), hash(8, 0)] {
        let token = TokenRecord { hash, ..build::token(1, None) };
        assert_eq!(data.write(StoreToken(token.clone())).await.unwrap(), Stored);
    }
    let found = data.tokens_after(&TokenFilter::WithId(hash(7, 9).id()), None, 10).await.unwrap();
    assert_eq!(found.iter().map(|token| token.hash).collect::<Vec<_>>(), [hash(7, 0), hash(7, 255)]);
}

/// An older use that comes late changes nothing, and neither does the use of a key that is gone.
pub async fn the_last_use_of_a_key_is_kept(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let key = build::token(1, None);
    assert_eq!(data.write(StoreToken(key.clone())).await.unwrap(), Stored);
    for (day, expected) in [(2, 2), (1, 2), (4, 4)] {
        let uses = [key.hash, TokenHash([9; 32])].map(|hash| (hash, build::on_day(day)));
        data.write(UseKeys(uses.into())).await.unwrap();
        let found = data.find_token(&key.hash).await.unwrap().unwrap();
        assert_eq!(found.record.last_used_at, Some(build::on_day(expected)));
    }
    assert_eq!(data.find_token(&TokenHash([9; 32])).await.unwrap(), None);
}

/// Expired and revoked keys do not count, nor does the one that is stored again.
pub async fn a_tenant_has_a_bounded_number_of_keys(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let key = |number: u8| build::token(number, None);
    let expired = TokenRecord { expires_at: Some(build::noon()), ..key(200) };
    let revoked = TokenRecord { revoked_at: Some(build::noon()), ..key(201) };
    let last = u8::try_from(MAX_KEYS).unwrap();
    for token in [expired, revoked].into_iter().chain((1..=last).map(key)).chain([key(last)]) {
        assert_eq!(data.write(StoreToken(token)).await.unwrap(), Stored);
    }
    assert_eq!(data.write(StoreToken(key(last + 1))).await.unwrap(), TooManyKeys);
    assert_eq!(data.find_token(&key(last + 1).hash).await.unwrap(), None);
    assert_eq!(data.write(StoreToken(build::token(last + 1, Some("u1")))).await.unwrap(), Stored);
}

/// The earlier of expiry and revocation counts. A call removes at most `limit` tokens, and only those of this tenant.
pub async fn only_tokens_that_ended_before_are_removed(database: Arc<dyn Database>) {
    let (data, other) = (add_tenant(&database, "acme").await, add_tenant(&database, "bolt").await);
    let (old, new) = (Some(build::on_day(1)), Some(build::on_day(9)));
    let with = |number, expires_at, revoked_at| TokenRecord {
        expires_at,
        revoked_at,
        ..build::token(number, Some("u1"))
    };
    let removed =
        [with(1, old, None), with(2, None, old), with(3, new, old), with(4, old, new), with(5, old, old)];
    let kept =
        [with(6, None, None), with(7, new, None), with(8, None, new), with(9, Some(build::on_day(5)), None)];
    for token in removed.iter().chain(&kept) {
        assert_eq!(data.write(StoreToken(token.clone())).await.unwrap(), Stored);
    }
    assert_eq!(other.write(StoreToken(with(1, old, old))).await.unwrap(), Stored);
    let remove = async |limit| data.remove_ended_tokens(build::on_day(5), limit).await.unwrap();
    assert_eq!([remove(0).await, remove(4).await, remove(4).await, remove(4).await], [0, 4, 1, 0]);
    assert_eq!(data.tokens_after(&TokenFilter::All, None, 10).await.unwrap(), kept);
    assert_eq!(other.tokens_after(&TokenFilter::All, None, 10).await.unwrap().len(), 1);
}

/// The refused token does not replace a token of another user, either. Tokens of the back office have no user.
pub async fn disabled_user_gets_no_token(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    put_disabled(&data, true).await;
    let (first, second) = (build::token(1, Some("u1")), build::token(2, Some("u2")));
    assert_eq!(data.write(StoreToken(first.clone())).await.unwrap(), UserDisabled);
    assert_eq!(data.find_token(&first.hash).await.unwrap(), None);
    assert_eq!(data.write(StoreToken(second.clone())).await.unwrap(), Stored);
    let stolen = TokenRecord { hash: second.hash, ..first.clone() };
    assert_eq!(data.write(StoreToken(stolen.clone())).await.unwrap(), UserDisabled);
    assert_eq!(data.find_token(&second.hash).await.unwrap().unwrap().record, second);
    assert_eq!(data.write(StoreToken(build::token(3, None))).await.unwrap(), Stored);
    put_disabled(&data, false).await;
    assert_eq!(data.write(StoreToken(first.clone())).await.unwrap(), Stored);
}

/// The change applies at once, and only to that user. After the user is enabled again, the tokens work as before.
pub async fn token_tells_whether_its_user_is_disabled(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let tokens = [build::token(1, Some("u1")), build::token(2, Some("u2")), build::token(3, None)];
    for token in &tokens {
        assert_eq!(data.write(StoreToken(token.clone())).await.unwrap(), Stored);
    }
    for disabled in [true, false] {
        put_disabled(&data, disabled).await;
        for (token, user_disabled) in tokens.iter().zip([disabled, false, false]) {
            let found = FoundToken { record: token.clone(), user_disabled };
            assert_eq!(data.find_token(&token.hash).await.unwrap(), Some(found));
        }
    }
}

async fn put_disabled(data: &Arc<dyn TenantData>, disabled: bool) {
    let change = UserChange { disabled: Some(disabled), ..build::user_change("u1") };
    data.write(ChangeUser { change: change.clone(), now: build::noon() }).await.unwrap();
}
