package review

import (
	"slices"
	"strings"

	"gpuledger/metrics"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/dashboard/panel"
	"gpuledger/web/views"
)

// drill is where a mark leads: the panel narrowed to the mark and grouped by the keys that are left, else by the next
// key on the way to the bill lines, and from the last one to the evidence.
func (e *explorer) drill(at panel.At) string {
	s := e.Scope
	if at.From != "" {
		s.From, s.To, s.BillingPeriod = at.From, at.To, ""
		s.Pick.Granularity = ""
	}
	switch {
	case at.Others && at.Except != "":
		return s.With("filter", s.And(at.Filter()), "pin", "", "change", "", "vs", "")
	case at.Others:
		return s.With("filter", s.And(at.Filter()), "chart", string(panel.Pivot), "granularity", "", "groups", "", "vs", "")
	}
	left := slices.DeleteFunc(slices.Clone(e.q.by), func(k string) bool { return slices.Contains(at.Keys, k) })
	by := strings.Join(left, ",")
	if by == "" {
		by = e.next(at.Keys)
	}
	if n := len(at.Keys); by == "" && n > 0 && e.q.dataset.Name == "costs" {
		if last := at.Values[n-1]; at.Keys[n-1] == "run" && last.Valid {
			return page.RunPath("/runs/", last.Text)
		}
		return s.Why(at.Filter())
	}
	if by == "" {
		by = strings.Join(e.q.by, ",")
	}
	return s.With(
		"dataset", e.q.dataset.Name, "filter", s.And(at.Filter()), "by", by, "pin", "", "change", "", "vs", "")
}

// next is the key to group by below the last of some keys, or empty.
func (e *explorer) next(keys []string) string {
	key := "tenant"
	if len(keys) > 0 {
		key = keys[len(keys)-1]
	}
	for range 3 { // a key that is fixed already says nothing
		key = panel.Deeper(key)
		if key == "" {
			return ""
		}
		if slices.Contains(e.q.dataset.GroupKeys(), key) && !e.fixed(key) {
			return key
		}
	}
	return ""
}

// fixed reports whether the filter has one value for a key.
func (e *explorer) fixed(key string) bool {
	return slices.ContainsFunc(e.Scope.Terms(), func(t page.Term) bool { return t.Key == key })
}

// acts are the links of a row: what changed, without it, drawn alone, compared.
func (e *explorer) acts(at panel.At, drawn bool) (links []views.Link) {
	s, is := e.Scope, at.Filter()
	if is == "" {
		return nil
	}
	link := func(text, href string) { links = append(links, views.Link{Text: text, Href: href}) }
	if e.compares() {
		link("What changed", s.With("change", is)+"#panel-bridge")
	}
	link("Exclude", s.With("filter", s.And(not(at)), "change", ""))
	pinned := e.q.pins != nil && metrics.Matches(e.q.pins, at.Value)
	switch {
	case pinned:
		link("Unpin", s.With("pin", ""))
	case !drawn && s.Pick.Pin == "":
		link("Pin", s.With("pin", is))
	case !drawn:
		link("Pin", s.With("pin", s.Pick.Pin+" or ("+is+")"))
	}
	if len(at.Keys) != 1 || !at.Values[0].Valid || e.q.dataset.Compared || e.q.pair.both() {
		return links
	}
	value := at.Values[0].Text
	switch p := e.q.pair; {
	case p == nil || p.key != at.Keys[0]:
		link("Compare", s.With("vs", is, "change", ""))
	case p.values[0] != value:
		by := e.next(at.Keys)
		if by == "" {
			by = at.Keys[0]
		}
		link("Compare with "+figures.Word(p.key, text(p.values[0])), s.With(
			"vs", p.key+" in ("+page.Quote(p.values[0])+", "+page.Quote(value)+")", "by", by, "change", ""))
	}
	return links
}

// not is the condition on all rows but a group's.
func not(at panel.At) string {
	if len(at.Keys) > 1 {
		return "not (" + at.Filter() + ")"
	}
	if !at.Values[0].Valid {
		return at.Keys[0] + " is not null"
	}
	return at.Keys[0] + " != " + page.Quote(at.Values[0].Text)
}

// term selects one of the two groups.
func (p *pair) term(i int) string { return page.Equal(p.key, p.values[i]) }

// crumbs lead back up the filter, term by term.
func (e *explorer) crumbs() (links []views.Link) {
	terms := e.Scope.Terms()
	if len(terms) == 0 {
		return nil
	}
	links = []views.Link{{Text: "All", Href: e.Scope.With("filter", "", "change", "")}}
	var filter []string
	for _, t := range terms {
		filter = append(filter, t.Text)
		links = append(links, views.Link{
			Text: phrase(t.Text), Href: e.Scope.With("filter", page.Both(slices.Clone(filter)...), "change", ""),
		})
	}
	return links
}

// phrase prints a condition: "team speech", "without team speech".
func phrase(condition string) string {
	e, err := metrics.ParseFilter(condition)
	if err != nil {
		return condition
	}
	terms := metrics.Terms(e)
	words := make([]string, len(terms))
	for i, t := range terms {
		words[i] = metrics.FilterText(t)
		c, ok := t.(metrics.Compare)
		if !ok || c.Op != metrics.Equal && c.Op != metrics.NotEqual {
			continue
		}
		key := strings.ReplaceAll(c.Key, "_", " ")
		words[i] = key + " " + figures.Word(c.Key, text(c.Values[0]))
		if c.Values[0] == "" {
			words[i] = "no " + key
		}
		if c.Op == metrics.NotEqual {
			words[i] = "without " + strings.Replace(words[i], "no ", "unknown ", 1)
		}
	}
	return strings.Join(words, ", ")
}
