//! Puts an uploaded picture on a product, and takes one from it.

use http::StatusCode;
use pointbook_app::limits::MAX_GALLERY_URLS;
use pointbook_app::ports::{ProductCondition, ProductEditOutcome, ProductPatch, ProductState};
use pointbook_app::{ProductPatchDraft, StoreError, patch_product};
use pointbook_domain::Product;
use pointbook_http_kernel::Response;
use pointbook_page_kit::{PageError, see_other};
use pointbook_pictures::{AddPicture, AddedPicture, PictureFault, TooManyPictures, url_of};

use super::editor::{Draft, find, path, show_stored};
use super::fields::Texts;
use super::pictures::{FILE, PLACE, Place, Refusal, SEEN, TAKEN};
use pointbook_console_kit::visit::Visit;

/// How often a product is read anew, because an order or another person changed it in between.
const ATTEMPTS: usize = 5;

/// What a form changes of a product.
enum Change {
    To(Box<ProductPatch>),
    /// The product is so already, for example because the form was sent twice.
    Same,
    /// The id of the text that says why not.
    Refused(&'static str),
}

impl Change {
    fn to(patch: ProductPatch) -> Self {
        Self::To(Box::new(patch))
    }
}

/// Stores the picture of the form, and puts it on the product. A form that is sent twice adds one picture.
pub(super) async fn add(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    let (place, seen) = (Place::read(form.field(PLACE)?)?, form.field(SEEN)?);
    // Stores nothing for a product that does not exist.
    find(visit).await?;
    let Some(file) = form.file(FILE) else {
        return refused(visit, Refusal { text: "picture-refused-none", file: None }).await;
    };
    let refusal = |text| Refusal { text, file: Some(file.name.clone()) };
    let picture = match AddPicture::read(file.bytes.clone(), visit.now).await? {
        Ok(picture) => picture,
        Err(fault) => return refused(visit, refusal(text_of(fault))).await,
    };
    let url = match visit.context::<()>()?.write(picture).await? {
        Ok(AddedPicture { picture, .. }) => url_of(&visit.served.tenant, &picture),
        Err(TooManyPictures) => return refused(visit, refusal("picture-refused-too-many")).await,
    };
    let change = |product: &Product| match place {
        Place::Thumbnail => put_main(product, seen, &url),
        Place::Gallery => put_more(product, &url),
    };
    save(visit, change, "product-picture-added", refusal).await
}

/// Takes a picture from the product. The picture itself stays stored, because other products may show it.
pub(super) async fn take(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    let (place, url) = form.field(TAKEN)?.split_once(' ').ok_or(PageError::BadRequest)?;
    let place = Place::read(place)?;
    let change = |product: &Product| without(product, place, url);
    save(visit, change, "product-picture-taken", |text| Refusal { text, file: None }).await
}

/// The main picture is replaced only when it is the one that the page showed.
fn put_main(product: &Product, seen: &str, url: &str) -> Change {
    if product.thumbnail == url {
        return Change::Same;
    }
    if product.thumbnail != seen {
        return Change::Refused("picture-refused-other-main");
    }
    Change::to(ProductPatch { thumbnail: Some(url.to_owned()), ..ProductPatch::default() })
}

fn put_more(product: &Product, url: &str) -> Change {
    if product.gallery.iter().any(|known| known == url) {
        return Change::Same;
    }
    if product.gallery.len() >= MAX_GALLERY_URLS {
        return Change::Refused("picture-refused-gallery-full");
    }
    let gallery = product.gallery.iter().cloned().chain([url.to_owned()]).collect();
    Change::to(ProductPatch { gallery: Some(gallery), ..ProductPatch::default() })
}

fn without(product: &Product, place: Place, url: &str) -> Change {
    match place {
        Place::Thumbnail if product.thumbnail == url => {
            Change::to(ProductPatch { thumbnail: Some(String::new()), ..ProductPatch::default() })
        }
        Place::Gallery if product.gallery.iter().any(|known| known == url) => {
            let others = product.gallery.iter().filter(|known| *known != url).cloned().collect();
            Change::to(ProductPatch { gallery: Some(others), ..ProductPatch::default() })
        }
        Place::Thumbnail | Place::Gallery => Change::Same,
    }
}

async fn save(
    visit: &Visit<'_>,
    change: impl Fn(&Product) -> Change,
    said: &str,
    refusal: impl Fn(&'static str) -> Refusal,
) -> Result<Response, PageError> {
    for _ in 0..ATTEMPTS {
        let stored = find(visit).await?;
        let id = stored.product.id.clone();
        let others = match change(&stored.product) {
            Change::To(patch) => *patch,
            Change::Same => return Ok(see_other(&path(visit, &id, "?said=product-unchanged"))),
            Change::Refused(text) => return refused(visit, refusal(text)).await,
        };
        let condition = ProductCondition::OneOf(vec![ProductState::of(&stored)]);
        let draft = ProductPatchDraft { description: None, others };
        let outcome = patch_product(&visit.context()?, id.clone(), draft, condition).await?.without_key()?;
        match outcome {
            ProductEditOutcome::Stored(..) => {
                return Ok(see_other(&path(visit, &id, &format!("?said={said}"))));
            }
            ProductEditOutcome::Unknown | ProductEditOutcome::Retired => return Err(PageError::NotFound),
            // The product changed in between. No picture is refused by a rule of prices or stock.
            ProductEditOutcome::ConditionFailed | ProductEditOutcome::Refused(_) => {}
        }
    }
    Err(PageError::Store(StoreError::Overloaded))
}

async fn refused(visit: &Visit<'_>, refusal: Refusal) -> Result<Response, PageError> {
    let stored = find(visit).await?;
    let texts = Texts::of_product(&stored.product, &visit.served.zone());
    let code = StatusCode::UNPROCESSABLE_ENTITY;
    show_stored(visit, &stored, &Draft { code, picture: Some(refusal), ..Draft::of(texts) }).await
}

fn text_of(fault: PictureFault) -> &'static str {
    match fault {
        PictureFault::Empty => "picture-refused-empty",
        PictureFault::TooLarge => "picture-refused-too-large",
        PictureFault::UnknownFormat => "picture-refused-format",
        PictureFault::Damaged => "picture-refused-damaged",
        PictureFault::WrongSize => "picture-refused-size",
    }
}
