//! The overview of a tenant before its first transaction: five steps until a member spends points.

use maud::{Markup, html};
use pointbook_access::console_kit::icons::{Icon, icon};
use pointbook_access::console_kit::navigation::rows;
use pointbook_access::console_kit::sheet::Sheet;
use pointbook_access::console_kit::{Visit, assets};
use pointbook_access::sessions::{PagesOf, pages_path};
use pointbook_access::tokens::issue::list_tokens;
use pointbook_domain::{Environment, Role, TokenKind};
use pointbook_http::kernel::Response;
use pointbook_http::pages::PageError;
use pointbook_points::campaigns::manage::campaigns;
use pointbook_reports::reports::{DayRange, ReportTable, counted_days};
use pointbook_store::ports::TokenFilter;
use pointbook_store::schema::PRODUCTS;

use super::cards::meter;
use crate::sections::health;

/// A step: the id of its texts, whether it is done, and where to do it: addresses below the console with the ids of their names. The
/// first one is the usual way.
struct Step {
    name: &'static str,
    is_done: bool,
    ways: Vec<(&'static str, &'static str)>,
}

/// The page, for roles that take these steps. `None` for a tenant with transactions, and for other roles. `points` is a report of points,
/// for which the ledger was counted.
pub(super) async fn first_steps(
    visit: &Visit<'_>,
    points: &ReportTable,
) -> Result<Option<Response>, PageError> {
    let role = visit.signed_in()?.operator.role;
    let takes_steps = matches!(role, Role::Owner | Role::Manager);
    if !takes_steps
        || !points.is_complete
        || counted_days(&visit.context::<()>()?, DayRange::ever()).await?.is_some()
    {
        return Ok(None);
    }
    let (words, name) = (visit.words, visit.served.tenant.name.as_str());
    let steps = steps(visit, role == Role::Owner).await?;
    let done = steps.iter().filter(|step| step.is_done).count();
    let next = steps.iter().position(|step| !step.is_done);
    let counts = [("count", done.to_string()), ("of", steps.len().to_string())];
    let content = html! {
        (health::warnings(visit).await?)
        div .cards {
            section .card .eight {
                header .card-head { h2 { (words.with_all("steps-done", counts)) } span .quiet { (words.say("steps-order")) } }
                (meter(done * 100 / steps.len(), None, false))
                ol .steps {
                    @for (at, step) in steps.iter().enumerate() { (shown(visit, at, step, next == Some(at))) }
                }
            }
            div .four { (aside(visit)) }
        }
    };
    let sheet = Sheet::new(visit, "", words.with("steps-title", "name", name))
        .line(html! { (words.say("steps-line")) })
        .styled(&[assets::SETTINGS]);
    Ok(Some(sheet.respond(&content)))
}

/// Only an owner may change settings and add keys.
async fn steps(visit: &Visit<'_>, is_owner: bool) -> Result<[Step; 5], PageError> {
    let served = &visit.served;
    let has_products = rows(served, &PRODUCTS).await?.is_some_and(|count| count.number > 0);
    let has_campaigns = !campaigns(served, visit.now, true).await?.is_empty();
    let keys = list_tokens(&*served.data, &TokenFilter::Of(TokenKind::SuperUser)).await?;
    let has_key = keys.iter().any(|key| key.is_good_at(visit.now));
    let of_owner = |way| if is_owner { vec![way] } else { Vec::new() };
    Ok([
        Step { name: "step-name", is_done: true, ways: of_owner(("/settings", "step-name-do")) },
        Step {
            name: "step-gifts",
            is_done: has_products,
            ways: vec![("/new-product", "product-add"), ("/imports", "step-gifts-import")],
        },
        Step { name: "step-rule", is_done: has_campaigns, ways: vec![("/new-campaign", "campaign-new")] },
        Step { name: "step-app", is_done: has_key, ways: of_owner(("/keys/new", "key-new")) },
        Step {
            name: "step-shop",
            is_done: served.tenant.settings.shop,
            ways: of_owner(("/settings#settings-shop", "step-shop-do")),
        },
    ])
}

fn shown(visit: &Visit<'_>, at: usize, step: &Step, is_next: bool) -> Markup {
    let words = visit.words;
    let class = if step.is_done {
        "done"
    } else if is_next {
        "now"
    } else {
        "later"
    };
    html! {
        li class=(class) {
            span .step {
                @if step.is_done { (icon(Icon::Check)) span .unseen { (words.say("step-is-done")) } } @else { (at + 1) }
            }
            div {
                h3 { (words.say(step.name)) }
                p .quiet { (words.say(&format!("{}-about", step.name))) }
            }
            span .acts {
                @for (place, (path, text)) in step.ways.iter().enumerate() {
                    a .button .primary[is_next && place == 0] href=(visit.path(path)) { (words.say(text)) }
                }
            }
        }
    }
}

/// Where to look around, and what this page becomes.
fn aside(visit: &Visit<'_>) -> Markup {
    let words = visit.words;
    let staging = visit.others.iter().find(|other| {
        let (name, own) = (other.name(), visit.served.name());
        name.slug == own.slug && name.environment == Environment::Staging
    });
    html! {
        @if let Some(staging) = staging {
            section .card {
                h2 { (words.say("steps-staging")) }
                p .quiet { (words.say("steps-staging-about")) }
                a .button href=(pages_path(PagesOf::Console, &staging.name())) { (words.say("steps-staging-open")) }
            }
        }
        section .card {
            h2 { (words.say("steps-figures")) }
            p .quiet { (words.say("steps-figures-about")) }
        }
    }
}
