//! The sample operators of the demo, one for each way to use the console.

use pointbook_access::operators::manage::{OperatorRefusal, add_operator, list_operators};
use pointbook_domain::{Email, Environment, OperatorName, Role, Slug, TenantName};

use crate::import::Target;
use crate::sample::SampleResult;
use crate::sample::people::SLUG;

/// The operators of both environments. The owner comes first, because a tenant has one before others.
const OPERATORS: [(&str, &str, Role); 4] = [
    ("ada@acme.example", "Ada", Role::Owner),
    ("sam@acme.example", "Sam", Role::Support),
    ("noor@acme.example", "Noor", Role::Analyst),
    ("felix@acme.example", "Felix", Role::Fulfilment),
];

/// An operator of one environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DemoOperator {
    pub(super) tenant: TenantName,
    pub(super) email: Email,
    pub(super) name: OperatorName,
    pub(super) role: Role,
}

/// All operators, those of production first.
pub(super) fn operators() -> SampleResult<Vec<DemoOperator>> {
    let mut operators = Vec::new();
    for environment in [Environment::Production, Environment::Staging] {
        for (email, name, role) in OPERATORS {
            let tenant = TenantName { slug: Slug::new(SLUG)?, environment };
            let (email, name) = (Email::parse(email)?, OperatorName::new(name)?);
            operators.push(DemoOperator { tenant, email, name, role });
        }
    }
    Ok(operators)
}

/// Adds the operators of the tenant that are missing. Others stay as they are, with the roles that they got.
pub(super) async fn ensure(target: Target<'_>) -> SampleResult<()> {
    let known = list_operators(&*target.tenant.data).await?;
    let is_known = |email: &Email| known.iter().any(|operator| operator.email == *email);
    for DemoOperator { tenant, email, name, role } in operators()? {
        if tenant != target.tenant.name() || is_known(&email) {
            continue;
        }
        match add_operator(&target.context(), (email, name), role).await? {
            // A second process may start the demo on the same database.
            Ok(_) | Err(OperatorRefusal::EmailTaken) => {}
            Err(refusal) => return Err(refusal.into()),
        }
    }
    Ok(())
}
