analyze next_odd
