//! The list of gifts, with the filters of the interface.

use std::iter;

use http::StatusCode;
use maud::{Markup, Render, html};
use pointbook_catalogue::cache::{CatalogueCache, snapshot};
use pointbook_catalogue::index::Snapshot;
use pointbook_catalogue::products::list_store::{ProductListQuery, list_products, search_titles};
use pointbook_domain::{Category, PageWindow};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, Words, html_in, number, pager};
use pointbook_http::query_string::{PageLinks, QueryString};

use super::filter_fields::{CATEGORY, FLAGS, Fields, MAX_PRICE, TITLE};
use super::list_query::carried;
use super::product::{ShownProduct, path_of};
use crate::layout::{Tab, shop_page};
use crate::visit::Visit;

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
        h1 { (words.say("gifts")) }
        (filters(visit, &snapshot, &fields))
        div #results {
            p .count role="status" { (found(window.total, words)) }
            @if window.total == 0 { p .empty { (words.say("nothing-found")) " " a href=(visit.root) { (words.say("show-all")) } } }
            ul .cards { @for product in &products { li { (card(visit, product, &list)) } } }
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
        .map(|item| ShownProduct::read(snapshot, item.json))
        .collect::<Result<_, _>>()?;
    Ok((products, list.window))
}

/// How many gifts, with thousands apart.
fn found(total: u64, words: &Words) -> String {
    let total = i64::try_from(total).unwrap_or(i64::MAX);
    let form = if total == 1 { "found-one" } else { "found-many" };
    words.with_all(form, [("count", number(total, words))])
}

fn card(visit: &Visit<'_>, product: &ShownProduct, list: &str) -> Markup {
    html! {
        a .card .gone[product.is_sold_out] href=(path_of(visit, &product.id, list)) {
            (product.picture(visit))
            span .title { (product.title.trim()) }
            (product.priced(visit.words))
            (product.mark(visit.words))
        }
    }
}

fn filters(visit: &Visit<'_>, snapshot: &Snapshot, fields: &Fields) -> Markup {
    let words = visit.words;
    let roots = snapshot.category_tree().roots();
    let categories = Options { categories: roots, depth: 0, chosen: fields.get(CATEGORY) };
    let sorts = [("", "newest"), ("price", "cheapest"), ("-price", "dearest")];
    html! {
        form .filters method="get" action=(visit.root) role="search" data-live="#results, #price-error" {
            label { (words.say("search")) input type="search" name=(TITLE) value=(fields.get(TITLE)) maxlength="255"; }
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
                button { (words.say("apply")) }
            }
        }
    }
}

/// The highest price as it was typed, and below it what is wrong with it. The script fills the message while the member types.
fn price_field(words: &Words, fields: &Fields) -> Markup {
    let is_bad = fields.has_bad_price();
    html! {
        div .field {
            label { (words.say("max-price"))
                input type="text" name=(MAX_PRICE) value=(fields.get(MAX_PRICE)) inputmode="numeric" maxlength="255"
                    aria-invalid=[is_bad.then_some("true")] aria-describedby="price-error";
            }
            p .error #price-error role="status" {
                @if is_bad { (words.with("bad-price", "example", number(1_000, words))) }
            }
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
