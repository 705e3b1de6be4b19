copy (
  select p.node_id, p.hour, p.posting_id, p.part_id, p.charge_id, p.rate_id, p.part, p.usage_id, p.terms_id, p.adjusts, p.owner_id,
  p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost, p.gpu_hours, p.capacity_gpu_hours, p.active_gpu_hours, p.energy_kwh,
  p.slot, p.device, p.slice_id, p.mig_profile, p.workload_id, p.run_id, p.attempt_id
  from posting_rows p left join posting_terms t on t.tenant_id = p.tenant_id and t.terms_id = p.terms_id
  where p.tenant_id = :tenant and p.hour >= :from and p.hour < :to and t.state is distinct from 'final'
) to stdout (format binary)
