-- Tokens of language models that count against an organization's month: used, or set aside for reviews under way. One
-- row a month is what makes the limit exact: writers queue for it.
CREATE TABLE model_token_months (
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    -- YYYY-MM
    month TEXT NOT NULL,
    tokens BIGINT NOT NULL CHECK (tokens >= 0),
    PRIMARY KEY (organization_id, month)
);
