-- Of two results with one key the larger counts, so that the order of imports
-- does not matter. An equal one at another time was read in another zone: the later import counts.
insert into experiment_results as r (tenant_id, result_id, experiment, run, metric, value, baseline, threshold, lower_is_better, at, import_id)
select distinct on (result_id) tenant_id, result_id, experiment, run, metric, value, baseline, threshold, lower_is_better, at, import_id
from next_experiment_results
where tenant_id = $1
order by result_id, value desc, coalesce(baseline, '-Infinity') desc, coalesce(threshold, '-Infinity') desc, lower_is_better desc
on conflict (tenant_id, result_id) do update
set value = excluded.value, baseline = excluded.baseline, threshold = excluded.threshold, lower_is_better = excluded.lower_is_better, at = excluded.at, import_id = excluded.import_id
where (excluded.value, coalesce(excluded.baseline, '-Infinity'), coalesce(excluded.threshold, '-Infinity'), excluded.lower_is_better)
    > (r.value, coalesce(r.baseline, '-Infinity'), coalesce(r.threshold, '-Infinity'), r.lower_is_better)
  or (excluded.value, excluded.baseline, excluded.threshold, excluded.lower_is_better)
    is not distinct from (r.value, r.baseline, r.threshold, r.lower_is_better) and excluded.at is distinct from r.at
