package dashboard

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
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
func readStatements(ctx context.Context, reader Reader, account string) ([]statementRow, error) {
	var out []statementRow
	err := each(ctx, reader, "statements", metrics.Options{Filter: "billing_account = " + quote(account)}, nil, func(r record) error {
		out = append(out, statementRow{
			statementKey: statementKey{r.text("billing_account"), r.text("billing_period"), r.count("version")},
			Digest:       r.text("digest"), Chain: r.text("chain"), ClosedBy: r.text("closed_by"), ReopenedBy: r.text("reopened_by"), Reason: r.text("reopen_reason"),
			Policies: r.text("policy_versions"), OpenPeriod: r.text("open_period"), Number: r.count("number"), Lines: r.count("lines"), Bytes: r.count("bytes"),
			Closed: r.second("closed_at"), Reopened: r.second("reopened_at"),
		})
		return nil
	})
	return out, err
}

// findStatement returns the version asked for, the newest for none.
func findStatement(list []statementRow, month, version string) (statementRow, bool) {
	i := slices.IndexFunc(list, func(s statementRow) bool {
		return s.Month == month && (version == "" || strconv.FormatInt(s.Version, 10) == version)
	})
	if i < 0 {
		return statementRow{}, false
	}
	return list[i], true
}

// place is what a part of a statement is told apart by.
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
	Hours                    bool // GPU-hours ride on it
}

// readPortions adds up the lines of a statement.
func readPortions(ctx context.Context, reader Reader, k statementKey, basis string) ([]portion, error) {
	o := metrics.Options{BillingPeriod: k.Month, Filter: lineFilter(k)}
	sums := map[place]*portion{}
	var order []*portion
	err := each(ctx, reader, "statement_lines", o, nil, func(r record) error {
		at := place{r.text("team"), r.text("project"), ledger.Cause(r.text("cause")), ledger.PostingKind(r.text("kind")), string(period.MonthName(r.second("day"))), r.text("currency")}
		p := sums[at]
		if p == nil {
			p = &portion{place: at}
			sums[at], order = p, append(order, p)
		}
		cost := r.known(basis + "_cost")
		add(&p.Cost, cost)
		if r.text("quality") == string(ledger.Measured) {
			add(&p.Measured, cost)
		}
		if hours := r.amount("capacity_gpu_hours"); hours != nil {
			p.Hours = true
			add(&p.GPUHours, *hours)
		}
		return nil
	})
	out := make([]portion, len(order))
	for i, p := range order {
		out[i] = *p
	}
	return out, err
}

// lineFilter is the filter of statement_lines for one statement, beside its
// billing period.
func lineFilter(k statementKey) string {
	return both("billing_account = "+quote(k.Account), "version = "+quote(strconv.FormatInt(k.Version, 10)))
}

// total adds up what keep keeps.
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
	add(&p.Cost, o.Cost)
	add(&p.Measured, o.Measured)
	add(&p.GPUHours, o.GPUHours)
	p.Hours = p.Hours || o.Hours
}

// own reports what an owner has itself, before sharing and adjustments.
func (p *portion) own() bool { return p.Kind == ledger.Direct || p.Kind == ledger.Amortise }

// shared reports the pairs of sharing.
func (p *portion) shared() bool { return p.Kind == ledger.SharedIn || p.Kind == ledger.SharedOut }

// adjusts reports what is said anew of earlier periods.
func (p *portion) adjusts() bool { return p.Kind == ledger.Adjustment }

func everything(*portion) bool { return true }

// owner is the team and its project, where it has one.
func (p *portion) owner() string {
	if p.Project != "" {
		return teamName(p.Team) + " / " + p.Project
	}
	return teamName(p.Team)
}

// statementCurrencies lists currencies, that of most cost first.
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
