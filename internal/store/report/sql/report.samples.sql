select s.hour, p.cluster, p.node, p.device, nullif(p.slice_id, -1) as slice, nullif(p.profile, '') as mig_profile, p.model as gpu_model,
  g.name as signal, f.minutes::bigint as minutes, f.total::numeric / f.minutes as avg, f.low as min, f.high as max, f.p50, f.p95
from sample_summaries s
join sample_places p on p.tenant_id = s.tenant_id and p.place_id = s.place_id
cross join lateral sample_figures(s.figures) f
join sample_signals g on g.tenant_id = s.tenant_id and g.signal = f.signal
where s.tenant_id = @tenant and s.hour >= @from and s.hour < @to
