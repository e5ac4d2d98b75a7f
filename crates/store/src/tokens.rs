//! Access tokens. Only the digest of the secret is kept, and by it a token is found.

use std::collections::BTreeMap;

use crate::{
    Action, Actor, OrganizationId, Store, StoreError, TokenDigest, TokenId, TokenSecret, UnixMillis, UserId,
    audit_events::{NewEvent, record},
    caps::{HOLD_USER, within},
    db::{BeginWrite, db, rows, statements},
    error::check_text,
    words::words,
};

statements! {
    INSERT_TOKEN = "INSERT INTO tokens \
        (id, user_id, name, digest, scopes, organization_id, created_at, expires_at, made_by) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    COUNT_TOKENS = "SELECT COUNT(*) FROM tokens \
        WHERE user_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)";
    COUNT_TOKEN = "SELECT COUNT(*) FROM tokens \
        WHERE user_id = $1 AND id = $3 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)";
    /// Of those that are over, all but the newest $3: who makes and revokes without end fills no database.
    FORGET_TOKENS = "DELETE FROM tokens WHERE user_id = $1 AND (revoked_at IS NOT NULL OR expires_at <= $2) \
        AND id <= (SELECT id FROM tokens WHERE user_id = $1 AND (revoked_at IS NOT NULL OR expires_at <= $2) \
        ORDER BY id DESC LIMIT 1 OFFSET $3)";
    FIND_TOKEN = "SELECT tokens.id, tokens.user_id, users.name AS user_name, users.operator, tokens.scopes, \
        tokens.organization_id, tokens.expires_at FROM tokens JOIN users ON users.id = tokens.user_id \
        WHERE tokens.digest = $1 AND tokens.revoked_at IS NULL \
        AND (tokens.expires_at IS NULL OR tokens.expires_at > $2)";
    LIST_TOKENS = "SELECT id, user_id, name, scopes, organization_id, created_at, expires_at, last_used_at FROM tokens \
        WHERE user_id = $1 AND id > $2 AND revoked_at IS NULL ORDER BY id LIMIT $3";
    FIND_USER_OF_TOKEN = "SELECT user_id FROM tokens WHERE id = $1";
    /// With those that it made, and those that these made.
    REVOKE_TOKEN = "WITH RECURSIVE branch (id) AS (\
        SELECT id FROM tokens WHERE id = $1 AND revoked_at IS NULL \
        UNION SELECT tokens.id FROM tokens JOIN branch ON tokens.made_by = branch.id) \
        UPDATE tokens SET revoked_at = $2 WHERE id IN (SELECT id FROM branch) AND revoked_at IS NULL \
        RETURNING id, organization_id";
    /// Several processes may have seen the token.
    NOTE_TOKEN_USE = "UPDATE tokens SET last_used_at = $2 \
        WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)";
}

words! {
    "a scope: organizations:read, organizations:write, reviews:write or tokens:write";
    /// What a token may be used for.
    pub enum Scope {
        /// To see one's organizations.
        #[strum(serialize = "organizations:read")]
        OrganizationsRead,
        /// To make and change organizations.
        #[strum(serialize = "organizations:write")]
        OrganizationsWrite,
        /// To have code reviewed.
        #[strum(serialize = "reviews:write")]
        ReviewsWrite,
        /// To make and revoke one's tokens.
        #[strum(serialize = "tokens:write")]
        TokensWrite,
    }
}

/// What a new token is to be.
#[derive(Debug, Clone)]
pub struct NewToken {
    /// Whose it is.
    pub user: UserId,
    /// For people to read.
    pub name: String,
    /// What it may be used for.
    pub scopes: Vec<Scope>,
    /// The only organization that it may be used in; any, when there is none.
    pub organization: Option<OrganizationId>,
    /// From this millisecond on it is refused.
    pub expires_at: Option<UnixMillis>,
}

/// A token, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Names the token.
    pub id: TokenId,
    /// Whose it is.
    pub user: UserId,
    /// For people to read.
    pub name: String,
    /// What it may be used for, each once, in the order of [`Scope::ALL`].
    pub scopes: Vec<Scope>,
    /// The only organization that it may be used in.
    pub organization: Option<OrganizationId>,
    /// When it was made.
    pub created_at: UnixMillis,
    /// From this millisecond on it is refused.
    pub expires_at: Option<UnixMillis>,
    /// When it was last used, as far as that was noted.
    pub last_used_at: Option<UnixMillis>,
}

/// Who presents a token that is good, and what it allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthenticatedToken {
    /// Names the token.
    pub token_id: TokenId,
    /// Whose it is.
    pub user_id: UserId,
    /// The user's name.
    pub user_name: String,
    /// Whether the user is an operator.
    pub operator: bool,
    /// What it may be used for, in the order of [`Scope::ALL`].
    pub scopes: Vec<Scope>,
    /// The only organization that it may be used in; any, when there is none.
    pub organization: Option<OrganizationId>,
    /// From this millisecond on it is refused.
    pub expires_at: Option<UnixMillis>,
}

/// The column: scopes separated by spaces.
#[derive(Debug, Clone)]
struct Scopes(Vec<Scope>);

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

    struct RevokedRow {
        id: TokenId,
        organization_id: Option<OrganizationId>,
    }
}

impl From<OwnTokenRow> for Token {
    fn from(row: OwnTokenRow) -> Self {
        let OwnTokenRow { id, user_id, name, scopes, organization_id, created_at, expires_at, last_used_at } = row;
        let (user, scopes, organization) = (user_id, scopes.0, organization_id);
        Self { id, user, name, scopes, organization, created_at, expires_at, last_used_at }
    }
}

impl From<TokenRow> for AuthenticatedToken {
    fn from(row: TokenRow) -> Self {
        let TokenRow { id, user_id, user_name, operator, scopes, organization_id, expires_at } = row;
        let (token_id, scopes, organization) = (id, scopes.0, organization_id);
        Self { token_id, user_id, user_name, operator, scopes, organization, expires_at }
    }
}

impl RevokedRow {
    /// What the organization that the token was bound to is told, if there is one.
    fn event(&self, user: UserId, actor: Actor) -> Option<NewEvent> {
        let organization = self.organization_id?;
        Some(NewEvent::new(organization, actor, Action::TokenRevoked).to(user).on(&self.id))
    }
}

/// Who makes a token.
#[derive(Debug, Clone, Copy)]
enum Maker {
    /// Its user, who is known by another proof than a token of this service.
    User,
    /// Its user, with another of their tokens.
    Token(TokenId),
    CommandLine,
}

impl Maker {
    fn actor(self, user: UserId) -> Actor {
        match self {
            Self::User | Self::Token(_) => Actor::User(user),
            Self::CommandLine => Actor::CommandLine,
        }
    }

    fn token(self) -> Option<TokenId> {
        match self {
            Self::Token(token) => Some(token),
            Self::User | Self::CommandLine => None,
        }
    }
}

fn join(scopes: &[Scope]) -> String {
    scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(" ")
}

impl Store {
    /// Makes a token for its user. The secret is returned here and can never be had again.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when the user or the organization does not exist, [`StoreError::Invalid`] for a name
    /// that cannot be kept, [`StoreError::Full`] when the user has as many tokens in force as one may;
    /// [`StoreError::Unavailable`].
    pub async fn insert_token(&self, new: NewToken, now: UnixMillis) -> Result<(Token, TokenSecret), StoreError> {
        self.make_token(new, Maker::User, now).await
    }

    /// As [`Store::insert_token`], with another token of the same user, `maker`: the new one is revoked with it.
    ///
    /// # Errors
    /// As [`Store::insert_token`]; [`StoreError::NotFound`] also when the maker is not in force any more.
    pub async fn insert_token_by(
        &self,
        maker: TokenId,
        new: NewToken,
        now: UnixMillis,
    ) -> Result<(Token, TokenSecret), StoreError> {
        self.make_token(new, Maker::Token(maker), now).await
    }

    /// As [`Store::insert_token`], but for the operator at the command line, whom no cap holds up.
    ///
    /// # Errors
    /// As [`Store::insert_token`].
    pub async fn issue_token(&self, new: NewToken, now: UnixMillis) -> Result<(Token, TokenSecret), StoreError> {
        self.make_token(new, Maker::CommandLine, now).await
    }

    async fn make_token(
        &self,
        new: NewToken,
        maker: Maker,
        now: UnixMillis,
    ) -> Result<(Token, TokenSecret), StoreError> {
        check_text(&new.name)?;
        let secret = TokenSecret::generate();
        let digest = secret.digest();
        let NewToken { user, name, scopes: asked, organization, expires_at } = new;
        let scopes: Vec<Scope> = Scope::ALL.iter().filter(|scope| asked.contains(scope)).copied().collect();
        let (id, created_at, last_used_at) = (TokenId::new(now), now, None);
        let token = Token { id, user, name, scopes, organization, created_at, expires_at, last_used_at };
        let (actor, made_by) = (maker.actor(user), maker.token());
        let refused = |error| StoreError::constraint(error, "the token exists already", "user or organization");
        db!(&self.db, pool => {
            let mut transaction = pool.begin_write().await?;
            sqlx::query(HOLD_USER).bind(user).execute(&mut *transaction).await?;
            if let Some(made_by) = made_by {
                let count = sqlx::query_scalar(COUNT_TOKEN).bind(user).bind(now).bind(made_by);
                let makers: i64 = count.fetch_one(&mut *transaction).await?;
                if makers == 0 {
                    return Err(StoreError::NotFound("token"));
                }
            }
            if !matches!(maker, Maker::CommandLine) {
                let count = sqlx::query_scalar(COUNT_TOKENS).bind(user).bind(now);
                within!(self.caps, tokens_per_user, count, transaction);
            }
            let forget = sqlx::query(FORGET_TOKENS).bind(user).bind(now).bind(i64::from(self.caps.tokens_per_user));
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

    /// Finds the token of this digest, if it is neither revoked nor expired.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
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

    /// Makes a token, and all that were made with it, worthless from now on, for the operator at the command line. False when
    /// there is no such token, or it was revoked before.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn revoke_token(&self, id: TokenId, now: UnixMillis) -> Result<bool, StoreError> {
        self.end_token(None, id, now).await
    }

    /// A user's tokens that are not revoked, expired ones too, at most `limit`, the newest last; with `after`, those that
    /// come after it.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
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

    /// As [`Store::revoke_token`], but for a user, and only a token of theirs.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn revoke_token_of(&self, user: UserId, id: TokenId, now: UnixMillis) -> Result<bool, StoreError> {
        self.end_token(Some(user), id, now).await
    }

    /// Revokes a token of a user, or of anybody for the command line. It holds the user's row, as who makes a token does: none
    /// is made with a token that is being revoked.
    async fn end_token(&self, of: Option<UserId>, id: TokenId, now: UnixMillis) -> Result<bool, StoreError> {
        let actor = of.map_or(Actor::CommandLine, Actor::User);
        db!(&self.db, pool => {
            let mut transaction = pool.begin_write().await?;
            let find = sqlx::query_scalar(FIND_USER_OF_TOKEN).bind(id);
            let found: Option<UserId> = find.fetch_optional(&mut *transaction).await?;
            let Some(user) = found.filter(|user| of.is_none_or(|of| of == *user)) else { return Ok(false) };
            sqlx::query(HOLD_USER).bind(user).execute(&mut *transaction).await?;
            let revoke = sqlx::query_as(REVOKE_TOKEN).bind(id).bind(now);
            let revoked: Vec<RevokedRow> = revoke.fetch_all(&mut *transaction).await?;
            for event in revoked.iter().filter_map(|revoked| revoked.event(user, actor)) {
                record!(transaction, event, now)?;
            }
            transaction.commit().await?;
            Ok(!revoked.is_empty())
        })
    }

    /// Notes when tokens were last used; an earlier time than the one that is noted changes nothing.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn note_token_uses(&self, uses: &BTreeMap<TokenId, UnixMillis>) -> Result<(), StoreError> {
        db!(&self.db, pool => {
            let mut transaction = pool.begin_write().await?;
            // In the order of the IDs: two processes that note the same tokens cannot wait for each other.
            for (token, time) in uses {
                sqlx::query(NOTE_TOKEN_USE).bind(token).bind(time).execute(&mut *transaction).await?;
            }
            Ok(transaction.commit().await?)
        })
    }
}
