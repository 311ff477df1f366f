//! Objects of the interface, each with the readers of its fields.

use std::fmt::Debug;

use pointbook_catalogue::categories::body::read_category_tree;
use pointbook_catalogue::products::managed::{read_product, read_product_patch, read_stock_change};
use pointbook_domain::errors::FieldErrors;
use pointbook_domain::json::Json;
use pointbook_domain::{TenantSettings, Timestamp};
use pointbook_http::body::BodyFields;
use pointbook_points::earning::body::read_activity;

/// A refused object has errors, as many codes as messages, and both are JSON.
pub(crate) fn read(body: &[u8]) {
    let Ok(Json::Object(members)) = Json::parse(body) else { return };
    let fields = || BodyFields::new(&members, FieldErrors::default());
    check(read_product(fields(), None));
    check(read_product_patch(fields(), None));
    check(read_stock_change(fields()));
    check(read_category_tree(fields()));
    let now = Timestamp::from_micros(1_795_910_400_000_000).unwrap();
    let mut fields = fields();
    let activity = read_activity(&mut fields, &TenantSettings::default(), now);
    check(fields.finish(|| activity));
}

fn check<T: Debug>(read: Result<T, FieldErrors>) {
    let Err(errors) = read else { return };
    assert!(!errors.is_empty());
    let json = |text: Vec<u8>| match Json::parse(&text).unwrap() {
        Json::Object(members) => members,
        other => panic!("{other:?}"),
    };
    let messages = json(serde_json::to_vec(&errors).unwrap());
    let codes = json(serde_json::to_vec(&errors.codes()).unwrap());
    assert!(
        messages.iter().map(|(name, _)| name).eq(codes.iter().map(|(name, _)| name)),
        "{messages:?} {codes:?}"
    );
}
