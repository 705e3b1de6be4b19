package books

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
)

// statementKey names one version of a statement.
type statementKey struct {
	Account, Month string
	Version        int64
}

// statementRow is the head of a statement.
type statementRow struct {
	statementKey
	Digest, Chain, ClosedBy, ReopenedBy, Reason, Policies, OpenPeriod string
	Number, Lines, Bytes                                              int64
	Closed, Reopened                                                  period.Second
}

// readStatements lists the statements of a billing account, newest first.
func readStatements(ctx context.Context, reader page.Reader, account string) ([]statementRow, error) {
	var out []statementRow
	err := page.Each(ctx, reader, "statements", metrics.Options{Filter: "billing_account = " + page.Quote(account)}, nil,
		func(r page.Record) error {
			out = append(out, statementRow{
				statementKey: statementKey{r.Text("billing_account"), r.Text("billing_period"), r.Count("version")},
				Digest:       r.Text("digest"), Chain: r.Text("chain"), ClosedBy: r.Text("closed_by"),
				ReopenedBy: r.Text("reopened_by"), Reason: r.Text("reopen_reason"),
				Policies: r.Text("policy_versions"), OpenPeriod: r.Text("open_period"),
				Number: r.Count("number"), Lines: r.Count("lines"), Bytes: r.Count("bytes"),
				Closed: r.Second("closed_at"), Reopened: r.Second("reopened_at"),
			})
			return nil
		})
	return out, err
}

// findStatement returns the given version, or the newest if version is empty.
func findStatement(list []statementRow, month, version string) (statementRow, bool) {
	i := slices.IndexFunc(list, func(s statementRow) bool {
		return s.Month == month && (version == "" || strconv.FormatInt(s.Version, 10) == version)
	})
	if i < 0 {
		return statementRow{}, false
	}
	return list[i], true
}

// place is the key of a portion.
type place struct {
	Team, Project string
	Cause         ledger.Cause
	Kind          ledger.PostingKind
	Month         string // of the service
	Currency      string
}

// portion is the sum of the lines of one place, in one basis.
type portion struct {
	place
	Cost, Measured, GPUHours money.Amount
	Hours                    bool // it has GPU-hours
}

// readPortions adds up the lines of a statement.
func readPortions(ctx context.Context, reader page.Reader, k statementKey, basis string) ([]portion, error) {
	o := metrics.Options{BillingPeriod: k.Month, Filter: lineFilter(k)}
	sums := map[place]*portion{}
	var order []*portion
	err := page.Each(ctx, reader, "statement_lines", o, nil, func(r page.Record) error {
		at := place{
			r.Text("team"), r.Text("project"), ledger.Cause(r.Text("cause")),
			ledger.PostingKind(r.Text("kind")), string(period.MonthName(r.Second("day"))), r.Text("currency"),
		}
		p := sums[at]
		if p == nil {
			p = &portion{place: at}
			sums[at], order = p, append(order, p)
		}
		cost := r.Known(basis + "_cost")
		page.Add(&p.Cost, cost)
		if r.Text("quality") == string(ledger.Measured) {
			page.Add(&p.Measured, cost)
		}
		if hours := r.Amount("capacity_gpu_hours"); hours != nil {
			p.Hours = true
			page.Add(&p.GPUHours, *hours)
		}
		return nil
	})
	out := make([]portion, len(order))
	for i, p := range order {
		out[i] = *p
	}
	return out, err
}

// lineFilter selects one statement in statement_lines, together with its billing
// period.
func lineFilter(k statementKey) string {
	return page.Both("billing_account = "+page.Quote(k.Account), "version = "+page.Quote(strconv.FormatInt(k.Version, 10)))
}

// total sums the portions that keep selects.
func total(list []portion, keep func(*portion) bool) portion {
	var t portion
	for i := range list {
		if p := &list[i]; keep(p) {
			t.take(p)
		}
	}
	return t
}

func (p *portion) take(o *portion) {
	page.Add(&p.Cost, o.Cost)
	page.Add(&p.Measured, o.Measured)
	page.Add(&p.GPUHours, o.GPUHours)
	p.Hours = p.Hours || o.Hours
}

// own reports whether the cost is the owner's own, before sharing and adjustments.
func (p *portion) own() bool { return p.Kind == ledger.Direct || p.Kind == ledger.Amortise }

// shared reports whether the portion is one side of sharing.
func (p *portion) shared() bool { return p.Kind == ledger.SharedIn || p.Kind == ledger.SharedOut }

// adjusts reports whether the portion adjusts an earlier period.
func (p *portion) adjusts() bool { return p.Kind == ledger.Adjustment }

func everything(*portion) bool { return true }

// owner is the team and its project, if it has one.
func (p *portion) owner() string {
	if p.Project != "" {
		return page.TeamName(p.Team) + " / " + p.Project
	}
	return page.TeamName(p.Team)
}

// statementCurrencies lists currencies, the one with most cost first.
func statementCurrencies(list []portion) []string {
	sums := map[string]money.Amount{}
	for i := range list {
		sums[list[i].Currency] = sums[list[i].Currency].Add(absolute(list[i].Cost))
	}
	var out []string
	for c := range sums {
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b string) int {
		if c := sums[b].Cmp(sums[a]); c != 0 {
			return c
		}
		return strings.Compare(a, b)
	})
	return out
}

func absolute(a money.Amount) money.Amount {
	if a.Sign() < 0 {
		return a.Neg()
	}
	return a
}
