// Package star declares what the ledger adds up to: facts, their keys and
// measures, and the roll-ups by hour, day and month that reports are read from.
//
// It owns the names of tables and columns of schema star, how each measure
// merges, and all SQL that follows from that alone: tables, filling, forgetting,
// months of days, checks, views and docs/reference/facts.md. It refuses at start-up what
// cannot be added up: a measure without a merge, a roll-up of a key that its fact
// does not have, a fact of which nobody said who may see it.
//
// It knows no rule of the ledger and no database. What the rows of a fact are is a
// statement of internal/store (Fact.Rows), or what code makes (Fact.Made); which
// roll-up answers a question is decided there, too. Keys of machines are not in the
// rows: node_id leads to them (nodes), when they are added up. Counts and sets merge by
// aggregates that a migration makes. Texts have the placeholders @tenant, @from
// and @to.
package star
