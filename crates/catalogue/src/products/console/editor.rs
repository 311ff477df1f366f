//! The page of a product with the form of all its fields, and the page of a new one.

use http::StatusCode;
use maud::{Markup, PreEscaped, html};
use pointbook_access::console_kit::components::{facts, mistakes, nothing_saved};
use pointbook_access::console_kit::once::once_field;
use pointbook_access::console_kit::path_part::segment;
use pointbook_access::console_kit::sheet::Sheet;
use pointbook_access::console_kit::{Visit, assets};
use pointbook_domain::errors::FieldErrors;
use pointbook_domain::{CategoryTree, ProductId, Scope};
use pointbook_http::body::{BodyFields, new_id};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, form_token, moment, number};
use pointbook_store::ports::StoredProduct;

use super::form::{EDITOR, Field, Fingerprints, Shown, Texts, WITH_FILE, whole};
use super::list::{NEW, SECTION, marks, price, stock};
use super::picture_steps::Pictures;
use super::pictures;
use super::pictures::PictureField;
use super::stock::{StockForms, forms};
use crate::categories::console::list::unknown;
use crate::pictures::console::choice::asked;
use crate::pictures::console::upload::Refusal;
use crate::pictures::{missing_pictures, url_of};
use crate::products::draft::ProductDraft;
use crate::products::edit::preview_description;
use crate::products::managed::read_product;

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
    let tree = visit.served.data.categories().await?;
    let gone = if draft.is_preview { Vec::new() } else { gone(visit, &draft.texts).await? };
    let gone: Vec<&str> = gone.iter().map(String::as_str).collect();
    let Draft { texts, errors, theirs, search, .. } = draft;
    let (unknown, again) = (unknown_ids(&tree, texts, None), again(&visit.path(NEW)));
    let again = Some(&*again);
    let shown = Shown { texts, errors, theirs, tree: &tree, again, search, unknown: &unknown, gone: &gone };
    let [typed_id, stock] = &draft.new;
    let fields = html! {
        (shown.new_fields(visit, typed_id, stock))
        (shown.fields(visit))
        (once_field(visit))
        (pictures::fields_of_new(visit, draft))
    };
    let content = html! {
        (summary(visit, draft, true))
        div .editor {
            (form(visit, &visit.path(NEW), "product-create", &fields)?)
            (preview(visit, draft, None).await?)
        }
        (pictures::stored_for_new(visit).await?)
    };
    Ok(Sheet::new(visit, SECTION, visit.words.say("product-add"))
        .styled(&[assets::EDITORS])
        .respond_with(draft.code, &content))
}

pub(super) async fn show_stored(
    visit: &Visit<'_>,
    stored: &StoredProduct,
    draft: &Draft,
) -> Result<Response, PageError> {
    let tree = visit.served.data.categories().await?;
    let may_write = visit.signed_in()?.operator.role.has(Scope::ProductsWrite);
    let gone = if draft.is_preview { Vec::new() } else { gone(visit, &draft.texts).await? };
    let gone: Vec<&str> = gone.iter().map(String::as_str).collect();
    let Draft { texts, errors, theirs, search, .. } = draft;
    let action = path(visit, &stored.product.id, "");
    let (unknown, again) = (unknown_ids(&tree, texts, Some(stored)), again(&action));
    let again = may_write.then_some(&*again);
    let shown = Shown { texts, errors, theirs, tree: &tree, again, search, unknown: &unknown, gone: &gone };
    let present = Texts::of_product(&stored.product, &visit.served.zone());
    let seen = draft.seen.clone().unwrap_or_else(|| Fingerprints::of(&present));
    let fields = html! {
        input type="hidden" name="seen" value=(seen.as_str());
        (once_field(visit))
        (shown.fields(visit))
    };
    let content = html! {
        (told(visit, stored))
        (summary(visit, draft, *texts != present))
        div .editor {
            @if may_write {
                (form(visit, &action, "product-save", &fields)?)
            } @else {
                fieldset .stack .bare disabled { (shown.fields(visit)) }
            }
            (preview(visit, draft, Some(stored)).await?)
        }
        @if may_write {
            (pictures::forms(visit, &stored.product, draft).await?)
            (forms(visit, stored, &draft.stock)?)
        }
    };
    Ok(Sheet::new(visit, SECTION, stored.product.title.trim())
        .styled(&[assets::EDITORS])
        .respond_with(draft.code, &content))
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

fn told(visit: &Visit<'_>, stored: &StoredProduct) -> Markup {
    let product = &stored.product;
    let reserved = i64::try_from(stored.reserved).unwrap_or(i64::MAX);
    let told = [
        ("product-id", html! { (product.id) (marks(visit, stored)) }),
        ("product-price", price(visit, product)),
        ("product-stock", stock(visit, product)),
        ("product-reserved", html! { (number(reserved, visit.words)) }),
        ("product-published-at", moment(product.published_at, &visit.served, visit.words)),
    ];
    facts(visit, told)
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

/// The form with two buttons: the first one saves, also when the operator presses Enter in a field, and sends a chosen file.
fn form(visit: &Visit<'_>, action: &str, button: &str, fields: &Markup) -> Result<Markup, PageError> {
    let preview = format!("{action}/preview");
    Ok(html! {
        form #(EDITOR) .stack method="post" action=(action) data-live="#preview" data-at=(preview) data-of=(Field::Description.name()) {
            (form_token(&visit.signed_in()?.form_token))
            (fields)
            p .buttons {
                button formenctype=(WITH_FILE) { (visit.words.say(button)) }
                button .plain formaction=(preview) formnovalidate { (visit.words.say("product-preview")) }
            }
        }
    })
}

/// The description as customers would see it.
async fn preview(
    visit: &Visit<'_>,
    draft: &Draft,
    stored: Option<&StoredProduct>,
) -> Result<Markup, PageError> {
    let cleaned = cleaned(visit, &draft.texts, stored).await?;
    Ok(html! {
        section .preview #preview {
            h2 { (visit.words.say("product-preview-title")) }
            @match cleaned {
                Ok(html) if html.is_empty() => p .quiet { (visit.words.say("product-preview-empty")) },
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
