-- Who changed what, and to whom. Rows are only added. The organization comes first in the key: a list is one range, and
-- rows of different organizations can live on different servers.
CREATE TABLE audit_events (
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    id TEXT NOT NULL,
    -- NULL: the operator at the command line.
    actor_id TEXT REFERENCES users (id),
    action TEXT NOT NULL,
    -- The user whom it was done to; they may have left since.
    user_id TEXT REFERENCES users (id),
    -- The token or the invitation that it was done to.
    subject_id TEXT,
    old_value TEXT,
    new_value TEXT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (organization_id, id)
);
