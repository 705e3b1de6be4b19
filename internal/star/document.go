package star

import (
	"fmt"
	"strings"
)

// Document is the documentation page of the facts, docs/reference/facts.md, made from the
// declarations.
func Document() string {
	var b strings.Builder
	b.WriteString("# Facts\n\nWhat the ledger adds up to, in schema `star`. Made from the declarations in " +
		"`internal/star`; a test keeps this page equal to them.\n\n" +
		"Reports, pages and exports are read from these tables where they are as new as the ledger, and from the ledger " +
		"where not: both say the\n" +
		"same, and `gpuledger verify` proves it. Read the datasets (docs/reference/datasets.md) instead of these tables: a day " +
		"that is being added up again\n" +
		"still has its old rows here, and so it has in reports of devices. `gpuledger report DATASET --explain-query` " +
		"says which table answered. A row is of one tenant and starts `at`\n" +
		"an hour, UTC day or calendar month. Null is unknown, or does not apply; sums skip it.\n\n" +
		"Who sees a row: a scope is made of conditions on business unit, team, project, environment and cluster. Each " +
		"fact has a security key,\n" +
		"keys that lead to an owner (org) and to a cluster (place), and each roll-up a policy of row-level security by " +
		"the first of them that it\n" +
		"has. A row of a roll-up without an org key adds up owners, so only who sees all owners sees it; without a place " +
		"key, who sees all\n" +
		"clusters. A team stands for its owners: who sees some of them only does not see it. They hold where access " +
		"control is on (docs/operate/access.md).\n" +
		"Each table is also a view, `bi_v1.star_` with its name, which shows of it what the scope of a login has. Unlike " +
		"the views of\n" +
		"datasets these change with the declarations.\n")
	for _, f := range Facts {
		rows := "statement `" + f.Rows + "`"
		if f.Made != "" {
			rows = "made by " + f.Made
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s Rows: %s. Read by %s. ", f.Name, f.Doc, rows, strings.Join(quotedList(f.Reads), ", "))
		b.WriteString(f.whoSees())
		b.WriteString("\n| roll-up | a row is | tables | keys | seen by |\n|---|---|---|---|---|\n")
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

// whoSees says what decides about the rows of the fact.
func (f *Fact) whoSees() string {
	org, place := "org by "+strings.Join(quotedList(f.Org), ", else "),
		"place by "+strings.Join(quotedList(f.Place), ", else ")
	if f.Open != "" {
		org = "no org: " + f.Open
	}
	if f.Closed != "" {
		return "Security key: none, only who sees everything sees it: " + f.Closed + ".\n"
	}
	if f.Anywhere != "" {
		place = "no place: " + f.Anywhere
	}
	return "Security key: " + org + "; " + place + ".\n"
}

// seenBy are the keys that decide who sees a row of a roll-up.
func (f *Fact) seenBy(r *Rollup) string {
	org, place := f.orgKey(r), f.placeKey(r)
	if f.Closed != "" {
		return "everything"
	}
	if org == "" {
		org = "all owners"
	}
	if place == "" {
		place = "all clusters"
	}
	if org == place {
		return org
	}
	return org + ", " + place
}

func quotedList(names []string) []string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = "`" + n + "`"
	}
	return list
}
