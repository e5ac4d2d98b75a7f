-- Limits that replicas on one PostgreSQL keep together (a process on SQLite is alone and keeps them in memory). Rows of a
-- different token or organization have nothing to do with each other. They hold nothing that must outlive a crash.

-- Requests of a token: a bucket that refills steadily. Times are nanoseconds since 1970 by the database's clock.
CREATE TABLE request_buckets (
    -- Not a reference: it is written with many a request, and a bucket of a token that is gone is soon forgotten.
    token_id TEXT NOT NULL PRIMARY KEY,
    -- When the bucket will be full again.
    full_at BIGINT NOT NULL,
    -- What the last question was given, and when it was asked.
    granted BIGINT NOT NULL,
    asked_at BIGINT NOT NULL
);

-- Reviews of an organization under way. There are as many numbers as it may have at once, and a number has one holder.
CREATE TABLE review_slots (
    organization_id TEXT NOT NULL,
    slot BIGINT NOT NULL,
    -- Tells the holder from whoever had the number before.
    lease TEXT NOT NULL,
    -- Milliseconds since 1970 by the database's clock. Whoever works renews it; what a process that died held, lapses.
    held_until BIGINT NOT NULL,
    PRIMARY KEY (organization_id, slot)
);
