-- The token that a token was made with; none for one that its user or the operator made. Not a reference: a token that is
-- over may be forgotten before those that it made, which are over as well.
ALTER TABLE tokens ADD COLUMN made_by TEXT;

CREATE INDEX tokens_by_maker ON tokens (made_by);
