//! Which tenant a page is of.

use std::sync::Arc;

use http::{HeaderMap, Uri};
use pointbook_domain::TenantName;
use pointbook_store::{Directory, ServedTenant};

use crate::kernel::requested_authority;

/// The tenant with this name, when it is at the host of the request.
pub fn find_at_host<'d>(
    directory: &'d Directory,
    name: &TenantName,
    uri: &Uri,
    headers: &HeaderMap,
) -> Option<&'d Arc<ServedTenant>> {
    let served = directory.find(name)?;
    let authority = requested_authority(uri, headers)?;
    let at_host = directory.resolve(&authority, served.tenant.base_url.path())?;
    (at_host.tenant.id == served.tenant.id).then_some(served)
}
