-- Whether a user is let in. A deleted user's row stays, because audit events and counts of reviews refer to it, and because
-- the issuer's subject must not become a user again.
ALTER TABLE users ADD COLUMN status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled', 'deleted'));
