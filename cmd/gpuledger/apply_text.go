package main

import (
	"cmp"
	"fmt"
	"strings"
	"text/tabwriter"

	"gpuledger/allocation/policy"
	"gpuledger/internal/folder"
	"gpuledger/internal/visible"
	"gpuledger/web/views/format"
)

// text is the answer for people: what differs, what it moves, and whether it is stored.
func (out *applied) text(plan *folder.Plan) string {
	var b strings.Builder
	signs := map[folder.Action]string{folder.Create: "+", folder.Update: "~"}
	same := 0
	for _, c := range out.Changes {
		if c.Action == folder.None {
			same++
			continue
		}
		from := ""
		if c.ValidFrom != "" {
			from = " from " + c.ValidFrom
		}
		visible.Fprintf(&b, "%s %s %s%s (%s)\n", signs[c.Action], c.Kind, c.Name, from, c.Action)
		for _, f := range c.Fields {
			visible.Fprintf(&b, "    %s: %s -> %s\n", f.Name, cmp.Or(f.From, "none"), cmp.Or(f.To, "none"))
		}
	}
	if same > 0 {
		fmt.Fprintf(&b, "%d unchanged\n", same)
	}
	if out.Looked != nil {
		out.moneyText(&b)
		out.keptText(&b, plan)
	}
	switch {
	case !plan.Differs():
		b.WriteString("nothing differs, so nothing is stored\n")
	case !out.Applied:
		b.WriteString("dry run: nothing is stored\n")
		if plan.Guarded {
			b.WriteString("the policy in force requires a second person for this change: see `gpuledger policy apply`\n")
		}
	case plan.Recomputes():
		b.WriteString("stored; run `gpuledger allocate` to apply it\n")
	default:
		b.WriteString("stored\n")
	}
	return b.String()
}

// moneyText is the table of owners that would pay more or less.
func (out *applied) moneyText(b *strings.Builder) {
	l := out.Looked
	if l.Days == 0 {
		b.WriteString("\nNo days are computed in the period, so no money moves.\n")
		return
	}
	fmt.Fprintf(b, "\nEffective cost after sharing, open postings from %s to %s (%s):\n", cmp.Or(l.From, "the start"),
		cmp.Or(l.To, "the end"), nodeDays(l.Days))
	if len(out.Money) == 0 {
		b.WriteString("no owner would pay more or less\n")
	}
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	for i, m := range out.Money {
		if i == 0 {
			fmt.Fprintln(w, "owner\tnow\tthen\tdifference\t")
		}
		money := format.Coded(m.Currency).Money
		visible.Fprintf(w, "%s=%s\t%s\t%s\t%s\t\n", m.Key, m.Value, money(m.Before), money(m.After), money(m.Difference))
	}
	_ = w.Flush() // into memory
	if l.Waiting > 0 {
		fmt.Fprintf(b, "%s to be allocated: part of their difference does not come from this change\n",
			daysWait(l.Waiting))
	}
	b.WriteString("\n")
}

// keptText names the mapped values with money that stays: of what began before the day of the rules (rule 11.3).
func (out *applied) keptText(b *strings.Builder, plan *folder.Plan) {
	mapped := map[[2]string]bool{}
	note := func(list []policy.ValueMapping) {
		for _, v := range list {
			for _, word := range v.From {
				mapped[[2]string{v.Dimension, word}] = true
			}
		}
	}
	for i := range plan.Mappings {
		note(plan.Mappings[i].Values)
	}
	for i := range plan.Policies {
		note(plan.Policies[i].Values)
	}
	for _, m := range out.Money {
		if mapped[[2]string{m.Key, m.Value}] && m.After.Sign() != 0 {
			visible.Fprintf(b, "%s=%s keeps %s: time before the day of the new rules, and holds that began before it\n", m.Key, m.Value,
				format.Coded(m.Currency).Money(m.After))
		}
	}
	if len(mapped) > 0 && out.Looked.Days > 0 && len(out.Money) == 0 {
		b.WriteString("what began before the day of the new rules keeps its owner\n")
	}
}

// counted is a number with all its digits and its noun.
func counted[N int | int64](n N, one, many string) string {
	return fmt.Sprintf("%d %s", n, format.Noun(n, one, many))
}

func nodeDays(n int) string { return format.Plural(n, "node-day", "node-days") }

func daysWait(n int) string { return format.Plural(n, "node-day waits", "node-days wait") }
