package metrics

import (
	"slices"
	"strings"
	"testing"
)

func TestRegroupedRowsHaveOnlyColumnsOfGroups(t *testing.T) {
	q, err := Parse("runs", Options{GroupBy: "team,group"})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range q.Columns() {
		names = append(names, c.Name)
	}
	if want := []string{"team", "group_id", "currency", "attempts"}; !slices.Equal(names[:4], want) {
		t.Errorf("columns begin %v; want %v", names[:4], want)
	}
	for _, gone := range []string{"run_id", "name", "started_at", "co2e_kg"} {
		if slices.Contains(names, gone) {
			t.Errorf("%s is of one run, and in a group", gone)
		}
	}
	for _, o := range q.Order {
		if !slices.Contains(names, o.Column) {
			t.Errorf("ordered by %s, which is no column", o.Column)
		}
	}
	if own, err := Parse("runs", Options{}); err != nil || own.Regrouped() || len(own.Columns()) == len(names) {
		t.Errorf("runs as they are: %v", err)
	}
}

func TestFormulasOfGroups(t *testing.T) {
	sum := Sum("seconds")
	d := &Dataset{Name: "things", Offers: []string{"region"}, Columns: []Column{
		attr("name", Text, "Name."),
		attr("waited", Duration, "How long.").unit("seconds"),
		{Name: "longest", Kind: Duration, Formula: Field("seconds"), Groups: &sum},
		{Name: "things", Kind: Count, Formula: CountOf("name"), OnlyGroups: true},
		{Name: "share", Kind: Ratio, Formula: RatioOf(Sum("a"), Field("b"))},
	}}
	q := Query{Dataset: d}
	if cols := q.Columns(); len(cols) != 4 {
		t.Errorf("%d columns of its own rows", len(cols))
	}
	key, ok := d.groupKey("region")
	if !ok || key.On != OnNode {
		t.Errorf("the offered key is %v", key)
	}
	q.GroupBy = []Key{key}
	var got []string
	for _, c := range q.Columns() {
		got = append(got, c.Name+" "+string(c.Formula.Op))
	}
	if want := []string{"region field", "longest sum", "things count"}; !slices.Equal(got, want) {
		t.Errorf("columns %v; want %v", got, want)
	}
	if _, ok := d.groupKey("longest"); ok {
		t.Error("a figure is taken for a key")
	}
}

// Rows show every key that they are grouped by.
func TestGroupsShowTheirKeys(t *testing.T) {
	for _, d := range Datasets {
		if d.Grouped || !d.Regroups() {
			continue
		}
		for name := range strings.SplitSeq(d.groupKeyNames(), ", ") {
			q, err := Parse(d.Name, Options{GroupBy: name})
			if err != nil {
				t.Errorf("%s by %s: %v", d.Name, name, err)
				continue
			}
			if !slices.ContainsFunc(q.Columns(), func(c Column) bool { return c.Name == q.GroupBy[0].Name }) {
				t.Errorf("%s by %s does not show the key", d.Name, name)
			}
		}
	}
}
