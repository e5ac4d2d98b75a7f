//! Finds the description of a property.

use utoipa::openapi::{Components, Object, RefOr, Schema};

/// The description of a property of a schema.
pub(super) fn property<'a>(
    components: &'a mut Components,
    schema: &str,
    property: &str,
) -> Option<&'a mut Object> {
    let RefOr::T(Schema::Object(object)) = components.schemas.get_mut(schema)? else {
        return None;
    };
    match object.properties.get_mut(property)? {
        RefOr::T(Schema::Object(property)) => Some(property),
        _ => None,
    }
}
