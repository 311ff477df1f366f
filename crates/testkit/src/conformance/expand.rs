//! Expands the list of facts to tests.

/// The expansion of [`conformance_suite!`].
#[doc(hidden)]
#[macro_export]
macro_rules! conformance_facts {
    ($make:ident; $($area:ident: $($fact:ident),+;)+) => {
        $(mod $area {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $fact() {
                let fresh: Option<$crate::TestDatabase> = super::$make().await.into();
                let Some(fresh) = fresh else { return };
                $crate::conformance::$area::$fact(fresh.database.clone()).await;
            })+
        })+
    };
}

/// The random tests of a store against naive models.
#[doc(hidden)]
#[macro_export]
macro_rules! conformance_models {
    ($make:ident) => {
        mod history_model {
            #[test]
            fn every_page_equals_the_naive_fold() {
                $crate::history_model::every_page_equals_the_naive_fold(super::$make);
            }
        }

        mod ledger_model {
            #[test]
            fn every_sequence_agrees_with_the_naive_tenant() {
                $crate::ledger_model::every_sequence_agrees_with_the_naive_tenant(super::$make);
            }
        }
    };
}

/// The suite of figures.
#[macro_export]
macro_rules! conformance_of_figures {
    ($make:ident) => {
        $crate::conformance_facts! { $make;
            figures:
                figures_are_what_the_ledger_gives,
                of_two_instances_one_counts,
                figures_go_on_after_a_gap_in_the_feed,
                the_audit_finds_wrong_figures,
                the_audit_names_the_wrong_figures_of_members,
                other_rules_of_a_time_zone_begin_again,
                an_imported_debt_is_paid_by_new_points,
                earners_come_by_points;
            uplift:
                uplift_compares_with_the_control_group,
                uplift_leaves_out_days_without_a_control_group;
        }
    };
}

/// The suite of jobs, of the clocks that they follow, of operators and of webhooks.
#[macro_export]
macro_rules! conformance_of_jobs {
    ($make:ident) => {
        $crate::conformance_facts! { $make;
            jobs:
                the_longest_due_job_comes_first,
                one_of_two_instances_gets_a_job,
                a_job_that_is_not_due_is_not_run,
                lease_expires,
                a_lease_is_renewed_by_its_owner_only,
                a_renewed_lease_keeps_what_was_scheduled,
                a_run_that_succeeded_says_when_the_next_is_due,
                a_failed_job_waits_and_counts_its_attempts,
                one_time_job_is_removed_after_success,
                scheduling_brings_a_job_forward_and_never_back,
                a_job_that_is_scheduled_during_its_run_comes_again,
                late_and_failing_jobs_are_counted,
                tenants_share_no_jobs;
            operators:
                operators_are_added_changed_and_removed,
                tenants_share_no_operators,
                one_of_many_owners_stays,
                the_last_owner_leaves_no_operator_behind,
                the_limit_of_operators_holds_for_many_at_once;
            operator_sessions:
                a_link_opens_one_session,
                a_removed_operator_has_no_session_and_no_link,
                another_role_counts_for_the_next_request,
                an_expired_session_is_not_found,
                the_session_after_the_tenth_ends_the_oldest,
                sessions_end_one_by_one_or_all_of_an_operator,
                tenants_share_no_operator_sessions,
                a_token_that_differs_in_the_last_byte_is_no_session,
                ended_sessions_are_removed_by_the_next_one_and_by_cleaning,
                sessions_are_in_the_audit_log;
            pictures:
                a_picture_is_stored_once_and_found_again,
                pictures_are_listed_the_newest_first,
                one_of_many_equal_uploads_is_new,
                a_picture_of_a_product_stays,
                a_picture_is_not_removed_under_a_product_that_takes_it,
                tenants_share_no_pictures,
                pictures_are_in_the_audit_log;
            clocks:
                a_clock_goes_forward_and_other_tenants_keep_theirs,
                a_clock_survives_an_update_of_its_tenant,
                advances_at_once_all_count,
                all_jobs_of_a_tenant_are_due_when_its_clock_is_set,
                a_clock_returns_only_when_nothing_happened_later;
            webhooks:
                webhooks_are_added_changed_and_removed,
                a_removed_webhook_takes_its_progress_along,
                writers_at_once_keep_the_limit_of_webhooks,
                changes_of_webhooks_at_once_lose_nothing,
                a_failed_change_of_a_webhook_leaves_nothing,
                a_change_of_a_webhook_is_in_the_audit_log,
                attempts_of_a_webhook_are_listed;
            webhook_states:
                a_failing_or_disabled_webhook_is_an_event,
                a_state_of_an_earlier_epoch_changes_nothing,
                a_new_cursor_ends_failing,
                only_the_failed_event_is_skipped,
                an_enabled_webhook_continues_at_its_cursor,
                progress_of_an_earlier_epoch_does_not_count,
                a_previous_secret_signs_for_a_day,
                a_state_of_an_earlier_failure_changes_nothing;
            deliveries:
                each_event_is_delivered_once_and_in_order,
                two_processes_with_other_clocks_deliver_each_event_once,
                a_dead_process_is_replaced,
                a_stopped_process_gives_its_lease_back,
                a_removed_webhook_ends_its_delivery,
                a_rotation_counts_during_a_delivery;
        }
    };
}

/// The suite of back-tests.
#[macro_export]
macro_rules! conformance_of_back_tests {
    ($make:ident) => {
        $crate::conformance_facts! { $make;
            back_tests:
                a_back_test_of_what_ran_live_differs_in_nothing,
                a_back_test_names_rows_that_were_paid_otherwise,
                a_requested_back_test_is_run_and_kept,
                a_back_test_is_cancelled,
                a_killed_back_test_begins_again;
        }
    };
}

/// The suite of back-fills.
#[macro_export]
macro_rules! conformance_of_back_fills {
    ($make:ident) => {
        $crate::conformance_facts! { $make;
            back_fills:
                a_back_fill_gives_each_award_once,
                a_back_fill_tops_up_and_leaves_reversed_rows_out,
                a_budget_pays_for_a_back_fill,
                back_filled_awards_count_for_limits,
                a_back_fill_whose_test_finds_something_else_gives_nothing,
                a_back_fill_gives_only_the_result_that_its_request_expects,
                a_back_fill_is_cancelled,
                a_killed_back_fill_goes_on;
        }
    };
}

/// The suite of campaigns.
#[macro_export]
macro_rules! conformance_of_campaigns {
    ($make:ident) => {
        $crate::conformance_facts! { $make;
            campaigns:
                an_activity_earns_the_bonus_of_a_campaign,
                the_day_of_an_award_is_a_local_day,
                a_repeat_is_the_first_transaction_whatever_campaigns_say,
                a_refused_activity_has_no_award,
                limits_per_user_follow_the_calendar,
                points_of_a_user_are_clipped_or_skipped,
                commands_at_once_keep_the_limits_of_their_user,
                an_import_earns_what_single_activities_earn;
            campaign_budgets:
                a_budget_of_awards_is_exact,
                a_budget_of_points_is_exact,
                a_low_and_a_spent_budget_are_told_once,
                a_budget_that_is_spent_at_once_was_never_low,
                a_reversal_gives_the_budget_back,
                a_partial_reversal_gives_nothing_back,
                a_budget_is_exact_while_reversals_give_back,
                a_smaller_budget_is_exact;
            campaign_members:
                ordinals_count_what_earned_points,
                ordinals_count_in_the_order_of_recording,
                ordinals_of_activities_at_once_have_no_gap,
                a_birthday_is_paid_once_in_330_days,
                a_new_birth_date_does_not_pay,
                the_time_of_a_birth_date_is_that_of_its_change;
            campaign_explanations:
                a_reversal_has_no_ordinal,
                a_ceiling_is_told_from_a_budget,
                awards_have_the_room_that_the_request_leaves,
                a_stored_transaction_is_explained,
                bonuses_of_the_back_office_are_explained,
                a_dry_run_says_what_recording_does;
            campaign_changes:
                each_change_of_a_campaign_is_a_version,
                a_campaign_takes_its_steps,
                a_version_takes_over_at_its_time,
                a_pause_pauses_what_takes_over_later,
                a_schedule_for_the_past_takes_the_newest_draft,
                a_planned_start_is_scheduled_and_not_a_draft,
                a_planned_end_is_final,
                campaigns_and_their_versions_are_bounded,
                a_campaign_at_a_limit_can_be_stopped,
                campaigns_that_run_are_bounded,
                changes_of_campaigns_at_once_have_no_gap;
            campaign_versions:
                a_version_takes_over_while_a_group_commits;
            campaign_runs:
                a_change_of_a_campaign_makes_its_job_due,
                starts_and_ends_that_are_told_at_once_are_told_once;
            campaign_warnings:
                warnings_come_with_new_definitions_and_starts;
        }
    };
}

/// Expands to one test per fact of the suite. Takes the name of an `async fn() -> TestDatabase`, or of an
/// `async fn() -> Option<TestDatabase>`, which skips tests without a server. The calling crate needs `tokio` with macros
/// and the multi-threaded runtime.
#[macro_export]
macro_rules! conformance_suite {
    ($make:ident) => {
        $crate::conformance_without_tables! { $make }
        $crate::conformance_of_figures! { $make }
        $crate::conformance_facts! { $make;
            rows:
                every_table_gives_its_rows_in_the_order_of_the_key,
                rows_are_found_by_a_list_of_keys,
                rows_come_in_pages,
                the_only_row_of_a_tenant_comes_once,
                written_rows_equal_the_read_rows,
                a_row_takes_the_place_of_the_one_with_its_key,
                a_row_of_the_ledger_stays_as_it_is,
                rows_are_written_all_or_none,
                row_with_a_taken_unique_value_is_refused_permanently,
                no_row_of_the_ledger_is_removed,
                snapshot_shows_the_rows_of_its_creation,
                removed_rows_are_gone_and_no_others,
                a_tenant_is_removed_with_all_its_rows;
            picture_rows:
                the_audit_finds_other_bytes;
            audit_log_rows:
                a_tampered_audit_log_is_found,
                a_change_without_its_entry_does_not_happen;
        }
    };
}
