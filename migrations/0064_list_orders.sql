-- serves from: 0020_compatible_servers
-- The orders in which lists can be asked for, besides those that keys and other indexes have. A name counts with its first 60 characters, so that
-- every name fits into an index. What a list has without a name or address comes last, by an index of its own. Nothing of an audience that
-- publishing changes is in an index. A person is put into the index of names when the indexer numbers it, many at once, and not when it is made: a page
-- of an index for each person would make creating one a good deal slower. Pages have none for the same reason: their names are short and few enough to be
-- looked through.
CREATE INDEX audience_names_name_idx ON audience_names (tenant_id, page_id, substr(folded, 1, 60), audience_id);
CREATE INDEX audiences_archived_idx ON audiences (tenant_id, page_id, audience_id) WHERE archived_at IS NOT NULL;
CREATE INDEX account_names_name_idx ON account_names (tenant_id, substr(COALESCE(NULLIF(folded_name, ''), folded_domain), 1, 60), account_id);
CREATE INDEX person_texts_name_idx ON person_texts (tenant_id, substr(fields, 1, 60), person_id) WHERE document >= 0;
CREATE INDEX persons_without_email_idx ON persons (tenant_id, person_id) WHERE email IS NULL AND deleted_at IS NULL;
