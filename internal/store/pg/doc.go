// Package pg is how the store talks to PostgreSQL: the pool, named statements,
// binary COPY from the types of the ledger by encoders that name the columns, months
// as partitions, the fence of a calculation, statistics of tables, and the schema's
// migrations.
//
// It knows no table's meaning and makes no decision. Each room keeps its statements
// by subject in its folder sql, under their names (`-- name: area.name`). They take
// tenant_id first; what several of them need to decide is a fragment in Go that they
// name.
//
// It guarantees that money and quantities pass exactly (NUMERIC and money.Amount,
// without floats), that instants are whole UTC seconds, and that what runs in InTx
// is one transaction, which is refused when the calculation it works for has ended.
package pg
