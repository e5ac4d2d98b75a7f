//! GET /v1/admin/users

use axum::Json;
use axum::extract::State as Shared;
use store::UserId;

use crate::State;
use crate::error::Problem;
use crate::extract::{Call, Operator, OrganizationsRead, Page, page::PageParameters};
use crate::handlers::written;
use crate::refusals::problems;
use crate::wire::admin::{User, UserListBody, UserStatus};

problems!(EVERY, V1; NotFound);

/// List all users
///
/// Including those who are not members of any organization.
#[utoipa::path(
    get,
    path = "/v1/admin/users",
    operation_id = "adminListUsers",
    tag = "Operators",
    security(("bearer" = ["organizations:read"])),
    extensions(("x-roles" = json!(["operator"]))),
    params(PageParameters),
    responses((status = 200, description = "A page of users", body = UserListBody), Problems)
)]
pub(crate) async fn list(
    Shared(state): Shared<State>,
    call: Call<Operator<OrganizationsRead>, Page<UserId>>,
) -> Result<Json<UserListBody>, Problem> {
    let page = &call.input;
    let mut users = state.store().list_users(page.after, page.limit + 1).await?;
    let next_cursor = page.cut(&mut users, |user| user.id);
    Ok(Json(UserListBody {
        request_id: call.context.request_id().to_owned(),
        users: users.into_iter().map(visible).collect(),
        next_cursor,
    }))
}

fn status(status: store::UserStatus) -> UserStatus {
    match status {
        store::UserStatus::Active => UserStatus::Active,
        store::UserStatus::Disabled => UserStatus::Disabled,
        store::UserStatus::Deleted => UserStatus::Deleted,
    }
}

fn visible(user: store::User) -> User {
    User {
        user_id: user.id.to_string(),
        display_name: user.name,
        operator: user.operator,
        status: status(user.status),
        created_at: written(user.created_at),
    }
}
