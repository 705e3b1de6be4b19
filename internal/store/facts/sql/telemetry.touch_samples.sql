insert into touched_names select distinct cluster, node, hour, 'samples' from changed_samples
