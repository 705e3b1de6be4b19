copy next_attempts (tenant_id, attempt_id, run_id, attempt, task, started_at, ended_at, running, outcome, reason, pricing, nodes, gpus,
  loss_basis, loss_from, last_checkpoint_at, gang_complete_at, may_lose_from) from stdin (format binary)
