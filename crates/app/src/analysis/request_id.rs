//! Generates the ID of a review that runs without a service.

#[expect(
    clippy::disallowed_methods,
    reason = "without a service, the command line generates the ID"
)]
pub(crate) fn request_id() -> String {
    uuid::Uuid::now_v7().to_string()
}
