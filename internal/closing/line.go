package closing

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Line is a row of a statement: the sum of one owner, cause, day and place. A measure that is not carried, or a
// quantity without rows to carry it, is nil.
type Line struct {
	Day                          period.Second
	Provider, Account, Region    string
	Cluster, Node, Namespace     string
	WorkloadKind, Service, RunID string
	Owner                        ledger.ID
	Cause                        ledger.Cause
	// shared_in and shared_out are pairs of sharing; other lines are before sharing
	Kind                                  ledger.PostingKind
	Quality                               ledger.Quality // empty for pairs
	Currency                              string
	ledger.Costs                                        // Σ of postings
	GPUHours, Capacity, Active, EnergyKWh *money.Amount // Σ of the postings' quantities
}

// Shared reports whether the line is of pairs of sharing.
func (l *Line) Shared() bool { return l.Kind == ledger.SharedIn || l.Kind == ledger.SharedOut }

// keys are the texts that sort and distinguish lines, in column order.
func (l *Line) keys() []string {
	return []string{l.Day.Time().Format("2006-01-02"), l.Provider, l.Account, l.Region, l.Cluster, l.Node, l.Namespace,
		l.WorkloadKind, l.Service, l.RunID,
		l.Owner.String(), string(l.Cause), string(l.Kind), string(l.Quality), l.Currency}
}

// Compare orders lines as in statements: by key columns, bytewise.
func (l *Line) Compare(o *Line) int { return slices.Compare(l.keys(), o.keys()) }

// columns of the canonical form.
var columns = []string{"day", "provider", "account", "region", "cluster", "node", "namespace", "workload_kind",
	"service", "run_id", "owner_id", "cause", "kind", "quality", "currency",
	"effective_cost", "billed_cost", "list_cost", "contracted_cost",
	"gpu_hours", "capacity_gpu_hours", "active_gpu_hours", "energy_kwh"}

// Format is the version of the canonical form. A statement keeps the version that it was written in.
const Format = 1

// Head is the part of the canonical bytes before the lines. It does not depend on who closed the period, or when.
type Head struct {
	BillingAccount string
	BillingPeriod  period.Month
	Version        int
	Policies       []string // policy versions of its postings, sorted
}

// Written is the result of Write.
type Written struct {
	Lines, Bytes int64
	Digest       [sha256.Size]byte // SHA-256 of the bytes
}

// Write writes the canonical bytes of a statement: a line with the format, the head, the names of the columns, and
// the lines as CSV (RFC 4180 with \n), with absent values empty. It returns an error for lines that are not in
// strictly ascending order.
func Write(w io.Writer, h Head, lines iter.Seq2[*Line, error]) (Written, error) {
	var out Written
	sum := sha256.New()
	count := &counter{}
	b := bufio.NewWriter(io.MultiWriter(w, sum, count))
	for _, row := range [][]string{
		{"gpuledger statement", strconv.Itoa(Format)},
		{"billing_account", h.BillingAccount},
		{"billing_period", string(h.BillingPeriod)}, {"version", strconv.Itoa(h.Version)},
		append([]string{"policy_versions"}, h.Policies...), columns,
	} {
		writeRow(b, row)
	}
	var last []string
	for l, err := range lines {
		if err != nil {
			return out, err
		}
		keys := l.keys()
		if last != nil && slices.Compare(last, keys) >= 0 {
			return out, fmt.Errorf("statement of %s, %s: line %d (%s) is not in order", h.BillingAccount,
				h.BillingPeriod, out.Lines+1, strings.Join(keys, " "))
		}
		last = keys
		out.Lines++
		row := slices.Clone(keys)
		for _, a := range []*money.Amount{
			l.Effective, l.Billed, l.List, l.Contracted, l.GPUHours, l.Capacity, l.Active, l.EnergyKWh,
		} {
			text := ""
			if a != nil {
				text = a.String()
			}
			row = append(row, text)
		}
		writeRow(b, row)
	}
	if err := b.Flush(); err != nil {
		return out, fmt.Errorf("write statement of %s, %s: %w", h.BillingAccount, h.BillingPeriod, err)
	}
	out.Bytes = count.n
	copy(out.Digest[:], sum.Sum(nil))
	return out, nil
}

// writeRow leaves errors to Flush.
func writeRow(b *bufio.Writer, row []string) {
	for i, v := range row {
		if i > 0 {
			_ = b.WriteByte(',')
		}
		if strings.ContainsAny(v, ",\"\r\n") {
			v = `"` + strings.ReplaceAll(v, `"`, `""`) + `"`
		}
		_, _ = b.WriteString(v)
	}
	_ = b.WriteByte('\n')
}

type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
}
