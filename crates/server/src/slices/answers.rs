//! The names of response schemas in the OpenAPI document. Generated clients use them as type names.

use pointbook_access::audit_log::view::{AuditEntryView, AuditLogView};
use pointbook_access::clock::view::ClockView;
use pointbook_access::keys::view::{AddedKeyView, KeyListView, KeyView};
use pointbook_access::sessions::view::SignInLinkView;
use pointbook_access::tokens::view::TokenView;
use pointbook_catalogue::categories::managed_view::{CategoriesView, CategoryView};
use pointbook_catalogue::pictures::view::PictureView;
use pointbook_catalogue::products::managed_view::ManagedProductView;
use pointbook_catalogue::products::view::product_schema;
use pointbook_catalogue::products::warning_view::{WarningView, WrittenProductView};
use pointbook_events::feed::view::{EventListView, EventView};
use pointbook_events::webhooks::view::{
    WebhookAttemptListView, WebhookAttemptView, WebhookListView, WebhookSecretView, WebhookStatusView,
    WebhookTestView, WebhookView,
};
use pointbook_http::describe::{NamedSchema, Schema, View};
use pointbook_http::views::envelope::{links_schema, meta_schema, page_of};
use pointbook_http::views::import::RejectedLine;
use pointbook_http::views::success::{answer_of, done_schema, written_of};
use pointbook_points::campaigns::back_fill_view::BackFillView;
use pointbook_points::campaigns::back_test_view::{BackTestResultView, BackTestView};
use pointbook_points::campaigns::view::{
    CampaignDetailView, CampaignListView, CampaignView, WrittenCampaignView,
};
use pointbook_points::earning::explanation_view::{DryRunView, ExplanationView, VerdictView};
use pointbook_points::earning::view::{ActivityView, BonusView, TransactionView};
use pointbook_points::members::history_view::schema::{group_schema, history_meta_schema, history_schema};
use pointbook_points::members::ledger_view::LedgerEntryView;
use pointbook_points::members::view::UserView;
use pointbook_points::orders::view::{ManagedOrderView, OrderView, OrderedProductView};

/// All of them, except those of a single operation.
pub(crate) const ANSWERS: [NamedSchema; 79] = [
    ("Product", product_schema),
    ("ProductPage", || page_of("Product")),
    ("ProductAnswer", || answer_of("Product")),
    CategoryView::COMPONENT,
    CategoriesView::COMPONENT,
    ("PageLinks", links_schema),
    ("PageMeta", meta_schema),
    ("PointHistory", history_schema),
    ("PointHistoryMeta", history_meta_schema),
    ("ActivityGroup", group_schema),
    TransactionView::COMPONENT,
    BonusView::COMPONENT,
    UserView::COMPONENT,
    ("UserAnswer", || answer_of("User")),
    ("UserWritten", || written_of("User")),
    ("UserPage", || page_of("User")),
    OrderView::COMPONENT,
    ("OrderedProduct", || OrderedProductView::object().describe("The product at the time of the order.")),
    ("OrderAnswer", || answer_of("Order")),
    ("OrderWritten", || written_of("Order")),
    ("OrderPage", || page_of("Order")),
    ManagedOrderView::COMPONENT,
    ("ManagedOrderAnswer", || answer_of("ManagedOrder")),
    ("ManagedOrderWritten", || written_of("ManagedOrder")),
    ("ManagedOrderPage", || page_of("ManagedOrder")),
    ManagedProductView::COMPONENT,
    ("ManagedProductAnswer", || answer_of("ManagedProduct")),
    WrittenProductView::COMPONENT,
    WarningView::COMPONENT,
    PictureView::COMPONENT,
    ("PictureAnswer", || answer_of("Picture")),
    ("PicturePage", || page_of("Picture")),
    ("ManagedProductPage", || page_of("ManagedProduct")),
    ActivityView::COMPONENT,
    ("RecordedActivityWritten", || written_of("RecordedActivity")),
    LedgerEntryView::COMPONENT,
    VerdictView::COMPONENT,
    ExplanationView::COMPONENT,
    ("ExplanationAnswer", || answer_of("Explanation")),
    DryRunView::COMPONENT,
    ("DryRunAnswer", || answer_of("DryRun")),
    ("RecordedOrTriedActivity", || Schema::any_of(["RecordedActivityWritten", "DryRunAnswer"])),
    CampaignView::COMPONENT,
    CampaignListView::COMPONENT,
    CampaignDetailView::COMPONENT,
    ("CampaignDetailAnswer", || answer_of("CampaignDetail")),
    WrittenCampaignView::COMPONENT,
    BackTestView::COMPONENT,
    BackTestResultView::COMPONENT,
    ("BackTestAnswer", || answer_of("BackTest")),
    BackFillView::COMPONENT,
    ("BackFillAnswer", || answer_of("BackFill")),
    TokenView::COMPONENT,
    ("IssuedTokenAnswer", || answer_of("IssuedToken")),
    SignInLinkView::COMPONENT,
    ("SignInLinkAnswer", || answer_of("SignInLink")),
    KeyView::COMPONENT,
    KeyListView::COMPONENT,
    AddedKeyView::COMPONENT,
    ("AddedApiKeyAnswer", || answer_of("AddedApiKey")),
    AuditEntryView::COMPONENT,
    AuditLogView::COMPONENT,
    EventView::COMPONENT,
    EventListView::COMPONENT,
    WebhookView::COMPONENT,
    ("WebhookAnswer", || answer_of("Webhook")),
    WebhookStatusView::COMPONENT,
    ("WebhookStatusAnswer", || answer_of("WebhookStatus")),
    WebhookListView::COMPONENT,
    WebhookSecretView::COMPONENT,
    ("WebhookSecretAnswer", || answer_of("WebhookSecret")),
    WebhookAttemptView::COMPONENT,
    WebhookAttemptListView::COMPONENT,
    WebhookTestView::COMPONENT,
    ("WebhookTestAnswer", || answer_of("WebhookTest")),
    ClockView::COMPONENT,
    ("ClockAnswer", || answer_of("Clock")),
    RejectedLine::COMPONENT,
    ("Done", done_schema),
];
