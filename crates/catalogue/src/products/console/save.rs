//! Saves the form of a product, or shows how its description would look. When two persons change one
//! product, what each of them changed stays, and the second one sees the fields that both changed.

use http::StatusCode;
use pointbook_access::console_kit::once::once_context;
use pointbook_access::console_kit::{Visit, once};
use pointbook_domain::CategoryId;
use pointbook_domain::errors::{FieldCode, FieldErrors, Rule};
use pointbook_http::body::BodyFields;
use pointbook_http::kernel::Response;
use pointbook_http::pages::{Form, PageError, see_other};
use pointbook_store::StoreError;
use pointbook_store::ports::{
    ProductCondition, ProductEditOutcome, ProductEditRefusal, ProductState, StoredProduct,
};

use super::editor::{Draft, find, gone, path, read, read_new, show_new, show_stored, unknown_ids};
use super::form::{Field, Fingerprints, TEXTS, Texts};
use super::form_values::{Sent, Typed, category_search};
use super::picture_steps::{Pictures, Stepped};
use super::pictures::{MAIN_TYPED, PLACE, PictureField};
use crate::pictures::console::choice::pressed;
use crate::pictures::upload::{Refusal, chosen_name, has_file, not_uploaded, store};
use crate::pictures::url_of;
use crate::products::edit::{patch_product, put_product};
use crate::products::managed::{read_product_patch, sale_above_regular};

/// How often a form is compared with the stored product anew, because an order or another person changed it in between.
const ATTEMPTS: usize = 5;

fn draft_of_new(visit: &Visit<'_>, form: &Form) -> Draft {
    let text = |name: &str| form.optional(name).unwrap_or_default().to_owned();
    let refusals = chosen_name(form).map(not_uploaded).into_iter().collect();
    let (new, place, search) =
        ([text("id"), text("stock")], PictureField::chosen(form), category_search(form));
    Draft { refusals, place, search, new, ..Draft::of(Texts::of_form(visit, form)) }
}

pub(super) async fn preview_new(visit: &Visit<'_>) -> Result<Response, PageError> {
    let draft = draft_of_new(visit, &visit.form_of_session().await?);
    show_new(visit, &Draft { is_preview: true, ..draft }).await
}

/// Puts the address of a stored picture into the form of a new product.
pub(super) async fn choose_for_new(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    let (draft, place) = (draft_of_new(visit, &form), PictureField::read(form.field(PLACE)?)?);
    let refused = |text| draft_of_new(visit, &form).without_picture(Refusal { text, file: None });
    let Some(picture) = pressed(visit, &form).await? else {
        return show_new(visit, &refused("picture-refused-gone")).await;
    };
    let step = place.step(url_of(&visit.served.tenant, &picture));
    let texts = match step.applied_to(&Pictures::of_texts(&draft.texts)) {
        Stepped::To(pictures) => pictures.in_texts(&draft.texts),
        Stepped::Same => draft.texts.clone(),
        Stepped::Refused(text) => return show_new(visit, &refused(text)).await,
    };
    show_new(visit, &Draft { texts, said: Some("picture-in-form"), place: None, ..draft }).await
}

/// Adds a product whose id is free. A form that is sent twice adds one. Stores the chosen file first.
pub(super) async fn create(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    form.check_fields(TEXTS)?;
    let mut draft = draft_of_new(visit, &form);
    let has_main = !draft.texts.get(Field::Thumbnail).is_empty();
    match with_file(visit, &form, &draft.texts, has_main).await? {
        Ok(texts) => draft.texts = texts,
        Err(refusal) => return show_new(visit, &draft.without_picture(refusal)).await,
    }
    draft.said = said_of_file(&form);
    let product = match read_new(visit, &draft) {
        Ok(product) => product,
        Err(errors) => return show_new(visit, &draft.refused(errors)).await,
    };
    if names_unknown(visit, &draft.texts, None).await? {
        return show_new(visit, &draft.mistaken()).await;
    }
    let (id, request) = (product.id.clone(), format!("product.create\n{product:?}"));
    let is_refusal = |outcome: &ProductEditOutcome| !matches!(outcome, ProductEditOutcome::Stored(..));
    let context = once_context(visit, &form, &request, is_refusal)?;
    match once::sent(put_product(&context, product, ProductCondition::Missing).await?)? {
        once::Sent::Now(ProductEditOutcome::Stored(..)) => {
            Ok(see_other(&path(visit, &id, "?said=product-created")))
        }
        once::Sent::Before => Ok(see_other(&path(visit, &id, ""))),
        once::Sent::Now(_) | once::Sent::RefusedBefore => {
            let taken = Rule::new(FieldCode::DuplicateValue, "has already been taken");
            show_new(visit, &draft.refused(FieldErrors::one("id", taken))).await
        }
        once::Sent::OtherBefore => {
            let (code, alert) = (StatusCode::UNPROCESSABLE_ENTITY, Some("product-form-sent-before"));
            show_new(visit, &Draft { code, alert, ..draft }).await
        }
    }
}

pub(super) async fn preview(visit: &Visit<'_>) -> Result<Response, PageError> {
    // The page keeps what the form showed at first, so that it still finds what another person saves.
    let sent = Sent::read(visit, &visit.form_of_session().await?)?;
    show_stored(visit, &find(visit).await?, &Draft { is_preview: true, ..sent.draft() }).await
}

/// Fields that the operator changed count, all others stay as they are. So two persons who change different fields lose nothing, and who
/// changes a field that another person changed meanwhile sees both values. Stores the chosen file first.
pub(super) async fn change(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    let mut sent = Sent::read(visit, &form)?;
    let stored = find(visit).await?;
    match with_file(visit, &form, &sent.typed.texts, sent.typed.has_main()).await? {
        Ok(texts) => sent.typed.texts = texts,
        Err(refusal) => return show_stored(visit, &stored, &sent.draft().without_picture(refusal)).await,
    }
    let said = said_of_file(&form);
    let Sent { typed: Typed { texts: mine, seen }, stock, place, search, .. } = sent;
    for _ in 0..ATTEMPTS {
        let stored = find(visit).await?;
        let theirs = Texts::of_product(&stored.product, &visit.served.zone());
        let Merged { texts, conflicts, is_late } = merge(&seen, &mine, &theirs);
        let again = |texts| {
            let (stock, search) = (stock.clone(), search.clone());
            Draft { stock, place, search, said, ..Draft::of(texts) }
        };
        if !conflicts.is_empty() {
            let draft = Draft { code: StatusCode::CONFLICT, theirs: conflicts, ..again(texts) };
            return show_stored(visit, &stored, &draft).await;
        }
        let (saved, said) = match save(visit, &stored, &texts, &theirs).await? {
            Saved::Done(saved) if is_late => (*saved, "product-merged"),
            Saved::Done(saved) => (*saved, "product-saved"),
            Saved::Same => (stored, "product-unchanged"),
            Saved::OtherState => continue,
            Saved::Mistaken => return show_stored(visit, &stored, &again(texts).mistaken()).await,
            Saved::Refused(errors) => {
                return show_stored(visit, &stored, &again(texts).refused(errors)).await;
            }
        };
        let texts = Texts::of_product(&saved.product, &visit.served.zone());
        let typed = Typed { seen: Fingerprints::of(&texts), texts };
        return Sent { typed, stock, file: None, place: None, search }.done(visit, &saved, said).await;
    }
    Err(PageError::Store(StoreError::Overloaded))
}

/// The form with the picture of its file, or why the file is refused. Mistakes in other fields keep the picture, because no page can keep
/// a chosen file.
async fn with_file(
    visit: &Visit<'_>,
    form: &Form,
    texts: &Texts,
    has_typed_main: bool,
) -> Result<Result<Texts, Refusal>, PageError> {
    if let Some(name) = chosen_name(form) {
        return Ok(Err(not_uploaded(name)));
    }
    if !has_file(form) {
        return Ok(Ok(texts.clone()));
    }
    let place = PictureField::read(form.field(PLACE)?)?;
    if place == PictureField::Main && has_typed_main {
        return Ok(Err(Refusal { text: MAIN_TYPED, file: None }));
    }
    let typed = Pictures::of_texts(texts);
    // Stores no picture that the product has no room for.
    if let Stepped::Refused(text) = place.step(String::new()).applied_to(&typed) {
        return Ok(Err(Refusal { text, file: None }));
    }
    let added = store(visit, form, |_| None).await?;
    let step = added.map(|added| place.step(url_of(&visit.served.tenant, &added.picture)));
    Ok(step.map(|step| match step.applied_to(&typed) {
        Stepped::To(pictures) => pictures.in_texts(texts),
        Stepped::Same | Stepped::Refused(_) => texts.clone(),
    }))
}

/// The id of the text that a page with mistakes says of a file that was sent.
fn said_of_file(form: &Form) -> Option<&'static str> {
    has_file(form).then_some("picture-kept")
}

/// Whether the form names a picture of this server that is gone, or a category that does not exist. What the product names already may stay.
async fn names_unknown(
    visit: &Visit<'_>,
    texts: &Texts,
    stored: Option<&StoredProduct>,
) -> Result<bool, PageError> {
    let tree = visit.served.data.categories().await?;
    if !unknown_ids(&tree, texts, stored).is_empty() {
        return Ok(true);
    }
    let known = stored.map(|stored| Pictures::of_product(&stored.product));
    let is_known = |url: &String| known.as_ref().is_some_and(|known| known.urls().any(|known| known == url));
    Ok(gone(visit, texts).await?.iter().any(|url| !is_known(url)))
}

enum Saved {
    Done(Box<StoredProduct>),
    /// The form says what is stored.
    Same,
    /// The product changed in between.
    OtherState,
    Refused(FieldErrors),
    /// The form names what does not exist.
    Mistaken,
}

async fn save(
    visit: &Visit<'_>,
    stored: &StoredProduct,
    texts: &Texts,
    theirs: &Texts,
) -> Result<Saved, PageError> {
    let id = stored.product.id.clone();
    if let Err(errors) = read(visit, texts, &id) {
        return Ok(Saved::Refused(errors));
    }
    if texts == theirs {
        return Ok(Saved::Same);
    }
    if names_unknown(visit, texts, Some(stored)).await? {
        return Ok(Saved::Mistaken);
    }
    let members = texts.changed_members(theirs, &visit.served.zone());
    let mut changes = match read_product_patch(BodyFields::new(&members, FieldErrors::default()), Some(&id)) {
        Ok(changes) => changes,
        Err(errors) => return Ok(Saved::Refused(errors)),
    };
    let chosen = changes.others.categories.take();
    changes.others.categories = chosen.map(|chosen| in_order_of(&stored.product.categories, chosen));
    let condition = ProductCondition::OneOf(vec![ProductState::of(stored)]);
    match patch_product(&visit.context()?, id, changes, condition).await?.without_key()? {
        ProductEditOutcome::Stored(_, stored) => Ok(Saved::Done(stored)),
        ProductEditOutcome::ConditionFailed => Ok(Saved::OtherState),
        ProductEditOutcome::Unknown | ProductEditOutcome::Retired => Err(PageError::NotFound),
        ProductEditOutcome::Refused(
            ProductEditRefusal::SaleAboveRegular
            | ProductEditRefusal::UnlimitedStock
            | ProductEditRefusal::TooFewPieces
            | ProductEditRefusal::TooManyPieces,
        ) => Ok(Saved::Refused(FieldErrors::one(Field::SalePrice.name(), sale_above_regular()))),
    }
}

/// A form beside the product that is stored now.
pub(super) struct Merged {
    /// What this operator typed, and the stored text where the operator changed nothing.
    pub(super) texts: Texts,
    /// The stored texts of the fields that both changed.
    pub(super) conflicts: Vec<(Field, String)>,
    /// Whether another person saved a field in between.
    pub(super) is_late: bool,
}

/// `seen` is what the form showed at first.
pub(super) fn merge(seen: &Fingerprints, mine: &Texts, theirs: &Texts) -> Merged {
    let is_mine = |field| seen.is_changed(field, mine);
    let both = |field: &Field| {
        is_mine(*field) && seen.is_changed(*field, theirs) && mine.get(*field) != theirs.get(*field)
    };
    let conflicts = Field::ALL.into_iter().filter(both);
    Merged {
        texts: Texts::chosen(mine, theirs, is_mine),
        conflicts: conflicts.map(|field| (field, theirs.get(field).to_owned())).collect(),
        is_late: Field::ALL.into_iter().any(|field| seen.is_changed(field, theirs)),
    }
}

/// The chosen categories: those that the product has, in their order, and then the new ones.
fn in_order_of(stored: &[CategoryId], chosen: Vec<CategoryId>) -> Vec<CategoryId> {
    let kept: Vec<CategoryId> = stored.iter().filter(|id| chosen.contains(id)).cloned().collect();
    let new: Vec<CategoryId> = chosen.into_iter().filter(|id| !kept.contains(id)).collect();
    kept.into_iter().chain(new).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn categories_that_stay_keep_their_order() {
        let ids = |text: &str| text.split(' ').map(|id| CategoryId::new(id).unwrap()).collect::<Vec<_>>();
        assert_eq!(in_order_of(&ids("c a b"), ids("a c d")), ids("c a d"));
    }
}
