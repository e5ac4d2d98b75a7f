-- Browsers that are signed in to the console. A row whose time is over is nobody's, and is swept up.
CREATE TABLE browser_sessions (
    -- SHA-256 of what the browser's cookie holds, which is kept nowhere.
    digest BYTEA NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id),
    -- The token that signed in, whose scopes the session has and with which it ends. Not a reference: a token that is over
    -- may be forgotten before its sessions.
    token_id TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    -- From here on it is refused unless it is used before; each use makes it later.
    idle_at BIGINT NOT NULL,
    -- From here on it is refused in any case.
    expires_at BIGINT NOT NULL
);

CREATE INDEX browser_sessions_of_user ON browser_sessions (user_id, created_at);
CREATE INDEX browser_sessions_by_expiry ON browser_sessions (expires_at);
