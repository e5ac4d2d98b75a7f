-- One text for SQLite and PostgreSQL, so only what both have: ids are TEXT (a prefix and 26 characters whose order is
-- the order of time, in any collation), times BIGINT milliseconds since 1970, states TEXT under a CHECK. No sequences:
-- rows of different organizations can live on different servers.

CREATE TABLE users (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    operator BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE organizations (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'suspended', 'archived')),
    created_at BIGINT NOT NULL
);

CREATE TABLE members (
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    user_id TEXT NOT NULL REFERENCES users (id),
    role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (organization_id, user_id)
);

-- The list of a user's organizations, in its order.
CREATE INDEX members_of_user ON members (user_id, organization_id);

CREATE TABLE tokens (
    id TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id),
    name TEXT NOT NULL,
    -- SHA-256 of the secret, which is kept nowhere.
    digest BYTEA NOT NULL UNIQUE,
    -- Separated by spaces, as in OAuth 2.0 (RFC 6749, section 3.3).
    scopes TEXT NOT NULL,
    organization_id TEXT REFERENCES organizations (id),
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT
);

CREATE INDEX tokens_of_user ON tokens (user_id, id);

-- Expiry is not a state that is written: it is expires_at, compared with the time of the question.
CREATE TABLE entitlements (
    organization_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    product TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'suspended', 'revoked')),
    starts_at BIGINT NOT NULL,
    expires_at BIGINT,
    monthly_review_limit BIGINT CHECK (monthly_review_limit >= 0),
    PRIMARY KEY (organization_id, user_id, product),
    FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id) ON DELETE CASCADE
);

-- The key is claimed first and the organization made after it, in one transaction: hence the deferred reference.
CREATE TABLE idempotency_keys (
    user_id TEXT NOT NULL REFERENCES users (id),
    idempotency_key TEXT NOT NULL,
    request_digest BYTEA NOT NULL,
    organization_id TEXT NOT NULL REFERENCES organizations (id) DEFERRABLE INITIALLY DEFERRED,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, idempotency_key)
);

CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);

-- What the monthly limit counts. One row a month is what makes the limit exact: writers queue for it.
CREATE TABLE review_months (
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    user_id TEXT NOT NULL REFERENCES users (id),
    -- YYYY-MM
    month TEXT NOT NULL,
    reviews BIGINT NOT NULL,
    PRIMARY KEY (organization_id, user_id, month)
);

-- Counts, and nothing of what was reviewed.
CREATE TABLE usage_days (
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    user_id TEXT NOT NULL REFERENCES users (id),
    -- YYYY-MM-DD
    day TEXT NOT NULL,
    reviews BIGINT NOT NULL DEFAULT 0,
    findings_p0 BIGINT NOT NULL DEFAULT 0,
    findings_p1 BIGINT NOT NULL DEFAULT 0,
    findings_p2 BIGINT NOT NULL DEFAULT 0,
    findings_p3 BIGINT NOT NULL DEFAULT 0,
    prompt_tokens BIGINT NOT NULL DEFAULT 0,
    completion_tokens BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (organization_id, user_id, day)
);

CREATE INDEX usage_days_of_organization ON usage_days (organization_id, day, user_id);
