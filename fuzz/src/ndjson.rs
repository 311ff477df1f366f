//! Bodies of many lines: those of the imports of the interface.

use std::fmt::Debug;

use http::{HeaderMap, Method};
use pointbook_catalogue::products::managed::read_product_line;
use pointbook_domain::errors::FieldErrors;
use pointbook_domain::{TenantId, TenantSettings, Timestamp};
use pointbook_http::body::{BodyFields, NdjsonBody, NdjsonLine, new_user_id};
use pointbook_http::head::Head;
use pointbook_points::earning::body::read_activity_line;

use crate::body::{Arrival, receive};

/// The same lines are read however the body arrives. Each has the number of a line of the body, and reads alone as it did in it.
pub(crate) fn read(body: &[u8]) {
    check(body, read_product_line);
    check(body, |mut fields| {
        let user_id = fields.required("user_id", new_user_id());
        let activity = read_activity_line(&mut fields, &TenantSettings::default(), now());
        fields.finish(|| Some((user_id?, activity?)))
    });
}

/// 2026-11-29T00:00:00Z.
fn now() -> Timestamp {
    Timestamp::from_micros(1_795_910_400_000_000).unwrap()
}

fn check<T: Debug + PartialEq>(body: &[u8], read: impl Fn(BodyFields<'_>) -> Result<T, FieldErrors>) {
    let lines = lines_of(body, Arrival::Whole, &read);
    assert_eq!(lines, lines_of(body, Arrival::InPieces, &read));
    assert!(lines.is_sorted_by(|one, next| one.number < next.number));
    let bare = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    let texts: Vec<_> = bare.split(|byte| *byte == b'\n').collect();
    let given = texts.iter().filter(|text| !text.trim_ascii().is_empty()).count();
    assert_eq!(lines.len(), given);
    // Later refused lines have no errors.
    for line in lines.into_iter().take(100) {
        if let Err(errors) = &line.item {
            serde_json::to_vec(errors).unwrap();
            serde_json::to_vec(&errors.codes()).unwrap();
            assert!(!errors.is_empty());
        }
        let alone = lines_of(texts[line.number - 1], Arrival::Whole, &read);
        // Only the first line may begin with a byte order mark.
        if !texts[line.number - 1].starts_with(b"\xef\xbb\xbf") {
            assert_eq!(alone, [NdjsonLine { number: 1, ..line }]);
        }
    }
}

fn lines_of<T>(
    body: &[u8],
    arrival: Arrival,
    read: impl Fn(BodyFields<'_>) -> Result<T, FieldErrors>,
) -> Vec<NdjsonLine<T>> {
    let (tenant, headers) = (TenantId::new("t").unwrap(), HeaderMap::new());
    receive(body, arrival, async |body| {
        let head = Head {
            tenant: &tenant,
            method: &Method::POST,
            path: "/v1/manage/products/import",
            query: None,
            headers: &headers,
            sender: None,
            body,
        };
        // A body of too many lines is refused as a whole.
        match NdjsonBody::of(head).await {
            Ok(body) => body.read(read).await,
            Err(error) => panic!("{error:?}"),
        }
    })
}
