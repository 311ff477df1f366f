//! What the operators of a tenant may do.

use std::fmt;

use crate::Scope;
use crate::id::FormError;

/// The role of an operator: a fixed set of scopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Has all scopes.
    Owner,
    /// Has all scopes except those of keys.
    Manager,
    /// Helps members: reads, writes notes, reverses transactions, cancels orders.
    Support,
    /// Works through the orders.
    Fulfilment,
    /// Reads reports, which name no member. No scope of today is one of reports.
    Analyst,
    /// Reads everything, with the audit log.
    Auditor,
}

impl Role {
    pub const ALL: [Self; 6] =
        [Self::Owner, Self::Manager, Self::Support, Self::Fulfilment, Self::Analyst, Self::Auditor];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Manager => "manager",
            Self::Support => "support",
            Self::Fulfilment => "fulfilment",
            Self::Analyst => "analyst",
            Self::Auditor => "auditor",
        }
    }

    /// # Errors
    /// [`FormError`] with the names of all roles.
    pub fn parse(text: &str) -> Result<Self, FormError> {
        Self::ALL.into_iter().find(|role| role.as_str() == text).ok_or(ROLE_RULE)
    }

    pub fn has(self, scope: Scope) -> bool {
        roles_with(scope).contains(&self)
    }

    /// The scopes of the role, in the order of [`Scope::ALL`].
    pub fn scopes(self) -> impl Iterator<Item = Scope> {
        Scope::ALL.iter().copied().filter(move |scope| self.has(*scope))
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

const ROLE_RULE: FormError =
    FormError("a role is one of owner, manager, support, fulfilment, analyst and auditor");

/// The roles that have a scope. The match names each scope, so a new one does not compile until its roles are decided.
const fn roles_with(scope: Scope) -> &'static [Role] {
    use Role::{Analyst, Auditor, Fulfilment, Manager, Owner, Support};
    match scope {
        Scope::KeysWrite => &[Owner],
        Scope::ProductsWrite
        | Scope::CategoriesWrite
        | Scope::UsersWrite
        | Scope::ActivitiesWrite
        | Scope::TokensIssue
        | Scope::WebhooksWrite
        | Scope::CampaignsWrite => &[Owner, Manager],
        Scope::EventsRead | Scope::AuditRead => &[Owner, Manager, Auditor],
        Scope::ReportsRead => &[Owner, Manager, Analyst, Auditor],
        Scope::NotesWrite | Scope::PointsReverse => &[Owner, Manager, Support],
        Scope::ProductsRead | Scope::UsersRead | Scope::CampaignsRead => &[Owner, Manager, Support, Auditor],
        Scope::OrdersRead => &[Owner, Manager, Support, Fulfilment, Auditor],
        Scope::OrdersWrite => &[Owner, Manager, Support, Fulfilment],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each scope, and whether the roles have it, in the order of [`Role::ALL`].
    const TABLE: [(&str, &str); 18] = [
        //                    o m s f a a
        ("products:read", "x x x - - x"),
        ("products:write", "x x - - - -"),
        ("categories:write", "x x - - - -"),
        ("users:read", "x x x - - x"),
        ("users:write", "x x - - - -"),
        ("notes:write", "x x x - - -"),
        ("activities:write", "x x - - - -"),
        ("points:reverse", "x x x - - -"),
        ("orders:read", "x x x x - x"),
        ("orders:write", "x x x x - -"),
        ("tokens:issue", "x x - - - -"),
        ("keys:write", "x - - - - -"),
        ("events:read", "x x - - - x"),
        ("webhooks:write", "x x - - - -"),
        ("audit:read", "x x - - - x"),
        ("campaigns:read", "x x x - - x"),
        ("campaigns:write", "x x - - - -"),
        ("reports:read", "x x - - x x"),
    ];

    #[test]
    fn each_role_has_the_scopes_of_the_table() {
        let mark = |role: Role, scope| if role.has(scope) { "x" } else { "-" };
        let row = |scope: &Scope| (scope.as_str(), Role::ALL.map(|role| mark(role, *scope)).join(" "));
        let rows: Vec<_> = Scope::ALL.iter().map(row).collect();
        assert_eq!(rows, TABLE.map(|(scope, marks)| (scope, marks.to_owned())));
    }

    #[test]
    fn roles_are_read_as_they_are_written() {
        for role in Role::ALL {
            assert_eq!(Role::parse(role.as_str()), Ok(role));
            assert!(ROLE_RULE.0.contains(role.as_str()), "{role}");
        }
        assert_eq!(Role::parse("Owner"), Err(ROLE_RULE));
    }

    #[test]
    fn an_owner_has_every_scope_and_an_auditor_only_reads() {
        assert!(Role::Owner.scopes().eq(Scope::ALL.iter().copied()));
        assert!(Role::Auditor.scopes().all(|scope| scope.as_str().ends_with(":read")));
        assert_eq!(Role::Analyst.scopes().collect::<Vec<_>>(), [Scope::ReportsRead]);
    }
}
