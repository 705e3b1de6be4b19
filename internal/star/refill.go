package star

import (
	"fmt"
	"strings"
)

// Refilling a filled table writes only the differences: a late hour changes a few rows of a day, and the rows of its
// month that contain them. Rewriting equal rows would leave dead rows that every reader has to skip.

// Changed is the temporary table of the rows that a refill deleted or inserted.
func (t Table) Changed() string { return "changed_" + t.Short() }

// KeepChanges creates Changed for the transaction.
func (t Table) KeepChanges() string {
	return "create temp table " + t.Changed() + " (like " + t.Name() + ") on commit drop"
}

// Refill replaces the table's days from @from to @to by the sums of rows, like Forget and Fill, and puts the changed
// rows in Changed. It compares rows as text, so to the last digit shown.
func (t Table) Refill(rows string) string {
	const within = "t.tenant_id = @tenant and t.at >= @from and t.at < @to"
	return "with fresh as materialized (\n" + t.Merged(rows) + "\n), gone as (\n" +
		"delete from " + t.Name() + " t where " + within +
		"\n  and not exists (select from fresh f where f::text = t::text)\nreturning t.*\n), come as (\n" +
		"insert into " + t.Name() + " (tenant_id, at, " + Listed("", t.Columns()) + ")\nselect f.* from fresh f\n" +
		"where not exists (select from " + t.Name() + " t where " + within + " and t::text = f::text)\nreturning *\n)\n" +
		t.keep()
}

// Follow adds up again the rows of the table from @from to @to that contain a changed row of its source, and puts them
// in Changed.
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

// keep puts the deleted and inserted rows in Changed.
func (t Table) keep() string {
	return "insert into " + t.Changed() + " select * from gone union all select * from come"
}

// same is a further condition: two rows have the same keys. Keys may be null, which prevents a hash join; their hashes
// are not null.
func (t Table) same(a, b string) string {
	if len(t.Rollup.Keys) == 0 {
		return ""
	}
	x, y := Listed(a+".", t.Rollup.Keys), Listed(b+".", t.Rollup.Keys)
	return fmt.Sprintf(" and hash_record_extended(row(%s), 0) = hash_record_extended(row(%s), 0) and row(%s) is not "+
		"distinct from row(%s)", x, y, x, y)
}
