//! `GET /v1/manage/brand`: how the tenant looks to its members. The settings of the tenant change it.

use http::StatusCode;
use pointbook_domain::Scope;
use pointbook_http::describe::Operation;
use pointbook_http::documentation::Tag;
use pointbook_http::kernel::Response;
use pointbook_http::views::success::Success;
use pointbook_http::{Answer, ApiError, ApiRequest, Caller, RouteSpec, route};

use super::view::BrandView;

pub(crate) static ROUTES: [RouteSpec; 1] = [route!(
    "manage.brand.show",
    GET "/v1/manage/brand",
    Caller::Key(Scope::ProductsRead),
    show,
    documentation
)];

async fn show(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let view = BrandView::of(&request.tenant.tenant.settings);
    Ok(Answer::json(StatusCode::OK, &Success::of(view)).into_response())
}

fn documentation() -> Operation {
    Operation::ours("getBrand", Tag::Management, "Get the colours, the logo and the welcome of the tenant")
        .describe(
            "Returns what the shop of the tenant looks like, so that an app can look alike: the colours for light and dark \
             screens, made of the one colour of the tenant. The settings `brand_color`, `logo` and `welcome.LOCALE` change it.",
        )
        .success::<BrandView>(StatusCode::OK, "The brand.", EXAMPLE)
}

const EXAMPLE: &str = r##"{"success": true, "data": {
    "color": "#7a2456",
    "logo": "https://images.acme.example/logo.png",
    "welcome": {"de": "Gutes für gute Gewohnheiten.", "en": "Good things for good habits."},
    "colors": {
        "accent": {"light": "#7a2456", "dark": "#d97bac"},
        "on_accent": {"light": "#ffffff", "dark": "#260b1a"},
        "accent_tint": {"light": "#fdedf4", "dark": "#41182f"},
        "band": {"light": "#7a2456", "dark": "#41182f"},
        "on_band": {"light": "#ffffff", "dark": "#ffffff"}
    }
}}"##;

#[cfg(test)]
mod tests {
    use pointbook_domain::TenantSettings;
    use serde_json::Value;

    use super::*;

    #[test]
    fn the_example_is_what_its_settings_make() {
        let example: Value = serde_json::from_str(EXAMPLE).unwrap();
        let data = &example["data"];
        let mut settings = TenantSettings::default();
        settings.set("brand_color", data["color"].as_str().unwrap()).unwrap();
        settings.set("logo", data["logo"].as_str().unwrap()).unwrap();
        for (locale, line) in data["welcome"].as_object().unwrap() {
            settings.set(&format!("welcome.{locale}"), line.as_str().unwrap()).unwrap();
        }
        let made = serde_json::to_value(BrandView::of(&settings)).unwrap();
        assert_eq!(&made, data, "{made:#}");
    }
}
