-- Whether whoever asks sees his owners wherever they are, and no cluster as a whole.
select not exists (select from owners_in_scope() where tenant_id = $1 and cluster is not null) and not exists (select from clusters_in_scope())
