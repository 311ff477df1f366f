//! The list of gifts, with the filters of the interface.

use std::borrow::Cow;
use std::iter;

use http::StatusCode;
use maud::{Markup, Render, html};
use pointbook_catalogue::cache::{CatalogueCache, snapshot};
use pointbook_catalogue::index::{ProductFilter, ProductQuery, Snapshot};
use pointbook_catalogue::products::list_store::{ProductListQuery, list_products, search_titles};
use pointbook_domain::{Category, PageNumber, PageRequest, PageSize, PageWindow};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, Words, html_in, number, pager, points};
use pointbook_http::query_string::{PageLinks, QueryString};

use super::filter_fields::{CATEGORY, FLAGS, Fields, MAX_PRICE, TITLE};
use super::list_query::{carried, with_list};
use super::product::{ShownProduct, path_of};
use crate::brand;
use crate::icons::{COIN, CROSS, LENS, SLIDERS, icon};
use crate::layout::{Tab, shop_page};
use crate::visit::Visit;

/// How many badges have room on the picture of a card.
const BADGES_OF_CARD: usize = 2;

/// How many categories are links above the list. The filters have all of them.
const CATEGORIES_TO_CHOOSE: usize = 8;

pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    let fields = Fields::of(visit.request.uri.query());
    let snapshot = snapshot(&visit.served, visit.now).await?;
    let query = fields.read(&snapshot)?;
    search_titles(visit.served.state::<CatalogueCache>().processor(), &snapshot, &query).await;
    let (products, window) = find(visit, &snapshot, query)?;
    let shared = shared_link(visit, &fields)?;
    let words = visit.words;
    let list = carried(Some(&fields.to_query()));
    let content = html! {
        h1 { (brand::welcome(&visit.served, words).map_or_else(|| words.say("gifts"), Cow::Borrowed)) }
        p .lead { (balance(visit, &snapshot)?) }
        (filters(visit, &snapshot, &fields))
        (chips(visit, &snapshot, &fields)?)
        div #results {
            p .count role="status" { (found(window.total, words)) }
            @if window.total == 0 { p .empty { (words.say("nothing-found")) " " a href=(visit.root) { (words.say("show-all")) } } }
            ul .cards { @for product in &products { li { (card(visit, product, &list)?) } } }
            (pager(visit.words, &window, &shared))
        }
    };
    let page = shop_page(visit, Tab::Products, &words.say("gifts"), &content);
    Ok(html_in(&words.content_language, StatusCode::OK, page))
}

/// The address of each page of the list, without its number.
fn shared_link(visit: &Visit<'_>, fields: &Fields) -> Result<String, PageError> {
    let raw = fields.to_query();
    let query_string = QueryString::parse(Some(&raw)).map_err(|_| PageError::BadRequest)?;
    let links = PageLinks::new(&visit.root, "", &query_string);
    Ok(String::from_utf8_lossy(links.shared()).into_owned())
}

fn find(
    visit: &Visit<'_>,
    snapshot: &Snapshot,
    query: ProductListQuery,
) -> Result<(Vec<ShownProduct>, PageWindow), PageError> {
    let list = list_products(snapshot, &visit.served.tenant.settings, query, visit.now);
    let products = list
        .page
        .items
        .iter()
        .map(|item| ShownProduct::read(visit, snapshot, item.json))
        .collect::<Result<_, _>>()?;
    Ok((products, list.window))
}

/// How many gifts, with thousands apart.
fn found(total: u64, words: &Words) -> String {
    let total = i64::try_from(total).unwrap_or(i64::MAX);
    let form = if total == 1 { "found-one" } else { "found-many" };
    words.with_all(form, [("count", number(total, words))])
}

pub(super) fn card(visit: &Visit<'_>, product: &ShownProduct, list: &str) -> Result<Markup, PageError> {
    Ok(html! {
        a .card .gone[product.marks.is_sold_out] href=(path_of(visit, &product.id, list)) {
            (product.picture(visit))
            (product.badges(visit.words, BADGES_OF_CARD))
            span .title { (product.title.trim()) }
            (product.priced(visit.words))
            @if let Some(missing) = product.missing(visit, "to-go")? { (missing) }
        }
    })
}

/// The balance, and how many of the gifts cost no more.
fn balance(visit: &Visit<'_>, snapshot: &Snapshot) -> Result<String, PageError> {
    let words = visit.words;
    let balance = visit.session()?.points.get();
    let count = |max_price: Option<i64>| {
        let filter = ProductFilter { max_price, ..ProductFilter::default() };
        let first = PageRequest { number: PageNumber::FIRST, size: PageSize::DEFAULT };
        let list = snapshot.list(&ProductQuery { filter, ..ProductQuery::default() }, first);
        number(i64::try_from(list.total).unwrap_or(i64::MAX), words)
    };
    let values =
        [("points", points(balance, words)), ("count", count(Some(balance))), ("total", count(None))];
    Ok(words.with_all("you-can-choose", values))
}

/// A link for each filter that holds, which takes it away, and links that add one.
fn chips(visit: &Visit<'_>, snapshot: &Snapshot, fields: &Fields) -> Result<Markup, PageError> {
    let words = visit.words;
    let balance = visit.session()?.points.get().max(0);
    let path = |name: &str, value: Option<&str>| with_list(&visit.root, &fields.changed(name, value));
    let add = |name: &str, value: &str, drawing: Option<&str>, label: &str| {
        html! { a .chip href=(path(name, Some(value))) { @if let Some(lines) = drawing { (icon(lines)) } (label) } }
    };
    let is_affordable = fields.max_price() == Some(balance);
    let held: Vec<(&str, Cow<'_, str>)> = held(words, snapshot, fields, is_affordable);
    Ok(html! {
        nav #chips .chips aria-label=(words.say("filter")) {
            @for (name, label) in &held {
                a .chip .held href=(path(name, None)) { span .unseen { (words.say("remove-filter")) " " } (label) (icon(CROSS)) }
            }
            @if held.len() > 1 { a .chip href=(visit.root) { (words.say("show-all")) } }
            @if !is_affordable { (add(MAX_PRICE, &balance.to_string(), Some(COIN), &words.say("affordable"))) }
            @if fields.get(CATEGORY).is_empty() {
                @for category in snapshot.category_tree().roots().iter().take(CATEGORIES_TO_CHOOSE) {
                    (add(CATEGORY, category.id.as_str(), None, &category.label))
                }
            }
        }
    })
}

/// The filters that hold, each with what it says.
fn held<'f>(
    words: &'f Words,
    snapshot: &'f Snapshot,
    fields: &'f Fields,
    is_affordable: bool,
) -> Vec<(&'static str, Cow<'f, str>)> {
    let price = fields.max_price().map(|price| points(price, words));
    let price = price.map(|price| words.with("up-to", "points", price));
    let price = if is_affordable { Some(words.say("affordable")) } else { price };
    let chosen = fields.get(CATEGORY);
    let mut category = (!chosen.is_empty()).then_some(Cow::Borrowed(chosen));
    snapshot.category_tree().visit(&mut |known, _, _| {
        if known.id.as_str() == chosen {
            category = Some(known.label.as_str().into());
        }
    });
    let title = Some(fields.get(TITLE)).filter(|title| !title.is_empty()).map(Cow::Borrowed);
    let flags = FLAGS.into_iter().filter(|(name, _)| !fields.get(name).is_empty());
    let flags = flags.map(|(name, text)| (name, words.say(text)));
    let typed = [(TITLE, title), (CATEGORY, category), (MAX_PRICE, price)];
    typed.into_iter().filter_map(|(name, label)| Some((name, label?))).chain(flags).collect()
}

/// The search, and the filters behind a button. A wide window has room for them beside it.
fn filters(visit: &Visit<'_>, snapshot: &Snapshot, fields: &Fields) -> Markup {
    let words = visit.words;
    let roots = snapshot.category_tree().roots();
    let categories = Options { categories: roots, depth: 0, chosen: fields.get(CATEGORY) };
    let sorts = [("", "newest"), ("price", "cheapest"), ("-price", "dearest")];
    html! {
        form .finder method="get" action=(visit.root) role="search" data-live="#chips, #results, #price-error" {
            label .find { span .unseen { (words.say("search")) } (icon(LENS))
                input type="search" name=(TITLE) value=(fields.get(TITLE)) placeholder=(words.say("search")) maxlength="255";
            }
            details .filters open[fields.has_bad_price()] {
                summary .button { (icon(SLIDERS)) (words.say("filter")) }
                div {
                    label { (words.say("category"))
                        select name=(CATEGORY) {
                            option value="" { (words.say("all-categories")) }
                            (categories)
                        }
                    }
                    label { (words.say("sort"))
                        select name="sort" {
                            @for (value, label) in sorts {
                                option value=(value) selected[fields.get("sort") == value] { (words.say(label)) }
                            }
                        }
                    }
                    (price_field(words, fields))
                    fieldset { legend .unseen { (words.say("only")) }
                        @for (name, label) in FLAGS {
                            label .check { input type="checkbox" name=(name) value="1" checked[!fields.get(name).is_empty()]; (words.say(label)) }
                        }
                    }
                    button { (words.say("apply")) }
                }
            }
        }
    }
}

/// The highest price as it was typed, and below it what is wrong with it. The script fills the message while the member types.
fn price_field(words: &Words, fields: &Fields) -> Markup {
    let is_bad = fields.has_bad_price();
    html! {
        label { (words.say("max-price"))
            input type="text" name=(MAX_PRICE) value=(fields.get(MAX_PRICE)) inputmode="numeric" maxlength="255"
                aria-invalid=[is_bad.then_some("true")] aria-describedby="price-error";
        }
        p .error #price-error role="status" {
            @if is_bad { (words.with("bad-price", "example", number(1_000, words))) }
        }
    }
}

/// The categories as options, those below another one further to the right. A catalogue may have hundreds, so they are written straight
/// into the page.
struct Options<'c> {
    categories: &'c [Category],
    depth: usize,
    chosen: &'c str,
}

impl Render for Options<'_> {
    fn render_to(&self, page: &mut String) {
        for Category { id, label, children } in self.categories {
            page.push_str("<option value=\"");
            id.as_str().render_to(page);
            page.push_str(if id.as_str() == self.chosen { "\" selected>" } else { "\">" });
            page.extend(iter::repeat_n('\u{2003}', self.depth));
            label.render_to(page);
            page.push_str("</option>");
            Self { categories: children, depth: self.depth + 1, ..*self }.render_to(page);
        }
    }
}
