package star

import (
	"fmt"
	"strings"
)

// Document is docs/reference/facts.md, built from the declarations.
func Document() string {
	var b strings.Builder
	b.WriteString("# Facts\n\n" +
		"Roll-ups of the ledger, in schema `star`. Built from the declarations in `internal/star`; a test keeps this\n" +
		"page up to date.\n\n" +
		"Reports, pages and exports read these tables when they are as new as the ledger, and the ledger otherwise.\n" +
		"Both give the same figures; `gpuledger verify` proves it. Read the [datasets](datasets.md) instead of\n" +
		"these tables: while a day is added up again, its old rows stay here and in reports of devices.\n" +
		"`gpuledger report DATASET --explain-query` shows which table answered. A row belongs to one tenant and starts\n" +
		"`at` an hour, UTC day or calendar month. Null means unknown or not applicable; sums skip it.\n\n" +
		"Access to rows: a scope consists of conditions on business unit, team, project, environment and cluster.\n" +
		"Each fact has a security key: keys that lead to an owner (org) and to a cluster (place). Each roll-up has a\n" +
		"policy of row-level security by the first of these keys that it has. Without an org key, a row adds up\n" +
		"owners, so only users with access to all owners see it; without a place key, only users with access to all\n" +
		"clusters do. A row by team is visible only to users with access to all owners of the team. The policies\n" +
		"apply when [access control](../operate/access.md) is on. Each table is also a view, `bi_v1.star_` with the\n" +
		"table's name, which shows the rows in the login's scope. Unlike the views of datasets, these views change with " +
		"the\ndeclarations.\n")
	for _, f := range Facts {
		rows := "statement `" + f.Rows + "`"
		if f.Made != "" {
			rows = "built by " + f.Made
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s Rows: %s. Read by %s. ", f.Name, f.Doc, rows, strings.Join(quotedList(f.Reads), ", "))
		b.WriteString(f.whoSees())
		b.WriteString("\n| roll-up | a row is | tables | keys | access by |\n|---|---|---|---|---|\n")
		for i := range f.Rollups {
			r := &f.Rollups[i]
			var steps []string
			for _, s := range r.Steps {
				steps = append(steps, "_"+s.Name)
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", r.Name, r.Doc, strings.Join(steps, ", "),
				strings.Join(r.Keys, ", "), f.seenBy(r))
		}
		b.WriteString("\n| column | type | merged by | meaning |\n|---|---|---|---|\n")
		for _, k := range f.Keys {
			fmt.Fprintf(&b, "| `%s` | %s | key | %s |\n", k.Name, k.Type, k.doc())
		}
		for _, m := range f.Measures {
			typ := string(m.Type)
			if m.Unit != "" {
				typ += ", " + m.Unit
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", m.Name, typ, m.Merge, m.Doc)
		}
	}
	return b.String()
}

// whoSees is the sentence about the fact's security key.
func (f *Fact) whoSees() string {
	org, place := "org by "+strings.Join(quotedList(f.Org), ", else "),
		"place by "+strings.Join(quotedList(f.Place), ", else ")
	if f.Open != "" {
		org = "no org: " + f.Open
	}
	if f.Closed != "" {
		return "Security key: none. Only users with full access see it: " + f.Closed + ".\n"
	}
	if f.Anywhere != "" {
		place = "no place: " + f.Anywhere
	}
	return "Security key: " + org + "; " + place + ".\n"
}

// seenBy lists the keys that decide access to the roll-up's rows.
func (f *Fact) seenBy(r *Rollup) string {
	org, place := f.orgKey(r), f.placeKey(r)
	if f.Closed != "" {
		return "full access"
	}
	key := func(name, all string) string {
		if name == "" {
			return all
		}
		return "`" + name + "`"
	}
	if org == place && org != "" {
		return key(org, "")
	}
	return key(org, "all owners") + ", " + key(place, "all clusters")
}

func quotedList(names []string) []string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = "`" + n + "`"
	}
	return list
}
