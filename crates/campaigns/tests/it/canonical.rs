//! The canonical form of definitions.

use pointbook_campaigns::parse;
use proptest::prelude::*;
use serde_json::json;

use crate::generate::definitions;
use crate::hostile::full_definition;
use crate::scene::{campaign, english};

#[test]
fn all_defaults_are_written_out_in_the_documented_order() {
    let expected = "{\"id\":\"spring\",\"kind\":\"campaign\",\"title\":{\"en\":\"Spring\"},\"starts_at\":null,\
         \"ends_at\":null,\"conditions\":{\"types\":null,\"windows\":null,\"source_prefixes\":null,\
         \"attributes\":null,\"weekdays\":null,\"hours\":null,\"min_points\":null,\"ordinal\":null,\
         \"member_since\":null,\"member_before\":null,\"members\":null,\"birthday\":null},\
         \"reward\":{\"percent\":100,\"at_most\":null},\"limits\":{\"per_user\":[],\"budget\":null,\
         \"on_points_limit\":\"clip\"},\"group\":null,\"priority\":0,\"control_percent\":0}";
    assert_eq!(campaign(json!({})).to_json(), expected);
}

#[test]
fn all_members_are_written_sorted_where_order_has_no_meaning() {
    let read = parse(&full_definition(), &english()).unwrap();
    let expected = "{\"id\":\"spring\",\"kind\":\"campaign\",\"title\":{\"de\":\"Frühling\",\"en\":\"Spring\"},\
         \"starts_at\":\"2026-11-14T00:00:00.000000Z\",\"ends_at\":\"2026-11-21T00:00:00.000000Z\",\
         \"conditions\":{\"types\":[\"code\",\"video\"],\
         \"windows\":[{\"from\":\"2026-11-14\",\"until\":\"2026-11-21\"}],\"source_prefixes\":[\"SPRING-\"],\
         \"attributes\":{\"store\":[\"osaka\",\"tokyo\"]},\"weekdays\":[\"mon\",\"tue\"],\
         \"hours\":[{\"from\":\"16:00\",\"until\":\"18:00\"}],\"min_points\":10,\
         \"ordinal\":{\"first\":true,\"of\":\"all\"},\"member_since\":\"2026-01-01T00:00:00.000000Z\",\
         \"member_before\":\"2027-01-01T00:00:00.000000Z\",\"members\":[\"aiko\",\"ben\"],\
         \"birthday\":{\"window\":\"week\",\"pays\":\"each\"}},\"reward\":{\"percent\":100,\"at_most\":500},\
         \"limits\":{\"per_user\":[{\"period\":\"day\",\"awards\":1,\"points\":500}],\
         \"budget\":{\"awards\":1000,\"points\":50000},\"on_points_limit\":\"skip\"},\
         \"group\":{\"name\":\"weekend\",\"wins\":\"highest\"},\"priority\":10,\"control_percent\":5}";
    assert_eq!(read.to_json(), expected);
}

#[test]
fn defaults_that_are_written_out_change_nothing() {
    let defaults = json!({
        "kind": "campaign",
        "conditions": {"ordinal": {"every": 2, "of": "type"}, "birthday": {"window": "day", "pays": "first"}},
        "limits": {"on_points_limit": "clip"},
        "group": {"name": "g", "wins": "first"},
        "priority": 0,
        "control_percent": 0,
    });
    let short = json!({"conditions": {"ordinal": {"every": 2}, "birthday": {}}, "limits": {}, "group": {"name": "g"}});
    assert_eq!(campaign(defaults), campaign(short));
}

#[test]
fn a_list_is_written_with_each_item_once() {
    let twice = json!({"members": ["ben", "aiko", "ben"], "weekdays": ["sun", "mon", "sun"]});
    let once = json!({"members": ["aiko", "ben"], "weekdays": ["mon", "sun"]});
    assert_eq!(campaign(json!({ "conditions": twice })), campaign(json!({ "conditions": once })));
}

#[test]
fn texts_with_quotes_and_control_characters_are_escaped() {
    let fields = json!({"title": {"en": "a\"b\\c\n\u{1}あ"}, "conditions": {"source_prefixes": ["\"x\\"]}});
    let read = campaign(fields);
    let json = serde_json::from_str(&read.to_json()).unwrap();
    assert_eq!(parse(&json, &english()), Ok(read));
}

proptest! {
    #[test]
    fn the_canonical_form_is_read_as_the_same_campaign(definition in definitions()) {
        let read = parse(&definition, &english()).unwrap();
        let json = read.to_json();
        let again = parse(&serde_json::from_str(&json).unwrap(), &english());
        prop_assert_eq!(again.as_ref(), Ok(&read));
        prop_assert_eq!(again.unwrap().to_json(), json);
    }
}
