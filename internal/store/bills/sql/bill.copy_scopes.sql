copy next_scopes (slot, scope, source_file, billing_account, account, billing_period, currency) from stdin (format binary)
