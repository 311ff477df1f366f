//! The pictures of a product: its previews, their order, the upload, and how a picture leaves the product.
//!
//! The buttons send the whole form of the product, so that the page that follows has what was typed into it.

use http::StatusCode;
use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_domain::{Product, ProductPatch};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{Form, PageError};
use pointbook_store::StoreError;
use pointbook_store::ports::{ProductCondition, ProductEditOutcome, ProductState, StoredProduct};

use super::editor::{Draft, find, may_write, path, show_stored};
use super::form::{EDITOR, Field, Shown, Texts, WITH_FILE};
use super::form_values::{Sent, Typed};
use super::list::NEW;
use super::picture_steps::{PictureStep, Pictures, Stepped};
use crate::pictures::console::choice::{Choice, choice, pressed};
use crate::pictures::upload::{Refusal, drop_zone, store};
use crate::pictures::url_of;
use crate::products::draft::ProductPatchDraft;
use crate::products::edit::patch_product;

pub(super) const PLACE: &str = "as";
/// The place of a picture and its URL, with a space between them.
pub(super) const TAKEN: &str = "taken";
/// The place of a picture, the place where it goes, and its URL.
pub(super) const MOVED: &str = "moved";

/// The id of the text that says that a picture would replace an address that was typed and not saved.
pub(super) const MAIN_TYPED: &str = "picture-refused-main-typed";

/// Where a product shows a new picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PictureField {
    Main,
    Gallery,
}

impl PictureField {
    fn name(self) -> &'static str {
        match self {
            Self::Main => "thumbnail",
            Self::Gallery => "gallery",
        }
    }

    pub(super) fn read(name: &str) -> Result<Self, PageError> {
        let found = [Self::Main, Self::Gallery].into_iter().find(|place| place.name() == name);
        found.ok_or(PageError::BadRequest)
    }

    /// The place that an operator chose in a form.
    pub(super) fn chosen(form: &Form) -> Option<Self> {
        form.optional(PLACE).and_then(|name| Self::read(name).ok())
    }

    /// The step that shows a picture there.
    pub(super) fn step(self, url: String) -> PictureStep {
        match self {
            Self::Main => PictureStep::Main(url),
            Self::Gallery => PictureStep::More(url),
        }
    }
}

/// The pictures, the place for one more, and the ways to stored ones and to addresses. `stored` is `None` for a new product: its button
/// stores the file.
pub(super) async fn card(
    visit: &Visit<'_>,
    stored: Option<&Product>,
    draft: &Draft,
    shown: &Shown<'_>,
) -> Result<Markup, PageError> {
    let words = visit.words;
    let may_write = may_write(visit);
    let show = stored.map_or_else(
        || visit.path(&format!("{NEW}/picture")),
        |product| path(visit, &product.id, "/show-picture"),
    );
    let choice = if may_write {
        choice(visit, &Choice { form: EDITOR, action: &show }).await?
    } else {
        html! {}
    };
    let fields = [Field::Thumbnail, Field::Gallery];
    Ok(html! {
        section .card #pictures {
            h2 { (words.say("product-pictures")) }
            @for refusal in &draft.refusals { (refusal.shown(visit)) }
            ul .shots {
                @if let Some(product) = stored { (present(visit, product, may_write)) }
                @if may_write { li .drop { (add(visit, stored, draft)) } }
            }
            (choice)
            details .panel.wide open[shown.is_told(fields)] {
                summary { (words.say("product-picture-addresses")) }
                (shown.fields(visit, fields))
            }
        }
    })
}

fn present(visit: &Visit<'_>, product: &Product, may_write: bool) -> Markup {
    let last = product.gallery.len();
    let row = std::iter::once(&product.thumbnail).chain(&product.gallery).enumerate();
    html! {
        @if last == 0 && product.thumbnail.is_empty() { li .empty { (visit.words.say("product-pictures-none")) } }
        @for (place, url) in row {
            @if place > 0 || !url.is_empty() { (picture(visit, product, (place, last), (url, may_write))) }
        }
    }
}

/// A picture at a place, of which `last` is the last one, with the menu of what moves it.
fn picture(
    visit: &Visit<'_>,
    product: &Product,
    (place, last): (usize, usize),
    (url, may_write): (&str, bool),
) -> Markup {
    let words = visit.words;
    let name = match place {
        0 => words.say("product-picture-main"),
        number => words.with("product-picture-number", "number", number.to_string()),
    };
    let button = |action: &str, field: &str, value: String, text: &str, is_off: bool| {
        let label = format!("{}: {name}", words.say(text));
        let action = path(visit, &product.id, action);
        html! {
            button formaction=(action) formnovalidate name=(field) value=(value) aria-label=(label) disabled[is_off] { (words.say(text)) }
        }
    };
    let step = |to: usize, text: &str, is_off: bool| {
        button("/move-picture", MOVED, format!("{place} {to} {url}"), text, is_off)
    };
    html! {
        li {
            img src=(url) alt=(name) width="160" height="160" loading="lazy";
            @if place == 0 { span .badge { (name) } }
            @if may_write {
                details .menu {
                    summary .button .square { span aria-hidden="true" { "⋯" } span .unseen { (words.say("product-picture-menu")) ": " (name) } }
                    div {
                        @if place > 0 { (step(0, "product-picture-first", false)) }
                        @if place > 1 { (step(place - 1, "product-picture-earlier", false)) }
                        @if place < last { (step(place + 1, "product-picture-later", false)) }
                        (button("/take-picture", TAKEN, format!("{place} {url}"), "product-picture-take", false))
                    }
                }
            }
        }
    }
}

/// The field for a file, and the place of the picture. The choice of stored pictures takes the same
/// place.
fn add(visit: &Visit<'_>, stored: Option<&Product>, draft: &Draft) -> Markup {
    let words = visit.words;
    let has_main = !draft.texts.get(Field::Thumbnail).is_empty();
    let usual = if has_main { PictureField::Gallery } else { PictureField::Main };
    let main =
        if has_main && stored.is_some() { "product-picture-as-new-main" } else { "product-picture-main" };
    let chosen = draft.place.unwrap_or(usual);
    html! {
        (drop_zone(visit, EDITOR, stored.is_some()))
        fieldset .checks {
            legend .unseen { (words.say("product-picture-as")) }
            @for (place, text) in [(PictureField::Gallery, "product-picture-as-more"), (PictureField::Main, main)] {
                label .check { input type="radio" name=(PLACE) value=(place.name()) checked[place == chosen]; (words.say(text)) }
            }
            @if let Some(product) = stored {
                button formaction=(path(visit, &product.id, "/pictures")) formenctype=(WITH_FILE) formnovalidate {
                    (words.say("product-picture-upload"))
                }
            }
        }
    }
}

/// How often a product is read anew, because an order or another person changed it in between.
const ATTEMPTS: usize = 5;

/// Stores the picture of the form, and puts it on the product. A form that is sent twice adds one picture.
pub(super) async fn upload(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    let (sent, place) = (Sent::read(visit, &form)?, PictureField::read(form.field(PLACE)?)?);
    // Stores nothing for a product that does not exist.
    find(visit).await?;
    let url = match store(visit, &form, |_| None).await? {
        Ok(added) => url_of(&visit.served.tenant, &added.picture),
        Err(refusal) => return refused(visit, sent, refusal, false).await,
    };
    save(visit, sent, &place.step(url), "product-picture-added").await
}

/// Puts a stored picture on the product.
pub(super) async fn choose(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    let (sent, place) = (Sent::read(visit, &form)?, PictureField::read(form.field(PLACE)?)?);
    match pressed(visit, &form).await? {
        Some(picture) => {
            let step = place.step(url_of(&visit.served.tenant, &picture));
            save(visit, sent, &step, "product-picture-added").await
        }
        None => refused(visit, sent, Refusal { text: "picture-refused-gone", file: None }, false).await,
    }
}

/// Takes a picture from the product. The picture itself stays stored, because other products may show it.
pub(super) async fn take(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    let step = PictureStep::read_take(form.field(TAKEN)?)?;
    save(visit, Sent::read(visit, &form)?, &step, "product-picture-taken").await
}

/// Moves a picture among those of the product.
pub(super) async fn shift(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    let step = PictureStep::read_move(form.field(MOVED)?)?;
    save(visit, Sent::read(visit, &form)?, &step, "product-picture-moved").await
}

async fn save(
    visit: &Visit<'_>,
    sent: Sent,
    step: &PictureStep,
    said: &'static str,
) -> Result<Response, PageError> {
    let after = |sent: Sent, before: &Texts, after: &Texts| Sent {
        typed: sent.typed.after(step, before, after),
        place: sent.place.filter(|_| !step.adds()),
        ..sent
    };
    for _ in 0..ATTEMPTS {
        let stored = find(visit).await?;
        let before = Texts::of_product(&stored.product, &visit.served.zone());
        let pictures = match step.applied_to(&Pictures::of_product(&stored.product)) {
            Stepped::Same => {
                return after(sent, &before, &before).done(visit, &stored, "pictures-unchanged").await;
            }
            Stepped::Refused(text) => {
                return refused(visit, sent, Refusal { text, file: None }, text == step.late()).await;
            }
            Stepped::To(_) if sent.typed.is_late(step, &before) => {
                return refused(visit, sent, Refusal { text: step.late(), file: None }, true).await;
            }
            Stepped::To(pictures) => match beside_typed(step, &sent.typed) {
                Some(text) => return refused(visit, sent, Refusal { text, file: None }, false).await,
                None => pictures,
            },
        };
        if let Some(stored) = patch(visit, &stored, pictures).await? {
            let now = Texts::of_product(&stored.product, &visit.served.zone());
            return after(sent, &before, &now).done(visit, &stored, said).await;
        }
    }
    Err(PageError::Store(StoreError::Overloaded))
}

/// Why a step does not fit addresses that were typed and not saved: the id of a text.
fn beside_typed(step: &PictureStep, typed: &Typed) -> Option<&'static str> {
    match step {
        // A typed address could become the main picture, which it was not typed for.
        _ if step.moves_main() && typed.has_pictures() => Some("picture-refused-typed"),
        PictureStep::Main(_) if typed.has_main() => Some(MAIN_TYPED),
        _ => None,
    }
}

/// The product after the change. `None` when it changed in between.
async fn patch(
    visit: &Visit<'_>,
    stored: &StoredProduct,
    Pictures { main, gallery }: Pictures,
) -> Result<Option<StoredProduct>, PageError> {
    let product = &stored.product;
    let others = ProductPatch {
        thumbnail: Some(main).filter(|main| *main != product.thumbnail),
        gallery: Some(gallery).filter(|gallery| *gallery != product.gallery),
        ..ProductPatch::default()
    };
    let condition = ProductCondition::OneOf(vec![ProductState::of(stored)]);
    let draft = ProductPatchDraft { description: None, others };
    match patch_product(&visit.context()?, product.id.clone(), draft, condition).await?.without_key()? {
        ProductEditOutcome::Stored(_, stored) => Ok(Some(*stored)),
        ProductEditOutcome::Unknown | ProductEditOutcome::Retired => Err(PageError::NotFound),
        // No picture is refused by a rule of prices or stock.
        ProductEditOutcome::ConditionFailed | ProductEditOutcome::Refused(_) => Ok(None),
    }
}

async fn refused(
    visit: &Visit<'_>,
    sent: Sent,
    refusal: Refusal,
    is_late: bool,
) -> Result<Response, PageError> {
    let stored = find(visit).await?;
    let now = Texts::of_product(&stored.product, &visit.served.zone());
    let (typed, theirs) = sent.typed.refused(&now, is_late);
    let code = if is_late { StatusCode::CONFLICT } else { StatusCode::UNPROCESSABLE_ENTITY };
    let mut draft = Draft { code, theirs, ..Sent { typed, ..sent }.draft() };
    draft.refusals.push(refusal);
    show_stored(visit, &stored, &draft).await
}
