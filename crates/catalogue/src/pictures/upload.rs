//! A form with a picture: its file, what is stored of it, and why it is refused.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::{clipped, field};
use pointbook_access::console_kit::icons::{Icon, icon};
use pointbook_domain::PictureFormat;
use pointbook_http::pages::{Form, FormLimits, PageError};
use pointbook_store::background::in_background_for;

use crate::pictures::{AddPicture, AddedPicture, PictureFault, TooManyPictures};

/// A form with a picture. It takes more than a picture may have, so that a larger one, such as that of a camera, gets a page that says
/// why it is refused. It may have the description of a product besides.
pub const UPLOAD: FormLimits =
    FormLimits { bytes: 8 * 1024 * 1024, fields: 1_000, files: 1, too_large: "picture-form-too-large" };

/// The field with the file.
pub const FILE: &str = "picture";

/// How much of the name of a file a page shows.
const MAX_NAME_CHARS: usize = 80;

/// Why a picture was not added.
pub struct Refusal {
    /// The id of the text.
    pub text: &'static str,
    /// The name of the file, as the browser sent it.
    pub file: Option<String>,
}

impl Refusal {
    pub(crate) fn shown(&self, visit: &Visit<'_>) -> Markup {
        html! {
            p .error role="alert" {
                @if let Some(file) = &self.file { bdi { (clipped(file, MAX_NAME_CHARS)) } ": " }
                (visit.words.say(self.text))
            }
        }
    }
}

/// What the field with the file accepts.
pub fn accepted() -> String {
    PictureFormat::ALL.map(PictureFormat::content_type).join(",")
}

/// The field in which an operator chooses the file.
pub(crate) fn file_field(visit: &Visit<'_>) -> Markup {
    let input = html! {
        input type="file" name=(FILE) accept=(accepted()) required;
        span .hint-text { (visit.words.say("product-picture-file-hint")) }
    };
    field(visit, "product-picture-file", input)
}

/// The place for one more picture of the form with this HTML id, which may stay empty. With `sends`, the script sends a file at once, by the
/// button beside the place.
pub(crate) fn drop_zone(visit: &Visit<'_>, form: &str, sends: bool) -> Markup {
    html! {
        label .field {
            (icon(Icon::Imports))
            span { (visit.words.say("product-picture-file")) }
            span .hint-text { (visit.words.say("product-picture-formats")) }
            input type="file" form=(form) name=(FILE) accept=(accepted()) data-sends[sends];
        }
    }
}

/// The name of a file that was chosen for a form, of which the browser sent the name alone.
pub fn chosen_name(form: &Form) -> Option<String> {
    form.optional(FILE).filter(|name| !name.is_empty()).map(str::to_owned)
}

/// Says that a file with this name was chosen and not sent.
pub fn not_uploaded(name: String) -> Refusal {
    Refusal { text: "picture-not-uploaded", file: Some(name) }
}

/// Whether the form has a file.
pub fn has_file(form: &Form) -> bool {
    form.file(FILE).is_some()
}

/// The id of what a page says of bytes that are no picture.
const fn text_of(fault: PictureFault) -> &'static str {
    match fault {
        PictureFault::Empty => "picture-refused-empty",
        PictureFault::TooLarge => "picture-refused-too-large",
        PictureFault::UnknownFormat => "picture-refused-format",
        PictureFault::Damaged => "picture-refused-damaged",
        PictureFault::WrongSize => "picture-refused-size",
    }
}

/// Stores the picture of a form. A picture that is stored already stays as it is. `misfit` says what is wrong with its width and height, as
/// the id of a text.
///
/// # Errors
/// When the store fails.
pub async fn store(
    visit: &Visit<'_>,
    form: &Form,
    misfit: fn((u32, u32)) -> Option<&'static str>,
) -> Result<Result<AddedPicture, Refusal>, PageError> {
    let Some(file) = form.file(FILE) else {
        return Ok(Err(Refusal { text: "picture-refused-none", file: None }));
    };
    let refusal = |text| Refusal { text, file: Some(file.name.clone()) };
    let (context, bytes, now) = (visit.context::<()>()?, file.bytes.clone(), visit.now);
    let picture = match in_background_for(context.worker(), move || AddPicture::of(&bytes, now)).await? {
        Ok(picture) => picture,
        Err(fault) => return Ok(Err(refusal(text_of(fault)))),
    };
    if let Some(text) = misfit(picture.size()) {
        return Ok(Err(refusal(text)));
    }
    let added = context.write(picture).await?;
    Ok(added.map_err(|TooManyPictures| refusal("picture-refused-too-many")))
}
