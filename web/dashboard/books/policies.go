package books

import (
	"context"
	"net/http"
	"strings"

	"gpuledger/internal/access"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// Heads of tables.
var (
	policyHeads = views.Heads(
		"Version: policies.version", "State: policies.status", "Holds: policies.valid_from",
		"Note: policies.note wide-only", "Stored: policies.created_at wide-only",
	)
	settingHeads = views.Heads(
		"Setting: policies.document", "Standard: policies.document", "Presets: policies.document wide-only",
		"Meaning: policies.document",
	)
	trialHeads = views.Heads(
		"Team: key.team", "Cause: key.cause", "#Now: costs.effective_cost", "#Then: costs.effective_cost",
		"#Difference: figure.difference", "#GPU-hours then: costs.gpu_hours wide-only",
	)
)

// exampleDocument is what the desk offers first.
const exampleDocument = `version: 2026-12-stricter
valid_from: 2026-12-01
note: idle is what idles on average over two hours
settings:
  idle: lt5pct-2h-mean
redistribute:
  - {causes: [free, stranded], method: held}
`

// policies shows the versions of the policy.
func (d *room) policies(w http.ResponseWriter, r *http.Request) {
	d.policiesPage(w, r, http.StatusOK, views.PolicyDesk{Document: exampleDocument}, views.WaitingChanges{})
}

// changePolicy tries or stores what was typed.
func (d *room) changePolicy(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 1<<20)
	if err := r.ParseForm(); err != nil {
		http.Error(w, "the form could not be read", http.StatusBadRequest)
		return
	}
	form := r.PostForm
	if decides(form) {
		waiting, status := d.decideChange(r, form)
		d.policiesPage(w, r, status, views.PolicyDesk{Document: exampleDocument}, waiting)
		return
	}
	desk := views.PolicyDesk{Document: form.Get("document"), From: form.Get("from"), To: form.Get("to")}
	by, err := d.Desk.Admit(r.Context(), form.Get("token"), access.Policy)
	document := []byte(strings.ReplaceAll(desk.Document, "\r\n", "\n"))
	switch {
	case err != nil:
	case form.Get("do") == "store":
		var version string
		var stored bool
		if version, stored, err = d.Desk.Ledger.SavePolicy(r.Context(), document, by); err == nil {
			desk.Said = "Version " + version + " is stored. The next allocation computes with it."
			if !stored {
				desk.Said = "Version " + version + " is stored already; nothing changed."
			}
		}
	default:
		var within period.Interval
		var trial *metrics.Trial
		if within, err = metrics.ParseWindow(desk.From, desk.To, "UTC"); err == nil {
			trial, err = d.Desk.Ledger.TryPolicy(r.Context(), document, within)
		}
		if err == nil {
			desk.Trial = trialPanel(trial)
		}
	}
	status := http.StatusOK
	if said, ok := waits(err); ok {
		status, desk.Said = http.StatusAccepted, said
	} else if err != nil {
		status, desk.Refused = d.DeskRefusal(r, err)
	}
	d.policiesPage(w, r, status, desk, views.WaitingChanges{})
}

func (d *room) policiesPage(w http.ResponseWriter, r *http.Request, status int, desk views.PolicyDesk, waiting views.WaitingChanges) {
	ctx, cancel := context.WithTimeout(r.Context(), page.PanelTimeout)
	defer cancel()
	s := page.Scope{Basis: "effective", Path: "/policies"}
	desk.Open, desk.Token = d.Desk.Offers(ctx, access.Policy)
	p := views.Policies{Shell: d.Shell(r, s, "policies", "Policy"), Desk: desk, Waiting: waiting, Errors: map[string]views.PanelError{},
		Sentence: "The standard holds.", Sub: "A version never changes; what it computed keeps its name. Closed periods stay as they are."}
	var list []policyRow
	err := page.Each(ctx, d.Reader, "policies", metrics.Options{}, nil, func(r page.Record) error {
		list = append(list, policyRow{r.Text("version"), r.Text("status"), r.Second("valid_from"), r.Second("valid_to"), r.Text("note"), r.Text("created_by"),
			r.Second("created_at"), r.Second("withdrawn_at")})
		return nil
	})
	if err != nil {
		p.Errors["versions"] = d.PanelError(s, err, "The versions")
	}
	d.readWaiting(ctx, s, access.Policy, &p.Waiting)
	if v := d.Policy(ctx); v != "" {
		p.Sentence = "The ledger was last computed with version " + v + "."
	}
	p.Versions = versionsPanel(list)
	p.Settings = settingsPanel(d.Settings)
	d.Render(w, r, status, views.PoliciesPage(p))
}

type policyRow struct {
	name, status     string
	from, to         period.Second
	note, by         string
	stored, withdrew period.Second
}

func versionsPanel(list []policyRow) views.TablePanel {
	t := views.Table{Caption: "Versions of the policy", Heads: policyHeads}
	for _, v := range list {
		state := views.Tag{Text: "holds", Tone: "good"}
		holds := "always"
		switch {
		case v.status == "withdrawn":
			state = views.Tag{Text: "withdrawn", Title: "withdrawn " + format.Stamp(v.withdrew)}
			holds = "no longer"
		case v.from != 0 && v.to != 0:
			holds = format.ISODay(v.from) + " to " + format.ISODay(v.to)
		case v.from != 0:
			holds = "from " + format.ISODay(v.from)
		case v.to != 0:
			holds = "before " + format.ISODay(v.to)
		}
		stored := "with the program"
		if v.stored != 0 {
			stored = format.Stamp(v.stored) + " by " + v.by
		}
		t.Rows = append(t.Rows, views.Row{Cells: []views.Cell{
			{Figure: views.Figure{Text: v.name}, Mono: true, Name: true}, {Tag: &state}, views.Text(holds), {Figure: views.Figure{Text: v.note}, Name: true}, {Figure: views.Figure{Text: stored}, Name: true},
		}})
	}
	return views.TablePanel{Title: "Versions", Note: "the newest that holds on a day counts", Table: t, None: "No version could be read.",
		Links: []views.Link{{Text: "JSON", Href: "/api/v1/policies"}}}
}

// Setting is one setting of the policy, as the page explains it.
type Setting struct{ Name, Standard, Presets, Doc string }

func settingsPanel(list []Setting) views.TablePanel {
	t := views.Table{Caption: "Settings of a document", Heads: settingHeads}
	for _, s := range list {
		t.Rows = append(t.Rows, views.Row{Cells: []views.Cell{
			{Figure: views.Figure{Text: s.Name}, Mono: true}, {Figure: views.Figure{Text: s.Standard}, Mono: true}, views.Text(s.Presets), views.Text(s.Doc),
		}})
	}
	return views.TablePanel{Title: "Settings", Note: "what a document may say, beside overrides, owners, allowed, redistribute, commitments, second_person", Table: t}
}

// trialPanel is who would pay what differently.
func trialPanel(trial *metrics.Trial) *views.TablePanel {
	t := views.Table{Caption: "Who would pay what differently", Heads: trialHeads}
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
			{Figure: views.Figure{Text: row.Team}, Name: true}, {Figure: views.Figure{Text: page.CauseLabel(row.Cause)}, Cause: string(row.Cause)},
			figure(row.Effective.Now, c.Money), figure(row.Effective.Then, c.Money), figure(row.Effective.Difference, c.Change), figure(row.GPUHours.Then, format.GPUHours),
		}})
	}
	p := &views.TablePanel{Title: "Under version " + trial.Version, Note: format.Plural(trial.Days, "node-day", "node-days") + " tried, effective cost before sharing", Table: t,
		None: "Nobody would pay anything differently."}
	if trial.Waiting > 0 {
		p.Notes = append(p.Notes, format.Plural(trial.Waiting, "node-day waits", "node-days wait")+" to be allocated: their difference is not the policy's alone.")
	}
	return p
}
