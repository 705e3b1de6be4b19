copy findings (tenant_id, finding_id, kind, subject, scope, subject_id, from_at, to_at, open, risk, cluster, node_id, device, slice_id, mig_profile,
  instance_type, gpu_model, workload_id, namespace, workload_kind, workload, pod, service, run_id, owner_id, gpu_hours, quality, evidence, first_seen, last_seen, met_seconds)
from stdin (format binary)
