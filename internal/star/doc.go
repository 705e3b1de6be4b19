// Package star declares the roll-ups of the ledger: facts, their keys and measures, and the roll-ups by hour, day and
// month that reports read.
//
// It owns the names of tables and columns of schema star, how each measure merges, and all SQL that follows from that
// alone: tables, filling, forgetting, months from days, checks, views and docs/reference/facts.md. It refuses
// declarations at start-up that cannot be added up: a measure without a merge, a roll-up with a key that its fact
// lacks, a fact without a security key.
//
// It knows no rules of the ledger and no database. The rows of a fact come from a statement of internal/store
// (Fact.Rows) or from code (Fact.Made); internal/store also chooses the roll-up that answers a query. Rows do not hold
// the keys of machines: node_id leads to them (table nodes) when rows are added up. Counts and sets merge by aggregates
// that a migration creates. SQL texts have the placeholders @tenant, @from and @to.
package star
