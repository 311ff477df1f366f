//! How operations read bodies: the messages of errors, their order, and arbitrary bytes.

mod extractors;

use std::fmt::Write;

use pointbook_domain::errors::FieldErrors;
use pointbook_domain::json::Json;
use pointbook_domain::{ActivityType, Day, FieldChange, Locale, Points, Price, Timestamp, UserId};
use proptest::prelude::*;

use super::*;
use crate::describe::IntoJson;

/// A field of every kind.
#[derive(Debug, PartialEq)]
struct Everything {
    user_id: UserId,
    kind: ActivityType,
    points: Points,
    price: Option<Price>,
    quantity: Option<u32>,
    title: String,
    subtitle: Option<String>,
    popular: Option<bool>,
    at: Option<Timestamp>,
    gallery: Option<Vec<String>>,
    bonuses: Option<Vec<(String, Points)>>,
    birth_date: FieldChange<Day>,
    locale: FieldChange<Locale>,
}

fn read_everything(mut fields: BodyFields<'_>) -> Result<Everything, FieldErrors> {
    let user_id = fields.required("user_id", id(UserId::new));
    let kind = fields.required("type", choice(|text| ActivityType::new(text).ok()));
    let points = fields.required("points", super::points());
    let price = fields.optional("sale_price", super::price());
    let quantity = fields.optional("quantity", integer_in(1_u32..=1_000));
    let title = fields.required("title", title(5));
    let subtitle = fields.optional("subtitle", text(5));
    let popular = fields.optional("popular", boolean());
    let at = fields.optional("created_at", past_date_time(noon()));
    let gallery = fields.optional("gallery", list(2, super::title(5)));
    let bonuses = fields.optional("bonus_breakdown", list(2, object(read_bonus)));
    let birth_date = fields.nullable("birth_date", past_day(noon().day()));
    let locale = fields.nullable("locale", choice(|text| Locale::new(text).ok()));
    fields.finish(|| {
        let (user_id, kind, points, title) = (user_id?, kind?, points?, title?);
        Some(Everything {
            user_id,
            kind,
            points,
            price,
            quantity,
            title,
            subtitle,
            popular,
            at,
            gallery,
            bonuses,
            birth_date,
            locale,
        })
    })
}

fn read_bonus(mut fields: BodyFields<'_>) -> Result<(String, Points), FieldErrors> {
    let kind = fields.required("type", title(5));
    let points = fields.required("points", super::points());
    fields.finish(|| Some((kind?, points?)))
}

fn noon() -> Timestamp {
    Timestamp::from_micros(1_772_366_400_000_000).unwrap()
}

/// Reads a body as an operation does. Tests of other modules use it too.
pub(crate) fn read_text<T>(
    body: &str,
    read: impl FnOnce(BodyFields<'_>) -> Result<T, FieldErrors>,
) -> Result<T, FieldErrors> {
    let Ok(Json::Object(members)) = Json::parse(body.as_bytes()) else { panic!("no object: {body}") };
    read(BodyFields::new(&members, FieldErrors::default()))
}

fn read(body: &str) -> Result<Everything, FieldErrors> {
    read_text(body, read_everything)
}

/// The refusals of a body, one per line.
fn refusals(body: &str) -> String {
    let mut lines = String::new();
    for (field, message) in read(body).unwrap_err().messages() {
        writeln!(lines, "{field}: {message}").unwrap();
    }
    lines
}

/// A good body, except for these members.
fn with(members: &str) -> String {
    format!(r#"{{"user_id":"u","type":"code","points":1,"title":"t",{members}}}"#)
}

#[test]
fn a_good_body_is_read() {
    let everything = read(
        r#"{"user_id":"u/1","type":"code","points":-5,"sale_price":0,"quantity":1000,"title":"ééééé","subtitle":"",
            "popular":false,"created_at":"2026-03-01T14:00:00+02:00","gallery":["a","b"],
            "bonus_breakdown":[{"type":"x","points":3}],"birth_date":"1984-02-29","locale":"de"}"#,
    )
    .unwrap();
    insta::assert_snapshot!(format!("{everything:?}"), @r#"Everything { user_id: UserId("u/1"), kind: ActivityType("code"), points: Points(-5), price: Some(Price(0)), quantity: Some(1000), title: "ééééé", subtitle: Some(""), popular: Some(false), at: Some(Timestamp(1772366400000000)), gallery: Some(["a", "b"]), bonuses: Some([("x", Points(3))]), birth_date: Set(Some(Day(5172))), locale: Set(Some(Locale("de"))) }"#);
}

#[test]
fn null_is_absent_unless_it_clears() {
    let everything = read(&with(r#""sale_price":null,"gallery":null,"birth_date":null"#)).unwrap();
    assert_eq!((everything.price, everything.gallery), (None, None));
    assert_eq!((everything.birth_date, everything.locale), (FieldChange::Set(None), FieldChange::Keep));
    assert_eq!(
        refusals(r#"{"user_id":"u","type":"code","points":null,"title":"t"}"#),
        "points: The points field is required.\n"
    );
}

#[test]
fn everything_that_is_missing_is_told_in_the_documented_order() {
    insta::assert_snapshot!(refusals("{}"), @r"
    user_id: The user id field is required.
    type: The type field is required.
    points: The points field is required.
    title: The title field is required.
    ");
}

#[test]
fn values_of_the_wrong_kind() {
    insta::assert_snapshot!(refusals(
        r#"{"title":7,"points":"7","user_id":7,"type":7,"sale_price":1.0,"quantity":true,"subtitle":[],"popular":1,
            "created_at":7,"gallery":"a","bonus_breakdown":{},"birth_date":7,"locale":7}"#
    ), @r"
    user_id: The user id must be a string.
    type: The type must be a string.
    points: The points must be an integer.
    sale_price: The sale price must be an integer.
    quantity: The quantity must be an integer.
    title: The title must be a string.
    subtitle: The subtitle must be a string.
    popular: The popular field must be true or false.
    created_at: The created at must be a date-time with seconds and with Z or an offset, such as 2026-05-05T07:30:00Z.
    gallery: The gallery must be an array.
    bonus_breakdown: The bonus breakdown must be an array.
    birth_date: The birth date must be a date such as 1984-02-29.
    locale: The locale must be a string.
    ");
}

#[test]
fn values_out_of_bounds() {
    insta::assert_snapshot!(refusals(
        r#"{"user_id":"","type":"Code","points":9007199254740992,"sale_price":-1,"quantity":0,"title":"éééééé",
            "subtitle":"a\u0000b","created_at":"2026-03-01T12:00:01Z","gallery":["","abcdef"],
            "bonus_breakdown":[{"points":18446744073709551616,"title":"x"},7],"birth_date":"2026-03-02","locale":"!"}"#
    ), @r"
    user_id: The user id field is required.
    type: The selected type is invalid.
    points: The points must be between -9007199254740991 and 9007199254740991.
    sale_price: The sale price must be between 0 and 9007199254740991.
    quantity: The quantity must be at least 1.
    title: The title must not be greater than 5 characters.
    subtitle: The subtitle must not contain U+0000.
    created_at: The created at must not be in the future.
    gallery.0: The gallery.0 field is required.
    gallery.1: The gallery.1 must not be greater than 5 characters.
    bonus_breakdown.0.type: The bonus breakdown.0.type field is required.
    bonus_breakdown.0.points: The bonus breakdown.0.points must be between -9007199254740991 and 9007199254740991.
    bonus_breakdown.0.title: The bonus_breakdown.0.title field is not known.
    bonus_breakdown.1: The bonus breakdown.1 must be an object.
    birth_date: The birth date must not be in the future.
    locale: The selected locale is invalid.
    ");
    insta::assert_snapshot!(refusals(&with(
        r#""quantity":1001,"gallery":["a","b","c"],"created_at":"2026-02-30T00:00:00Z","birth_date":"29.2.1984""#
    )), @r"
    quantity: The quantity must not be greater than 1000.
    created_at: The created at must be a date-time with seconds and with Z or an offset, such as 2026-05-05T07:30:00Z.
    gallery: The gallery must not have more than 2 items.
    birth_date: The birth date must be a date such as 1984-02-29.
    ");
}

#[test]
fn members_stand_once_and_are_known() {
    insta::assert_snapshot!(refusals(
        r#"{"colour":1,"user_id":"u","type":"code","points":1,"points":1,"title":null,"title":null,"user_Id":"u",
            "bonus_breakdown":[{"type":"x","points":1,"shade":1}],"locale":"de","locale":null}"#
    ), @r"
    points: The points field stands twice.
    title: The title field stands twice.
    bonus_breakdown.0.shade: The bonus_breakdown.0.shade field is not known.
    locale: The locale field stands twice.
    colour: The colour field is not known.
    user_Id: The user_Id field is not known.
    ");
}

#[test]
fn a_flood_of_unknown_members_has_a_short_answer() {
    let members: Vec<String> = (0..100_000).map(|place| format!("\"x{place}\":0")).collect();
    assert!(refusals(&with(&members.join(","))).len() < 100_000);
}

#[test]
fn a_body_is_described_by_what_reads_it() {
    fn read_some(mut fields: BodyFields<'_>) -> Result<(), FieldErrors> {
        fields.required("title", super::title(5).about("For people."));
        fields.optional("quantity", integer_in(1_u32..=1_000));
        fields.not_null("popular", boolean());
        fields.nullable("at", date_time());
        fields.optional("bonuses", list(2, object(read_bonus)));
        fields.finish(|| Some(()))
    }
    let schema = serde_json::to_string(&schema_of(read_some).into_json()).unwrap();
    insta::assert_snapshot!(schema.replace("},", "},\n"), @r#"
    {"type":"object","properties":{"title":{"type":"string","pattern":"^[^\\x00]*$","minLength":1,"maxLength":5,"description":"For people."},
    "quantity":{"type":["integer","null"],"format":"int32","minimum":1,"maximum":1000},
    "popular":{"type":"boolean"},
    "at":{"type":["string","null"],"format":"date-time"},
    "bonuses":{"type":["array","null"],"items":{"type":"object","properties":{"type":{"type":"string","pattern":"^[^\\x00]*$","minLength":1,"maxLength":5},
    "points":{"type":"integer","format":"int64","minimum":-9007199254740991,"maximum":9007199254740991}},
    "required":["type","points"],"additionalProperties":false},
    "maxItems":2}},
    "required":["title"],"additionalProperties":false}
    "#);
}

proptest! {
    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(Json::Object(members)) = Json::parse(&bytes) {
            drop(read_everything(BodyFields::new(&members, FieldErrors::default())));
        }
    }

    /// For every JSON value in a field, reading returns an item or an error.
    #[test]
    fn no_value_panics(name in field_name(), value in any_json()) {
        let body = with(&format!("\"{name}\":{value}"));
        if let Err(errors) = read(&body) {
            prop_assert!(!errors.is_empty());
        }
    }
}

fn field_name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "user_id",
        "type",
        "points",
        "sale_price",
        "quantity",
        "title",
        "subtitle",
        "popular",
        "created_at",
        "gallery",
        "bonus_breakdown",
        "birth_date",
        "locale",
        "unknown",
    ])
}

fn any_json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        any::<bool>().prop_map(|flag| flag.to_string()),
        any::<i128>().prop_map(|number| number.to_string()),
        "[0-9.eE+-]{1,8}".prop_filter("JSON", |text| Json::parse(text.as_bytes()).is_ok()),
        any::<String>().prop_map(|text| serde_json::to_string(&text).unwrap()),
        "[0-9TZ:.+-]{0,30}".prop_map(|text| format!("\"{text}\"")),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(","))),
            prop::collection::vec((field_name(), inner), 0..4).prop_map(|members| {
                let members: Vec<_> =
                    members.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}
