set local default_statistics_target = 20;
analyze charge_scopes, charge_items, charge_resources, charge_tags, charge_aggregates;
set local default_statistics_target = default
