-- Held from before the first migration until after the last step: a database is looked at before or after, never between.
select pg_advisory_lock(hashtext('gpuledger schema'))
