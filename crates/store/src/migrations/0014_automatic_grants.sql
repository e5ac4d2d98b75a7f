-- The organizations in which a user was entitled automatically. A row outlives the entitlement: an organization that was archived
-- or left still counts until the end of the month in which that happened, because its quota may have been used.
CREATE TABLE automatic_grants (
    user_id TEXT NOT NULL REFERENCES users (id),
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    -- YYYY-MM; none while the user is a member of the organization and it is not archived.
    ended_month TEXT,
    PRIMARY KEY (user_id, organization_id)
);

CREATE INDEX automatic_grants_of_organization ON automatic_grants (organization_id);

-- Until now all entitlements counted, so all of them still do.
INSERT INTO automatic_grants (user_id, organization_id)
SELECT DISTINCT entitlements.user_id, entitlements.organization_id
FROM entitlements JOIN organizations ON organizations.id = entitlements.organization_id
WHERE organizations.status <> 'archived';
