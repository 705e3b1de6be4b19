package star

import (
	"fmt"
	"strings"
)

// Document is the documentation page of the facts, docs/facts.md, made from the
// declarations.
func Document() string {
	var b strings.Builder
	b.WriteString("# Facts\n\nWhat the ledger adds up to, in schema `star`. Made from the declarations in `internal/star`; a test keeps this page equal to them.\n\n" +
		"Reports, pages and exports are read from these tables where they are as new as the ledger, and from the ledger where not: both say the\n" +
		"same, and `gpuledger verify` proves it. Read the datasets (docs/datasets.md) instead of these tables: a day that is being added up again\n" +
		"still has its old rows here, and so it has in reports of devices. `gpuledger report DATASET --explain-query` says which table answered. A row is of one tenant and starts `at`\n" +
		"an hour, UTC day or calendar month. Null is unknown, or does not apply; sums skip it.\n")
	for _, f := range Facts {
		rows := "`internal/store/report/sql/" + f.Rows + ".sql`"
		if f.Made != "" {
			rows = "made by " + f.Made
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s Rows: %s. Read by %s. ", f.Name, f.Doc, rows, strings.Join(quotedList(f.Reads), ", "))
		if f.Open != "" {
			fmt.Fprintf(&b, "Anybody may see it: %s.\n", f.Open)
		} else {
			fmt.Fprintf(&b, "Who sees a row is decided by %s; roll-ups without it are for who sees all.\n", strings.Join(quotedList(f.Seen), ", else "))
		}
		b.WriteString("\n| roll-up | a row is | tables | keys |\n|---|---|---|---|\n")
		for i := range f.Rollups {
			r := &f.Rollups[i]
			var steps []string
			for _, s := range r.Steps {
				steps = append(steps, "_"+s.Name)
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", r.Name, r.Doc, strings.Join(steps, ", "), strings.Join(r.Keys, ", "))
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

func quotedList(names []string) []string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = "`" + n + "`"
	}
	return list
}
