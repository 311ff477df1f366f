//! The page of a product with the form of all its fields, and the page of a new one.

use http::StatusCode;
use maud::{Markup, PreEscaped, html};
use pointbook_access::audit_log::brief::{changes_of, log_of};
use pointbook_access::console_kit::components::{facts, mistakes, nothing_saved};
use pointbook_access::console_kit::icons::{Icon, icon};
use pointbook_access::console_kit::once::once_field;
use pointbook_access::console_kit::path_part::segment;
use pointbook_access::console_kit::sheet::{Sheet, link, more, save_bar};
use pointbook_access::console_kit::{Visit, assets};
use pointbook_access::sessions::{PagesOf, pages_path};
use pointbook_domain::errors::FieldErrors;
use pointbook_domain::web_url::is_web_url;
use pointbook_domain::{CategoryTree, ProductId, Scope};
use pointbook_http::body::{BodyFields, new_id};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, form_token, moment, number, points};
use pointbook_store::ports::StoredProduct;

use super::form::{EDITOR, Field, Fingerprints, Shown, Texts, WITH_FILE, whole, whole_digits};
use super::list::{CATEGORY, NEW, SECTION, labels, marks, stock};
use super::picture_steps::Pictures;
use super::pictures;
use super::pictures::PictureField;
use super::stock::{StockForms, parts, retirement};
use crate::categories::console::list::unknown;
use crate::pictures::console::choice::asked;
use crate::pictures::upload::Refusal;
use crate::pictures::{missing_pictures, url_of};
use crate::products::draft::ProductDraft;
use crate::products::edit::preview_description;
use crate::products::managed::read_product;
use crate::products::ordered::Ordered;

pub(super) fn path_id(visit: &Visit<'_>) -> Result<ProductId, PageError> {
    ProductId::new(visit.param("id")?).map_err(|_| PageError::NotFound)
}

pub(super) async fn find(visit: &Visit<'_>) -> Result<StoredProduct, PageError> {
    visit.served.data.product(&path_id(visit)?).await?.ok_or(PageError::NotFound)
}

/// The path of a product, and of what is below it.
pub(super) fn path(visit: &Visit<'_>, id: &ProductId, below: &str) -> String {
    visit.path(&format!("/products/{}{below}", segment(id.as_str())))
}

/// The form as the operator sent it, and what is wrong with it.
pub(super) struct Draft {
    pub(super) code: StatusCode,
    pub(super) texts: Texts,
    /// What the form showed at first. `None` for what is stored now.
    pub(super) seen: Option<Fingerprints>,
    pub(super) errors: FieldErrors,
    /// Whether nothing was saved because of mistakes in the fields.
    pub(super) is_mistaken: bool,
    /// What another person saved in fields that this operator changed too.
    pub(super) theirs: Vec<(Field, String)>,
    pub(super) stock: StockForms,
    /// Why pictures were not added.
    pub(super) refusals: Vec<Refusal>,
    /// Where the product shall show the next picture, as the operator chose it.
    pub(super) place: Option<PictureField>,
    /// What was typed to find a category.
    pub(super) search: String,
    /// The id of a text that says why the form had no effect.
    pub(super) alert: Option<&'static str>,
    /// Whether the page only shows how the description looks. The browser asks for it while an operator types, so it does not look for
    /// pictures that are gone.
    pub(super) is_preview: bool,
    /// What a button did while the form has texts that are not saved: the end of the id of a text.
    pub(super) said: Option<&'static str>,
    /// The id and the stock of a new product.
    pub(super) new: [String; 2],
}

impl Draft {
    pub(super) fn of(texts: Texts) -> Self {
        Self {
            code: StatusCode::OK,
            texts,
            seen: None,
            errors: FieldErrors::default(),
            is_mistaken: false,
            theirs: Vec::new(),
            stock: StockForms::default(),
            refusals: Vec::new(),
            place: None,
            search: String::new(),
            alert: None,
            is_preview: false,
            said: None,
            new: Default::default(),
        }
    }

    pub(super) fn refused(self, errors: FieldErrors) -> Self {
        Self { errors, ..self.mistaken() }
    }

    /// A form whose picture is refused.
    pub(super) fn without_picture(mut self, refusal: Refusal) -> Self {
        // A browser may have sent the name of the file alone, which is refused already.
        self.refusals.retain(|known| known.file != refusal.file);
        self.refusals.push(refusal);
        Self { code: StatusCode::UNPROCESSABLE_ENTITY, ..self }
    }

    /// A form with mistakes that the page finds again.
    pub(super) fn mistaken(self) -> Self {
        Self { code: StatusCode::UNPROCESSABLE_ENTITY, is_mistaken: true, ..self }
    }
}

pub(super) async fn new(visit: &Visit<'_>) -> Result<Response, PageError> {
    let texts = match asked(visit).await? {
        Some(picture) => Texts::of_new().with(Field::Thumbnail, &url_of(&visit.served.tenant, &picture)),
        None => Texts::of_new(),
    };
    show_new(visit, &Draft { new: [visit.query("id"), String::new()], ..Draft::of(texts) }).await
}

pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    let stored = find(visit).await?;
    let texts = Texts::of_product(&stored.product, &visit.served.zone());
    show_stored(visit, &stored, &Draft::of(texts)).await
}

/// The fields as the interface reads them.
pub(super) fn read(visit: &Visit<'_>, texts: &Texts, id: &ProductId) -> Result<ProductDraft, FieldErrors> {
    let members = texts.to_members(&visit.served.zone());
    read_product(BodyFields::new(&members, FieldErrors::default()), Some(id.clone()))
}

/// As [`read`], with the id and the stock that the operator typed.
pub(super) fn read_new(visit: &Visit<'_>, draft: &Draft) -> Result<ProductDraft, FieldErrors> {
    let [typed_id, stock] = &draft.new;
    let mut members = draft.texts.to_members(&visit.served.zone());
    let pieces = if stock.trim().is_empty() { pointbook_domain::json::Json::Null } else { whole(stock) };
    members.push(("stock".to_owned(), pieces));
    let mut fields = BodyFields::new(&members, FieldErrors::default());
    let product_id = fields.beside("id", typed_id.trim().to_owned(), new_id(ProductId::new));
    read_product(fields, product_id)
}

pub(super) async fn show_new(visit: &Visit<'_>, draft: &Draft) -> Result<Response, PageError> {
    page(visit, None, draft).await
}

pub(super) async fn show_stored(
    visit: &Visit<'_>,
    stored: &StoredProduct,
    draft: &Draft,
) -> Result<Response, PageError> {
    page(visit, Some(stored), draft).await
}

pub(super) fn may_write(visit: &Visit<'_>) -> bool {
    visit.signed_in().is_ok_and(|signed_in| signed_in.operator.role.has(Scope::ProductsWrite))
}

/// The page of a product, or of a new one: cards in two columns, which are one form.
async fn page(
    visit: &Visit<'_>,
    stored: Option<&StoredProduct>,
    draft: &Draft,
) -> Result<Response, PageError> {
    let (words, may_write) = (visit.words, may_write(visit));
    let tree = visit.served.data.categories().await?;
    let gone = if draft.is_preview { Vec::new() } else { gone(visit, &draft.texts).await? };
    let gone: Vec<&str> = gone.iter().map(String::as_str).collect();
    let Draft { texts, errors, theirs, search, .. } = draft;
    let product = stored.map(|stored| &stored.product);
    let action = product.map_or_else(|| visit.path(NEW), |product| path(visit, &product.id, ""));
    let (unknown, again) = (unknown_ids(&tree, texts, stored), again(&action));
    let again = may_write.then_some(&*again);
    let shown = Shown { texts, errors, theirs, tree: &tree, again, search, unknown: &unknown, gone: &gone };
    let ordered = match product {
        Some(product) => Ordered::of(&visit.served, [&product.id], visit.now).await?,
        None => None,
    };
    let [typed_id, typed_stock] = &draft.new;
    let card = |title: &str, content: Markup| html! { section .card { h2 { (words.say(title)) } (content) } };
    let stock = html! {
        section .card #stock {
            h2 { (words.say("product-stock-title")) }
            @if let Some(stored) = stored {
                @if may_write { (parts(visit, stored, &draft.stock)) } @else { p { (stock(visit, &stored.product)) } }
                @if let Some(days) = days_left(stored, ordered.as_ref()) {
                    p .quiet { (words.with("product-lasts", "count", number(days, words))) }
                }
            } @else { (shown.stock(visit, typed_stock)) }
        }
    };
    let changes = match product {
        Some(product) => changes_of(visit, "product-changes", &[(object_of(&product.id), None)]).await?,
        None => None,
    };
    let columns = html! {
        div .two-columns {
            div {
                (pictures::card(visit, product, draft, &shown).await?)
                (card("product-text", html! {
                    (shown.fields(visit, [Field::Title]))
                    @if stored.is_none() { (shown.id(visit, typed_id)) }
                    (shown.fields(visit, [Field::Description]))
                }))
                (card("product-price", html! {
                    div .pair { (shown.fields(visit, [Field::RegularPrice, Field::SalePrice, Field::Sku, Field::Brand])) }
                }))
                @if let Some(changes) = changes { (changes) }
            }
            div {
                (card("product-visibility", shown.visibility(visit)))
                (stock)
                (card("product-categories", shown.fields(visit, [Field::Categories])))
                (preview(visit, draft, stored).await?)
                @if let Some(stored) = stored { (card("product-facts", told(visit, stored, ordered.as_ref()))) }
            }
        }
    };
    let present = stored.map(|stored| Texts::of_product(&stored.product, &visit.served.zone()));
    let seen =
        present.as_ref().map(|present| draft.seen.clone().unwrap_or_else(|| Fingerprints::of(present)));
    let content = html! {
        (summary(visit, draft, present.as_ref() != Some(texts)))
        @if may_write {
            (form(visit, &action, stored.is_none(), &html! {
                @if let Some(seen) = &seen { input type="hidden" name="seen" value=(seen.as_str()); }
                (once_field(visit))
                (columns)
            })?)
        } @else { fieldset .bare disabled { (columns) } }
    };
    Ok(head(visit, stored, &tree)?.styled(&[assets::CATALOGUE]).respond_with(draft.code, &content))
}

/// The name of a product in the audit log.
fn object_of(id: &ProductId) -> String {
    format!("product:{id}")
}

/// For how many days the stock lasts, when that is known.
fn days_left(StoredProduct { product, .. }: &StoredProduct, ordered: Option<&Ordered>) -> Option<i64> {
    ordered?.days_left(&product.id, product.stock)
}

fn head<'v>(
    visit: &'v Visit<'v>,
    stored: Option<&StoredProduct>,
    tree: &CategoryTree,
) -> Result<Sheet<'v>, PageError> {
    let words = visit.words;
    let Some(stored) = stored else { return Ok(Sheet::new(visit, SECTION, words.say("product-add"))) };
    let product = &stored.product;
    let is_visible = product.is_visible_at(visit.now);
    let beside = html! {
        @if is_visible { span .badge .good { (words.say("product-is-active")) } }
        (marks(visit, stored))
    };
    let history = log_of(visit, &object_of(&product.id));
    let mut entries: Vec<_> =
        history.iter().map(|address| link(visit, Icon::Audit, address, "product-history")).collect();
    if may_write(visit) {
        entries.push(retirement(visit, &product.id)?);
    }
    let shop = pages_path(PagesOf::Shop, &visit.served.name());
    let shop =
        format!("{}{shop}/products/{}", visit.served.tenant.base_url.origin(), segment(product.id.as_str()));
    let actions = html! {
        @if is_visible && visit.served.tenant.settings.shop {
            a .button href=(shop) { (icon(Icon::Shop)) (words.say("product-in-shop")) }
        }
        (more(visit, &entries))
    };
    let sheet = Sheet::new(visit, SECTION, product.title.trim()).beside(beside).actions(actions);
    let labels = labels(tree);
    let category = product.categories.iter().find_map(|id| Some((id, labels.get(id.as_str())?)));
    Ok(match category {
        Some((id, label)) => {
            let address = format!("{}1", visit.address_of_pages(SECTION, &[(CATEGORY, id.as_str())]));
            sheet.below(address, *label)
        }
        None => sheet,
    })
}

/// The address that shows the form with this address again, at its categories.
fn again(action: &str) -> String {
    format!("{action}/preview#categories")
}

/// The ids in the form that neither a category nor the stored product has.
pub(super) fn unknown_ids<'f>(
    tree: &CategoryTree,
    texts: &'f Texts,
    stored: Option<&StoredProduct>,
) -> Vec<&'f str> {
    let kept = stored.map(|stored| &*stored.product.categories).unwrap_or_default();
    unknown(tree, kept, texts.get(Field::Categories).lines())
}

/// The URLs in the form that name a picture of this server that is gone.
pub(super) async fn gone(visit: &Visit<'_>, texts: &Texts) -> Result<Vec<String>, PageError> {
    let pictures = Pictures::of_texts(texts);
    let gone = missing_pictures(&visit.served, pictures.urls()).await?;
    Ok(gone.into_iter().map(str::to_owned).collect())
}

fn told(visit: &Visit<'_>, stored: &StoredProduct, ordered: Option<&Ordered>) -> Markup {
    let (product, words) = (&stored.product, visit.words);
    let reserved = i64::try_from(stored.reserved).unwrap_or(i64::MAX);
    let ordered =
        ordered.map(|ordered| ("product-ordered", html! { (number(ordered.pieces(&product.id), words)) }));
    let told = [
        ("product-reserved", html! { (number(reserved, words)) }),
        ("product-published-at", moment(product.published_at, &visit.served, words)),
        ("product-id", html! { code { (product.id) } }),
    ];
    facts(visit, ordered.into_iter().chain(told))
}

/// What a button did, and what is wrong with the form, above it. `is_typed` says whether the form has texts that are not saved. A page with
/// mistakes says what the server kept below them, and without the look of a success.
fn summary(visit: &Visit<'_>, draft: &Draft, is_typed: bool) -> Markup {
    let words = visit.words;
    let said = draft.said.map(|said| {
        html! {
            (words.say(&format!("said-{said}")))
            @if is_typed { " " (words.say("product-not-saved")) }
            @if draft.stock.is_typed() { " " (words.say("product-stock-not-saved")) }
        }
    });
    let (success, kept) = if draft.code == StatusCode::OK { (said, None) } else { (None, said) };
    html! {
        @if let Some(success) = success { p .toast role="status" { (success) } }
        @if let Some(alert) = draft.alert { p .error role="alert" { (words.say(alert)) } }
        @if !draft.theirs.is_empty() { p .notice role="alert" { (words.say("product-conflict")) } }
        @if draft.is_mistaken { (nothing_saved(visit)) }
        @else if draft.code == StatusCode::UNPROCESSABLE_ENTITY {
            p .toast .failed role="status" { (words.say("product-nothing-saved")) }
        }
        @if let Some(kept) = kept { p .notice role="status" { (kept) } }
    }
}

/// The form with two buttons. A hidden one before all others saves, because Enter in a field presses the first one.
fn form(visit: &Visit<'_>, action: &str, is_new: bool, fields: &Markup) -> Result<Markup, PageError> {
    let (preview, words) = (format!("{action}/preview"), visit.words);
    let buttons = html! {
        button formaction=(preview) formnovalidate { (words.say("product-preview")) }
        button .primary formenctype=(WITH_FILE) { (words.say(if is_new { "product-create" } else { "product-save" })) }
    };
    let hint = html! { (words.say(if is_new { "product-create-hint" } else { "product-save-hint" })) };
    let previewed =
        [Field::Title, Field::Description, Field::RegularPrice, Field::SalePrice, Field::Thumbnail];
    Ok(html! {
        form #(EDITOR) method="post" action=(action) data-live="#preview" data-at=(preview) data-of=(previewed.map(Field::name).join(" ")) {
            button .unseen formenctype=(WITH_FILE) tabindex="-1" aria-hidden="true" {}
            (form_token(&visit.signed_in()?.form_token))
            (fields)
            (save_bar(visit, &hint, &buttons))
        }
    })
}

/// The product as members would see it, with what is typed.
async fn preview(
    visit: &Visit<'_>,
    draft: &Draft,
    stored: Option<&StoredProduct>,
) -> Result<Markup, PageError> {
    let (cleaned, words, texts) = (cleaned(visit, &draft.texts, stored).await?, visit.words, &draft.texts);
    let price = |field| whole_digits(texts.get(field)).and_then(|digits| digits.parse::<i64>().ok());
    let (regular, sale) = (price(Field::RegularPrice), price(Field::SalePrice));
    let (picture, title) = (texts.get(Field::Thumbnail), texts.get(Field::Title).trim());
    Ok(html! {
        section .card .preview #preview {
            h2 { (words.say("product-preview-title")) }
            div .in-shop {
                @if is_web_url(picture) { img src=(picture) alt="" width="160" height="160" loading="lazy"; }
                p .strong { (title) }
                @if let Some(now) = sale.or(regular) {
                    p { (points(now, words)) @if let Some(before) = regular.filter(|before| *before > now) { " " s .quiet { (number(before, words)) } } }
                }
            }
            @match cleaned {
                Ok(html) if html.is_empty() => p .quiet { (words.say("product-preview-empty")) },
                Ok(html) => div .description { (PreEscaped(html)) },
                Err(errors) => (mistakes(visit, &errors, Field::Description.name())),
            }
        }
    })
}

async fn cleaned(
    visit: &Visit<'_>,
    texts: &Texts,
    stored: Option<&StoredProduct>,
) -> Result<Result<String, FieldErrors>, PageError> {
    if let Some(stored) = stored {
        let before = Texts::of_product(&stored.product, &visit.served.zone());
        if before.get(Field::Description) == texts.get(Field::Description) {
            return Ok(Ok(stored.product.description.clone()));
        }
    }
    // The other fields may still be empty. The id does not matter here.
    let id = stored.map_or_else(|| ProductId::new("new"), |stored| Ok(stored.product.id.clone()));
    let read = read(visit, texts, &id.map_err(|_| PageError::BadRequest)?);
    if let Err(errors) = read
        && errors.has(Field::Description.name())
    {
        return Ok(Err(errors));
    }
    let html = texts.get(Field::Description).to_owned();
    Ok(Ok(preview_description(&visit.served, html).await?))
}
