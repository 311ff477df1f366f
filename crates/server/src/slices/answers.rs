//! The names of response schemas in the OpenAPI document. Generated clients use them as type names.

use pointbook_access::audit_log::view::{audit_entry_schema, audit_log_schema};
use pointbook_access::clock::view::clock_schema;
use pointbook_access::keys::view::{added_key_schema, key_list_schema, key_schema};
use pointbook_access::sessions::view::sign_in_link_schema;
use pointbook_access::tokens::view::token_schema;
use pointbook_catalogue::categories::view::{category_list_schema, category_schema};
use pointbook_catalogue::pictures::view::picture_schema;
use pointbook_catalogue::products::managed_view::managed_product_schema;
use pointbook_catalogue::products::view::product_schema;
use pointbook_catalogue::products::warning_view::{warning_schema, written_product_schema};
use pointbook_events::feed::view::{event_list_schema, event_schema};
use pointbook_events::webhooks::view::{
    webhook_attempt_list_schema, webhook_attempt_schema, webhook_list_schema, webhook_schema,
    webhook_secret_schema, webhook_status_schema, webhook_test_schema,
};
use pointbook_http::describe::{NamedSchema, Schema};
use pointbook_http::views::envelope::{links_schema, meta_schema, page_of};
use pointbook_http::views::import::rejected_line_schema;
use pointbook_http::views::success::{answer_of, done_schema, written_of};
use pointbook_points::campaigns::back_fill_view::back_fill_schema;
use pointbook_points::campaigns::back_test_view::{back_test_result_schema, back_test_schema};
use pointbook_points::campaigns::view::{
    campaign_detail_schema, campaign_list_schema, campaign_schema, written_campaign_schema,
};
use pointbook_points::earning::explanation_view::{dry_run_schema, explanation_schema, verdict_schema};
use pointbook_points::earning::view::{activity_schema, bonus_schema, transaction_schema};
use pointbook_points::members::history_view::schema::{group_schema, history_meta_schema, history_schema};
use pointbook_points::members::ledger_view::ledger_entry_schema;
use pointbook_points::members::view::user_schema;
use pointbook_points::orders::view::{managed_order_schema, order_schema, ordered_product_schema};

/// All of them, except those of a single operation.
pub(crate) const ANSWERS: [NamedSchema; 79] = [
    ("Product", product_schema),
    ("ProductPage", || page_of("Product")),
    ("ProductAnswer", || answer_of("Product")),
    ("Category", category_schema),
    ("CategoryList", category_list_schema),
    ("PageLinks", links_schema),
    ("PageMeta", meta_schema),
    ("PointHistory", history_schema),
    ("PointHistoryMeta", history_meta_schema),
    ("ActivityGroup", group_schema),
    ("Transaction", transaction_schema),
    ("BonusDetail", bonus_schema),
    ("User", user_schema),
    ("UserAnswer", || answer_of("User")),
    ("UserWritten", || written_of("User")),
    ("UserPage", || page_of("User")),
    ("Order", order_schema),
    ("OrderedProduct", ordered_product_schema),
    ("OrderAnswer", || answer_of("Order")),
    ("OrderWritten", || written_of("Order")),
    ("OrderPage", || page_of("Order")),
    ("ManagedOrder", managed_order_schema),
    ("ManagedOrderAnswer", || answer_of("ManagedOrder")),
    ("ManagedOrderWritten", || written_of("ManagedOrder")),
    ("ManagedOrderPage", || page_of("ManagedOrder")),
    ("ManagedProduct", managed_product_schema),
    ("ManagedProductAnswer", || answer_of("ManagedProduct")),
    ("ManagedProductWritten", written_product_schema),
    ("Warning", warning_schema),
    ("Picture", picture_schema),
    ("PictureAnswer", || answer_of("Picture")),
    ("PicturePage", || page_of("Picture")),
    ("ManagedProductPage", || page_of("ManagedProduct")),
    ("RecordedActivity", activity_schema),
    ("RecordedActivityWritten", || written_of("RecordedActivity")),
    ("LedgerEntry", ledger_entry_schema),
    ("CampaignVerdict", verdict_schema),
    ("Explanation", explanation_schema),
    ("ExplanationAnswer", || answer_of("Explanation")),
    ("DryRun", dry_run_schema),
    ("DryRunAnswer", || answer_of("DryRun")),
    ("RecordedOrTriedActivity", || Schema::any_of(["RecordedActivityWritten", "DryRunAnswer"])),
    ("Campaign", campaign_schema),
    ("CampaignList", campaign_list_schema),
    ("CampaignDetail", campaign_detail_schema),
    ("CampaignDetailAnswer", || answer_of("CampaignDetail")),
    ("CampaignWritten", written_campaign_schema),
    ("BackTest", back_test_schema),
    ("BackTestResult", back_test_result_schema),
    ("BackTestAnswer", || answer_of("BackTest")),
    ("BackFill", back_fill_schema),
    ("BackFillAnswer", || answer_of("BackFill")),
    ("IssuedToken", token_schema),
    ("IssuedTokenAnswer", || answer_of("IssuedToken")),
    ("SignInLink", sign_in_link_schema),
    ("SignInLinkAnswer", || answer_of("SignInLink")),
    ("ApiKey", key_schema),
    ("ApiKeyList", key_list_schema),
    ("AddedApiKey", added_key_schema),
    ("AddedApiKeyAnswer", || answer_of("AddedApiKey")),
    ("AuditEntry", audit_entry_schema),
    ("AuditLog", audit_log_schema),
    ("Event", event_schema),
    ("EventList", event_list_schema),
    ("Webhook", webhook_schema),
    ("WebhookAnswer", || answer_of("Webhook")),
    ("WebhookStatus", webhook_status_schema),
    ("WebhookStatusAnswer", || answer_of("WebhookStatus")),
    ("WebhookList", webhook_list_schema),
    ("WebhookSecret", webhook_secret_schema),
    ("WebhookSecretAnswer", || answer_of("WebhookSecret")),
    ("WebhookAttempt", webhook_attempt_schema),
    ("WebhookAttemptList", webhook_attempt_list_schema),
    ("WebhookTest", webhook_test_schema),
    ("WebhookTestAnswer", || answer_of("WebhookTest")),
    ("Clock", clock_schema),
    ("ClockAnswer", || answer_of("Clock")),
    ("RejectedLine", rejected_line_schema),
    ("Done", done_schema),
];
