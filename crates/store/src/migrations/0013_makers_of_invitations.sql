-- The token that an invitation or an idempotency key was created with; none if it was created by the operator or with a
-- sign-in at the OpenID Connect issuer. Both are deleted when the token is revoked. Not references: a token that was revoked
-- may be deleted.
ALTER TABLE invitations ADD COLUMN made_by TEXT;
ALTER TABLE idempotency_keys ADD COLUMN made_by TEXT;

CREATE INDEX invitations_by_maker ON invitations (made_by);
CREATE INDEX idempotency_keys_by_maker ON idempotency_keys (made_by);
