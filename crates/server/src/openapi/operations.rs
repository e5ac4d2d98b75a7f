//! The operations of a path.

use utoipa::openapi::PathItem;
use utoipa::openapi::path::Operation;

pub(super) fn of(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    let operations = [
        &mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete,
    ];
    operations.into_iter().flatten()
}
