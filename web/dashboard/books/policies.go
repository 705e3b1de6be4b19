package books

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"gpuledger/internal/access"
	"gpuledger/internal/money"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

var (
	settingHeads = views.Heads(
		"Setting: policies.document", "Standard: policies.document", "Presets: policies.document wide-only",
		"Meaning: policies.document",
	)
	trialHeads = views.Heads(
		"Team: key.team", "Cause: key.cause", "#Now: costs.effective_cost", "#Then: costs.effective_cost",
		"#Difference: figure.difference", "#GPU-hours then: costs.gpu_hours wide-only",
	)
)

// policiesPage lists the versions of the policy.
var policiesPage = figures.Page{
	Path: "/policies", Title: "Policy", Group: page.RailBooks, Own: true, Dataset: "policies",
	Of: "Versions", Where: "status = withdrawn",
	Columns: []figures.Column{
		{Name: "version", Text: "Version"}, {Name: "status", Text: "State"},
		// The column reads status, since every version has it; valid_from is unknown for the standard policy, which
		// is always in effect.
		{Name: "status", Text: "In effect", Define: "policies.valid_from", Cell: holdsCell},
		{Name: "note", Text: "Note", Class: "wide-only"},
		{Name: "created_at", Text: "Stored", Class: "wide-only", Cell: storedCell},
		{Name: "withdrawn_at", Text: "Withdrawn", Class: "xl-only"},
	},
	None:  "No version could be read.",
	Notes: []string{"On each day the newest version in effect applies."},
}

func holdsCell(_ *page.Context, r page.Record) views.Cell {
	from, to := r.Second("valid_from"), r.Second("valid_to")
	switch {
	case r.Text("status") == "withdrawn":
		return views.Text("no longer")
	case from != 0 && to != 0:
		return views.Text(format.ISODay(from) + " to " + format.ISODay(to))
	case from != 0:
		return views.Text("from " + format.ISODay(from))
	case to != 0:
		return views.Text("before " + format.ISODay(to))
	}
	return views.Text("always")
}

func storedCell(_ *page.Context, r page.Record) views.Cell {
	at := r.Second("created_at")
	if at == 0 {
		return views.Text("built in")
	}
	return views.Cell{Figure: views.Figure{Text: format.Stamp(at)}, Sub: "by " + r.Text("created_by")}
}

// exampleDocument is the desk's initial text.
const exampleDocument = `version: 2026-12-stricter
valid_from: 2026-12-01
note: GPUs count as idle below 5 % on average over two hours
settings:
  idle: lt5pct-2h-mean
redistribute:
  - {causes: [free, stranded], method: held}
`

// policies shows the versions of the policy.
func (d *room) policies(w http.ResponseWriter, r *http.Request) {
	d.policiesPage(w, r, http.StatusOK, views.PolicyDesk{Document: exampleDocument}, views.WaitingChanges{})
}

// changePolicy tries or stores the typed document.
func (d *room) changePolicy(w http.ResponseWriter, r *http.Request) {
	desk := views.PolicyDesk{Document: exampleDocument}
	o, ok := d.change(w, r, func(ctx context.Context, form url.Values) ([]string, error) {
		desk = views.PolicyDesk{Document: form.Get("document"), From: form.Get("from"), To: form.Get("to")}
		by, err := d.Desk.Admit(ctx, form.Get("token"), access.Policy)
		if err != nil {
			return nil, err
		}
		document := []byte(strings.ReplaceAll(desk.Document, "\r\n", "\n"))
		if form.Get("do") == "store" {
			return d.storePolicy(ctx, document, by)
		}
		desk.Trial, err = d.tryPolicy(ctx, document, desk.From, desk.To)
		return nil, err
	})
	if ok {
		desk.Outcome = o.Outcome
		d.policiesPage(w, r, o.status, desk, o.waiting)
	}
}

func (d *room) storePolicy(ctx context.Context, document []byte, by string) (said []string, err error) {
	version, stored, err := d.Desk.Ledger.SavePolicy(ctx, document, by)
	if !stored {
		return []string{"Version " + version + " is already stored; nothing changed."}, err
	}
	return []string{"Version " + version + " is stored. The next allocation uses it."}, err
}

func (d *room) tryPolicy(ctx context.Context, document []byte, from, to string) (*views.TablePanel, error) {
	within, err := metrics.ParseWindow(from, to, "UTC")
	if err != nil {
		return nil, err
	}
	trial, err := d.Desk.Ledger.TryPolicy(ctx, document, within)
	if err != nil {
		return nil, err
	}
	return trialPanel(trial), nil
}

func (d *room) policiesPage(
	w http.ResponseWriter, r *http.Request, status int, desk views.PolicyDesk, waiting views.WaitingChanges,
) {
	beside := func(ctx context.Context, s page.Scope, _ *figures.Reading, v *views.Figures) {
		v.Sentence = "The standard policy is in effect."
		v.Sub = "A version never changes, and figures keep the name of the version that computed them. Closed periods " +
			"do not change."
		if version := d.Policy(ctx); version != "" {
			v.Sentence = "The ledger was last computed with version " + version + "."
		}
		d.readWaiting(ctx, s, access.Policy, &waiting)
		desk.Open, desk.Token = d.Desk.Offers(ctx, access.Policy)
		v.Above, v.Below = views.PolicyAbove(desk.Trial, waiting), views.PolicyDeskPanel(desk, settingsPanel(d.Settings))
	}
	figures.Answer(d.Site, w, r, policiesPage, status, beside)
}

// Setting is one setting of the policy, as the page explains it.
type Setting struct{ Name, Standard, Presets, Doc string }

func settingsPanel(list []Setting) views.TablePanel {
	t := views.Table{Caption: "Settings of a document", Heads: settingHeads}
	for _, s := range list {
		t.Rows = append(t.Rows, views.Row{Cells: []views.Cell{
			{Figure: views.Figure{Text: s.Name}, Mono: true},
			{Figure: views.Figure{Text: s.Standard}, Mono: true}, views.Text(s.Presets), views.Text(s.Doc),
		}})
	}
	return views.TablePanel{
		Title: "Settings", Note: "what a document may set, in addition to overrides, owners, allowed, redistribute, " +
			"commitments, unowned_limit, second_person, budget_steps, fiscal_calendar, unit_cost_targets and journal_accounts",
		Table: t,
	}
}

// trialPanel shows how a trial changes costs by team and cause.
func trialPanel(trial *metrics.Trial) *views.TablePanel {
	t := views.Table{Caption: "Change of cost by team and cause", Heads: trialHeads}
	figure := func(a *money.Amount, print func(money.Amount) string) views.Cell {
		if a == nil {
			return views.Cell{Figure: views.Figure{Text: format.NA, Zero: true}}
		}
		return views.Cell{Figure: views.Figure{Text: print(*a), Exact: a.String(), Copy: a.String()}}
	}
	for i := range trial.Rows {
		row := &trial.Rows[i]
		if !row.Moved() {
			continue
		}
		c := format.Coded(row.Currency)
		t.Rows = append(t.Rows, views.Row{Cells: []views.Cell{
			{Figure: views.Figure{Text: row.Team}, Name: true},
			{Figure: views.Figure{Text: page.CauseLabel(row.Cause)}, Cause: string(row.Cause)},
			figure(row.Effective.Now, c.Money), figure(row.Effective.Then, c.Money),
			figure(row.Effective.Difference, c.Change), figure(row.GPUHours.Then, format.GPUHours),
		}})
	}
	p := &views.TablePanel{Title: "Under version " + trial.Version,
		Note: format.Plural(trial.Days, "node-day", "node-days") + " tried, effective cost before sharing", Table: t,
		None: "No team's cost would change."}
	if trial.Waiting > 0 {
		p.Notes = append(p.Notes,
			format.Plural(trial.Waiting, "node-day is", "node-days are")+
				" not allocated yet, so part of the difference is not due to the policy.")
	}
	return p
}
