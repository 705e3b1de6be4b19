package verify

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// Options narrow Verify.
type Options struct {
	// Period is a billing period such as "2026-10"; empty: everything stored.
	// Checks of bills take its lines, checks of usage the hours of its month.
	Period string
	// FailStale turns pending work of allocate into a failure.
	FailStale bool
}

// CheckState is the outcome of one check.
type CheckState string

// Check states.
const (
	CheckPassed CheckState = "passed"
	CheckFailed CheckState = "failed"
	CheckStale  CheckState = "stale" // allocate has work to do; the clean rest was checked
	// CheckWarning is not a breach: the finding may be right, but costs money if it is not.
	CheckWarning CheckState = "warning"
)

// Check is one invariant and what Verify found.
type Check struct {
	Name    string     `json:"name"`
	Meaning string     `json:"meaning"`
	State   CheckState `json:"state"`
	// Rows name offending rows as "column=value …", at most five.
	Rows    []string `json:"rows,omitempty"`
	Seconds float64  `json:"seconds"`
}

// Report lists all checks in their fixed order.
type Report struct {
	Checks []Check `json:"checks"`
}

// Failed reports whether any check failed.
func (r *Report) Failed() bool { return r.has(CheckFailed) }

// Warned reports whether an admin should look at something although the ledger is consistent.
func (r *Report) Warned() bool { return r.has(CheckWarning) }

// Stale reports whether allocate has work to do.
func (r *Report) Stale() bool { return r.has(CheckStale) }

func (r *Report) has(state CheckState) bool {
	for i := range r.Checks {
		if r.Checks[i].State == state {
			return true
		}
	}
	return false
}

// checks in the order of the report. by names the parameters of the statement in addition to the tenant: the billing
// period, or the hours from and to. If it is empty, the statement checks everything stored.
var checks = []struct {
	name, statement, by, meaning string
}{
	{
		"rows of imports", "verify.import_rows", "",
		"each row that an import read was accepted, rejected or ignored, with its reason",
	},
	{
		"control totals", "verify.control_totals", "period",
		"the charges of each current delivery add up to the file's own column and row count",
	},
	{
		"lines of deliveries", "verify.delivery_rows", "period",
		"the charges of each delivery account for all its rows, each aggregate for the lines that it combines",
	},
	{
		"aggregates", "verify.aggregates", "period",
		"the line ranges of each aggregate are in order and hold as many lines as it says",
	},
	{
		"charges to parts", "verify.parts_of_charges", "period",
		"the parts of each book charge add up to it in every metric; evidence has none",
	},
	{
		"amortise pairs", "verify.amortise", "period",
		"the pairs that amortise prepaid capacity add up to zero per charge and hour, and carry effective cost only",
	},
	{
		"evidence", "verify.evidence", "period",
		"lines of deliveries that are only evidence, or were replaced, are not posted",
	},
	{
		"parts to postings", "verify.postings_of_parts", "period",
		"the postings of each part add up to it in every metric, on its bill and as final as it is; unknown stays unknown",
	},
	{
		"device seconds", "verify.node_hours", "hours",
		"every slot of a node-hour has the same seconds, and no device-second is held twice",
	},
	{
		"one place per device", "verify.device_places", "hours",
		"two machines together hold a device for at most one hour per hour",
	},
	{"shared workloads", "verify.segments", "hours", "the attempts that share a workload hold at most the whole of it"},
	{"capacity", "verify.capacity", "hours", "the capacity of a node-hour is its device-seconds"},
	{
		"usage rows", "verify.usage_rows", "hours", "weights, seconds and quantities of each usage row agree with each other",
	},
	{"one cause per key", "verify.single_cause", "hours", "no usage key appears twice"},
	{
		"quantities ride once", "verify.quantities", "hours",
		"the quantities on the postings of a usage row add up to the row",
	},
	{"references", "verify.references", "hours", "each posting has its owner and its usage row, and agrees with it"},
	{"gateway calls", "verify.llm_calls", "hours", "the dimensions and tags of each gateway call are stored"},
	{"provisional", "verify.provisional", "hours", "no hour that has a bill carries provisional cost"},
}

// invariant is a check and the function that finds its offending rows in a transaction.
type invariant struct {
	Name, Meaning string
	Bad           CheckState // the state if there are offending rows
	Find          func(ctx context.Context, tx pgx.Tx) ([]string, error)
}

// byStatement is an invariant whose offending rows one statement finds.
func byStatement(name, meaning, statement string, args ...any) invariant {
	return invariant{
		name, meaning, CheckFailed,
		func(ctx context.Context, tx pgx.Tx) ([]string, error) { return offenders(ctx, tx, statement, args...) },
	}
}

// Verify checks the ledger's invariants over everything stored, as of one instant. Money is compared exactly; a
// metric that a charge does not carry must be NULL all the way. Chunks with dirty marks are skipped and reported as
// stale.
func (s *Verifier) Verify(ctx context.Context, opt Options) (*Report, error) {
	hours := period.Interval{From: 0, To: pg.EndOfTime}
	var month *string
	if opt.Period != "" {
		var err error
		if hours, err = period.Month(opt.Period).Interval(); err != nil {
			return nil, err
		}
		month = &opt.Period
	}
	report, err := s.prove(ctx, invariants(hours, month, opt.FailStale))
	if err != nil {
		return nil, fmt.Errorf("verify: %w", err)
	}
	return report, nil
}

func invariants(hours period.Interval, month *string, failStale bool) []invariant {
	var list []invariant
	for _, c := range checks {
		args := []any{pg.Tenant}
		switch c.by {
		case "period":
			args = append(args, month)
		case "hours":
			args = append(args, hours.From, hours.To)
		}
		list = append(list, byStatement(c.name, c.meaning, c.statement, args...))
	}
	list = append(list, invariant{"chunk digests", "the rows of each chunk are those that allocate wrote", CheckFailed,
		func(ctx context.Context, tx pgx.Tx) ([]string, error) { return checkDigests(ctx, tx, hours) }})
	list = append(list, ofSharing(hours)...)
	list = append(list, ofRollUps(hours)...)
	list = append(list, ofClosing(hours, month)...)
	list = append(list, invariant{"machines", "no machine appears to be in the ledger twice",
		CheckWarning,
		func(ctx context.Context, tx pgx.Tx) ([]string, error) {
			return offenders(ctx, tx, "verify.doubles", pg.Tenant, hours.From, hours.To)
		}})
	list = append(list, invariant{"evidence of closed hours", "the evidence that explain needs of each closed " +
		"node-hour was kept and is unchanged", CheckFailed,
		func(ctx context.Context, tx pgx.Tx) ([]string, error) { return checkEvidence(ctx, tx, hours) }})
	stale := CheckStale
	if failStale {
		stale = CheckFailed
	}
	return append(list, invariant{"up to date", "allocate has nothing left to do", stale,
		func(ctx context.Context, tx pgx.Tx) ([]string, error) {
			uncut, err := offenders(ctx, tx, "verify.uncut", pg.Tenant, month)
			if err != nil {
				return nil, err
			}
			dirty, err := offenders(ctx, tx, "verify.stale", pg.Tenant, hours.From, hours.To)
			return append(uncut, dirty...), err
		}})
}

// shown is how many offending rows a check names.
const shown = 5

// offenders returns the first rows of a named statement as text.
func offenders(ctx context.Context, tx pgx.Tx, name string, args ...any) ([]string, error) {
	found, err := offendersOf(ctx, tx, pg.Statement(name), args...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return found, nil
}

// offendersOf is offenders for the text of a statement.
func offendersOf(ctx context.Context, tx pgx.Tx, text string, args ...any) ([]string, error) {
	rows, err := tx.Query(ctx, text, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []string
	more := 0
	for rows.Next() {
		if len(found) == shown {
			more++
			continue
		}
		values, err := rows.Values()
		if err != nil {
			return nil, err
		}
		var b strings.Builder
		for i, v := range values {
			if v == nil {
				continue
			}
			fmt.Fprintf(&b, " %s=%s", rows.FieldDescriptions()[i].Name, describe(v))
		}
		found = append(found, strings.TrimSpace(b.String()))
	}
	if more > 0 {
		found = append(found, fmt.Sprintf("and %d more", more))
	}
	return found, rows.Err()
}

func describe(v any) string {
	switch v := v.(type) {
	case time.Time:
		return v.UTC().Format(time.RFC3339)
	case pgtype.Numeric:
		if text, err := v.MarshalJSON(); err == nil {
			return string(text)
		}
	case [16]byte:
		return ledger.ID(v).String()
	case fmt.Stringer:
		return v.String()
	}
	return fmt.Sprint(v)
}
