copy next_owners (tenant_id, owner_id, business_unit, team, project, model, model_version, stage, environment,
  cost_center, experiment, dataset, "user", priority, queue, labels) from stdin (format binary)
