-- serves from: 0020_compatible_servers
-- Which accounts have three characters in a row in their domain or their name, so that a search need not look at every account. Each text is cut into
-- threes from its first, second and third character on. An entry begins with the end of the tenant's id, so that a tenant's search passes over what nearly
-- all others have. SQLite has no such index, and its search does without. Entries wait in a list of that many KiB until many are put in at once:
-- each by itself would make four times as much WAL, and a longer list would delay whoever happens to empty it for longer than 20 ms.
-- only: postgres
CREATE INDEX account_names_grams_idx ON account_names USING gin (string_to_array(
    regexp_replace(folded_domain || chr(10) || folded_name, '(...)', right(tenant_id, 2) || '\1' || chr(9), 'g') || chr(9)
    || regexp_replace(substr(folded_domain || chr(10) || folded_name, 2), '(...)', right(tenant_id, 2) || '\1' || chr(9), 'g') || chr(9)
    || regexp_replace(substr(folded_domain || chr(10) || folded_name, 3), '(...)', right(tenant_id, 2) || '\1' || chr(9), 'g'),
    chr(9)
)) WITH (gin_pending_list_limit = 1024);
