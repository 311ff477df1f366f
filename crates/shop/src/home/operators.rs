//! The operators of the demo, whom one click signs in to the console.

use std::collections::BTreeSet;

use pointbook_access::operators::manage::list_operators;
use pointbook_access::sessions::{PagesOf, SignInLink, pages_path};
use pointbook_domain::{Operator, TenantName};

use crate::shared::Shared;

/// An operator of a tenant of the demo, with the path of the console and the link that signs the operator in.
pub(super) struct Colleague {
    pub(super) tenant: TenantName,
    pub(super) operator: Operator,
    pub(super) console: String,
    pub(super) link: String,
}

/// The operators of the tenants that the people of the demo belong to. Their links are new at each visit. A tenant whose store fails
/// is left out.
pub(super) async fn colleagues(shared: &Shared) -> Vec<Colleague> {
    let people = shared.home.demo.iter().flat_map(|demo| &demo.people);
    let tenants: BTreeSet<_> = people.map(|person| (person.environment, person.tenant.clone())).collect();
    let mut all = Vec::new();
    for (environment, slug) in tenants {
        let of_tenant = of_tenant(shared, TenantName { slug, environment }).await;
        all.extend(of_tenant.unwrap_or_default());
    }
    all
}

async fn of_tenant(shared: &Shared, tenant: TenantName) -> Option<Vec<Colleague>> {
    let served = shared.service.directory().find(&tenant).cloned()?;
    let now = served.tenant.now(shared.service.clock.now());
    let secret = served.secrets.get(now).await.ok()?;
    let operators = list_operators(&*served.data).await.ok()?;
    let colleague = |operator: Operator| {
        let link = SignInLink::new(operator.id.clone(), now, shared.secrets.secret()).to_text(&secret);
        Colleague { console: pages_path(PagesOf::Console, &tenant), tenant: tenant.clone(), operator, link }
    };
    Some(operators.into_iter().map(colleague).collect())
}
