select s.hour, s.cluster, s.node, s.device, nullif(s.slice_id, -1) as slice, nullif(s.profile, '') as mig_profile, s.model as gpu_model,
  f.signal, f.minutes, f.total::numeric / f.minutes as avg, f.low as min, f.high as max, f.p50, f.p95
from sample_summaries s
cross join lateral sample_figures(@tenant, s.figures) f
where s.tenant_id = @tenant and s.hour >= @from and s.hour < @to
