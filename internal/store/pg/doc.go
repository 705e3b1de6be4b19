// Package pg connects the store to PostgreSQL: the pool, named statements, binary COPY from the types of the ledger by
// encoders that name the columns, months as partitions, the fence of a calculation, statistics of tables, and the
// schema's migrations.
//
// It does not know the meaning of any table and makes no decision. Each store package keeps its statements by subject
// in its folder sql, under their names (`-- name: area.name`). Their first parameter is tenant_id. Expressions that
// several statements share are fragments in Go, which they name.
//
// It guarantees that money and quantities pass exactly (NUMERIC and money.Amount, without floats), that instants are
// whole UTC seconds, and that everything in InTx is one transaction, which is refused if the calculation it works for
// has ended.
package pg
