//! The store's contract, tested on SQLite and on PostgreSQL: each case runs once on a fresh database of either kind.
//! PostgreSQL's cases are skipped, visibly, where it is not installed.

#![cfg(test)]

mod answers;
mod audit_events;
mod backup;
mod browser_sessions;
mod entitlements;
mod faults;
mod harness;
mod idempotency;
mod identities;
mod invitations;
mod latency;
mod lifecycle;
mod members;
mod model_tokens;
mod offboarding;
mod organizations;
mod postgres_cluster;
mod postgres_protocol;
mod review_guidelines;
mod revocations;
mod shared_limits;
mod sqlite_file;
mod tokens;
mod usage;
mod users;

macro_rules! cases {
    ($($module:ident::{$($case:ident),+ $(,)?})+) => {
        mod on_sqlite {
            $($(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $case() {
                    let fresh = crate::harness::Fresh::sqlite().await;
                    crate::$module::$case(&fresh).await;
                    fresh.discard().await;
                }
            )+)+
        }

        mod on_postgres {
            $($(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $case() {
                    let Some(fresh) = crate::harness::Fresh::postgres().await else { return };
                    crate::$module::$case(&fresh).await;
                    fresh.discard().await;
                }
            )+)+
        }
    };
}

cases! {
    lifecycle::{
        every_statement_is_prepared,
        data_survives_a_restart,
        an_empty_database_is_opened_concurrently,
        a_database_of_an_earlier_program_is_brought_up_to_date,
        a_database_of_a_newer_program_is_refused,
        a_closed_store_is_unavailable,
        connections_are_counted,
    }
    users::{
        users_are_listed_and_found,
        names_may_contain_any_character,
    }
    organizations::{
        the_creator_is_the_owner,
        creating_an_organization_without_an_owner_leaves_nothing,
        members_are_added_once,
        tenants_do_not_see_each_other,
        inactive_organizations_are_invisible_to_members,
        the_status_follows_the_state_machine,
        of_concurrent_archivings_one_succeeds,
        an_active_organization_is_renamed,
        pages_neither_repeat_nor_miss_while_organizations_are_created,
        operators_see_every_organization_by_status_and_page,
        the_cap_on_owned_organizations_holds_under_concurrency,
        promotion_and_invitation_respect_the_cap_on_owned_organizations,
        automatic_entitlements_are_capped_per_user,
        an_organization_that_was_archived_or_left_counts_until_the_month_ends,
        quota_used_in_a_month_counts_despite_wrong_clocks,
        a_deleted_user_leaves_no_record_of_grants,
    }
    members::{
        members_are_listed_in_pages,
        owners_can_change_all_members_and_admins_all_but_owners,
        leaving_removes_the_entitlements,
        the_last_owner_stays,
        of_owners_who_remove_each_other_concurrently_one_stays,
    }
    offboarding::{
        a_disabled_user_is_refused_until_enabled,
        a_subject_keeps_its_user,
        a_deleted_user_leaves_an_id_and_events,
        an_organization_keeps_an_active_owner,
        a_disabled_user_gets_nothing_new,
        a_user_deleted_while_joining_is_not_a_member,
        the_operator_assigns_roles,
        the_operator_creates_organizations_and_invitations,
    }
    invitations::{
        an_invitation_makes_a_member_once,
        of_concurrent_uses_of_a_code_one_joins,
        accepting_many_codes_concurrently_uses_one,
        an_invitation_ends_with_its_last_millisecond,
        a_member_does_not_use_up_a_code,
        an_invitation_is_valid_only_while_its_organization_is_active,
        members_invite_and_revoke_up_to_their_own_role,
        an_invitation_is_revoked_once_or_accepted,
        invitations_end_with_the_right_to_create_them,
        open_invitations_are_capped,
        invitations_are_listed_in_pages_within_their_organization,
        joining_grants_the_configured_entitlement,
        the_code_is_not_in_the_database,
    }
    audit_events::{
        each_action_has_an_event_with_its_actor,
        rejected_actions_have_no_event,
        events_belong_to_one_organization,
        pages_neither_repeat_nor_miss_while_events_are_added,
        each_concurrent_change_has_an_event,
    }
    idempotency::{
        the_same_request_gets_the_first_answer,
        another_request_or_user_is_distinguished,
        a_key_can_be_reused_after_it_expires,
        concurrent_requests_with_one_key_create_one,
        concurrent_requests_with_an_expired_key_create_one,
        of_different_concurrent_requests_one_wins,
        a_failed_request_leaves_the_key_free,
        expired_keys_are_deleted,
    }
    identities::{
        a_subject_of_an_issuer_is_one_user,
        concurrent_first_sign_ins_create_one_user,
        an_identity_may_contain_any_character_but_nul,
    }
    tokens::{
        a_token_is_found_by_its_digest,
        a_token_ends_with_its_last_millisecond,
        a_revoked_token_is_gone,
        tokens_are_listed_and_revoked_by_their_user_only,
        the_cap_on_tokens_holds_under_concurrency,
        the_newest_expired_and_revoked_tokens_are_kept,
        revoking_a_token_revokes_those_created_with_it,
        no_token_outlives_the_revocation_of_its_maker,
        a_token_is_created_with_a_valid_token_of_the_same_user,
        scopes_are_kept_once_and_in_order,
        a_token_needs_its_user_and_organization,
        the_secret_is_not_in_the_database,
        a_leaked_token_is_traced_in_any_state,
        all_tokens_of_a_user_are_revoked,
        the_last_use_is_recorded,
        concurrent_records_of_uses_keep_the_latest,
    }
    revocations::{
        objects_created_with_a_token_end_with_it,
        objects_not_created_with_the_token_stay,
        revoking_all_tokens_of_a_user_ends_objects_created_with_them,
        nothing_is_created_with_a_token_that_is_being_revoked,
        in_any_order_an_invitation_ends_with_each_token_that_led_to_it,
    }
    browser_sessions::{
        a_session_belongs_to_its_token,
        a_session_ends_with_its_token,
        a_session_has_an_idle_timeout_and_a_maximum_lifetime,
        a_use_is_recorded_once_a_minute,
        signing_out_ends_only_that_session,
    an_issuer_session_has_its_own_scopes_and_ends_sooner,
    an_attempt_is_redeemed_once_and_in_time,
        the_newest_sessions_of_a_user_are_kept,
        expired_sessions_are_deleted,
        the_session_secret_is_not_in_the_database,
    }
    latency::{
        statements_are_counted_by_operation_and_outcome,
    }
    answers::{
        a_token_revoked_by_another_process_is_refused_immediately,
        results_are_never_stale,
        a_token_used_before_expires_on_time,
        no_query_after_a_revocation_succeeds,
    }
    entitlements::{
        a_member_has_none_until_one_is_granted,
        only_members_can_be_entitled,
        the_entitlement_status_follows_the_state_machine,
        an_entitlement_ends_with_its_last_millisecond,
        a_grant_restores_an_ended_entitlement,
        entitlements_belong_to_one_member_organization_and_product,
        of_concurrent_revocations_one_succeeds,
        a_negative_limit_is_refused,
        a_change_follows_the_state_machine_and_restores_ended_entitlements,
        omitted_fields_of_a_change_stay_as_they_are,
        a_change_of_an_entitlement_leaves_one_event,
        concurrent_changes_are_serialized,
    }
    usage::{
        the_monthly_limit_is_exact,
        simultaneous_reviews_never_exceed_the_limit,
        a_released_review_can_be_reserved_again,
        limits_apply_per_member_and_month,
        a_month_that_has_begun_stays_begun,
        no_concurrent_count_is_lost,
        usage_is_listed_by_day_and_by_member_within_an_organization,
        more_tokens_than_any_review_uses_do_not_overflow_the_counts,
        reviews_are_counted_per_month,
        usage_needs_an_organization_a_user_and_a_day,
    }
    model_tokens::{
        a_month_grants_at_most_the_rest_of_its_limit,
        unused_tokens_become_available_again,
        tokens_belong_to_one_organization_and_month,
        tokens_count_in_a_month_that_has_begun,
        replicas_together_never_exceed_the_limit,
        reservations_of_a_crashed_process_stay_counted,
        tokens_need_an_organization_and_a_day,
    }
    review_guidelines::{
        the_last_text_is_kept_until_it_is_deleted,
        guidelines_belong_to_one_organization,
        concurrent_writes_never_mix_guidelines,
    }
}
