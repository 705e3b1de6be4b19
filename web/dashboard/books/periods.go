package books

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/access"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/operate"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// periodsPage lists billing months by payer. With checks, an open month links to its close check.
func periodsPage(checks bool) figures.Page {
	check := func(r page.Record) string {
		if !checks || r.Count("version") > 0 {
			return ""
		}
		of := []string{"check", r.Text("billing_period"), "billing_account", r.Text("billing_account")}
		return page.Scope{Basis: "effective"}.At("/periods", of...) + "#check"
	}
	return figures.Page{
		Path: "/periods", Title: "Periods", Group: page.RailBooks, Own: true, Dataset: "periods",
		Of: "Billing periods", Order: "-billing_period", Every: true, Apart: true, Where: "state = open",
		Search: &figures.Search{
			Columns: []string{"billing_account"}, Label: "Find periods by their payer", Hint: "Find by payer",
		},
		Picks: []figures.Pick{{Key: "state", Values: []string{"open", "closing", "closed"}}},
		Columns: []figures.Column{
			{Name: "billing_period", Text: "Period", Sub: "billing_account"},
			{Name: "state", Text: "State", Cell: func(_ *page.Context, r page.Record) views.Cell {
				tag := periodTag(r.Text("state"), r.Count("version"))
				return views.Cell{Tag: &tag, Href: check(r)}
			}},
			{Name: "effective_cost", Text: "Cost"},
			{Name: "adjustments_effective_cost", Text: "Adjusted since"},
			{Name: "late_hours", Text: "Late node-hours", Class: "xl-only"},
			{Name: "version", Text: "Statement", Class: "wide-only", Cell: writtenCell},
			// The column reads state, since every row has it; closed_at is unknown for open periods, which link to
			// their check here.
			{Name: "state", Text: "Closed", Class: "wide-only", Define: "periods.closed_at",
				Cell: func(_ *page.Context, r page.Record) views.Cell { return closedCell(r, check(r)) }},
		},
		Say: sayPeriods,
		Row: func(p *page.Context, r page.Record) string {
			if r.Count("version") == 0 {
				return ""
			}
			return statementPath(p.Scope, statementKey{r.Text("billing_account"), r.Text("billing_period"), r.Count("version")})
		},
		None:  "No billing periods yet. They appear when a bill is imported and allocated.",
		Links: []views.Link{{Text: "Statements", Href: "/api/v1/statements?format=csv&for_excel=true"}},
		Notes: []string{"Cost is effective cost before sharing. Currencies are never added.",
			"Late telemetry for closed hours is counted; it is adjusted only if the policy says so."},
		More: []figures.Panel{{
			Title: "Audit log", Note: "newest first, each entry chained to the one before", Dataset: "audit", Limit: 12,
			Filter: "action like 'close%' or action like 'reopen%' or action like '%policy%'",
			Columns: []figures.Column{
				{Name: "at", Text: "When", Class: "nowrap", Sub: "actor"}, {Name: "action", Text: "Action"},
				{Name: "subject", Text: "Subject"}, {Name: "detail", Text: "Detail", Class: "wide-only"},
			},
			None: "No period has been closed, reopened or refused yet.",
		}},
	}
}

func (d *room) periods(w http.ResponseWriter, r *http.Request) {
	d.periodsPage(w, r, http.StatusOK, views.PeriodDesk{}, views.WaitingChanges{})
}

// changePeriod closes or reopens a period.
func (d *room) changePeriod(w http.ResponseWriter, r *http.Request) {
	var desk views.PeriodDesk
	o, ok := d.change(w, r, func(ctx context.Context, form url.Values) ([]string, error) {
		desk = views.PeriodDesk{
			Period:  strings.TrimSpace(form.Get("billing_period")),
			Account: strings.TrimSpace(form.Get("billing_account")),
			Reason:  form.Get("reason"),
		}
		return d.closeOrReopen(ctx, form.Get("do"), form.Get("token"), desk)
	})
	if !ok {
		return
	}
	if len(o.Refused) == 0 {
		desk.Reason = ""
	}
	desk.Outcome = o.Outcome
	d.periodsPage(w, r, o.status, desk, o.waiting)
}

// closeOrReopen returns one sentence per statement.
func (d *room) closeOrReopen(ctx context.Context, do, token string, desk views.PeriodDesk) (said []string, err error) {
	var list []operate.Statement
	var by string
	done := "closed"
	switch do {
	case "close":
		if by, err = d.Desk.Admit(ctx, token, access.Close); err == nil {
			list, err = d.Desk.Ledger.ClosePeriod(ctx, desk.Period, desk.Account, by)
		}
	case "reopen":
		done = "open again"
		reason := strings.TrimSpace(desk.Reason)
		if by, err = d.Desk.Admit(ctx, token, access.Reopen); err == nil && reason == "" {
			err = &operate.RefusedError{Reasons: []string{"reopening needs a reason"}}
		}
		if err == nil {
			list, err = d.Desk.Ledger.ReopenPeriod(ctx, desk.Period, desk.Account, reason, by)
		}
	default:
		err = &metrics.OptionError{Option: "do", Value: do, Reason: "must be close or reopen"}
	}
	for _, s := range list {
		said = append(said, page.MonthName(s.BillingPeriod)+" of "+s.BillingAccount+" is "+done+
			": version "+strconv.Itoa(s.Version)+", sha256 "+beginning(s.Digest)+".")
	}
	return said, err
}

func (d *room) periodsPage(
	w http.ResponseWriter, r *http.Request, status int, desk views.PeriodDesk, waiting views.WaitingChanges,
) {
	checker, checks := d.Desk.Ledger.(operate.Checker)
	if month := r.URL.Query().Get("check"); month != "" {
		if _, err := period.Month(month).Interval(); err != nil {
			d.Refused(w, r, &metrics.OptionError{Option: "check", Value: month, Reason: "is not of the form YYYY-MM"})
			return
		}
	}
	beside := func(ctx context.Context, s page.Scope, f *figures.Reading, v *views.Figures) {
		var check *views.PeriodCheck
		work := []func(){func() { d.readWaiting(ctx, s, access.Reopen, &waiting) }}
		if s.Pick.Check != "" {
			work = append(work, func() { check = d.checkPeriod(ctx, s, checker) })
		}
		page.Parallel(work...)
		desk.Open, desk.Token = d.Desk.Offers(ctx, access.Close)
		oldest := desk.Period == ""
		for _, row := range f.Rows {
			if account := row.Text("billing_account"); !slices.Contains(desk.Accounts, account) {
				desk.Accounts = append(desk.Accounts, account)
			}
			month := row.Text("billing_period")
			if oldest && row.Text("state") != "closed" && (desk.Period == "" || month < desk.Period) {
				desk.Period = month
			}
		}
		slices.Sort(desk.Accounts)
		v.Above, v.Below = views.PeriodAbove(check, waiting), views.PeriodDeskPanel(desk)
	}
	figures.Answer(d.Site, w, r, periodsPage(checks), status, beside)
}

// checkPeriod lists what blocks closing.
func (d *room) checkPeriod(ctx context.Context, s page.Scope, checker operate.Checker) *views.PeriodCheck {
	c := &views.PeriodCheck{Title: "Can " + page.MonthName(s.Pick.Check) + " be closed?"}
	if s.Pick.Payer != "" {
		c.Title = "Can " + page.MonthName(s.Pick.Check) + " of " + s.Pick.Payer + " be closed?"
	}
	if checker == nil {
		c.Blocked = true
		c.Steps = []views.CheckStep{{Text: "Close check", Reasons: []string{
			"This server cannot run the close check. Run gpuledger close --check on the command line.",
		}}}
		return c
	}
	found, err := checker.CheckPeriod(ctx, s.Pick.Check, s.Pick.Payer)
	if err != nil {
		e := d.PanelError(s, err, "The close check")
		c.Error = &e
	}
	c.Steps, c.Blocked = checklist(s, found), len(found.Reasons) > 0
	switch {
	case !found.Proving.IsZero():
		c.Again = s.At("/periods") + "#check"
		c.Proof = "gpuledger verify has been checking the whole ledger since " +
			format.Stamp(period.FromTime(found.Proving)) + ". Reload in a moment. Closing runs its own check and waits for it."
	case !found.Proof.IsZero():
		c.Proof = "Checked by gpuledger verify at " + format.Stamp(period.FromTime(found.Proof)) +
			"; the ledger has not changed since."
	}
	return c
}

// sayPeriods counts closed periods; a period with rows in several currencies counts once.
func sayPeriods(_ *page.Context, f *figures.Reading) (sentence, sub string) {
	closed := map[[2]string]bool{}
	for _, r := range f.Rows {
		closed[[2]string{r.Text("billing_account"), r.Text("billing_period")}] = r.Text("state") == "closed"
	}
	n := 0
	for _, is := range closed {
		if is {
			n++
		}
	}
	switch n {
	case 0:
		sentence = "None of these periods is closed yet."
	case len(closed):
		sentence = "All of these periods are closed."
	default:
		sentence = strconv.Itoa(n) + " of these " + format.Plural(len(closed), "period is closed.", "periods are closed.")
	}
	return sentence, "A closed period never changes. Later bills for it become adjustments in the open period."
}

func periodTag(state string, version int64) views.Tag {
	switch {
	case state == "closed":
		return views.Tag{Text: "closed", Tone: "good", Title: "its postings are final"}
	case state == "closing":
		return views.Tag{Text: "closing", Tone: "warn", Title: "it is being closed"}
	case version > 0:
		return views.Tag{
			Text: "reopened", Tone: "warn", Title: "its last statement is kept; the next close writes the next version",
		}
	}
	return views.Tag{Text: "open", Title: "bills may still change it"}
}

func writtenCell(_ *page.Context, r page.Record) views.Cell {
	if r.Count("version") == 0 {
		return views.Cell{Figure: views.Figure{Text: "none yet", Zero: true}}
	}
	digest := r.Text("digest")
	return views.Cell{Figure: views.Figure{Text: beginning(digest), Title: "sha256 " + digest}, Mono: true,
		Sub: "version " + format.Count(r.Count("version"))}
}

func closedCell(r page.Record, check string) views.Cell {
	reopened := r.Second("reopened_at")
	switch {
	case check != "":
		return views.Cell{Figure: views.Figure{Text: "What blocks closing?"}, Href: check}
	case r.Count("version") == 0:
		return views.Cell{Figure: views.Figure{Text: "not closed", Zero: true}}
	case r.Text("state") != "closed" && reopened != 0:
		return views.Text("reopened " + format.Stamp(reopened))
	}
	return views.Cell{Figure: views.Figure{Text: format.Stamp(r.Second("closed_at"))}, Sub: "by " + r.Text("closed_by")}
}

// beginning shortens a digest for display.
func beginning(digest string) string {
	if len(digest) > 12 {
		return digest[:12]
	}
	return digest
}

// statementPath is the address of a statement.
func statementPath(s page.Scope, k statementKey, changes ...string) string {
	return s.Carried("/statement",
		append([]string{"billing_account", k.Account, "billing_period", k.Month, "version", strconv.FormatInt(k.Version, 10)},
			changes...)...)
}
