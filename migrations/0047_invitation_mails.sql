-- serves from: 0020_compatible_servers
-- How the e-mails of invitations fare. A server that does not know these columns mails nothing.
ALTER TABLE invitations ADD COLUMN mail_state TEXT;
ALTER TABLE invitations ADD COLUMN mail_language TEXT;
ALTER TABLE invitations ADD COLUMN mail_tries BIGINT;
ALTER TABLE invitations ADD COLUMN mail_due_at BIGINT;
ALTER TABLE invitations ADD COLUMN mail_problem TEXT;

CREATE INDEX invitations_mail_due_at_idx ON invitations (mail_due_at) WHERE mail_due_at IS NOT NULL;
