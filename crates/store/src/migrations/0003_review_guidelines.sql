-- What an organization wants reviewers to know of its code. No row: nothing.
CREATE TABLE review_guidelines (
    organization_id TEXT NOT NULL PRIMARY KEY REFERENCES organizations (id),
    guidelines TEXT NOT NULL,
    updated_at BIGINT NOT NULL
);
