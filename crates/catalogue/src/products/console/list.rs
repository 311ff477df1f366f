//! The list of products, with the filters of the management operation.

use maud::{Markup, html};
use pointbook_access::console_kit::components::{empty_list, respond, table};
use pointbook_access::console_kit::path_part::segment;
use pointbook_access::console_kit::visit::Visit;
use pointbook_domain::{Picture, Scope};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, number, pager};
use pointbook_store::ports::StoredProduct;

use super::filter::Filter;
use super::marks::{NEW, SECTION, marks, price, stock};
use crate::pictures::console::PICTURES;
use crate::pictures::console::choice::{address_with, asked, parameter, sought_for};
use crate::products::list_managed::list_products;

const PRODUCTS_PER_PAGE: u32 = 50;

pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    let words = visit.words;
    let (filter, page) = (Filter::of(visit), visit.page(PRODUCTS_PER_PAGE));
    let tree = visit.served.data.categories().await?;
    let categories = filter.categories(&tree);
    let products = list_products(&visit.served, filter.read(categories.as_ref()), page, visit.now).await?;
    let picture = asked(visit).await?.filter(|_| may_write(visit));
    let (name, id) = picture.as_ref().map(parameter).unwrap_or_default();
    let rows = products.items.iter().map(|product| row(visit, product, picture.as_ref()));
    let rows: Vec<Vec<Markup>> = rows.collect();
    let total = i64::try_from(products.total).unwrap_or(i64::MAX);
    let headings =
        ["product-title", "product-id", "product-sku", "product-price", "product-stock", "product-reserved"];
    let parameters: Vec<(&str, &str)> = filter.parameters().chain([(name, id.as_str())]).collect();
    let addresses = visit.address_of_pages(SECTION, &parameters);
    let with_category = |category: &str| {
        let parameters: Vec<_> = filter.with_category(category).chain([(name, id.as_str())]).collect();
        format!("{}1", visit.address_of_pages(SECTION, &parameters))
    };
    let window = page.window(products.total);
    let content = html! {
        @if let Some(picture) = &picture { (sought_for(visit, picture)) }
        form .filters method="get" action=(visit.path(SECTION)) role="search" aria-label=(words.say("product-search")) data-live="#results" {
            @if picture.is_some() { input type="hidden" name=(name) value=(id); }
            (filter.fields(visit, &tree))
        }
        (buttons(visit, picture.as_ref()))
        div #results {
            @if let Some(label) = filter.bad_price() {
                p .error role="alert" { (words.say(label)) ": " (words.say("mistake-not_an_integer")) }
            }
            @if let Some(categories) = &categories { (categories.shown(visit, with_category)) }
            p .count role="status" { (words.with("product-found", "count", number(total, words))) }
            @if rows.is_empty() {
                (empty_list(visit, &window, if filter.restricts() { "product-none-found" } else { "product-none" }))
            } @else {
                (table(visit, &headings, &rows))
            }
            (pager(words, &window, &addresses))
        }
    };
    Ok(respond(visit, SECTION, &words.say("products"), &content))
}

fn may_write(visit: &Visit<'_>) -> bool {
    visit.signed_in().is_ok_and(|signed_in| signed_in.operator.role.has(Scope::ProductsWrite))
}

fn buttons(visit: &Visit<'_>, picture: Option<&Picture>) -> Markup {
    let new = visit.path(NEW);
    let new = picture.map_or_else(|| new.clone(), |picture| address_with(&new, picture));
    html! {
        p .buttons {
            @if may_write(visit) { a .button href=(new) { (visit.words.say("product-add")) } " " }
            a href=(visit.path(PICTURES)) { (visit.words.say("pictures-all")) }
        }
    }
}

/// `picture` is the one that the product shall show.
fn row(visit: &Visit<'_>, stored: &StoredProduct, picture: Option<&Picture>) -> Vec<Markup> {
    let product = &stored.product;
    let path = visit.path(&format!("/products/{}", segment(product.id.as_str())));
    let path =
        picture.map_or_else(|| path.clone(), |picture| format!("{}#pictures", address_with(&path, picture)));
    let reserved = i64::try_from(stored.reserved).unwrap_or(i64::MAX);
    vec![
        html! { a href=(path) { (product.title.trim()) } (marks(visit, stored)) },
        html! { (product.id) },
        html! { (product.sku) },
        price(visit, product),
        stock(visit, product),
        html! { (number(reserved, visit.words)) },
    ]
}
