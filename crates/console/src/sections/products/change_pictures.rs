//! Puts an uploaded picture on a product, takes one from it, and changes the order of its pictures.
//!
//! The buttons send the whole form of the product, so that the page that follows has what was typed into it.

use http::StatusCode;
use pointbook_app::ports::{ProductCondition, ProductEditOutcome, ProductPatch, ProductState, StoredProduct};
use pointbook_app::{ProductPatchDraft, StoreError, patch_product};
use pointbook_console_kit::visit::Visit;
use pointbook_console_pictures::upload::{Refusal, store};
use pointbook_http_kernel::Response;
use pointbook_page_kit::{Form, PageError, see_other};
use pointbook_pictures::url_of;

use super::editor::{Draft, find, path, show_stored};
use super::fields::{Seen, Texts};
use super::picture_steps::{PictureStep, Pictures, Stepped};
use super::pictures::{MOVED, PLACE, Place, TAKEN};
use super::typed::Typed;

/// How often a product is read anew, because an order or another person changed it in between.
const ATTEMPTS: usize = 5;

/// Stores the picture of the form, and puts it on the product. A form that is sent twice adds one picture.
pub(super) async fn add(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    let (typed, place) = (typed(&form)?, Place::read(form.field(PLACE)?)?);
    // Stores nothing for a product that does not exist.
    find(visit).await?;
    let url = match store(visit, &form).await? {
        Ok(added) => url_of(&visit.served.tenant, &added.picture),
        Err(refusal) => return refused(visit, typed, refusal, false).await,
    };
    let step = match place {
        Place::Main => PictureStep::Main(url),
        Place::Gallery => PictureStep::More(url),
    };
    save(visit, typed, &step, "product-picture-added").await
}

/// Takes a picture from the product. The picture itself stays stored, because other products may show it.
pub(super) async fn take(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    save(visit, typed(&form)?, &PictureStep::read_take(form.field(TAKEN)?)?, "product-picture-taken").await
}

/// Moves a picture among those of the product.
pub(super) async fn shift(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    save(visit, typed(&form)?, &PictureStep::read_move(form.field(MOVED)?)?, "product-picture-moved").await
}

fn typed(form: &Form) -> Result<Typed, PageError> {
    let seen = Seen::read(form.field("seen")?).ok_or(PageError::BadRequest)?;
    Ok(Typed { texts: Texts::of_form(form), seen })
}

async fn save(
    visit: &Visit<'_>,
    typed: Typed,
    step: &PictureStep,
    said: &'static str,
) -> Result<Response, PageError> {
    for _ in 0..ATTEMPTS {
        let stored = find(visit).await?;
        let before = Texts::of_product(&stored.product, &visit.served.zone());
        let pictures = match step.applied_to(&Pictures::of_product(&stored.product)) {
            Stepped::Same => {
                return show(visit, typed.after(step, &before, &before), &stored, "pictures-unchanged").await;
            }
            Stepped::Refused(text) => {
                return refused(visit, typed, Refusal { text, file: None }, text == step.late()).await;
            }
            Stepped::To(_) if typed.is_late(step, &before) => {
                return refused(visit, typed, Refusal { text: step.late(), file: None }, true).await;
            }
            Stepped::To(pictures) => pictures,
        };
        if let Some(stored) = patch(visit, &stored, pictures).await? {
            let after = Texts::of_product(&stored.product, &visit.served.zone());
            return show(visit, typed.after(step, &before, &after), &stored, said).await;
        }
    }
    Err(PageError::Store(StoreError::Overloaded))
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

/// The page of the product. When nothing was typed, the browser gets it by GET.
async fn show(
    visit: &Visit<'_>,
    typed: Typed,
    stored: &StoredProduct,
    said: &'static str,
) -> Result<Response, PageError> {
    if typed.texts == Texts::of_product(&stored.product, &visit.served.zone()) {
        return Ok(see_other(&path(visit, &stored.product.id, &format!("?said={said}"))));
    }
    let draft = Draft { seen: Some(typed.seen), said: Some(said), ..Draft::of(typed.texts) };
    show_stored(visit, stored, &draft).await
}

async fn refused(
    visit: &Visit<'_>,
    typed: Typed,
    refusal: Refusal,
    is_late: bool,
) -> Result<Response, PageError> {
    let stored = find(visit).await?;
    let now = Texts::of_product(&stored.product, &visit.served.zone());
    let (Typed { texts, seen }, theirs) = typed.refused(&now, is_late);
    let code = if is_late { StatusCode::CONFLICT } else { StatusCode::UNPROCESSABLE_ENTITY };
    let draft = Draft { code, seen: Some(seen), theirs, picture: Some(refusal), ..Draft::of(texts) };
    show_stored(visit, &stored, &draft).await
}
