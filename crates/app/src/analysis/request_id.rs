//! The ID of a review that no service gave one.

#[expect(
    clippy::disallowed_methods,
    reason = "the command line is the edge: it hands out what the service otherwise would"
)]
pub(crate) fn request_id() -> String {
    uuid::Uuid::now_v7().to_string()
}
