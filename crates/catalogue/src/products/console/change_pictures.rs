//! Puts an uploaded picture on a product, takes one from it, and changes the order of its pictures.
//!
//! The buttons send the whole form of the product, so that the page that follows has what was typed into it.

use http::StatusCode;
use pointbook_access::console_kit::visit::Visit;
use pointbook_http::kernel::Response;
use pointbook_http::pages::PageError;
use pointbook_store::ports::{
    ProductCondition, ProductEditOutcome, ProductPatch, ProductState, StoreError, StoredProduct,
};

use super::editor::{Draft, show_stored};
use super::fields::Texts;
use super::found::find;
use super::picture_steps::{PictureStep, Pictures, Stepped};
use super::pictures::{MAIN_TYPED, MOVED, PLACE, Place, TAKEN};
use super::sent::Sent;
use super::typed::Typed;
use crate::pictures::console::choice::pressed;
use crate::pictures::console::upload::{Refusal, store};
use crate::pictures::url_of;
use crate::products::draft::ProductPatchDraft;
use crate::products::edit::patch_product;

/// How often a product is read anew, because an order or another person changed it in between.
const ATTEMPTS: usize = 5;

/// Stores the picture of the form, and puts it on the product. A form that is sent twice adds one picture.
pub(super) async fn add(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    let (sent, place) = (Sent::read(&form)?, Place::read(form.field(PLACE)?)?);
    // Stores nothing for a product that does not exist.
    find(visit).await?;
    let url = match store(visit, &form).await? {
        Ok(added) => url_of(&visit.served.tenant, &added.picture),
        Err(refusal) => return refused(visit, sent, refusal, false).await,
    };
    save(visit, sent, &place.step(url), "product-picture-added").await
}

/// Puts a stored picture on the product.
pub(super) async fn choose(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    let (sent, place) = (Sent::read(&form)?, Place::read(form.field(PLACE)?)?);
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
    save(visit, Sent::read(&form)?, &step, "product-picture-taken").await
}

/// Moves a picture among those of the product.
pub(super) async fn shift(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    let step = PictureStep::read_move(form.field(MOVED)?)?;
    save(visit, Sent::read(&form)?, &step, "product-picture-moved").await
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
