package metrics

import (
	"fmt"
	"strings"
)

// Document is docs/reference/datasets.md, built from the definitions.
func Document() string {
	var b strings.Builder
	b.WriteString("# Datasets\n\nBuilt from the definitions in package `metrics`; a test keeps this page up to " +
		"date.\n\nThe same names and columns everywhere: `gpuledger report NAME`, `GET /api/v1/NAME`, view `bi_v1.NAME`. " +
		"Money and quantities are\nexact decimals (text in JSON); NULL is unknown; times are RFC 3339 in UTC; ratios are " +
		"rounded to 12 decimals.\n\n| dataset | content |\n|---|---|\n")
	for _, d := range Datasets {
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s |\n", d.Name, d.Name, cellText(firstSentence(d.Doc)))
	}
	b.WriteString("\n## Options\n\n| option | meaning |\n|---|---|\n")
	for _, o := range OptionList {
		fmt.Fprintf(&b, "| `--%s` | %s |\n", o.Name, cellText(o.Doc))
	}
	b.WriteString("\n## Group keys\n\nFor `costs` and `chargeback`, in groups and filters. Other datasets list the keys " +
		"that they take in addition to their columns.\n\n| key | lives on | meaning |\n|---|---|---|\n")
	for _, k := range Keys {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", k.Name, k.On, cellText(k.Doc))
	}
	b.WriteString("| `tag:KEY` | charge | Billing tag KEY of the charge. |\n| `label:KEY` | workload | Label KEY of the " +
		"workload, else of its root owner, else of its namespace; case, `-`, `_`, `.`, `/` and the prefix `label_` of KEY " +
		"do not matter. For unheld time, the owner's dimension of that name. |\n")
	for _, d := range Datasets {
		fmt.Fprintf(&b, "\n## %s\n\n%s From %s.%s\n\n| column | type | meaning | formula |\n|---|---|---|---|\n", d.Name,
			d.Doc, d.Columns[0].Source, groupsText(d))
		columns := d.Columns
		if d.Grouped {
			columns = Query{Dataset: d, Currency: "EUR"}.Columns()
		}
		for _, c := range columns {
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", c.Name, cellText(typeText(c)), cellText(meaningText(c)),
				cellText(formulaText(c)))
		}
	}
	b.WriteString("\n## Figures of pages\n\nFigures that pages derive from several columns.\n\n| figure | type | " +
		"meaning | derived from |\n|---|---|---|---|\n")
	for _, c := range pageFigures {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", c.Name, cellText(typeText(c)), cellText(meaningText(c)),
			cellText(c.Source))
	}
	return b.String()
}

// firstSentence is a text up to its first full stop.
func firstSentence(text string) string {
	sentence, _, more := strings.Cut(text, ". ")
	if more {
		sentence += "."
	}
	return sentence
}

// meaningText is a column's sentence with its caveats and its target.
func meaningText(c Column) string {
	parts := append([]string{c.Doc}, c.Caveats...)
	if c.Target != nil {
		parts = append(parts, "Target: "+c.Target.String()+".")
	}
	return strings.Join(parts, " ")
}

// groupsText says how the dataset's rows can be grouped.
func groupsText(d *Dataset) string {
	switch {
	case d.Grouped || !d.Regroups():
		return ""
	case len(d.Offers) > 0:
		return " `--group-by` takes its attributes, and " + strings.Join(d.offered(), ", ") +
			"; columns with a formula then hold for the group."
	}
	return " `--group-by` takes its attributes; columns with a formula then hold for the group."
}

func typeText(c Column) string {
	text := string(c.Kind)
	if c.Unit != "" {
		text += ", " + c.Unit
	}
	if len(c.Values) > 0 {
		text += ": " + strings.Join(c.Values, ", ")
	}
	if c.OnlyGroups {
		text += "; in groups only"
	}
	return text
}

func formulaText(c Column) string {
	text := c.Formula.String()
	if c.Formula.Op == OpField && c.Formula.Field == c.Name {
		text = ""
	}
	if c.Groups != nil {
		text += " (in groups: " + c.Groups.String() + ")"
	}
	return strings.TrimSpace(text)
}

func cellText(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
