-- serves from: 0020_compatible_servers
-- Who has sent a message or made it otherwise, as histories name actors; and the reasons of its changes of fields, by the ids of the changes. Messages
-- from before, and of a server that does not know this, have neither.
ALTER TABLE messages ADD COLUMN actor TEXT;

ALTER TABLE messages ADD COLUMN reasons TEXT;
