//! Where the pages of a shop are.

use pointbook_domain::{Environment, Tenant, TenantName};

/// The path of the shop of a tenant: `/shop/acme` in production, `/shop/acme.staging` in staging.
pub fn shop_path(name: &TenantName) -> String {
    let TenantName { slug, environment } = name;
    match environment {
        Environment::Production => format!("/shop/{slug}"),
        Environment::Staging => format!("/shop/{slug}.{environment}"),
    }
}

/// The tenant of the segment after `/shop/`. `None` when no tenant can have it.
pub fn tenant_of_segment(segment: &str) -> Option<TenantName> {
    let name = segment.replacen('.', "/", 1);
    TenantName::parse(&name).ok().filter(|name| shop_path(name).strip_prefix("/shop/") == Some(segment))
}

/// The name of the parameter with the text of a link. Logs have paths and no parameters.
pub const LINK_PARAMETER: &str = "link";

/// The URL of a one-time link. The shop is at the host of the interface.
pub fn link_url(tenant: &Tenant, text: &str) -> String {
    let name = TenantName { slug: tenant.slug.clone(), environment: tenant.environment };
    let origin = tenant.base_url.origin();
    format!("{origin}{}/sign-in?{LINK_PARAMETER}={text}", shop_path(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shop_is_found_at_its_path_only() {
        for name in ["acme/production", "acme/staging"] {
            let name = TenantName::parse(name).unwrap();
            let path = shop_path(&name);
            assert_eq!(tenant_of_segment(path.strip_prefix("/shop/").unwrap()), Some(name));
        }
        for bad in
            ["", "acme.production", "acme/staging", "acme.", ".staging", "acme.staging.staging", "Acme"]
        {
            assert_eq!(tenant_of_segment(bad), None, "{bad}");
        }
    }
}
