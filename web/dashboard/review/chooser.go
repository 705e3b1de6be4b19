package review

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"gpuledger/metrics"
	"gpuledger/web/dashboard/panel"
	"gpuledger/web/views"
)

// chooser is the bar above the panel, in which the question is put together.
func (e *explorer) chooser() templ.Component {
	menus := []views.Menu{e.datasetMenu(), e.measureMenu()}
	for i := range e.q.by {
		menus = append(menus, e.keyMenu(i))
	}
	if len(e.q.by) < mostKeys && len(e.q.by) < len(e.q.dataset.GroupKeys()) {
		menus = append(menus, e.addMenu())
	}
	menus = append(menus, e.chartMenu())
	if e.q.dataset.SplitsByTime() {
		menus = append(menus, e.stepMenu())
	}
	menus = append(menus, e.groupsMenu())
	if !e.before().Empty() || e.q.pair.both() {
		menus = append(menus, e.orderMenu())
	}
	chosen := ""
	if e.q.pair.both() {
		chosen = phrase(e.q.pair.term(0)) + " against " + phrase(e.q.pair.term(1))
	}
	return views.Chooser(menus, e.crumbs(), chosen, e.Scope.With("vs", "", "by", e.pairKey()))
}

// pairKey is the key to group by when two groups are no longer compared.
func (e *explorer) pairKey() string {
	if e.q.pair == nil {
		return ""
	}
	return e.q.pair.key
}

// with is the address of the page with another choice; it closes the panels of a change.
func (e *explorer) with(changes ...string) string {
	return e.Scope.With(append([]string{"dataset", e.q.dataset.Name, "change", ""}, changes...)...)
}

func (e *explorer) datasetMenu() views.Menu {
	m := views.Menu{Label: "Data", Value: metrics.Label(e.q.dataset.Name)}
	for _, d := range offered() {
		m.Items = append(m.Items, views.MenuItem{
			Text: metrics.Label(d.Name), Note: d.Doc, Current: d == e.q.dataset,
			Href: e.Scope.With("dataset", d.Name, "measure", "", "by", "", "granularity", "", "pin", "", "vs", "", "change", ""),
		})
	}
	return m
}

func (e *explorer) measureMenu() views.Menu {
	m := views.Menu{Label: "Show", Value: metrics.Label(e.q.measure.Name)}
	for _, c := range e.q.figures {
		m.Items = append(m.Items, views.MenuItem{
			Text: metrics.Label(c.Name), Href: e.with("measure", c.Name), Current: c.Name == e.q.measure.Name,
		})
	}
	return m
}

// keyMenu removes a key, moves it, or chooses another in its place.
func (e *explorer) keyMenu(i int) views.Menu {
	by := e.q.by
	m := views.Menu{Label: map[bool]string{true: "by", false: "then"}[i == 0], Value: metrics.Label(by[i])}
	if len(by) > 1 || e.q.dataset.Grouped && e.q.dataset.GroupBy == nil {
		m.Items = append(m.Items, views.MenuItem{
			Text: "Remove", Href: e.with("by", strings.Join(slices.Delete(slices.Clone(by), i, i+1), ",")),
		})
	}
	if i > 0 {
		swapped := slices.Clone(by)
		swapped[i-1], swapped[i] = swapped[i], swapped[i-1]
		m.Items = append(m.Items, views.MenuItem{
			Text: "Swap with " + metrics.Lower(by[i-1]), Href: e.with("by", strings.Join(swapped, ",")),
		})
	}
	m.Items = append(m.Items, e.keyItems("Instead", func(key string) []string {
		other := slices.Clone(by)
		other[i] = key
		return other
	})...)
	return m
}

func (e *explorer) addMenu() views.Menu {
	text := "+ Key"
	if len(e.q.by) == 0 {
		text = "+ by"
	}
	return views.Menu{
		Label: text, Items: e.keyItems("", func(key string) []string { return append(slices.Clone(e.q.by), key) }),
	}
}

// keyItems offers the keys that are not used, the usual ones first.
func (e *explorer) keyItems(heading string, by func(key string) []string) (items []views.MenuItem) {
	head := func(text string) {
		if text != "" {
			items = append(items, views.MenuItem{Text: text})
		}
	}
	offer := func(key string) {
		if !slices.Contains(e.q.by, key) {
			items = append(items, views.MenuItem{
				Text: metrics.Label(key), Href: e.with("by", strings.Join(by(key), ","), "pin", ""),
			})
		}
	}
	keys := e.q.dataset.GroupKeys()
	head(heading)
	for _, key := range usual {
		if slices.Contains(keys, key) {
			offer(key)
		}
	}
	head("More")
	for _, key := range slices.Sorted(slices.Values(keys)) {
		if !slices.Contains(usual, key) {
			offer(key)
		}
	}
	return items
}

func (e *explorer) chartMenu() views.Menu {
	m := views.Menu{Label: "as", Value: chartName(e.q.chart)}
	for _, c := range panel.Charts {
		m.Items = append(m.Items, views.MenuItem{
			Text: chartName(c), Note: chartNotes[c], Href: e.with("chart", string(c)), Current: c == e.q.chart,
		})
	}
	return m
}

func chartName(c panel.Chart) string {
	switch c {
	case panel.Heatmap:
		return "Heat map"
	case panel.Pivot:
		return "Table"
	case panel.Multiples:
		return "Small charts"
	}
	return metrics.Label(string(c))
}

var chartNotes = map[panel.Chart]string{
	panel.Bars: "stacked over time, else ranked", panel.Lines: "one per group",
	panel.Multiples: "one per group, side by side, all of one scale", panel.Treemap: "areas by size",
	panel.Heatmap: "two keys, a key by time, or hours of the week", panel.Pivot: "with subtotals",
}

func (e *explorer) stepMenu() views.Menu {
	m := views.Menu{Label: "per", Value: cmp.Or(e.q.step, "auto")}
	for _, step := range append([]string{""}, steps...) {
		m.Items = append(m.Items, views.MenuItem{
			Text: cmp.Or(step, "auto"), Href: e.with("granularity", step), Current: step == e.q.step,
		})
	}
	return m
}

func (e *explorer) groupsMenu() views.Menu {
	m := views.Menu{Label: "Groups", Value: "auto"}
	for _, n := range []int{0, 5, 8, 12, 20, mostGroups} {
		text, value := "auto", ""
		if n > 0 {
			text, value = strconv.Itoa(n)+" largest, and the others", strconv.Itoa(n)
		}
		m.Items = append(m.Items, views.MenuItem{Text: text, Href: e.with("groups", value), Current: n == e.q.groups})
	}
	if e.q.groups > 0 {
		m.Value = strconv.Itoa(e.q.groups)
	}
	return m
}

func (e *explorer) orderMenu() views.Menu {
	m := views.Menu{Label: "Sort", Value: "by size", Items: []views.MenuItem{
		{Text: "By size", Href: e.with("order", ""), Current: !e.q.change},
		{Text: "By what changed most", Href: e.with("order", "change"), Current: e.q.change},
	}}
	if e.q.change {
		m.Value = "by change"
	}
	return m
}
