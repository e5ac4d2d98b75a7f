//! Facts about names that other files use, from the trees of a file: plain, bounded data.

mod breaks;
mod by_name;
mod call_site;
mod called;
mod calls;
mod constructors;
mod function_header;
mod generating;
mod implementors;
mod members;
mod mentions;
mod model;
mod offer;
mod results;
mod surface;
mod type_ref;
mod type_surface;
mod unbound;

pub use breaks::BothSides;
pub(crate) use breaks::breaks;
pub(crate) use by_name::{breaks_by_name, defined_names};
pub use call_site::call_site;
pub use called::CalledMember;
pub(crate) use called::called_members;
pub use calls::{CallSite, ReceiverKind, Signature};
pub use function_header::{FunctionHeader, heads};
pub(crate) use mentions::mentions;
pub use model::{
    Break, ByName, Cause, Implementor, Mention, MentionKind, Method, Named, NamedUse, Offer,
    Offered, Passing, ResultChange, Surrounding, Use,
};
pub(crate) use offer::offer;
pub(crate) use surface::surface;
pub(crate) use type_ref::{Home, TypeRef};
pub use type_surface::Surface;
pub(crate) use type_surface::TypeSurface;
pub use unbound::UnboundNames;
pub(crate) use unbound::{UnboundName, unbound_names};
