-- serves from: 0020_compatible_servers
-- What a model has said and done of a message until now, and what a message has used of models. A server that does not know these columns
-- carries messages out without a model, and an interruption there keeps nothing of what a model had done.
ALTER TABLE message_runs ADD COLUMN so_far TEXT;
ALTER TABLE messages ADD COLUMN usage TEXT;
