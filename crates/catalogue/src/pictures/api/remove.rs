//! `DELETE /v1/manage/pictures/{pictureId}`: removes a picture.

use http::StatusCode;
use pointbook_domain::PictureId;
use pointbook_http::describe::Operation;
use pointbook_http::documentation::Tag;
use pointbook_http::error::Conflict;
use pointbook_http::kernel::Response;
use pointbook_http::views::success::Done;
use pointbook_http::{Answer, ApiError, ApiRequest};

use crate::pictures::{PictureRemoval, remove_picture};

pub(super) async fn remove(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let id = request.params.text("pictureId").and_then(|text| PictureId::parse(&text).ok());
    match remove_picture(&request.context(), id.ok_or(ApiError::NotFound)?).await? {
        PictureRemoval::Removed => Ok(Answer::json(StatusCode::OK, &Done::success()).into_response()),
        PictureRemoval::Unknown => Err(ApiError::NotFound),
        PictureRemoval::Used(_) | PictureRemoval::Logo => Err(Conflict::PictureInUse.into()),
    }
}

pub(super) fn documentation() -> Operation {
    Operation::ours("removePicture", Tag::Management, "Remove a picture")
        .describe(
            "Removes a picture that no product shows as `thumbnail` or in its `gallery`. While a product that is not retired shows \
             it, or while it is the logo, the response is 409 `picture_in_use`. Browsers and proxies that loaded the picture may keep it.",
        )
        .conflicting()
        .body::<Done>(StatusCode::OK, "The picture is removed.", r#"{"success": true}"#)
}
