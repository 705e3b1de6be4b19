package star

import (
	"fmt"
	"slices"
	"strings"
)

// Table is a roll-up by a step.
type Table struct {
	Fact   *Fact
	Rollup *Rollup
	Step   Step
}

// Tables lists the fact's tables, each after its source.
func (f *Fact) Tables() []Table {
	var sorted []Table
	for waiting := f.tables(); len(waiting) > 0; {
		var later []Table
		for _, t := range waiting {
			if of, ok := t.Source(); ok && !slices.ContainsFunc(sorted, of.is) {
				later = append(later, t)
			} else {
				sorted = append(sorted, t)
			}
		}
		waiting = later
	}
	return sorted
}

// tables lists the fact's tables as declared.
func (f *Fact) tables() []Table {
	var all []Table
	for i := range f.Rollups {
		for _, s := range f.Rollups[i].Steps {
			all = append(all, Table{f, &f.Rollups[i], s})
		}
	}
	return all
}

func (t Table) is(o Table) bool { return t.Short() == o.Short() }

// Source is the table whose rows t adds up: among the fact's tables with all columns of t, the one with the longest
// step, then without a Many key, then with the fewest columns. Without a source, t adds up the rows of the fact itself.
func (t Table) Source() (source Table, ok bool) {
	for _, o := range t.Fact.tables() {
		if o.is(t) || o.Step.rank() > t.Step.rank() || !o.tells(t) || o.Step.rank() == t.Step.rank() && t.tells(o) {
			continue // equal tables are not built from each other
		}
		if !ok || slices.Compare(o.cost(), source.cost()) < 0 {
			source, ok = o, true
		}
	}
	return source, ok
}

// cost orders tables by how many rows they are likely to have.
func (t Table) cost() []int {
	return []int{-t.Step.rank(), len(t.Rollup.Many), len(t.Columns())}
}

// tells reports whether rows of t have everything that rows of o add up.
func (t Table) tells(o Table) bool {
	has := t.Columns()
	for _, key := range o.Rollup.Keys {
		if !t.Rollup.Has(key) && !t.leadsTo(key) { // an arbitrary value does not separate rows
			return false
		}
	}
	return !slices.ContainsFunc(o.Columns(), func(c string) bool { return !slices.Contains(has, c) && !t.leadsTo(c) })
}

// leadsTo reports whether the key is a key of machines and t has node_id.
func (t Table) leadsTo(key string) bool {
	k, _ := t.Fact.Key(key)
	return k.Machine != "" && t.Rollup.Has("node_id")
}

// led joins to rows the keys of machines that t has and the rows lack.
func (t Table) led(rows string) string {
	source, made := t.Source()
	return t.Fact.Led(rows, slices.DeleteFunc(slices.Clone(t.Rollup.Keys),
		func(k string) bool { return made && source.Rollup.Has(k) }))
}

// Led joins to rows of the fact those columns that node_id leads to.
func (f *Fact) Led(rows string, columns []string) string {
	var more []string
	for _, name := range columns {
		if k, _ := f.Key(name); k.Machine != "" {
			more = append(more, "nullif(n."+k.Machine+", '') as "+name)
		}
	}
	if len(more) == 0 {
		return rows
	}
	return "(select l.*, " + strings.Join(more, ", ") + " from " + rows +
		" l left join nodes n on n.tenant_id = @tenant and n.node_id = l.node_id)"
}

// Table returns the table of a roll-up and one of its steps; it panics without one.
func (f *Fact) Table(r *Rollup, by Step) Table {
	for _, s := range r.Steps {
		if s.Name == by.Name {
			return Table{f, r, s}
		}
	}
	panic(fmt.Sprintf("roll-up %s has no %s", r.Name, by.Name)) // callers pass constants
}

// Short is the table's name in its schema.
func (t Table) Short() string { return t.Rollup.Name + "_" + t.Step.Name }

// Name is the table's name in SQL.
func (t Table) Name() string { return "star." + t.Short() }

// OfDays reports whether the table is filled from a table of days, not from the ledger.
func (t Table) OfDays() bool { return t.Step.Name == Months.Name }

// column is one of a table.
type column struct {
	name, doc, unit string
	typ             Type
	merge           Merge // empty: a key
	any             bool  // a key with one arbitrary value
	always          bool
}

func (t Table) columns() []column {
	var all []column
	for _, name := range t.Rollup.Keys {
		k, _ := t.Fact.Key(name)
		all = append(all, column{name: k.Name, doc: k.doc(), typ: k.Type, always: k.Always})
	}
	for _, name := range t.Rollup.Any {
		k, _ := t.Fact.Key(name)
		all = append(all, column{name: k.Name, doc: k.doc(), typ: k.Type, any: true})
	}
	for _, m := range t.Rollup.measures(t.Fact) {
		all = append(all, column{name: m.Name, doc: m.Doc, unit: m.Unit, typ: m.Type, merge: m.Merge, always: m.Always})
	}
	return all
}

// Columns lists the columns after tenant_id and at.
func (t Table) Columns() []string {
	var names []string
	for _, c := range t.columns() {
		names = append(names, c.name)
	}
	return names
}

// Create is the SQL that creates the table. at is the start of the time that a row covers.
func (t Table) Create() string {
	var b strings.Builder
	fmt.Fprintf(&b, "create table %s (\n  tenant_id int not null, at timestamptz not null", t.Name())
	for _, c := range t.columns() {
		fmt.Fprintf(&b, ",\n  %s %s", c.name, c.typ)
		if c.always {
			b.WriteString(" not null")
		}
	}
	fmt.Fprintf(&b, "\n);\ncreate index %s_at on %s (tenant_id, at);\n", t.Short(), t.Name())
	for _, k := range []string{t.Rollup.Many, t.Rollup.Often} {
		if k != "" {
			fmt.Fprintf(&b, "create index %s_%s_at on %s (tenant_id, %s, at);\n", t.Short(), k, t.Name(), k)
		}
	}
	return b.String()
}

// View is the table as SQL users read it. A roll-up of spot machines, including those of others, serves only the
// figures of `spot`; users with a limited scope cannot list it.
func (t Table) View() string {
	var b strings.Builder
	name := "bi_v1.star_" + t.Short()
	where := "tenant_id = @tenant"
	if t.Rollup.namesMachines() {
		where += " and " + Unscoped
	}
	fmt.Fprintf(&b, "create view %s as select at, %s from %s where %s;\n", name, Listed("", t.Columns()), t.Name(), where)
	fmt.Fprintf(&b, "comment on view %s is %s;\n", name, quoted(t.Fact.Doc+" "+t.Rollup.Doc))
	fmt.Fprintf(&b, "comment on column %s.at is %s;\n", name, quoted(t.Step.starts()))
	t.comment(&b, name)
	return b.String()
}

// comment writes the meaning of each column of the table's view.
func (t Table) comment(b *strings.Builder, name string) {
	for _, c := range t.columns() {
		fmt.Fprintf(b, "comment on column %s.%s is %s;\n", name, c.name, quoted(c.text()))
	}
}

func (c column) text() string {
	text := c.doc
	if c.any {
		text = "Any one of those that the row adds up. " + text
	}
	if c.unit != "" {
		text += " Unit: " + c.unit + "."
	}
	return text
}

// Merged adds rows up to rows of the table.
func (t Table) Merged(rows string) string { return t.merged(t.led(rows)) }

// merged is Merged for rows r that have all keys.
func (t Table) merged(rows string) string {
	list := []string{"@tenant::int as tenant_id", t.Step.at + " as at"}
	group := []string{"2"}
	for _, c := range t.columns() {
		of := "r." + c.name
		switch {
		case c.any && c.typ == ID: // uuid has no min()
			of = "min(" + of + "::text)::uuid"
		case c.any:
			of = "min(" + of + ")"
		case c.merge != "":
			of = fmt.Sprintf("%s(%s)", c.merge, of)
		default:
			group = append(group, of)
		}
		list = append(list, of+" as "+c.name)
	}
	return "select " + strings.Join(list, ", ") + "\nfrom " + rows + " r\ngroup by " + strings.Join(group, ", ")
}

// Fill inserts the sums of rows into the table.
func (t Table) Fill(rows string) string { return t.insert(t.Merged(rows)) }

func (t Table) insert(rows string) string {
	return fmt.Sprintf("insert into %s (tenant_id, at, %s)\n%s", t.Name(), Listed("", t.Columns()), rows)
}

// Listing reads rows that code built from a JSON list of objects.
func (f *Fact) Listing(list string) string {
	columns := []string{"hour " + string(Time)}
	for _, k := range f.Keys {
		if k.Machine == "" {
			columns = append(columns, k.Name+" "+string(k.Type))
		}
	}
	for _, m := range f.Measures {
		columns = append(columns, m.Name+" "+string(m.Type))
	}
	return "select * from json_to_recordset(" + quoted(list) + ") r (" + strings.Join(columns, ", ") + ")"
}

// Within selects the table's rows from @from to @to, to be added up.
func (t Table) Within() string {
	return "(select at as hour, * from " + t.Name() + " where tenant_id = @tenant and at >= @from and at < @to)"
}

// Forget deletes the table's rows for the days from @from to @to, and for months that contain any of them.
func (t Table) Forget() string {
	from := "@from"
	if t.OfDays() {
		from = "date_trunc('month', @from, 'UTC')"
	}
	return fmt.Sprintf("delete from %s where tenant_id = @tenant and at >= %s and at < @to", t.Name(), from)
}

// Listed are columns of a relation, as SQL.
func Listed(relation string, columns []string) string {
	terms := make([]string, len(columns))
	for i, c := range columns {
		terms[i] = relation + c
	}
	return strings.Join(terms, ", ")
}

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
