//! A change of settings: all of a form, or nothing.

use http::StatusCode;
use pointbook_access::console_kit::Visit;

use pointbook_domain::settings::{SettingError, SettingRule};
use pointbook_domain::{Locale, Tenant};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, see_other};
use pointbook_store::ports::InsertTenantError;
use pointbook_store::tenants::check_settings::{check_settings, parse_tenant_name};
use pointbook_store::tenants::manage::change_tenant;

use super::form::{Typed, version};
use super::logo;
use super::page::page_of;
use super::sheet;

pub(super) async fn change(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    let mut typed = Typed::of_form(&form)?;
    let before = &newest(visit).await?;
    if typed.seen != version(before) {
        typed.is_late = true;
        typed.seen = version(before);
    }
    let mut after = apply(&mut typed, before);
    if !typed.is_late && typed.mistakes.is_empty() {
        typed.logo = logo::change(visit, &form, &mut after.settings.logo).await?;
    } else if logo::is_chosen(&form) {
        typed.logo = Some("picture-not-uploaded");
    }
    if typed.is_late || !typed.mistakes.is_empty() || typed.logo.is_some() {
        let content = page_of(visit, &typed)?;
        let sheet = sheet(visit);
        if typed.is_late && typed.mistakes.is_empty() {
            return Ok(sheet.respond_with(StatusCode::UNPROCESSABLE_ENTITY, &content));
        }
        return Ok(sheet.respond_mistaken(&content));
    }
    store(visit, before, &after).await?;
    Ok(see_other(&visit.path("/settings?said=settings-saved")))
}

/// The tenant as it is stored now. Another instance may have changed it a moment ago.
pub(super) async fn newest(visit: &Visit<'_>) -> Result<Tenant, PageError> {
    let service = &visit.shared.service;
    service.refresh().await?;
    let directory = service.directory();
    let served = directory.find(&visit.served.name()).ok_or(PageError::NotFound)?;
    Ok(served.tenant.clone())
}

/// The tenant with the settings of the form. The form notes the mistakes.
fn apply(typed: &mut Typed, before: &Tenant) -> Tenant {
    let mut tenant = before.clone();
    match parse_tenant_name(typed.name.clone()) {
        Ok(name) => tenant.name = name,
        Err(rule) => drop(typed.mistakes.insert("name".to_owned(), rule)),
    }
    match Locale::new(typed.locale.as_str()) {
        Ok(locale) => tenant.locale = locale,
        Err(_) => drop(typed.mistakes.insert("locale".to_owned(), SettingRule::NotALocale)),
    }
    for (key, value) in &typed.settings {
        if let Some(rule) = refused(tenant.settings.set(key, value)) {
            typed.mistakes.insert(key.clone(), rule);
        }
    }
    for (key, rule) in check_settings(&before.settings, &mut tenant.settings) {
        typed.mistakes.entry(key).or_insert(rule);
    }
    tenant
}

/// The rule that a value breaks. The pages set only settings that exist.
pub(super) fn refused(set: Result<(), SettingError>) -> Option<SettingRule> {
    match set {
        Err(SettingError::Value { key: _, rule }) => Some(rule),
        Err(SettingError::Unknown { .. }) | Ok(()) => None,
    }
}

/// Stores the tenant, with an entry of the operator in the audit log. Does nothing when it is the same.
pub(super) async fn store(visit: &Visit<'_>, before: &Tenant, after: &Tenant) -> Result<(), PageError> {
    if after == before {
        return Ok(());
    }
    let context = visit.context::<()>()?;
    let changed = change_tenant(&visit.shared.service, after, (context.actor, context.origin)).await;
    changed.map_err(|error| match error {
        InsertTenantError::Store(error) => error.into(),
        // Neither the name nor the base URL changes here.
        InsertTenantError::NameTaken | InsertTenantError::BaseUrlTaken => PageError::BadRequest,
    })
}
