//! Changes the products that an operator ticked in the list, and tells which ones could not be changed.

use std::collections::{BTreeSet, HashMap};

use http::StatusCode;
use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::field;
use pointbook_access::console_kit::lists::{Column, bulk, list_table, named};
use pointbook_access::console_kit::once::{self, Sent, once_context, once_field};
use pointbook_domain::errors::FieldErrors;
use pointbook_domain::json::Json;
use pointbook_domain::{Product, ProductId};
use pointbook_http::body::BodyFields;
use pointbook_http::kernel::Response;
use pointbook_http::pages::{Form, PageError, form_token};
use pointbook_store::ports::{
    ProductEdit, ProductEditOutcome, Query, StoredProduct, UpsertOutcome, read_all,
};

use super::editor::path;
use super::form::whole;
use super::list;
use super::stock::refusal_text;
use crate::products::edit::edit_products;
use crate::products::managed::{MAX_BULK_PRODUCTS, read_change};

/// The boxes of the list.
const IDS: &str = "product";

/// The buttons.
const CHANGE: &str = "change";

/// What the page says after a form.
#[derive(Default)]
enum Said {
    #[default]
    Nothing,
    /// The id of a text that says what is wrong, or the sentence.
    Mistake(String),
    Done(Vec<ProductEditOutcome>),
    /// The form was sent before.
    Before,
}

/// The form as it was sent, and what became of it.
#[derive(Default)]
pub(super) struct Changed {
    ids: Vec<ProductId>,
    /// The fields of the menus, by name.
    typed: Vec<(&'static str, String)>,
    /// The value of the button.
    pressed: String,
    said: Said,
}

const STOCK: &str = "stock";
const ADDED: &str = "stock_difference";
/// A button of its own, so that an empty field changes nothing.
const UNLIMITED: &str = "unlimited";
const REGULAR: &str = "regular_price";
const SALE: &str = "sale_price";
const NO_SALE: &str = "no_sale";

pub(super) async fn change(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    let ids: BTreeSet<_> = form.all(IDS).filter_map(|id| ProductId::new(id).ok()).collect();
    let typed =
        [STOCK, ADDED, REGULAR, SALE].map(|name| (name, form.optional(name).unwrap_or_default().to_owned()));
    let pressed = form.optional(CHANGE).unwrap_or_default().to_owned();
    let mut changed =
        Changed { ids: ids.into_iter().collect(), typed: typed.into(), pressed, said: Said::Nothing };
    changed.said = match changed.read(visit, &form)? {
        Ok(edit) => send(visit, &form, &changed.ids, edit).await?,
        Err(mistake) => Said::Mistake(mistake),
    };
    list::page(visit, &changed).await
}

async fn send(
    visit: &Visit<'_>,
    form: &Form,
    ids: &[ProductId],
    edit: ProductEdit,
) -> Result<Said, PageError> {
    let request = format!("products.bulk\n{ids:?}\n{edit:?}");
    let context = once_context(visit, form, &request, |_: &Vec<ProductEditOutcome>| false)?;
    Ok(match once::sent(edit_products(&context, ids.to_vec(), edit).await?)? {
        Sent::Now(outcomes) => Said::Done(outcomes),
        Sent::Before | Sent::RefusedBefore => Said::Before,
        Sent::OtherBefore => Said::Mistake(visit.words.say("bulk-other-before").into_owned()),
    })
}

impl Changed {
    fn typed(&self, name: &str) -> &str {
        self.typed.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text.trim())
    }

    /// The change of the button, or what is wrong with it in words.
    fn read(&self, visit: &Visit<'_>, form: &Form) -> Result<Result<ProductEdit, String>, PageError> {
        let say = |text: &str| Ok(Err(visit.words.say(text).into_owned()));
        if self.ids.is_empty() {
            return say("bulk-none");
        }
        if self.ids.len() > MAX_BULK_PRODUCTS {
            return say("bulk-many");
        }
        let number = |name: &'static str| (name, whole(self.typed(name)));
        let is_typed = |name: &&'static str| !self.typed(name).is_empty();
        let members = match form.optional(CHANGE) {
            Some(STOCK) => Some(STOCK).filter(is_typed).map(number).into_iter().collect(),
            Some(UNLIMITED) => vec![(STOCK, Json::Null)],
            Some(ADDED) => vec![number(ADDED)],
            Some(REGULAR) => {
                let sale = form.optional(NO_SALE).map(|_| (SALE, Json::Null));
                let sale = sale.or_else(|| Some(SALE).filter(is_typed).map(number));
                Some(REGULAR).filter(is_typed).map(number).into_iter().chain(sale).collect()
            }
            Some("show") => vec![("active", Json::Bool(true))],
            Some("hide") => vec![("active", Json::Bool(false))],
            Some("popular") => vec![("popular", Json::Bool(true))],
            Some("usual") => vec![("popular", Json::Bool(false))],
            // Enter in a field, without script.
            None => return say("bulk-button"),
            Some(_) => return Err(PageError::BadRequest),
        };
        if members.is_empty() {
            return say("bulk-nothing");
        }
        let members: Vec<_> = members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let read = read_change(BodyFields::new(&members, FieldErrors::default()));
        Ok(read.map_err(|errors| {
            let told = errors
                .problems()
                .next()
                .map(|(_, code, message)| (visit.words.say(&format!("mistake-{code}")), message));
            told.map_or_else(
                String::new,
                |(own, message)| if own.is_empty() { message.to_owned() } else { own.into_owned() },
            )
        }))
    }

    pub(super) fn code(&self) -> StatusCode {
        if matches!(self.said, Said::Mistake(_)) { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK }
    }

    /// The box of a product. It stays ticked when nothing was done.
    pub(super) fn tick(&self, visit: &Visit<'_>, StoredProduct { product, .. }: &StoredProduct) -> Markup {
        let label = visit.words.with("product-select", "title", product.title.trim());
        let is_ticked = matches!(self.said, Said::Mistake(_)) && self.ids.contains(&product.id);
        html! { input type="checkbox" name=(IDS) value=(product.id) aria-label=(label) checked[is_ticked]; }
    }

    pub(super) fn said(&self, visit: &Visit<'_>) -> Markup {
        let words = visit.words;
        let outcomes = match &self.said {
            Said::Nothing => return html! {},
            Said::Mistake(text) => return html! { p .toast .failed role="alert" { (text) } },
            Said::Before => return html! { p .toast role="status" { (words.say("bulk-before")) } },
            Said::Done(outcomes) => outcomes,
        };
        let count =
            |kind: fn(&ProductEditOutcome) -> bool| outcomes.iter().filter(|outcome| kind(outcome)).count();
        let same =
            count(|outcome| matches!(outcome, ProductEditOutcome::Stored(UpsertOutcome::Unchanged, _)));
        let refused = count(|outcome| !matches!(outcome, ProductEditOutcome::Stored(..)));
        let done = outcomes.len() - same - refused;
        let of = [("count", done.to_string()), ("of", outcomes.len().to_string())];
        html! {
            p .toast .failed[refused == outcomes.len()] role="status" {
                (words.with_all("bulk-done", of))
                @if same > 0 { " " (words.with("bulk-same", "count", same.to_string())) }
                @if refused > 0 { " " a href="#refused" { (words.with("bulk-refused", "count", refused.to_string())) } }
            }
        }
    }

    /// The products that could not be changed, and why.
    pub(super) async fn refused(&self, visit: &Visit<'_>) -> Result<Markup, PageError> {
        let Said::Done(outcomes) = &self.said else { return Ok(html! {}) };
        let why = |outcome: &ProductEditOutcome| match outcome {
            ProductEditOutcome::Stored(..) => None,
            ProductEditOutcome::Refused(refusal) => Some(refusal_text(*refusal)),
            ProductEditOutcome::Retired
            | ProductEditOutcome::Unknown
            | ProductEditOutcome::ConditionFailed => Some("bulk-gone"),
        };
        let refused: Vec<_> =
            self.ids.iter().zip(outcomes).filter_map(|(id, outcome)| Some((id, why(outcome)?))).collect();
        let ids = refused.iter().map(|(id, _)| id.as_str());
        let query = Query::of::<Product>("refused_products", &["id"]).one_of("id", ids);
        let stored: Vec<Product> = read_all(&*visit.served.data, query).await?;
        let titles: HashMap<_, _> =
            stored.iter().map(|product| (&product.id, product.title.trim())).collect();
        let row = |(id, why): &(&ProductId, &str)| {
            let title = titles.get(id).copied().unwrap_or(id.as_str());
            vec![named(&path(visit, id, ""), title, ""), html! { (visit.words.say(why)) }]
        };
        let rows: Vec<_> = refused.iter().map(row).collect();
        let columns = [Column::text("product-title"), Column::text("bulk-why")];
        let caption = visit.words.say("bulk-refused-title");
        Ok(html! {
            @if !rows.is_empty() {
                h2 #refused { (caption) }
                (list_table(visit, &caption, &columns, &rows))
            }
        })
    }

    /// The table in a form, below the bar of what can be done with ticked products.
    pub(super) fn form(&self, visit: &Visit<'_>, action: &str, table: &Markup) -> Result<Markup, PageError> {
        let words = visit.words;
        let button =
            |value: &str, text: &str| html! { button name=(CHANGE) value=(value) { (words.say(text)) } };
        let input = |name: &'static str, label: &str| {
            field(
                visit,
                label,
                html! { input name=(name) value=(self.typed(name)) inputmode="numeric" autocomplete="off"; },
            )
        };
        // A mistake in a field of a menu leaves it open.
        let menu = |text: &str, values: &[&str], content: Markup| {
            let is_open = matches!(self.said, Said::Mistake(_)) && values.contains(&&*self.pressed);
            html! { details .menu .left open[is_open] { summary .button { (words.say(text)) } div { (content) } } }
        };
        let part = |content: Markup| html! { div .fields data-enter { (content) } };
        let stock = html! {
            (part(html! { (input(STOCK, "bulk-pieces")) (button(STOCK, "product-save-stock")) }))
            (part(html! { (input(ADDED, "product-difference")) (button(ADDED, "product-add-stock")) }))
            (button(UNLIMITED, "bulk-unlimited"))
        };
        let price = part(html! {
            (input(REGULAR, "bulk-regular")) (input(SALE, "bulk-sale"))
            label .check { input type="checkbox" name=(NO_SALE) value="1"; (words.say("bulk-no-sale")) }
            (button(REGULAR, "bulk-price"))
        });
        let menus = html! {
            (menu("bulk-stock", &[STOCK, ADDED], stock))
            (menu("bulk-price", &[REGULAR], price))
            (menu("bulk-visibility", &[], html! { (button("show", "bulk-show")) (button("hide", "bulk-hide")) }))
            (menu("bulk-popular", &[], html! { (button("popular", "product-is-popular")) (button("usual", "bulk-usual")) }))
        };
        Ok(html! {
            form method="post" action=(action) data-from-top {
                (form_token(&visit.signed_in()?.form_token))
                (once_field(visit))
                // Enter in a field presses the first button.
                button .unseen tabindex="-1" aria-hidden="true" {}
                (bulk(visit, IDS, &menus))
                (table)
            }
        })
    }
}
