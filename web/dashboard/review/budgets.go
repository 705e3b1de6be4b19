package review

import (
	"cmp"
	"context"
	"errors"
	"math/big"
	"net/http"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"gpuledger/internal/access"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/dashboard/panel"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// budgets is the page of the budgets of the shown period.
func (d *room) budgets(w http.ResponseWriter, r *http.Request) {
	d.budgetsPage(w, r, http.StatusOK, nil)
}

// budgetsPage is the page with a form that was sent, else with the form that the address opens.
func (d *room) budgetsPage(w http.ResponseWriter, r *http.Request, status int, form *typed) {
	r = r.WithContext(metrics.AskOnce(r.Context()))
	s, err := page.ReadFiltered(r, "budgets", page.Rows)
	if err != nil {
		d.Refused(w, r, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), page.PanelTimeout)
	defer cancel()
	extent, err := d.Reader.Extent(ctx)
	if err != nil {
		d.Broken(w, r, s, "budgets", err)
		return
	}
	c := &page.Context{Scope: s.Over(extent.Stored), Extent: extent}
	list, err := readBudgets(ctx, d.Reader, overlaps(c.Shown()))
	if err != nil {
		d.Broken(w, r, s, "budgets", err)
		return
	}
	if form == nil {
		form, err = d.opened(ctx, c)
	}
	if err == nil {
		err = d.known(ctx, s.Pick.Budget, list)
	}
	switch {
	case errors.Is(err, errNoBudget):
		d.noBudget(w, r, s)
		return
	case err != nil:
		d.Broken(w, r, s, "budgets", err)
		return
	}
	if may, _ := d.Desk.Offers(ctx, access.Plan); !may { // links do not carry a form that is not shown
		s.Pick.Set, c.Scope.Pick.Set = "", ""
	}
	v := views.Panels{Shell: d.Shell(r, s, "budgets", "Budgets"), Sentence: budgetSentence(list), Sub: budgetSub(list)}
	planned, labels := bySource(list)
	v.Shell.Bar = c.Bar(page.Choices{Dataset: "budgets"})
	above := d.budgetAbove(ctx, c, form, list)
	if above != nil {
		v.Above = views.BudgetsAbove(*above)
	}
	lane, parts := d.Lane(r)
	lane.Status = status
	if len(list) > 0 {
		chosen := chosenBudget(list, s.Pick.Budget)
		course, err := courseOf(ctx, d.Reader, chosen)
		if err != nil {
			d.Broken(w, r, s, "budgets", err)
			return
		}
		v.Panels = panel.Start(parts, lane, c, append(budgetPanels(c, planned, labels), burnUp(c, chosen, course))...)
		near := nearlySpent(labels)
		listed := append(tree(planned), near[:min(len(near), mostLabels)]...)
		if i := slices.Index(labels, chosen); i >= 0 && !slices.Contains(listed, chosen) {
			listed = append(listed, chosen)
		}
		v.Below = lane.Start(parts, c.Scope, page.Part{
			Name: "versions", Title: "The budgets", Plain: true,
			Draw: func(ctx context.Context) (templ.Component, error) {
				c.Estimates = page.EstimatesFor(ctx, d.Reader, slices.ContainsFunc(listed, func(b *Budget) bool {
					known := b.Known("provisional")
					return !known.IsZero()
				}))
				versions, err := versionTable(ctx, d.Reader, chosen)
				return views.BudgetsBelow(views.BudgetTables{
					Budgets: budgetTable(c, listed, above != nil), More: moreBudgets(c, len(list)-len(listed)),
					Chosen: chosen.Name, Versions: versions,
				}), err
			},
		})
	}
	lane.Stream(w, r, views.PanelsPage(v))
}

// known refuses the address of a budget that is neither in the shown period nor in any other one.
func (d *room) known(ctx context.Context, id string, list []*Budget) error {
	if id == "" || slices.ContainsFunc(list, func(b *Budget) bool { return b.ID == id }) {
		return nil
	}
	b, err := budgetWithID(ctx, d.Reader, id)
	if err == nil && b == nil {
		err = errNoBudget
	}
	return err
}

// chosenBudget is the one that the address names; else, of people's budgets before those of labels, the one that breaks
// first, else the fullest.
func chosenBudget(list []*Budget, id string) *Budget {
	if i := slices.IndexFunc(list, func(b *Budget) bool { return b.ID == id }); i >= 0 {
		return list[i]
	}
	planned, labels := bySource(list)
	if len(planned) == 0 {
		planned = labels
	}
	return cmp.Or(breaksFirst(planned), planned[0])
}

// bySource parts the budgets that people planned from those that labels of workloads set.
func bySource(list []*Budget) (planned, labels []*Budget) {
	for _, b := range list {
		if b.Label() {
			labels = append(labels, b)
		} else {
			planned = append(planned, b)
		}
	}
	return planned, labels
}

// nearlySpent are the budgets of which 80 % is spent or more.
func nearlySpent(list []*Budget) (out []*Budget) {
	for _, b := range list {
		if b.Ratio().Cmp(big.NewRat(4, 5)) >= 0 {
			out = append(out, b)
		}
	}
	return out
}

func breaksFirst(list []*Budget) *Budget {
	if breaking := breakingInOrder(list); len(breaking) > 0 {
		return breaking[0]
	}
	return nil
}

// budgetSentence says which budget breaks and when.
func budgetSentence(list []*Budget) string {
	if planned, _ := bySource(list); len(planned) > 0 {
		list = planned
	}
	first := breaksFirst(list)
	switch {
	case len(list) == 0:
		return "No budgets for this period."
	case first != nil:
		return first.Name + " breaks its budget on " + format.Day(first.Second("breaks_on")) + " at today's rate" +
			after(first.Guess()) + "."
	case list[0].Over():
		return list[0].Name + " is over its budget: " + format.Percent(list[0].Ratio(), page.One) + " spent."
	}
	return "Every budget holds. The fullest is " + list[0].Name + ": " +
		format.Percent(list[0].Ratio(), page.One) + " spent."
}

// after is a remark that follows a comma; empty without one.
func after(remark string) string {
	if remark == "" {
		return ""
	}
	return ", " + remark
}

func budgetSub(list []*Budget) string {
	if len(list) == 0 {
		return "Import a plan with gpuledger import budgets FILE.csv, or choose another period."
	}
	planned, labels := bySource(list)
	var text []string
	if len(planned) > 0 {
		text = append(text, format.Plural(len(planned), "budget", "budgets")+" in this period."+troubled(planned))
	}
	if len(labels) > 0 {
		text = append(text, format.Plural(len(labels), "budget", "budgets")+" of experiments and projects, from labels."+
			troubled(labels))
	}
	return strings.Join(text, " ")
}

// troubled names budgets that are over, and those that break, the first to break first.
func troubled(list []*Budget) string {
	var over, breaking []string
	for _, b := range list {
		if b.Over() {
			over = append(over, b.Name+" ("+format.Percent(b.Ratio(), page.One)+")")
		}
	}
	guess := ""
	for _, b := range breakingInOrder(list) {
		breaking = append(breaking, b.Name+" ("+format.Day(b.Second("breaks_on"))+")")
		if b.Early() {
			guess = " Dates from few days of data are guesses."
		}
	}
	return named(" Over", over) + named(" At today's rate these break before their period ends", breaking) + guess
}

// mostNamed is how many budgets a sentence names.
const mostNamed = 3

// named lists names after a word: "Over: Vision; Speech; and 2 more." It is empty without names.
func named(word string, names []string) string {
	if len(names) == 0 {
		return ""
	}
	text := word + ": " + strings.Join(names[:min(len(names), mostNamed)], "; ")
	if more := len(names) - mostNamed; more > 0 {
		text += "; and " + format.Count(int64(more)) + " more"
	}
	return text + "."
}

// breakingInOrder are the budgets that break before their period ends, the first one first.
func breakingInOrder(list []*Budget) (out []*Budget) {
	for _, b := range list {
		if b.Second("breaks_on") != 0 {
			out = append(out, b)
		}
	}
	slices.SortStableFunc(out, func(a, b *Budget) int { return cmp.Compare(a.Second("breaks_on"), b.Second("breaks_on")) })
	return out
}

// tree orders budgets so that parts follow their parent.
func tree(list []*Budget) (out []*Budget) {
	shown := map[string]bool{}
	for _, b := range list {
		shown[b.Name] = true
	}
	var add func(parent string, depth int)
	add = func(parent string, depth int) {
		for _, b := range list {
			if b.parent == parent || parent == "" && !shown[b.parent] {
				b.depth = depth
				out = append(out, b)
				add(b.Name, depth+1)
			}
		}
	}
	add("", 0)
	return out
}
