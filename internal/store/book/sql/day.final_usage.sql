select usage_id, hour, node_id, slot, device, slice_id, mig_profile, workload_id, run_id, attempt_id,
  cause, activity, owner_id, quality, method, seconds, active_seconds, weight_num::text, weight_den::text, held
from usage u
where tenant_id = $1 and node_id = $2 and hour >= $3 and hour < $4
  and exists (select from frozen_hours f where f.tenant_id = u.tenant_id and f.node_id = u.node_id and f.hour = u.hour)
