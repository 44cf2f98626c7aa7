-- A version that goes live changes no column of an index any more, so that PostgreSQL keeps the row where it is (a heap-only update)
-- and writers of different audiences do not meet in an index. An audience has few versions, and of a page's audiences without a
-- person or an account most are live: there is little to look through without.
DROP INDEX audience_versions_status_idx;

DROP INDEX audiences_shown_idx;

CREATE INDEX audiences_shown_idx ON audiences (tenant_id, page_id, audience_id)
    WHERE archived_at IS NULL AND person_id IS NULL AND account_id IS NULL;
