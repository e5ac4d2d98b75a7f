-- The operators' list of the organizations in one status, in its order: those that are suspended are few among many.
CREATE INDEX organizations_by_status ON organizations (status, id);
