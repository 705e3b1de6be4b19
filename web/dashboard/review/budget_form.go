package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// newBudget is the parameter set of the form for a new budget; otherwise it is the budget that gets its next version.
const newBudget = "new"

// longestForm bounds the form in bytes.
const longestForm = 64 << 10

// budgetFields are the columns of a budget in a file, in the order of the form.
var budgetFields = []string{
	"name", "key", "value", "period", "start", "amount", "unit", "currency", "parent", "reason",
}

// typed is the form as the user filled it in, with the answer.
type typed struct {
	of      string            // newBudget, or the budget's id
	fields  map[string]string // by column
	version string            // newest version when the form was opened; empty for a new budget
	faults  map[string]string // by column
	refused []string          // of the whole form
	said    string
}

// newestBudget is the newest version of a budget that the reader may see.
func newestBudget(ctx context.Context, reader page.Reader, filter string) (found *page.Record, err error) {
	o := metrics.Options{Filter: page.Both("newest = true", filter)}
	q, err := metrics.Parse("budget_versions", o)
	if err != nil {
		return nil, err
	}
	rows, err := page.Gather(ctx, reader, q)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return &rows[0], nil
}

// budgetWithID is newestBudget of an address, in which anything may stand.
func budgetWithID(ctx context.Context, reader page.Reader, id string) (*page.Record, error) {
	if _, err := ledger.ParseID(id); err != nil {
		return nil, nil //nolint:nilnil // there is no such budget
	}
	return newestBudget(ctx, reader, page.Equal("budget_id", id))
}

// opened is the form that an address opens: empty, or with the newest version of a budget; nil if it opens none.
func (d *room) opened(ctx context.Context, c *page.Context) (*typed, error) {
	of := c.Scope.Pick.Set
	if of == "" {
		return nil, nil //nolint:nilnil // there is no form
	}
	f := &typed{of: of, fields: map[string]string{"key": "team", "period": string(ledger.BudgetMonth),
		"unit": string(ledger.BudgetMoney)}}
	if of == newBudget {
		if at := c.Extent.Data - 1; !c.Extent.Empty() {
			start := period.MonthOf(at).From
			if c.Extent.Fiscal.Set() {
				start = c.Extent.Fiscal.Around(1, at).From
			}
			f.fields["start"] = format.ISODay(start)
		}
		return f, nil
	}
	b, err := budgetWithID(ctx, d.Reader, of)
	if err != nil {
		return nil, err
	}
	if b == nil {
		return nil, errNoBudget
	}
	for _, name := range budgetFields {
		f.fields[name] = b.Text(name)
	}
	if f.fields["start"] = ""; b.Second("period_start") != 0 {
		f.fields["start"] = format.ISODay(b.Second("period_start"))
	}
	f.fields["reason"], f.version = "", strconv.FormatInt(b.Count("version"), 10)
	return f, nil
}

// errNoBudget answers the address of a budget that is not in the ledger, or not in the reader's scope.
var errNoBudget = errors.New("no such budget")

// noBudget is the page for errNoBudget.
func (d *room) noBudget(w http.ResponseWriter, r *http.Request, s page.Scope) {
	d.Render(w, r, http.StatusNotFound, views.MessagePage(views.Message{
		Shell:    d.Shell(r, s, "budgets", "Budget not found"),
		Sentence: "This budget is not in the ledger.", Sub: "The address may be old or mistyped.",
		Link: views.Link{Text: "All budgets", Href: s.Carried("/budgets", "budget", "", "set", "")},
	}))
}

// setBudget stores the form as a new budget, or as the next version of one.
func (d *room) setBudget(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, longestForm)
	if err := r.ParseForm(); err != nil {
		http.Error(w, "the form could not be read", http.StatusBadRequest)
		return
	}
	s, err := page.ReadFiltered(r, "budgets", page.Rows)
	if err != nil {
		d.Refused(w, r, err)
		return
	}
	ctx, form := r.Context(), r.PostForm
	f := &typed{of: cmp.Or(s.Pick.Set, newBudget), fields: map[string]string{}, version: form.Get("version")}
	for _, name := range budgetFields {
		f.fields[name] = strings.TrimSpace(form.Get(name))
	}
	by, err := d.Desk.Admit(ctx, form.Get("token"), access.Plan)
	if err == nil {
		err = d.checkVersion(ctx, f, form)
	}
	stored := false
	if err == nil {
		stored, err = f.store(ctx, d.Desk.Ledger.SaveBudgets, by)
	}
	switch {
	case errors.Is(err, errNoBudget):
		d.noBudget(w, r, s)
	case err != nil:
		status, reasons := d.DeskRefusal(r, err)
		f.refuse(err, reasons)
		d.budgetsPage(w, r, status, f)
	case !stored:
		f.said = f.fields["name"] + " says so already; nothing changed."
		d.budgetsPage(w, r, http.StatusOK, f)
	default:
		//nolint:gosec // redirects to this page's own path
		http.Redirect(w, r, d.storedBudget(ctx, s, f.fields["name"]), http.StatusSeeOther)
	}
}

// checkVersion refuses a new budget with the name of another one, and a version of a budget that somebody else changed
// after the form was opened. An existing budget keeps its name.
func (d *room) checkVersion(ctx context.Context, f *typed, form url.Values) error {
	if f.of == newBudget {
		if f.fields["name"] == "" {
			return nil // the parser says so
		}
		b, err := newestBudget(ctx, d.Reader, page.Equal("name", f.fields["name"]))
		if err == nil && b != nil {
			err = &metrics.OptionError{Option: "name", Reason: "a budget has this name; choose Change in its row to give it " +
				"the next version"}
		}
		return err
	}
	b, err := budgetWithID(ctx, d.Reader, f.of)
	if err != nil {
		return err
	}
	if b == nil {
		return errNoBudget
	}
	f.fields["name"] = b.Text("name")
	if newest := strconv.FormatInt(b.Count("version"), 10); newest != form.Get("version") {
		f.version = newest
		return &metrics.OptionError{Option: "version", Reason: fmt.Sprintf("%s stored version %s in the meantime, with %s; "+
			"store again to replace it", b.Text("changed_by"), newest, b.Text("amount"))}
	}
	return nil
}

// refuse puts a refusal next to its field, or above the form.
func (f *typed) refuse(err error, reasons []string) {
	if option, ok := errors.AsType[*metrics.OptionError](err); ok {
		if _, known := f.fields[option.Option]; known {
			f.faults = map[string]string{option.Option: option.Reason}
			return
		}
		reasons = []string{option.Reason}
	}
	f.refused = reasons
}

// storedBudget is the address of a budget's row, in its period if the page shows another one.
func (d *room) storedBudget(ctx context.Context, s page.Scope, name string) string {
	at := []string{"set", "", "decide", "", "row", ""}
	b, err := newestBudget(ctx, d.Reader, page.Equal("name", name))
	extent, failed := d.Reader.Extent(ctx)
	if err != nil || failed != nil || b == nil { // the budget is stored; the page reports the failure
		return s.With(at...)
	}
	window := period.Interval{From: b.Second("period_start"), To: b.Second("period_end")}
	shown := s.Over(extent.Stored).Shown(extent).Span
	if !shown.Empty() && (window.From >= shown.To || window.To != 0 && window.To <= shown.From) {
		at = append(at, "billing_period", "", "from", page.Address(window.From), "to", "")
		if window.To != 0 {
			at[len(at)-1] = page.Address(window.To)
		}
	}
	return s.With(append(at, "budget", b.Text("budget_id"))...) + "#" + budgetRow(b.Text("budget_id"))
}

// budgetRow is the anchor of a budget's row.
func budgetRow(id string) string { return "budget-" + id }
