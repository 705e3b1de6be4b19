-- Whether whoever asks sees his owners wherever they are, and no cluster as a whole.
select not exists (select from owners_in_scope() where cluster is not null) and not exists (select from clusters_in_scope())
