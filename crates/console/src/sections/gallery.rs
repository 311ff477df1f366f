//! Each part of the kit in each of its states, for people who build pages. No link leads here. As it is a page, all that looks at pages looks
//! at the kit: the snapshots, axe-core, the search for what is wider than the window.

use maud::{Markup, html};
use pointbook_access::console_kit::components::{
    checked_field, danger, empty_with, facts, field, form, nothing_saved, quiet_number, shown_once,
};
use pointbook_access::console_kit::icons::Icon;
use pointbook_access::console_kit::lists::{
    Bar, Chip, Column, Sort, bulk, found, grouped_table, named, no_rows, sorted_table, summed_table, thing,
};
use pointbook_access::console_kit::sheet::{Sheet, link, more, primary, save_bar, tabs};
use pointbook_access::console_kit::{Access, PageSpec, Visit, assets, page};
use pointbook_domain::PageWindow;
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, pager};

pub(super) static PAGES: [PageSpec; 1] =
    [page!("console.gallery", GET "/gallery", Access::Operator, [], show)];

const PATH: &str = "/gallery";

/// The second of four pages of a list.
const WINDOW: PageWindow =
    PageWindow { current_page: 2, per_page: 2, total: 8, last_page: 4, from: 3, to: 4 };
const NO_ROWS: PageWindow = PageWindow { total: 0, current_page: 1, last_page: 1, from: 0, to: 0, ..WINDOW };

async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    let words = visit.words;
    let own = visit.path(PATH);
    let content = html! {
        (tabs(visit, [
            ("products", own.clone(), true, html! { span .due { "3" } }),
            ("orders", format!("{own}?tab=orders"), false, html! { span .count { "12" } }),
            ("members", format!("{own}?tab=members"), false, html! {}),
        ]))
        (lists(visit, &own))
        (forms(visit)?)
        (states(visit))
    };
    let actions = html! {
        a .button href=(own) { (words.say("orders")) }
        (more(visit, &[link(visit, Icon::Download, &own, "audit-log"), html! { button .danger { (words.say("discard")) } }]))
        (primary(visit, &own, "product-add"))
    };
    let sheet = Sheet::new(visit, PATH, "Gallery")
        .below(own.clone(), "Page above")
        .count(8)
        .line(html! { "Each part of the kit in each of its states." })
        .actions(actions)
        .styled(&[assets::SETTINGS]);
    Ok(sheet.respond(&content))
}

fn lists(visit: &Visit<'_>, own: &str) -> Markup {
    let words = visit.words;
    let bar = Bar {
        action: own.to_owned(),
        search: Some(("products", "q", "mug")),
        chips: vec![Chip { text: "Popular".to_owned(), without: own.to_owned() }],
        filters: field(visit, "products", html! { input name="id"; }),
        hidden: html! {},
        found: found(visit, &WINDOW),
    };
    let columns = [
        Column::BOXES,
        Column::text("products"),
        Column::number("orders").sorted("-orders"),
        Column::number("members").sorted("members").rank(2),
        Column::text("campaigns").rank(3).cut(),
    ];
    let tick = |name: &str| html! { input type="checkbox" name="row" value=(name) aria-label=(name); };
    let badges = html! { " " span .badge .accent { "New" } " " span .badge .warn { "Few left" } };
    let row = |name: Markup, number: i64, text: &str| {
        vec![tick(text), name, quiet_number(number, words), html! { "∞" }, html! { (text) }]
    };
    let long = "A name that is longer than the column, which is what names of products in German look like";
    let rows = [
        row(thing(None, own, "Café mug", &badges, "cafe-mug"), 0, "without a picture"),
        row(thing(Some("/favicon.ico"), own, long, &html! {}, "long"), -1_234_567, "with a picture"),
        row(named(own, "member-1", "12 points"), 12, "named"),
    ];
    let address = |by: &str| format!("{own}?sort={by}");
    let groups = [("Today".to_owned(), rows[..1].to_vec()), ("Yesterday".to_owned(), rows[1..].to_vec())];
    let heading = ["Today", "", "+12"].map(|cell| html! { (cell) }).to_vec();
    let detail = vec![html! { "What a row opens below it." }];
    let summed = [(heading, vec![rows[2].clone(), detail])];
    html! {
        h2 { "Lists" }
        (bar.markup(visit))
        form {
            (bulk(visit, "row", &html! { button { "The usual action" } button { "Another one" } }))
            (sorted_table(visit, "Rows", &columns, &rows, Sort { by: "-orders", address: &address }))
        }
        (pager(words, &WINDOW, &format!("{own}?page=")))
        (grouped_table(visit, "Groups", &columns, &groups))
        (summed_table(visit, "Sums", &columns, &summed))
        button .button popovertarget="dialog" { "Open a dialog" }
        section #dialog .card .dialog popover { h2 { "Do this to that" } form .stack { input name="points"; button { "Do it" } } }
        (no_rows(visit, &NO_ROWS, true, ("products", None), own))
        (empty_with(visit, "keys-none", Some(("/keys/new", "key-new"))))
    }
}

/// Its forms sign out: no page takes what they hold.
fn forms(visit: &Visit<'_>) -> Result<Markup, PageError> {
    let (words, action) = (visit.words, &visit.path("/sign-out"));
    let fields = html! {
        (field(visit, "products", html! { input name="a" placeholder="As it is when it is empty"; }))
        (checked_field(visit, "orders", Some("What is wrong with it."), html! { input name="b" value="wrong"; }))
        (field(visit, "members", html! { select name="c" { option { "One of a few" } } }))
        (field(visit, "campaigns", html! { textarea .short name="d" { "More than a line" } }))
        label .check { input type="checkbox" name="e" checked; span { "Ticked" } }
        label .check { input .switch type="checkbox" role="switch" name="f" checked; span { "Switched on" } }
        span .with-unit { input name="g" value="12" aria-label="Number"; span aria-hidden="true" { "days" } }
    };
    let buttons =
        html! { button { (words.say("discard")) } button .primary { (words.say("settings-save")) } };
    Ok(html! {
        h2 { "Forms" }
        (nothing_saved(visit))
        (form(visit, action, "settings-save", fields)?)
        p { button { "Secondary" } " " button .primary { "Primary" } " " button .bare { "Bare" } " " button disabled { "Disabled" } }
        (danger(visit, action, "discard", html! { p { "What it takes away." } })?)
        form { (save_bar(visit, &html! { "What saving means." }, &buttons)) }
        (shown_once(visit, ["operator-link-once", "operator-link-hint"], "a-secret-that-is-shown-once"))
    })
}

fn states(visit: &Visit<'_>) -> Markup {
    html! {
        h2 { "States" }
        p {
            span .badge { "Neutral" } " " span .badge .accent { "New" } " " span .badge .good { "Good" } " "
            span .badge .warn { "Waits" } " " span .badge .bad { "Wrong" }
        }
        p .toast role="status" { "What was done." }
        p .notice { "What is good to know." }
        p .waiting { "What waits for someone." }
        (facts(visit, [("products", html! { "8" }), ("orders", html! { "12" })]))
        section .card { h2 { "Card" } p .quiet { "What belongs together." } details { summary { "More of it" } p { "What is seldom needed." } } }
    }
}
