-- In whose way an import reads national phone numbers: two letters, ISO 3166.
ALTER TABLE tenants ADD COLUMN default_region TEXT;
