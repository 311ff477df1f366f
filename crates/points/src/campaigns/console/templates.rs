//! What a new campaign may begin with.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::icons::{Icon, icon};
use serde_json::{Value, json};

/// The parameter with the name of the template.
pub(super) const TEMPLATE: &str = "template";

const TEMPLATES: [(&str, Icon); 6] = [
    ("weekday", Icon::Repeat),
    ("happy-hour", Icon::Sessions),
    ("birthday", Icon::Cake),
    ("welcome", Icon::Account),
    ("kind", Icon::Check),
    ("fifth", Icon::Star),
];

/// The definition of a template without its title. `None` for an unknown name.
fn rule(name: &str) -> Option<Value> {
    Some(match name {
        "weekday" => json!({ "conditions": { "weekdays": ["mon"] }, "reward": { "percent": 100 } }),
        "happy-hour" => json!({
            "conditions": { "hours": [{ "from": "16:00", "until": "18:00" }] }, "reward": { "percent": 50 },
        }),
        "birthday" => json!({
            "kind": "birthday", "conditions": { "birthday": { "window": "day", "pays": "first" } }, "reward": { "points": 100 },
        }),
        "welcome" => json!({
            "kind": "welcome", "conditions": { "ordinal": { "first": true, "of": "all" } }, "reward": { "points": 100 },
        }),
        "kind" => json!({ "conditions": { "types": ["quiz"] }, "reward": { "percent": 100 } }),
        "fifth" => {
            json!({ "conditions": { "ordinal": { "every": 5, "of": "all" } }, "reward": { "points": 50 } })
        }
        _ => return None,
    })
}

/// The definition that the address asks for.
pub(super) fn chosen(visit: &Visit<'_>) -> Option<Value> {
    let name = visit.query(TEMPLATE);
    let mut definition = rule(&name)?;
    definition["title"] =
        json!({ visit.served.tenant.locale.as_str(): visit.words.say(&format!("template-{name}")) });
    Some(definition)
}

/// The templates as choices.
pub(super) fn choices(visit: &Visit<'_>) -> Markup {
    let (words, chosen) = (visit.words, visit.query(TEMPLATE));
    let path = visit.path("/new-campaign");
    html! {
        nav .kinds aria-label=(words.say("templates")) {
            @for (name, drawing) in TEMPLATES {
                a href={ (path) "?" (TEMPLATE) "=" (name) } aria-current=[(chosen == name).then_some("true")] {
                    (icon(drawing)) span .strong { (words.say(&format!("template-{name}"))) }
                    span .quiet .small { (words.say(&format!("template-{name}-about"))) }
                }
            }
        }
    }
}
