package costs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"gpuledger/internal/nearest"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/dashboard/panel"
	"gpuledger/web/views"
)

// mostTreeKeys is how many keys the tree of costs has.
const mostTreeKeys = 3

// trees are the sets of keys that the page offers; the first is drawn if the address names none.
var trees = [][]string{
	{"team", "project"},
	{"team", "project", "cause"},
	{"cause", "team"},
	{"business_unit", "team", "project"},
	{"provider", "account", "service_name"},
	{"pricing", "instance_type"},
	{"cluster", "gpu_model", "cause"},
	{"model", "environment"},
}

// treeKeys are the keys of the address's tree.
func treeKeys(s page.Scope) ([]string, error) {
	if s.Pick.Tree == "" {
		return trees[0], nil
	}
	refuse := func(format string, args ...any) error {
		return &metrics.OptionError{Option: "tree", Value: s.Pick.Tree, Reason: fmt.Sprintf(format, args...)}
	}
	costs, err := metrics.LookupDataset("costs")
	if err != nil {
		return nil, err
	}
	known := costs.GroupKeys()
	keys := strings.Split(s.Pick.Tree, ",")
	if len(keys) > mostTreeKeys {
		return nil, refuse("names more than three keys")
	}
	for i, key := range keys {
		keys[i] = strings.TrimSpace(key)
		switch {
		case !slices.Contains(known, keys[i]):
			return nil, refuse("%s is not a key of costs (did you mean %s?)", keys[i], nearest.Names(keys[i], known)[0])
		case slices.Contains(keys[:i], keys[i]):
			return nil, refuse("names %s twice", keys[i])
		}
	}
	return keys, nil
}

// treePanel draws the page's cost as areas by the keys of the address.
func treePanel(p *page.Context, keys []string) *panel.Panel {
	by := strings.Join(keys, ",")
	v := &panel.Panel{
		Name: "tree", Title: "Spend by " + treeName(keys, ", then "), Chart: panel.Treemap,
		Measure: p.Scope.Basis + "_cost", Where: gpuCost, Ask: question(p, metrics.Options{GroupBy: by}),
		None: "No GPU cost in this period.",
		Links: []views.Link{page.Defined("costs.effective_cost"), {
			Text: "Explore", Href: panel.Explore(p.Scope, "costs", p.Scope.Basis+"_cost", keys, panel.Treemap, gpuCost),
		}},
		Above: func(context.Context) (templ.Component, error) {
			return views.Choose("Keys of the tree", treeMenu(p.Scope, by)), nil
		},
	}
	v.Before = beforeOf(p, metrics.Options{GroupBy: by})
	return v
}

// treeName names keys in their order.
func treeName(keys []string, between string) string {
	labels := make([]string, len(keys))
	for i, key := range keys {
		labels[i] = metrics.Lower(key)
	}
	return strings.Join(labels, between)
}

// treeMenu offers sets of keys.
func treeMenu(s page.Scope, by string) views.Menu {
	m := views.Menu{Label: "by", Value: treeName(strings.Split(by, ","), " › ")}
	for i, keys := range trees {
		value := strings.Join(keys, ",")
		param := value
		if i == 0 { // the page's default
			param = ""
		}
		m.Items = append(m.Items, views.MenuItem{
			Text: treeName(keys, " › "), Href: s.With("tree", param) + "#panel-tree", Current: value == by,
		})
	}
	return m
}
