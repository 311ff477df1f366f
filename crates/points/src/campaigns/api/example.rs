//! Examples of the document.

macro_rules! campaign {
    ($state:literal) => {
        concat!(
            r#"{
        "id": "double-points-week",
        "state": ""#,
            $state,
            r#"",
        "version": 2,
        "valid_from": "2026-05-04T08:00:01.000000Z",
        "definition": {
            "id": "double-points-week",
            "kind": "campaign",
            "title": {"en": "Double points week"},
            "starts_at": null,
            "ends_at": null,
            "conditions": {"types": ["code"], "windows": [{"from": "2026-05-04", "until": "2026-05-11"}]},
            "reward": {"percent": 100},
            "limits": {"per_user": [{"period": "day", "awards": 5}]},
            "group": null,
            "priority": 0,
            "control_percent": 0
        }"#
        )
    };
}
pub(super) use campaign;
