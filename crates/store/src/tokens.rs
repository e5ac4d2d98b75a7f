//! Access tokens. Only the secret's digest is stored, and lookups use it.

use async_recursion::async_recursion as boxed;
use std::collections::BTreeMap;

use crate::audit_events::{Action, Actor, NewEvent, record};
use crate::caps::{lock_active_user, within};
use crate::db::{BeginWrite, db, rows, statements};
use crate::error::{StoreError, check_text};
use crate::ids::{OrganizationId, TokenId, UserId};
use crate::secret::{TokenDigest, TokenSecret};
use crate::store::Store;
use crate::time::UnixMillis;
use crate::user::UserStatus;
use crate::words::words;

statements! {
    INSERT_TOKEN = "INSERT INTO tokens \
        (id, user_id, name, digest, scopes, organization_id, created_at, expires_at, made_by) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    COUNT_TOKENS = "SELECT COUNT(*) FROM tokens \
        WHERE user_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)";
    /// Returns 1 if the user has this token and it is valid.
    COUNT_TOKEN = "SELECT COUNT(*) FROM tokens \
        WHERE user_id = $1 AND id = $3 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)";
    /// Deletes revoked and expired tokens except the newest $3, so that repeated creation does not fill the database.
    /// Tokens through which an open invitation was created are kept: revoking any of them ends the invitation.
    DELETE_OLD_TOKENS = "DELETE FROM tokens WHERE user_id = $1 AND (revoked_at IS NOT NULL OR expires_at <= $2) \
        AND id <= (SELECT id FROM tokens WHERE user_id = $1 AND (revoked_at IS NOT NULL OR expires_at <= $2) \
        ORDER BY id DESC LIMIT 1 OFFSET $3) \
        AND id NOT IN (WITH RECURSIVE inviting (id, made_by) AS (\
        SELECT tokens.id, tokens.made_by FROM tokens JOIN invitations ON invitations.made_by = tokens.id \
        WHERE tokens.user_id = $1 AND invitations.expires_at > $2 \
        UNION SELECT tokens.id, tokens.made_by FROM tokens JOIN inviting ON tokens.id = inviting.made_by) \
        SELECT id FROM inviting)";
    FIND_TOKEN = "SELECT tokens.id, tokens.user_id, users.name AS user_name, users.operator, tokens.scopes, \
        tokens.organization_id, tokens.expires_at FROM tokens JOIN users ON users.id = tokens.user_id \
        WHERE tokens.digest = $1 AND tokens.revoked_at IS NULL AND users.status = 'active' \
        AND (tokens.expires_at IS NULL OR tokens.expires_at > $2)";
    LIST_TOKENS = "SELECT id, user_id, name, scopes, organization_id, created_at, expires_at, last_used_at FROM tokens \
        WHERE user_id = $1 AND id > $2 AND revoked_at IS NULL ORDER BY id LIMIT $3";
    LIST_ALL_TOKENS = "SELECT id, user_id, name, scopes, organization_id, created_at, expires_at, last_used_at \
        FROM tokens WHERE id > $1 AND revoked_at IS NULL ORDER BY id LIMIT $2";
    /// Finds a token in any state.
    TRACE_TOKEN = "SELECT tokens.id, tokens.user_id, tokens.name, tokens.scopes, tokens.organization_id, \
        tokens.created_at, tokens.expires_at, tokens.last_used_at, tokens.revoked_at, users.name AS user_name, \
        users.status AS user_status FROM tokens JOIN users ON users.id = tokens.user_id WHERE tokens.digest = $1";
    REVOKE_TOKENS_OF = "UPDATE tokens SET revoked_at = $2 WHERE user_id = $1 AND revoked_at IS NULL \
        RETURNING id, organization_id";
    DELETE_TOKENS_OF = "DELETE FROM tokens WHERE user_id = $1";
    /// Monotonic, because several processes may record the same token.
    RECORD_TOKEN_USE = "UPDATE tokens SET last_used_at = $2 \
        WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)";
}

words! {
    "a scope: organizations:read, organizations:write, reviews:write or tokens:write";
    /// A permission of a token.
    pub enum Scope {
        /// Read the user's organizations.
        #[strum(serialize = "organizations:read")]
        OrganizationsRead,
        /// Create and change organizations.
        #[strum(serialize = "organizations:write")]
        OrganizationsWrite,
        /// Submit reviews.
        #[strum(serialize = "reviews:write")]
        ReviewsWrite,
        /// Create and revoke the user's tokens.
        #[strum(serialize = "tokens:write")]
        TokensWrite,
    }
}

/// The properties of a new token.
#[derive(Debug, Clone)]
pub struct NewToken {
    /// The owner.
    pub user: UserId,
    /// The display name.
    pub name: String,
    /// The granted scopes.
    pub scopes: Vec<Scope>,
    /// The only organization in which it is valid; `None` for all.
    pub organization: Option<OrganizationId>,
    /// Expires at this millisecond.
    pub expires_at: Option<UnixMillis>,
}

/// A token, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// The token's ID.
    pub id: TokenId,
    /// The owner.
    pub user: UserId,
    /// The display name.
    pub name: String,
    /// The granted scopes, without duplicates, in the order of [`Scope::ALL`].
    pub scopes: Vec<Scope>,
    /// The only organization in which it is valid.
    pub organization: Option<OrganizationId>,
    /// When it was created.
    pub created_at: UnixMillis,
    /// Expires at this millisecond.
    pub expires_at: Option<UnixMillis>,
    /// The last recorded use.
    pub last_used_at: Option<UnixMillis>,
}

/// The bearer of a valid token, and what it permits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthenticatedToken {
    /// The token's ID.
    pub token_id: TokenId,
    /// The owner.
    pub user_id: UserId,
    /// The owner's name.
    pub user_name: String,
    /// Whether the owner is an operator.
    pub operator: bool,
    /// The granted scopes, in the order of [`Scope::ALL`].
    pub scopes: Vec<Scope>,
    /// The only organization in which it is valid; `None` for all.
    pub organization: Option<OrganizationId>,
    /// Expires at this millisecond.
    pub expires_at: Option<UnixMillis>,
}

/// A token in any state, with its owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracedToken {
    /// The token.
    pub token: Token,
    /// The owner's name.
    pub user_name: String,
    /// Its state.
    pub state: TokenState,
}

words! {
    "a state: active, expired, revoked or refused";
    /// The state of a token.
    pub enum TokenState {
        /// Valid.
        Active,
        /// Expired.
        Expired,
        /// Revoked.
        Revoked,
        /// Its user is disabled.
        Refused,
    }
}

/// The column: scopes separated by spaces.
#[derive(Debug, Clone)]
pub(crate) struct Scopes(pub(crate) Vec<Scope>);

crate::db::stored_as!(Scopes: String, |scopes| join(&scopes.0), |text| text.split_whitespace().map(str::parse).collect::<Result<_, _>>().map(Scopes));

rows! {
    #[derive(Debug, Clone)]
    pub(crate) struct TokenRow {
        id: TokenId,
        user_id: UserId,
        user_name: String,
        operator: bool,
        scopes: Scopes,
        organization_id: Option<OrganizationId>,
        expires_at: Option<UnixMillis>,
    }

    struct OwnTokenRow {
        id: TokenId,
        user_id: UserId,
        name: String,
        scopes: Scopes,
        organization_id: Option<OrganizationId>,
        created_at: UnixMillis,
        expires_at: Option<UnixMillis>,
        last_used_at: Option<UnixMillis>,
    }

    struct TracedRow {
        id: TokenId,
        user_id: UserId,
        name: String,
        scopes: Scopes,
        organization_id: Option<OrganizationId>,
        created_at: UnixMillis,
        expires_at: Option<UnixMillis>,
        last_used_at: Option<UnixMillis>,
        revoked_at: Option<UnixMillis>,
        user_name: String,
        user_status: UserStatus,
    }

    pub(crate) struct RevokedRow {
        pub(crate) id: TokenId,
        organization_id: Option<OrganizationId>,
    }
}

impl From<OwnTokenRow> for Token {
    fn from(row: OwnTokenRow) -> Self {
        let OwnTokenRow {
            id,
            user_id,
            name,
            scopes,
            organization_id,
            created_at,
            expires_at,
            last_used_at,
        } = row;
        let (user, scopes, organization) = (user_id, scopes.0, organization_id);
        Self {
            id,
            user,
            name,
            scopes,
            organization,
            created_at,
            expires_at,
            last_used_at,
        }
    }
}

impl TracedRow {
    fn at(self, now: UnixMillis) -> TracedToken {
        let Self {
            id,
            user_id,
            name,
            scopes,
            organization_id,
            created_at,
            expires_at,
            last_used_at,
            ..
        } = self;
        let row = OwnTokenRow {
            id,
            user_id,
            name,
            scopes,
            organization_id,
            created_at,
            expires_at,
            last_used_at,
        };
        let state = match (self.revoked_at, expires_at, self.user_status) {
            (Some(_), ..) => TokenState::Revoked,
            (None, Some(expiry), _) if expiry <= now => TokenState::Expired,
            (None, _, UserStatus::Active) => TokenState::Active,
            (None, ..) => TokenState::Refused,
        };
        TracedToken {
            token: row.into(),
            user_name: self.user_name,
            state,
        }
    }
}

impl From<TokenRow> for AuthenticatedToken {
    fn from(row: TokenRow) -> Self {
        let TokenRow {
            id,
            user_id,
            user_name,
            operator,
            scopes,
            organization_id,
            expires_at,
        } = row;
        let (token_id, scopes, organization) = (id, scopes.0, organization_id);
        Self {
            token_id,
            user_id,
            user_name,
            operator,
            scopes,
            organization,
            expires_at,
        }
    }
}

impl RevokedRow {
    /// The audit event in the organization that the token was bound to, if any.
    pub(crate) fn event(&self, user: UserId, actor: Actor) -> Option<NewEvent> {
        let organization = self.organization_id?;
        Some(
            NewEvent::new(organization, actor, Action::TokenRevoked)
                .to(user)
                .on(&self.id),
        )
    }
}

/// The caller who creates a token or an invitation, and how they are authenticated.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Creator {
    /// The user, authenticated by something other than a stored token.
    User,
    /// The user, authenticated by one of their tokens.
    Token(TokenId),
    CommandLine,
}

impl Creator {
    pub(crate) fn actor(self, user: UserId) -> Actor {
        match self {
            Self::User | Self::Token(_) => Actor::User(user),
            Self::CommandLine => Actor::CommandLine,
        }
    }

    pub(crate) fn token(self) -> Option<TokenId> {
        match self {
            Self::Token(token) => Some(token),
            Self::User | Self::CommandLine => None,
        }
    }
}

/// Fails unless the token, if there is one, is a valid token of this user, whose row is locked.
macro_rules! check_maker {
    ($maker:expr, $user:expr, $transaction:expr, $now:expr) => {{
        if let Some(maker) = $maker {
            use $crate::{StoreError, tokens::COUNT_TOKEN};
            let count = sqlx::query_scalar(COUNT_TOKEN)
                .bind($user)
                .bind($now)
                .bind(maker);
            let valid: i64 = count.fetch_one(&mut *$transaction).await?;
            if valid == 0 {
                return Err(StoreError::NotFound("token"));
            }
        }
    }};
}

pub(crate) use check_maker;

fn join(scopes: &[Scope]) -> String {
    scopes
        .iter()
        .map(|scope| scope.as_str())
        .collect::<Vec<_>>()
        .join(" ")
}

impl Store {
    /// Creates a token for its owner and returns the secret, which is not shown again.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when the user or the organization does not exist, [`StoreError::Conflict`] when the
    /// user is disabled or deleted, [`StoreError::Invalid`] for a name that cannot be stored, [`StoreError::Full`]
    /// when the user has reached the cap on active tokens; [`StoreError::Unavailable`].
    #[boxed]
    pub async fn insert_token(
        &self,
        new: NewToken,
        now: UnixMillis,
    ) -> Result<(Token, TokenSecret), StoreError> {
        self.make_token(new, Creator::User, now).await
    }

    /// Like [`Store::insert_token`], authenticated by `maker`, another token of the same user: revoking it revokes
    /// the new one.
    ///
    /// # Errors
    /// As for [`Store::insert_token`]; also [`StoreError::NotFound`] when the maker is no longer valid.
    #[boxed]
    pub async fn insert_token_by(
        &self,
        maker: TokenId,
        new: NewToken,
        now: UnixMillis,
    ) -> Result<(Token, TokenSecret), StoreError> {
        self.make_token(new, Creator::Token(maker), now).await
    }

    /// Like [`Store::insert_token`], but for the operator at the command line, without caps.
    ///
    /// # Errors
    /// As [`Store::insert_token`].
    #[boxed]
    pub async fn issue_token(
        &self,
        new: NewToken,
        now: UnixMillis,
    ) -> Result<(Token, TokenSecret), StoreError> {
        self.make_token(new, Creator::CommandLine, now).await
    }

    async fn make_token(
        &self,
        new: NewToken,
        maker: Creator,
        now: UnixMillis,
    ) -> Result<(Token, TokenSecret), StoreError> {
        check_text(&new.name)?;
        let secret = TokenSecret::generate();
        let digest = secret.digest();
        let NewToken {
            user,
            name,
            scopes: asked,
            organization,
            expires_at,
        } = new;
        let scopes: Vec<Scope> = Scope::ALL
            .iter()
            .filter(|scope| asked.contains(scope))
            .copied()
            .collect();
        let (id, created_at, last_used_at) = (TokenId::new(now), now, None);
        let token = Token {
            id,
            user,
            name,
            scopes,
            organization,
            created_at,
            expires_at,
            last_used_at,
        };
        let (actor, made_by) = (maker.actor(user), maker.token());
        let refused = |error| {
            StoreError::constraint(error, "the token already exists", "user or organization")
        };
        db!(&self.db, pool => {
            let mut transaction = pool.begin_write().await?;
            lock_active_user!(user, transaction);
            check_maker!(made_by, user, transaction, now);
            if !matches!(maker, Creator::CommandLine) {
                let count = sqlx::query_scalar(COUNT_TOKENS).bind(user).bind(now);
                within!(self.caps, tokens_per_user, count, transaction);
            }
            let forget = sqlx::query(DELETE_OLD_TOKENS).bind(user).bind(now).bind(i64::from(self.caps.tokens_per_user));
            forget.execute(&mut *transaction).await?;
            let insert = sqlx::query(INSERT_TOKEN).bind(token.id).bind(user).bind(&token.name);
            let insert = insert.bind(digest.as_bytes()).bind(join(&token.scopes));
            let insert = insert.bind(organization).bind(now).bind(expires_at).bind(made_by);
            insert.execute(&mut *transaction).await.map_err(refused)?;
            if let Some(organization) = organization {
                let event = NewEvent::new(organization, actor, Action::TokenCreated).to(user).on(&id);
                record!(transaction, event.change(None, Some(join(&token.scopes))), now).map_err(refused)?;
            }
            transaction.commit().await?;
        });
        Ok((token, secret))
    }

    /// Finds the token with this digest unless it is revoked or expired, or its user is disabled or deleted.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn find_token(
        &self,
        digest: &TokenDigest,
        now: UnixMillis,
    ) -> Result<Option<AuthenticatedToken>, StoreError> {
        let row: Option<TokenRow> = db!(&self.db, pool => {
            sqlx::query_as(FIND_TOKEN).bind(digest.as_bytes()).bind(now).fetch_optional(pool).await?
        });
        Ok(row.map(AuthenticatedToken::from))
    }

    /// Lists a user's tokens that are not revoked, including expired ones: at most `limit`, oldest first, starting
    /// after `after`.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn list_tokens(
        &self,
        user: UserId,
        after: Option<TokenId>,
        limit: u32,
    ) -> Result<Vec<Token>, StoreError> {
        let after = after.map(|id| id.to_string()).unwrap_or_default();
        let rows: Vec<OwnTokenRow> = db!(&self.db, pool => {
            sqlx::query_as(LIST_TOKENS).bind(user).bind(after).bind(i64::from(limit)).fetch_all(pool).await?
        });
        Ok(rows.into_iter().map(Token::from).collect())
    }

    /// Lists the tokens of all users, like [`Store::list_tokens`].
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn list_all_tokens(
        &self,
        after: Option<TokenId>,
        limit: u32,
    ) -> Result<Vec<Token>, StoreError> {
        let after = after.map(|id| id.to_string()).unwrap_or_default();
        let rows: Vec<OwnTokenRow> = db!(&self.db, pool => {
            sqlx::query_as(LIST_ALL_TOKENS).bind(after).bind(i64::from(limit)).fetch_all(pool).await?
        });
        Ok(rows.into_iter().map(Token::from).collect())
    }

    /// Finds the token with this digest in any state, so that an operator can trace a leaked token.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn trace_token(
        &self,
        digest: &TokenDigest,
        now: UnixMillis,
    ) -> Result<Option<TracedToken>, StoreError> {
        let row: Option<TracedRow> = db!(&self.db, pool => {
            sqlx::query_as(TRACE_TOKEN).bind(digest.as_bytes()).fetch_optional(pool).await?
        });
        Ok(row.map(|row| row.at(now)))
    }

    /// Records when tokens were last used; an earlier time than the recorded one has no effect.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn record_token_uses(
        &self,
        uses: &BTreeMap<TokenId, UnixMillis>,
    ) -> Result<(), StoreError> {
        db!(&self.db, pool => {
            let mut transaction = pool.begin_write().await?;
            // In ID order, so that two processes that record the same tokens cannot deadlock.
            for (token, time) in uses {
                sqlx::query(RECORD_TOKEN_USE).bind(token).bind(time).execute(&mut *transaction).await?;
            }
            Ok(transaction.commit().await?)
        })
    }
}
