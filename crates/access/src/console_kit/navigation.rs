//! The navigation.

use pointbook_domain::Scope;

use crate::console_kit::page_spec::Access;

/// A section in the navigation.
pub struct Section {
    /// The path below the console of the tenant.
    pub path: &'static str,
    /// The id of its name.
    pub name: &'static str,
    pub access: Access,
}

/// The sections, in the order of the navigation.
pub const SECTIONS: &[Section] = &[
    Section { path: "", name: "overview", access: Access::Scope(Scope::ReportsRead) },
    Section { path: "/orders", name: "orders", access: Access::Scope(Scope::OrdersRead) },
    Section { path: "/products", name: "products", access: Access::Scope(Scope::ProductsRead) },
    Section { path: "/categories", name: "categories", access: Access::Scope(Scope::ProductsRead) },
    Section { path: "/imports", name: "imports", access: Access::Scope(Scope::ProductsWrite) },
    Section { path: "/campaigns", name: "campaigns", access: Access::Scope(Scope::CampaignsRead) },
    Section { path: "/reports", name: "reports", access: Access::Scope(Scope::ReportsRead) },
    Section { path: "/members", name: "members", access: Access::Scope(Scope::UsersRead) },
    Section { path: "/events", name: "events", access: Access::Scope(Scope::EventsRead) },
    Section { path: "/webhooks", name: "webhooks", access: Access::Scope(Scope::WebhooksWrite) },
    Section { path: "/keys", name: "keys", access: Access::Scope(Scope::KeysWrite) },
    Section { path: "/operators", name: "operators", access: Access::Owner },
    Section { path: "/settings", name: "settings", access: Access::Owner },
    Section { path: "/audit-log", name: "audit-log", access: Access::Scope(Scope::AuditRead) },
    Section { path: "/health", name: "health", access: Access::Scope(Scope::AuditRead) },
];
