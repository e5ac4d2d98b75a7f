-- A row is an invitation that is open, or whose time is over and that nobody has swept up yet: accepting or revoking it
-- deletes it. What became of it stands in the audit events.
CREATE TABLE invitations (
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    id TEXT NOT NULL,
    -- SHA-256 of the code, which is kept nowhere. Not declared unique: that would be one index over all organizations,
    -- and 178 random bits are.
    digest BYTEA NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
    created_by TEXT NOT NULL REFERENCES users (id),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (organization_id, id)
);

CREATE INDEX invitations_by_digest ON invitations (digest);

-- To within a minute or so.
ALTER TABLE tokens ADD COLUMN last_used_at BIGINT;
