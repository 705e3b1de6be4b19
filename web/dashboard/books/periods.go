package books

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/access"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/operate"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// Heads of tables.
var (
	periodHeads = views.Heads(
		"Period: periods.billing_period", "State: periods.state", "#Cost: periods.effective_cost",
		"#Adjusted since: periods.adjustments_effective_cost (what later periods post of its charges)",
		"Statement: periods.version wide-only", "Closed: periods.closed_at wide-only",
	)
	auditHeads = views.Heads(
		"When: audit.at nowrap", "What: audit.action", "Of: audit.subject", "Detail: audit.detail wide-only",
	)
)

const (
	mostPeriods = 120 // rows
	mostEntries = 12  // of the audit log
)

// periodRow is a billing month of an account in one currency.
type periodRow struct {
	Account, Month, State, Digest, By, Currency string
	Version, Late                               int64
	Closed, Reopened                            period.Second
	Cost, Adjusted                              *money.Amount
}

func readPeriods(ctx context.Context, reader page.Reader) ([]periodRow, error) {
	var out []periodRow
	err := page.Each(ctx, reader, "periods", metrics.Options{}, nil, func(r page.Record) error {
		out = append(out, periodRow{r.Text("billing_account"), r.Text("billing_period"), r.Text("state"), r.Text("digest"), r.Text("closed_by"), r.Text("currency"),
			r.Count("version"), r.Count("late_hours"), r.Second("closed_at"), r.Second("reopened_at"), r.Amount("effective_cost"), r.Amount("adjustments_effective_cost")})
		return nil
	})
	return out, err
}

// periods shows what is closed and what is not.
func (d *room) periods(w http.ResponseWriter, r *http.Request) {
	d.periodsPage(w, r, http.StatusOK, views.PeriodDesk{}, views.WaitingChanges{})
}

// changePeriod closes or reopens.
func (d *room) changePeriod(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
	if err := r.ParseForm(); err != nil {
		http.Error(w, "the form could not be read", http.StatusBadRequest)
		return
	}
	form := r.PostForm
	if decides(form) {
		waiting, status := d.decideChange(r, form)
		d.periodsPage(w, r, status, views.PeriodDesk{}, waiting)
		return
	}
	desk := views.PeriodDesk{Period: strings.TrimSpace(form.Get("billing_period")), Account: strings.TrimSpace(form.Get("billing_account")), Reason: form.Get("reason")}
	var list []operate.Statement
	var by string
	var err error
	done := "closed"
	switch form.Get("do") {
	case "close":
		if by, err = d.Desk.Admit(r.Context(), form.Get("token"), access.Close); err == nil {
			list, err = d.Desk.Ledger.ClosePeriod(r.Context(), desk.Period, desk.Account, by)
		}
	case "reopen":
		done = "open again"
		if by, err = d.Desk.Admit(r.Context(), form.Get("token"), access.Reopen); err == nil && strings.TrimSpace(desk.Reason) == "" {
			err = &operate.RefusedError{Reasons: []string{"reopening needs a reason: say why"}}
		}
		if err == nil {
			list, err = d.Desk.Ledger.ReopenPeriod(r.Context(), desk.Period, desk.Account, strings.TrimSpace(desk.Reason), by)
		}
	default:
		err = &metrics.OptionError{Option: "do", Value: form.Get("do"), Reason: "must be close or reopen"}
	}
	status := http.StatusOK
	if said, ok := waits(err); ok {
		status, desk.Said, desk.Reason = http.StatusAccepted, []string{said}, ""
	} else if err != nil {
		status, desk.Refused = d.DeskRefusal(r, err)
	} else {
		for _, s := range list {
			desk.Said = append(desk.Said, page.MonthName(s.BillingPeriod)+" of "+s.BillingAccount+" is "+done+": version "+strconv.Itoa(s.Version)+", sha256 "+beginning(s.Digest)+".")
		}
		desk.Reason = ""
	}
	d.periodsPage(w, r, status, desk, views.WaitingChanges{})
}

func (d *room) periodsPage(w http.ResponseWriter, r *http.Request, status int, desk views.PeriodDesk, waiting views.WaitingChanges) {
	s, err := page.ReadScope(r)
	if err != nil {
		d.Refused(w, r, err)
		return
	}
	s.Path = "/periods"
	ctx, cancel := context.WithTimeout(r.Context(), page.PanelTimeout)
	defer cancel()
	desk.Open, desk.Token = d.Desk.Offers(ctx, access.Close)
	v := views.Periods{Shell: d.Shell(r, s, "periods", "Periods"), Desk: desk, Waiting: waiting, Errors: map[string]views.PanelError{}}
	var rows []periodRow
	var entries []auditRow
	var rowsErr, auditErr error
	work := []func(){
		func() { rows, rowsErr = readPeriods(ctx, d.Reader) },
		func() { d.readWaiting(ctx, s, access.Reopen, &v.Waiting) },
	}
	reads := readsAudit(ctx)
	if reads {
		work = append(work, func() { entries, auditErr = readAudit(ctx, d.Reader) })
	}
	checker, _ := d.Desk.Ledger.(operate.Checker)
	if s.Pick.Check != "" {
		if _, err := period.Month(s.Pick.Check).Interval(); err != nil {
			d.Refused(w, r, &metrics.OptionError{Option: "check", Value: s.Pick.Check, Reason: "is not of the form YYYY-MM"})
			return
		}
		work = append(work, func() { v.Check = d.checkPeriod(ctx, s, checker) })
	}
	page.Parallel(work...)
	if rowsErr != nil {
		v.Errors["periods"] = d.PanelError(s, rowsErr, "The periods")
	}
	if auditErr != nil {
		v.Errors["audit"] = d.PanelError(s, auditErr, "The audit log")
	}
	v.Sentence, v.Sub = periodsSentence(rows)
	v.Periods = periodsPanel(rows, checker != nil)
	if reads {
		v.Audit = auditPanel(entries)
	}
	for _, row := range rows {
		if !slices.Contains(v.Desk.Accounts, row.Account) {
			v.Desk.Accounts = append(v.Desk.Accounts, row.Account)
		}
		if desk.Period == "" && row.State != "closed" {
			v.Desk.Period = row.Month // the oldest: newest come first
		}
	}
	slices.Sort(v.Desk.Accounts)
	d.Render(w, r, status, views.PeriodsPage(v))
}

// checkPeriod asks what speaks against closing.
func (d *room) checkPeriod(ctx context.Context, s page.Scope, checker operate.Checker) *views.PeriodCheck {
	c := &views.PeriodCheck{Title: "Can " + page.MonthName(s.Pick.Check) + " be closed?"}
	if s.Pick.Payer != "" {
		c.Title = "Can " + page.MonthName(s.Pick.Check) + " of " + s.Pick.Payer + " be closed?"
	}
	if checker == nil {
		c.Reasons = []string{"This server cannot tell: gpuledger close --check says it on the command line."}
		return c
	}
	found, err := checker.CheckPeriod(ctx, s.Pick.Check, s.Pick.Payer)
	if err != nil {
		e := d.PanelError(s, err, "What speaks against closing")
		c.Error = &e
	}
	c.Reasons = found.Reasons
	switch {
	case !found.Proving.IsZero():
		c.Again = s.At("/periods") + "#check"
		c.Proof = "The proof of the whole ledger (gpuledger verify) has been running since " + format.Stamp(period.FromTime(found.Proving)) + ". Look again in a moment; closing waits for its own proof."
	case !found.Proof.IsZero():
		c.Proof = "Proved by gpuledger verify at " + format.Stamp(period.FromTime(found.Proof)) + "; the ledger has not changed since."
	}
	return c
}

func periodsSentence(rows []periodRow) (sentence, sub string) {
	type key struct{ account, month string }
	state := map[key]bool{}
	closed := 0
	for _, r := range rows {
		k := key{r.Account, r.Month}
		if _, ok := state[k]; !ok && r.State == "closed" {
			closed++
		}
		state[k] = r.State == "closed"
	}
	switch {
	case len(state) == 0:
		return "There is no billing period yet.", "Periods appear when a bill is imported and allocated."
	case closed == 0:
		sentence = "No period is closed yet."
	case closed == len(state):
		sentence = "Every period is closed."
	default:
		sentence = strconv.Itoa(closed) + " of " + format.Plural(len(state), "period is closed.", "periods are closed.")
	}
	return sentence, "A closed period never changes. What a later bill says of it is an adjustment in the open one."
}

func periodsPanel(rows []periodRow, checks bool) views.TablePanel {
	t := views.Table{Caption: "Billing periods by account", Heads: periodHeads}
	currencies := map[string]bool{}
	late := int64(0)
	for _, r := range rows {
		currencies[r.Currency] = true
		late += r.Late
	}
	for _, r := range rows[:min(len(rows), mostPeriods)] {
		c := format.Currency(r.Currency)
		if len(currencies) > 1 {
			c = format.Coded(r.Currency)
		}
		month := views.Cell{Figure: views.Figure{Text: page.MonthName(r.Month)}, Sub: r.Account}
		tag := periodTag(r)
		state := views.Cell{Tag: &tag}
		written := views.Cell{Figure: views.Figure{Text: "none yet", Zero: true}}
		closed := views.Cell{Figure: views.Figure{Text: "not closed", Zero: true}}
		if r.Version > 0 {
			month.Href = statementPath(statementKey{r.Account, r.Month, r.Version})
			written = views.Cell{Figure: views.Figure{Text: beginning(r.Digest), Title: "sha256 " + r.Digest}, Mono: true, Sub: "version " + strconv.FormatInt(r.Version, 10)}
			closed = views.Cell{Figure: views.Figure{Text: format.Stamp(r.Closed)}, Sub: "by " + r.By}
			if r.State != "closed" && r.Reopened != 0 {
				closed = views.Cell{Figure: views.Figure{Text: "reopened " + format.Stamp(r.Reopened)}}
			}
		} else if checks {
			state.Href = page.Scope{Basis: "effective"}.At("/periods", "check", r.Month, "billing_account", r.Account) + "#check"
			closed = views.Cell{Figure: views.Figure{Text: "what keeps it open?"}, Href: state.Href}
		}
		adjusted := views.Cell{Figure: views.Figure{Text: format.NA, Title: "only closed periods are adjusted", Zero: true}}
		if r.Version > 0 {
			adjusted.Figure = views.Figure{Text: "0.00", Title: "nothing was said of it since", Copy: "0", Zero: true}
		}
		if r.Adjusted != nil {
			adjusted.Figure = views.Figure{Text: c.Change(*r.Adjusted), Title: c.Exact(*r.Adjusted) + " · effective cost, posted in later periods", Copy: r.Adjusted.String()}
		}
		if r.Late > 0 {
			adjusted.Sub = format.Plural(int(r.Late), "node-hour", "node-hours") + " with late telemetry"
		}
		t.Rows = append(t.Rows, views.Row{Cells: []views.Cell{month, state,
			{Figure: page.Figure(c, r.Cost, c.Full, "effective cost, posted in this period")}, adjusted, written, closed}})
	}
	p := views.TablePanel{Title: "Billing periods", Note: "effective cost, by payer and month of the bill", Table: t, None: "Periods appear when a bill is imported and allocated.",
		Links: []views.Link{{Text: "Statements", Href: "/api/v1/statements?format=csv"}, {Text: "CSV", Href: "/api/v1/periods?format=csv"}}}
	if len(rows) > mostPeriods {
		p.Notes = append(p.Notes, "the newest "+strconv.Itoa(mostPeriods)+" are shown, the CSV has all")
	}
	if late > 0 {
		p.Notes = append(p.Notes, "Late telemetry of closed hours is counted, and adjusted only where the policy says so")
	}
	return p
}

func periodTag(r periodRow) views.Tag {
	switch {
	case r.State == "closed":
		return views.Tag{Text: "closed", Tone: "good", Title: "its postings are final"}
	case r.State == "closing":
		return views.Tag{Text: "closing", Tone: "warn", Title: "it is being closed"}
	case r.Version > 0:
		return views.Tag{Text: "reopened", Tone: "warn", Title: "its last statement is kept; the next one has the next version"}
	}
	return views.Tag{Text: "open", Title: "bills may still change it"}
}

// beginning is what is shown of a digest.
func beginning(digest string) string {
	if len(digest) > 12 {
		return digest[:12]
	}
	return digest
}

// statementPath is the address of a statement.
func statementPath(k statementKey, changes ...string) string {
	return page.Scope{Basis: "effective"}.At("/statement", append([]string{"billing_account", k.Account, "billing_period", k.Month, "version", strconv.FormatInt(k.Version, 10)}, changes...)...)
}

// readsAudit reports whether whoever asks may read the audit log.
func readsAudit(ctx context.Context) bool {
	v := access.From(ctx)
	return v == nil || v.May(access.RightTo("audit")) && !v.Bounded()
}

type auditRow struct {
	Number                         int64
	At                             period.Second
	Actor, Action, Subject, Detail string
}

func readAudit(ctx context.Context, reader page.Reader) ([]auditRow, error) {
	var out []auditRow
	err := page.Each(ctx, reader, "audit", metrics.Options{Filter: "action like 'close%' or action like 'reopen%' or action like '%policy%'", Limit: strconv.Itoa(mostEntries)}, nil, func(r page.Record) error {
		out = append(out, auditRow{r.Count("number"), r.Second("at"), r.Text("actor"), r.Text("action"), r.Text("subject"), r.Text("detail")})
		return nil
	})
	return out, err
}

func auditPanel(list []auditRow) views.TablePanel {
	t := views.Table{Caption: "Newest entries of the audit log", Heads: auditHeads}
	for _, e := range list {
		what := views.Tag{Text: e.Action}
		if strings.HasSuffix(e.Action, "refused") {
			what.Tone = "warn"
		}
		t.Rows = append(t.Rows, views.Row{Cells: []views.Cell{{Figure: views.Figure{Text: format.Stamp(e.At)}, Sub: "entry " + format.Count(e.Number) + ", by " + e.Actor},
			{Tag: &what}, {Figure: views.Figure{Text: e.Subject}, Name: true}, {Figure: views.Figure{Text: page.AuditDetail(e.Detail)}, Name: true}}})
	}
	return views.TablePanel{Title: "Audit log", Note: "newest first, each chained to the one before", Table: t, None: "Nothing was closed, reopened or refused yet.",
		Links: []views.Link{{Text: "All entries", Href: "/audit"}, {Text: "CSV", Href: "/api/v1/audit?format=csv"}}}
}
