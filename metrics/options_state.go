package metrics

import (
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/period"
)

// Statement names a closed period: one version, or for version 0 the version that counts; without an account, every
// account of the period.
type Statement struct {
	BillingAccount string
	BillingPeriod  period.Month
	Version        int
}

// IsZero reports whether no statement is named.
func (s Statement) IsZero() bool { return s.BillingPeriod == "" }

// String is the statement as the option writes it.
func (s Statement) String() string {
	text := string(s.BillingPeriod)
	if s.BillingAccount != "" {
		text = s.BillingAccount + "/" + text
	}
	if s.Version != 0 {
		text += "/" + strconv.Itoa(s.Version)
	}
	return text
}

// ParseStatement reads PERIOD, ACCOUNT/PERIOD and ACCOUNT/PERIOD/VERSION. Accounts may contain slashes.
func ParseStatement(text string) (Statement, bool) {
	month := func(t string) bool {
		_, err := period.Month(t).Interval()
		return err == nil
	}
	if month(text) {
		return Statement{BillingPeriod: period.Month(text)}, true
	}
	cut := strings.LastIndexByte(text, '/')
	if cut < 0 {
		return Statement{}, false
	}
	front, last := text[:cut], text[cut+1:]
	if month(last) {
		return Statement{BillingAccount: front, BillingPeriod: period.Month(last)}, front != ""
	}
	version, err := strconv.ParseInt(last, 10, 32)
	if err != nil || version < 1 {
		return Statement{}, false
	}
	cut = strings.LastIndexByte(front, '/')
	if cut <= 0 || !month(front[cut+1:]) {
		return Statement{}, false
	}
	return Statement{front[:cut], period.Month(front[cut+1:]), int(version)}, true
}

// parseState reads the options for another state than the newest.
func parseState(q *Query, o *Options) error {
	if o.Statement == "" && o.AsOf == "" {
		return nil
	}
	option, text := "statement", o.Statement
	keys, kept := StatementKeys, "a statement"
	if o.Statement == "" {
		option, text = "as-of", o.AsOf
		keys, kept = AsOfKeys, "an earlier state"
	}
	switch {
	case o.Statement != "" && o.AsOf != "":
		return refuse("as-of", o.AsOf, "cannot be combined with a statement, which never changes")
	case q.Dataset != &costs:
		return refuse(option, text,
			"%s has only the current ledger; use costs for earlier states, statement_lines for closed periods",
			q.Dataset.Name)
	case q.Granularity == Hour:
		return refuse("granularity", string(q.Granularity), "%s is kept by day", kept)
	}
	named := slices.Clone(q.GroupBy)
	for _, name := range FilterKeys(q.Filter) {
		if k, ok := LookupKey(name); ok {
			named = append(named, k)
		}
	}
	for _, k := range named {
		if k.On != OnOwner && k.On != OnLabel && !slices.Contains(keys, k.Name) {
			return refuse(option, text, "%s has no %s; it has %s, the dimensions of the owner and label:KEY", kept, k.Name,
				strings.Join(keys, ", "))
		}
	}
	if o.Statement != "" {
		s, ok := ParseStatement(o.Statement)
		if !ok {
			return refuse("statement", o.Statement,
				"is not a statement: write 2026-10, ACCOUNT/2026-10 or ACCOUNT/2026-10/VERSION; the dataset statements lists them")
		}
		q.Statement = s
		return nil
	}
	var err error
	if q.AsOf, err = ParseTime("as-of", o.AsOf, q.Zone); err != nil {
		return err
	}
	if q.Sharing == AfterSharing {
		return refuse("sharing", o.Sharing, "earlier states are kept before sharing only")
	}
	if q.BillingPeriod != "" {
		return refuse("billing-period", o.BillingPeriod, "earlier states are kept by service day only; use from and to")
	}
	return nil
}
