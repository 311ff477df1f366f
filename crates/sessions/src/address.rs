//! Where the pages of a tenant are.

use pointbook_domain::{Environment, Tenant, TenantName};

/// The pages of a tenant for one kind of people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// For members.
    Shop,
    /// For operators.
    Console,
}

impl Place {
    /// The path that all pages of this kind begin with.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Shop => "/shop/",
            Self::Console => "/console/",
        }
    }
}

/// The path of the pages of a tenant: `/shop/acme` in production, `/shop/acme.staging` in staging.
pub fn pages_path(place: Place, name: &TenantName) -> String {
    format!("{}{}", place.prefix(), segment(name))
}

fn segment(name: &TenantName) -> String {
    let TenantName { slug, environment } = name;
    match environment {
        Environment::Production => slug.to_string(),
        Environment::Staging => format!("{slug}.{environment}"),
    }
}

/// The tenant of the segment after the prefix. `None` when no tenant can have it.
pub fn tenant_of_segment(text: &str) -> Option<TenantName> {
    let name = text.replacen('.', "/", 1);
    TenantName::parse(&name).ok().filter(|name| segment(name) == text)
}

/// The name of the parameter with the text of a link. Logs have paths and no parameters.
pub const LINK_PARAMETER: &str = "link";

/// The URL of a one-time link. The pages are at the host of the interface.
pub fn link_url(place: Place, tenant: &Tenant, text: &str) -> String {
    let name = TenantName { slug: tenant.slug.clone(), environment: tenant.environment };
    let origin = tenant.base_url.origin();
    format!("{origin}{}/sign-in?{LINK_PARAMETER}={text}", pages_path(place, &name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenant_is_found_at_its_path_only() {
        for name in ["acme/production", "acme/staging"] {
            let name = TenantName::parse(name).unwrap();
            for place in [Place::Shop, Place::Console] {
                let path = pages_path(place, &name);
                assert_eq!(tenant_of_segment(path.strip_prefix(place.prefix()).unwrap()), Some(name.clone()));
            }
        }
        for bad in
            ["", "acme.production", "acme/staging", "acme.", ".staging", "acme.staging.staging", "Acme"]
        {
            assert_eq!(tenant_of_segment(bad), None, "{bad}");
        }
    }
}
