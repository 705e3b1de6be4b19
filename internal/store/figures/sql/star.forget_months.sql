delete from rolled_months
