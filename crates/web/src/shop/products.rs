//! The list of gifts, with the filters of the interface.

use std::sync::Arc;

use http::StatusCode;
use maud::{Markup, html};
use pointbook_app::{ProductListQuery, Snapshot, list_products, search_titles};
use pointbook_domain::PageWindow;
use pointbook_http_kernel::Response;
use pointbook_query_string::{PageLinks, QueryString, encode_into};
use pointbook_requests::query::{ReadQuery, product_list};
use serde::Deserialize;
use url::form_urlencoded;

use super::pager::pager;
use super::product::ShownProduct;
use crate::figures::number;
use crate::layout::{Tab, shop_page};
use crate::page::{PageError, html_in};
use crate::visit::Visit;
use crate::words::Words;

/// A category, as the interface documents it.
#[derive(Deserialize)]
struct ShownCategory {
    id: String,
    label: String,
    children: Vec<ShownCategory>,
}

/// The restrictions that a member may switch on, each with its text.
const FLAGS: [(&str, &str); 3] = [
    ("filter[onSale]", "on-sale"),
    ("filter[newProducts]", "new-products"),
    ("filter[onlyPopular]", "popular"),
];

const MAX_PRICE: &str = "filter[maxPrice]";

/// A number as members write it: without separators, and with digits as the interface has them.
fn digits(text: &str) -> String {
    let plain = |letter: char| match letter {
        '０'..='９' => char::from_u32(u32::from(letter) - u32::from('０') + u32::from('0')),
        ' ' | '.' | ',' | '\'' | '’' | '\u{a0}' | '\u{202f}' | '，' => None,
        other => Some(other),
    };
    text.chars().filter_map(plain).collect()
}

/// The fields of the form as the address has them.
struct Fields(Vec<(String, String)>);

impl Fields {
    fn of(query: Option<&str>) -> Self {
        let pairs = form_urlencoded::parse(query.unwrap_or_default().as_bytes()).into_owned();
        let pairs =
            pairs.map(|(name, value)| if name == MAX_PRICE { (name, digits(&value)) } else { (name, value) });
        Self(pairs.filter(|(_, value)| !value.is_empty()).collect())
    }

    fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str()).unwrap_or_default()
    }

    /// The address without fields that were left empty.
    fn to_query(&self) -> String {
        form_urlencoded::Serializer::new(String::new()).extend_pairs(&self.0).finish()
    }
}

pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    let fields = Fields::of(visit.request.uri.query());
    let raw = fields.to_query();
    let query_string = QueryString::parse(Some(&raw)).map_err(|_| PageError::BadRequest)?;
    let query = query_string.read(product_list).map_err(|_| PageError::BadRequest)?;
    let snapshot = visit.served.snapshot(visit.now).await?;
    search_titles(visit.served.catalogue.processor(), &snapshot, &query).await;
    let (products, window) = find(visit, &snapshot, query)?;
    let links = PageLinks::new(&visit.root, "", &query_string);
    let shared = String::from_utf8_lossy(links.shared()).into_owned();
    let words = visit.words;
    let content = html! {
        h1 { (words.say("gifts")) }
        (filters(visit, &snapshot, &fields)?)
        div #results {
            p .count role="status" { (found(window.total, words)) }
            @if window.total == 0 { p .empty { (words.say("nothing-found")) " " a href=(visit.root) { (words.say("show-all")) } } }
            ul .cards { @for product in &products { li { (card(visit, product)) } } }
            (pager(visit, &window, &shared))
        }
    };
    let page = shop_page(visit, Tab::Products, &words.say("gifts"), &content);
    Ok(html_in(&words.content_language, StatusCode::OK, page))
}

fn find(
    visit: &Visit<'_>,
    snapshot: &Snapshot,
    query: ProductListQuery,
) -> Result<(Vec<ShownProduct>, PageWindow), PageError> {
    let list = list_products(snapshot, &visit.served.tenant.settings, query, visit.now);
    let products =
        list.page.items.iter().map(|item| ShownProduct::read(item.json)).collect::<Result<_, _>>()?;
    Ok((products, list.window))
}

/// How many gifts, with thousands apart.
fn found(total: u64, words: &Words) -> String {
    let total = i64::try_from(total).unwrap_or(i64::MAX);
    let form = if total == 1 { "found-one" } else { "found-many" };
    words.with_all(form, [("count", number(total, words))])
}

fn card(visit: &Visit<'_>, product: &ShownProduct) -> Markup {
    let mut id = Vec::new();
    encode_into(product.id.as_bytes(), &mut id);
    let path = visit.path(&format!("/products/{}", String::from_utf8_lossy(&id)));
    html! {
        a .card href=(path) {
            (product.picture(visit))
            span .title { (product.title.trim()) }
            (product.priced(visit.words))
        }
    }
}

fn filters(visit: &Visit<'_>, snapshot: &Arc<Snapshot>, fields: &Fields) -> Result<Markup, PageError> {
    let words = visit.words;
    let categories: Vec<ShownCategory> =
        serde_json::from_slice(&snapshot.categories().json).map_err(|error| {
            PageError::Store(pointbook_app::StoreError::Corrupt(format!("categories: {error}")))
        })?;
    let text = |name: &str, label: &str, kind: &str, mode: Option<&str>| {
        html! { label { (words.say(label)) input type=(kind) name=(name) value=(fields.get(name)) inputmode=[mode] maxlength="255"; } }
    };
    let sorts = [("", "newest"), ("price", "cheapest"), ("-price", "dearest")];
    Ok(html! {
        form .filters method="get" action=(visit.root) role="search" data-live="#results" {
            (text("filter[title]", "search", "search", None))
            label { (words.say("category"))
                select name="filter[category]" {
                    option value="" { (words.say("all-categories")) }
                    (options(&categories, 0, fields.get("filter[category]")))
                }
            }
            label { (words.say("sort"))
                select name="sort" {
                    @for (value, label) in sorts {
                        option value=(value) selected[fields.get("sort") == value] { (words.say(label)) }
                    }
                }
            }
            (text(MAX_PRICE, "max-price", "text", Some("numeric")))
            fieldset { legend .unseen { (words.say("only")) }
                @for (name, label) in FLAGS {
                    label .check { input type="checkbox" name=(name) value="1" checked[!fields.get(name).is_empty()]; (words.say(label)) }
                }
                button { (words.say("apply")) }
            }
        }
    })
}

/// The categories as options, those below another one further to the right.
fn options(categories: &[ShownCategory], depth: usize, chosen: &str) -> Markup {
    html! {
        @for ShownCategory { id, label, children } in categories {
            option value=(id) selected[id == chosen] { ("\u{2003}".repeat(depth)) (label) }
            (options(children, depth + 1, chosen))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_is_read_as_members_write_it() {
        for text in ["1000", "1,000", "1.000", "1 000", "１０００"] {
            assert_eq!(digits(text), "1000", "{text}");
        }
        assert_eq!(digits("many"), "many", "the interface refuses it");
    }
}
