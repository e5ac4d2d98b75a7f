//! The usual setup for tests of an organization.

use server::Settings;
use store::{OrganizationId, Role};

use super::{Act, Service, User};

/// An organization with one member of each role, and an operator who is not a member.
pub(crate) struct World {
    pub(crate) service: Service,
    pub(crate) organization: OrganizationId,
    pub(crate) owner: User,
    pub(crate) admin: User,
    pub(crate) member: User,
    pub(crate) operator: User,
}

impl World {
    pub(crate) async fn new() -> Self {
        Self::with(Settings::default()).await
    }

    pub(crate) async fn with(settings: Settings) -> Self {
        let service = Service::with(settings, Act::Nothing).await;
        let (owner, admin, member) = (
            service.user().await,
            service.user().await,
            service.user().await,
        );
        let operator = service.operator().await;
        let organization = service.organization(&owner).await;
        service.join(organization, &admin, Role::Admin).await;
        service.join(organization, &member, Role::Member).await;
        Self {
            service,
            organization,
            owner,
            admin,
            member,
            operator,
        }
    }
}
