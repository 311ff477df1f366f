use super::*;

#[test]
fn every_setting_survives_its_text_form() {
    let mut given = TenantSettings::default();
    for (key, value) in [
        ("page_size_default", "20"),
        ("page_size_max", "50"),
        ("history_days_per_page", "7"),
        ("new_product_days", "14"),
        ("low_stock_threshold", "3"),
        ("hide_sold_out", "true"),
        ("popular_most_ordered", "25"),
        ("time_zone", "Europe/Berlin"),
        ("shop", "true"),
        ("brand_color", "#7a2456"),
        ("logo", "https://acme.example/api/pictures/logo.png"),
        ("members_cancel_orders", "true"),
        ("cors", "https://shop.example,http://localhost:3000"),
        ("rate_limit_reads_per_minute", "600"),
        ("rate_limit_writes_per_minute", "0"),
        ("audit_log_days", "90"),
        ("event_days", "7"),
        ("campaign_feb29", "03-01"),
        ("campaign_birth_date_days", "0"),
        ("campaign_ceiling_factor", "3"),
        ("campaign_max_age_days", "0"),
        ("support_reversal_points", "50"),
        ("expiry_notice_days", "60,14"),
        ("returns_may_overdraw", "true"),
        ("activity_types", "checkin,survey"),
        ("locales", "en,de"),
        ("welcome.de", "Gutes für gute Gewohnheiten."),
        ("texts.de", "code-title = Scan"),
    ] {
        given.set(key, value).unwrap();
    }
    let mut read = TenantSettings::default();
    for (key, value) in given.entries() {
        read.set(&key, &value).unwrap();
    }
    assert_eq!(read, given);
    assert_eq!(given.entries().len(), SETTINGS.len() + 2);
}

#[test]
fn notices_are_up_to_five_numbers_of_days() {
    let mut settings = TenantSettings::default();
    for (text, days) in
        [("1, 30,7,30", &[30, 7, 1][..]), ("365", &[365]), ("off", &[]), ("1,2,3,4,5", &[5, 4, 3, 2, 1])]
    {
        settings.set("expiry_notice_days", text).unwrap();
        assert_eq!(settings.expiry_notice_days, days, "{text}");
    }
    for wrong in ["0", "366", "1,2,3,4,5,6", "7;1", "7,", "never"] {
        let error = settings.set("expiry_notice_days", wrong).unwrap_err().to_string();
        let rule =
            "expiry_notice_days must be off, or up to 5 numbers of days from 1 to 365 with commas, got";
        assert_eq!(error, format!("{rule} {wrong:?}"));
    }
}

#[test]
fn an_empty_text_restores_the_default() {
    let mut settings = TenantSettings::default();
    let given = [
        ("page_size_max", "7"),
        ("cors", "off"),
        ("locales", "en"),
        ("brand_color", "#000000"),
        ("logo", "https://acme.example/logo.png"),
        ("welcome.en", "Hello"),
        ("texts.en", "a = b"),
    ];
    for (key, value) in given {
        settings.set(key, value).unwrap();
        settings.set(key, "").unwrap();
    }
    assert_eq!(settings, TenantSettings::default());
}

#[test]
fn up_to_1000_products_are_popular_by_their_orders() {
    let mut settings = TenantSettings::default();
    for good in ["0", "1000"] {
        settings.set("popular_most_ordered", good).unwrap();
        assert_eq!(settings.popular_most_ordered.to_string(), good);
    }
    for bad in ["1001", "-1", "all"] {
        let error = settings.set("popular_most_ordered", bad).unwrap_err();
        assert_eq!(error.to_string(), "popular_most_ordered must be an integer from 0 to 1000");
    }
}

#[test]
fn days_of_campaigns_are_bounded() {
    for key in ["campaign_birth_date_days", "campaign_max_age_days"] {
        let mut settings = TenantSettings::default();
        settings.set(key, "36500").unwrap();
        let error = settings.set(key, "36501").unwrap_err();
        assert_eq!(error.to_string(), format!("{key} must be an integer from 0 to 36500"));
    }
}

#[test]
fn a_time_zone_is_an_iana_name() {
    let mut settings = TenantSettings::default();
    assert_eq!(settings.time_zone.as_str(), "UTC");
    let error = settings.set("time_zone", "+02:00 ").unwrap_err();
    assert_eq!(
        error.to_string(),
        "time_zone must be an IANA name such as Europe/Berlin or UTC, got \"+02:00 \""
    );
}

#[test]
fn the_former_rate_limit_names_what_replaces_it() {
    let error = TenantSettings::default().set("rate_limit_per_minute", "60").unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no setting \"rate_limit_per_minute\" any more; set rate_limit_reads_per_minute and \
         rate_limit_writes_per_minute instead, each to 0 for no limit"
    );
}

#[test]
fn a_bad_value_names_its_setting_and_changes_nothing() {
    let mut settings = TenantSettings::default();
    let error = settings.set("page_size_max", "0").unwrap_err();
    assert_eq!(error.to_string(), "page_size_max must be an integer from 1 to 1000");
    assert!(settings.set("activity_types", "ok,Not Ok").is_err());
    assert!(settings.set("page_sise", "1").unwrap_err().to_string().contains("page_size_default"));
    assert_eq!(settings, TenantSettings::default());
}

#[test]
fn a_brand_has_a_colour_a_url_and_lines() {
    let mut settings = TenantSettings::default();
    settings.set("brand_color", "#7A2456").unwrap();
    assert_eq!(settings.brand_color.unwrap().to_string(), "#7a2456");
    for bad in ["7a2456", "#7a245", "#7a24560", "#+a2456", "red", "#あ"] {
        let error = settings.set("brand_color", bad).unwrap_err().to_string();
        assert_eq!(error, format!("brand_color must be a colour as #rrggbb, got {bad:?}"));
    }
    for bad in ["/logo.png", "javascript:alert(1)", &format!("https://acme.example/{}", "a".repeat(2_048))] {
        let error = settings.set("logo", bad).unwrap_err().to_string();
        assert_eq!(error, "logo must be an http or https URL of at most 2048 bytes");
    }
    for bad in ["a\nb", &"a".repeat(256)] {
        let error = settings.set("welcome.en", bad).unwrap_err().to_string();
        assert_eq!(error, "welcome.en must have 1 to 255 characters on one line");
    }
    assert!(settings.set("welcome.x y", "Hello").is_err());
}
