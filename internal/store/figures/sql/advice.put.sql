insert into recommendations (tenant_id, recommendation_id, kind, cluster, namespace, workload_kind, name, owner_id, gpu_model, from_at, to_at, proposal, evidence, confidence, effort, risk,
  effective_cost, saving, saving_per_month, currency, state, instrument, quantity, term_months, break_even_months, stranded, claims, observed_hours, lifetime_hours, basis, holds, first_seen, last_seen)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::text::jsonb, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, true, $11, $11)
on conflict (tenant_id, recommendation_id) do update
set owner_id = excluded.owner_id, from_at = excluded.from_at, to_at = excluded.to_at, proposal = excluded.proposal, evidence = excluded.evidence, confidence = excluded.confidence, effort = excluded.effort, risk = excluded.risk,
  effective_cost = excluded.effective_cost, saving = excluded.saving, saving_per_month = excluded.saving_per_month, state = excluded.state,
  instrument = excluded.instrument, quantity = excluded.quantity, term_months = excluded.term_months, break_even_months = excluded.break_even_months, stranded = excluded.stranded,
  claims = excluded.claims, observed_hours = excluded.observed_hours, lifetime_hours = excluded.lifetime_hours, basis = excluded.basis, holds = true, last_seen = excluded.last_seen
