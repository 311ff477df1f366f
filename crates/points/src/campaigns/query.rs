//! The parameters of campaigns, back-tests and back-fills.

use pointbook_http::query::Fields;

/// `GET /v1/manage/campaigns`: whether archived campaigns are listed too.
pub(crate) fn campaign_list(fields: &mut Fields<'_>) -> bool {
    fields.flag("archived", "Whether archived campaigns are listed too. Default: false.").unwrap_or(false)
}

/// `GET /v1/manage/campaigns/{campaignId}/back-test`: the version that was tested.
pub(crate) fn back_test_show(fields: &mut Fields<'_>) -> Option<i64> {
    fields.count("version", "The tested version. Default: the one whose test was requested last.")
}

/// `GET /v1/manage/campaigns/{campaignId}/back-fill`: the version whose awards were given.
pub(crate) fn back_fill_show(fields: &mut Fields<'_>) -> Option<i64> {
    fields.count("version", "The version. Default: the one whose back-fill was requested last.")
}
