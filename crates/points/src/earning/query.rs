//! The parameters of an activity.

use pointbook_http::query::Fields;

/// `POST /v1/manage/users/{userId}/activities`: whether the server only says what would become of the activity.
pub(crate) fn dry_run_of_activity(fields: &mut Fields<'_>) -> bool {
    const DRY_RUN: &str = "Whether the server records nothing and says what would become of the activity, as `activities/dry-run` \
                           does. It ignores an `Idempotency-Key` then. Default: false.";
    fields.flag("dry_run", DRY_RUN).unwrap_or(false)
}
