insert into served_names (tenant_id, day, served_name, model, model_version, joined_by, among)
values ($1, $2, $3, $4, $5, $6, $7)
