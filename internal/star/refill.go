package star

import (
	"fmt"
	"strings"
)

// A table that is filled already is refilled by what differs: a late hour changes a few
// rows of a day, and those alone are written, and in its month what they are part of.
// Rows that are written for nothing are dead rows that all readers pass.

// Changed is the temporary table of the rows that refilling a table took away or put in.
func (t Table) Changed() string { return "changed_" + t.Short() }

// KeepChanges makes Changed for the transaction.
func (t Table) KeepChanges() string {
	return "create temp table " + t.Changed() + " (like " + t.Name() + ") on commit drop"
}

// Refill makes what the table says of the days from @from to @to what rows add up to, as
// Forget and Fill do, and puts the rows that changed in Changed. Rows are compared as
// text: to the last digit that is shown.
func (t Table) Refill(rows string) string {
	const within = "t.tenant_id = @tenant and t.at >= @from and t.at < @to"
	return "with fresh as materialized (\n" + t.Merged(rows) + "\n), gone as (\n" +
		"delete from " + t.Name() + " t where " + within +
		"\n  and not exists (select from fresh f where f::text = t::text)\nreturning t.*\n), come as (\n" +
		"insert into " + t.Name() + " (tenant_id, at, " + Listed("", t.Columns()) + ")\nselect f.* from fresh f\n" +
		"where not exists (select from " + t.Name() + " t where " + within + " and t::text = f::text)\nreturning *\n)\n" +
		t.keep()
}

// Follow adds up again those rows of the table from @from to @to in which rows of its
// source have a part that changed, and puts them in Changed.
func (t Table) Follow(source Table) string {
	own := make([]string, 0, len(t.Rollup.Keys))
	for _, k := range t.Rollup.Keys {
		own = append(own, "r."+k)
	}
	touched := "select distinct " + strings.Join(append([]string{t.Step.at + " as at"}, own...), ", ") +
		" from " + t.led("(select at as hour, * from "+source.Changed()+" where at >= @from and at < @to)") + " r"
	parts := "(select r.* from " + t.led(source.Within()) + " r where exists (select from touched u where u.at = " +
		t.Step.at + t.same("u", "r") + "))"
	return "with touched as materialized (\n" + touched + "\n), gone as (\n" +
		"delete from " + t.Name() +
		" t using touched u where t.tenant_id = @tenant and t.at >= @from and t.at < @to and t.at = u.at" +
		t.same("u", "t") + "\nreturning t.*\n), come as (\n" +
		t.insert(t.merged(parts)) + "\nreturning *\n)\n" + t.keep()
}

// keep puts in Changed what a statement took away and put in.
func (t Table) keep() string {
	return "insert into " + t.Changed() + " select * from gone union all select * from come"
}

// same says, as a further condition, that two rows have the same keys. Keys may be
// null, which no join can be hashed by; what they hash to can.
func (t Table) same(a, b string) string {
	if len(t.Rollup.Keys) == 0 {
		return ""
	}
	x, y := Listed(a+".", t.Rollup.Keys), Listed(b+".", t.Rollup.Keys)
	return fmt.Sprintf(" and hash_record_extended(row(%s), 0) = hash_record_extended(row(%s), 0) and row(%s) is not "+
		"distinct from row(%s)", x, y, x, y)
}
