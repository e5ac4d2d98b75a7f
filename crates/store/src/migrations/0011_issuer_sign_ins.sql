-- What a session may do whose user signed in through the OpenID Connect issuer; none for a session that stands for a token.
ALTER TABLE browser_sessions ADD COLUMN scopes TEXT;

-- Browsers that were sent to the issuer and have not come back. Each comes back once.
CREATE TABLE sign_in_attempts (
    -- SHA-256 of what the browser's cookie holds, which is kept nowhere.
    digest BYTEA NOT NULL PRIMARY KEY,
    -- From here on it is refused.
    expires_at BIGINT NOT NULL
);

CREATE INDEX sign_in_attempts_by_expiry ON sign_in_attempts (expires_at);
