//! The canonical form of definitions. Another test reads many of them again.

use serde_json::json;

use crate::hostile::full_definition;
use crate::scene::campaign;

#[test]
fn all_members_are_written_out_in_the_documented_order() {
    let expected = "{\"id\":\"spring\",\"kind\":\"campaign\",\"title\":{\"en\":\"Spring\"},\"starts_at\":null,\
         \"ends_at\":null,\"conditions\":{\"types\":null,\"windows\":null,\"source_prefixes\":null,\
         \"attributes\":null,\"weekdays\":null,\"hours\":null,\"min_points\":null,\"ordinal\":null,\
         \"member_since\":null,\"member_before\":null,\"members\":null,\"birthday\":null},\
         \"reward\":{\"percent\":100,\"at_most\":null},\"limits\":{\"per_user\":[],\"budget\":null,\
         \"on_points_limit\":\"clip\"},\"group\":null,\"priority\":0,\"control_percent\":0}";
    assert_eq!(campaign(json!({})).to_json(), expected);
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
    assert_eq!(campaign(full_definition()).to_json(), expected);
}

#[test]
fn other_spellings_are_the_same_campaign() {
    let ordinal = |ordinal: serde_json::Value, birthday: serde_json::Value| json!({"conditions": {"ordinal": ordinal, "birthday": birthday}, "group": {"name": "g", "wins": "first"}});
    for (one, other) in [
        // Defaults that are written out, and items that are there twice in another order.
        (
            ordinal(json!({"every": 2, "of": "type"}), json!({"window": "day", "pays": "first"})),
            json!({"conditions": {"ordinal": {"every": 2}, "birthday": {}}, "group": {"name": "g"}, "limits": {}}),
        ),
        (
            json!({"conditions": {"members": ["ben", "aiko", "ben"], "weekdays": ["sun", "mon", "sun"]}}),
            json!({"conditions": {"members": ["aiko", "ben"], "weekdays": ["mon", "sun"]}}),
        ),
        (
            json!({"limits": {"per_user": [{"period": "ever", "awards": 9}, {"period": "day", "awards": 1}]}}),
            json!({"limits": {"per_user": [{"period": "day", "awards": 1}, {"period": "ever", "awards": 9}]}}),
        ),
        // Null is as good as absent.
        (
            json!({
                "kind": null, "starts_at": null, "ends_at": null, "conditions": null, "limits": null, "group": null,
                "priority": null, "control_percent": null,
                "reward": {"percent": null, "points": 5, "at_most": null},
            }),
            json!({"reward": {"points": 5}}),
        ),
        (
            json!({"conditions": {
                "types": null, "windows": null, "source_prefixes": null, "attributes": null, "weekdays": null,
                "hours": null, "min_points": null, "ordinal": null, "member_since": null, "member_before": null,
                "members": null, "birthday": null,
            }}),
            json!({"limits": {"on_points_limit": "clip"}, "priority": 0, "control_percent": 0}),
        ),
    ] {
        assert_eq!(campaign(one), campaign(other));
    }
    let texts = json!({"title": {"en": "a\"b\\c\n\u{1}あ"}, "conditions": {"source_prefixes": ["\"x\\"]}});
    let read = campaign(texts);
    assert_eq!(campaign(serde_json::from_str(&read.to_json()).unwrap()), read, "texts are escaped");
}
