//! `POST /v1/manage/pictures`: stores a picture.

use http::StatusCode;
use pointbook_http::answer::finish;
use pointbook_http::body::BinaryBody;
use pointbook_http::describe::{BodyDoc, Operation};
use pointbook_http::documentation::Tag;
use pointbook_http::error::{Conflict, FieldCode, FieldErrors, Rule};
use pointbook_http::kernel::Response;
use pointbook_http::views::success::Success;
use pointbook_http::{Answer, ApiError, ApiRequest};
use pointbook_store::background::in_background_for;

use crate::pictures::view::PictureView;
use crate::pictures::{AddPicture, AddedPicture, PictureFault, TooManyPictures};

/// The name of the body in errors.
const FIELD: &str = "picture";

pub(super) async fn add(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let body = BinaryBody::of(&request).await?;
    let base_url = request.tenant.tenant.base_url.as_str().to_owned();
    let render = move |outcome: &Result<AddedPicture, TooManyPictures>| show(&base_url, outcome);
    let context = request.once(body.key, render.clone());
    let (bytes, now) = (body.bytes, request.now);
    let picture =
        in_background_for(context.worker(), move || AddPicture::of(&bytes, now)).await?.map_err(refused)?;
    finish(context.execute(picture).await?, render)
}

fn refused(fault: PictureFault) -> FieldErrors {
    let code = match fault {
        PictureFault::Empty => FieldCode::Required,
        PictureFault::TooLarge => FieldCode::TooLarge,
        PictureFault::UnknownFormat => FieldCode::NotAPicture,
        PictureFault::Damaged => FieldCode::DamagedPicture,
        PictureFault::WrongSize => FieldCode::OutOfRange,
    };
    FieldErrors::one(FIELD, Rule::sentence(code, fault.to_string()))
}

fn show(base_url: &str, outcome: &Result<AddedPicture, TooManyPictures>) -> Answer {
    match outcome {
        Ok(AddedPicture { picture, is_new }) => {
            let status = if *is_new { StatusCode::CREATED } else { StatusCode::OK };
            Answer::json(status, &Success::of(PictureView::new(base_url, picture)))
        }
        Err(TooManyPictures) => ApiError::from(Conflict::TooManyPictures).into(),
    }
}

pub(super) fn documentation() -> Operation {
    Operation::ours("addPicture", Tag::Management, "Store a picture")
        .describe(
            "Takes the bytes of a PNG, JPEG, WebP or AVIF file of at most 2 MiB, with 1 to 8192 pixels on each side and at most 24 million. The server finds \
             the format in the bytes: the `Content-Type` of the request does not matter. Put the `url` of the response into \
             `thumbnail` or `gallery` of products. The same bytes are stored once, so the request may be repeated. A tenant has at \
             most 5,000 pictures and 1 GiB: 409 `too_many_pictures`.",
        )
        .reading(BodyDoc::Binary(&["image/png", "image/jpeg", "image/webp", "image/avif"]))
        .success::<PictureView>(StatusCode::OK, "The picture, which was stored before.", EXAMPLE)
        .success::<PictureView>(StatusCode::CREATED, "The new picture.", EXAMPLE)
}

const EXAMPLE: &str = r#"{
    "success": true,
    "data": {
        "id": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "url": "http://localhost:8080/acme/api/pictures/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.webp",
        "content_type": "image/webp",
        "width": 1200,
        "height": 900,
        "bytes": 84210,
        "created_at": "2026-05-04T08:00:00.000000Z"
    }
}"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_an_error_of_the_picture() {
        let told = |fault| serde_json::to_string(&refused(fault)).unwrap();
        assert_eq!(
            told(PictureFault::UnknownFormat),
            r#"{"picture":["The picture must be a PNG, JPEG, WebP or AVIF file."]}"#
        );
        assert_eq!(
            told(PictureFault::WrongSize),
            r#"{"picture":["The picture must have 1 to 8192 pixels on each side, and at most 24 million."]}"#
        );
    }
}
