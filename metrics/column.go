package metrics

import (
	"fmt"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
)

// Kind is the type of a column's values and decides how they are written.
type Kind string

// Kinds. Money and quantities are exact decimals and travel as text.
const (
	Text     Kind = "text"
	ID       Kind = "id"       // 32 hexadecimal digits
	Time     Kind = "time"     // RFC 3339, UTC
	Bool     Kind = "bool"     //
	Money    Kind = "money"    // exact decimal of the row's currency
	Quantity Kind = "quantity" // exact decimal of the column's unit
	Ratio    Kind = "ratio"    // decimal rounded to RatioDigits
	Count    Kind = "count"    // 64-bit integer
	Duration Kind = "duration" // 64-bit integer of seconds
)

// RatioDigits is the number of decimals that ratios are rounded to, half away
// from zero. Ratios are the only rounded values of the read model.
const RatioDigits = 12

// Decimal reports whether values of the kind are decimals carried as text.
func (k Kind) Decimal() bool { return k == Money || k == Quantity || k == Ratio }

// Integer reports whether values of the kind are 64-bit integers.
func (k Kind) Integer() bool { return k == Count || k == Duration }

// Column is the one definition of a column: every text about it comes from here.
type Column struct {
	Name    string
	Kind    Kind
	Unit    string   // "GPU-hours", "kWh", "seconds"; "currency" for money; empty: none
	Doc     string   // one sentence
	Formula Formula  // how the ledger gives it
	Source  string   // tables it comes from
	Caveats []string // what a reader must know before relying on it
	Values  []string // the closed list of values, if there is one
	Filter  bool     // a key of filters, which base rows have; other columns are tested in the answer
	Target  *Target  // good values, if there is a target

	// Groups is the formula in rows of other keys, which group-by makes; nil: the same formula. Columns that aggregate in
	// neither formula are left out of such rows.
	Groups *Formula
	// OnlyGroups columns are only in rows of other keys.
	OnlyGroups bool
}

// inGroups is the formula of the column in rows of other keys.
func (c Column) inGroups() Formula {
	if c.Groups != nil {
		return *c.Groups
	}
	return c.Formula
}

// figure reports whether the column is a quantity and not a key or attribute: it adds up, at least in groups.
func (c Column) figure() bool { return c.Formula.Op != OpField || c.Groups != nil }

// Op is an operation of a Formula.
type Op string

// Operations. OpField columns are keys or attributes; if a dataset has any other operation, its rows are groups of
// equal OpField columns.
const (
	OpField  Op = "field"   // the ledger's value
	OpSum    Op = "sum"     // Σ of the known values; NULL without any
	OpSumAll Op = "sum_all" // Σ; NULL if any matching value is unknown; 0 without rows
	OpRatio  Op = "ratio"   // Num ÷ Den; NULL if either is NULL or Den is 0
	OpLess   Op = "less"    // Num − Den, an unknown Den counts as 0; NULL if Num is NULL
	// OpLeastSettled is the least settled state: provisional before open before final. Rows that are open without Num
	// count only where no other is.
	OpLeastSettled Op = "least_settled"
	OpWorstQuality Op = "worst_quality" // the worst that makes ≥ 1 % of Σ |effective_cost|
	OpDistinct     Op = "distinct"      // every known value once, in order, separated by blanks
	OpCount        Op = "count"         // how many different values are known
	OpMin          Op = "min"           // the smallest known value
	OpMax          Op = "max"           // the largest known value
	// OpQuantile is the value below which Share of all samples lie, from histograms whose buckets are added first; NULL
	// without samples.
	OpQuantile   Op = "quantile"
	OpPercentile Op = "percentile" // of merged counts of values, by nearest rank
	// OpRank is the known value at or below which Share of the known values lie, by nearest rank; NULL without any.
	OpRank    Op = "rank"
	OpUnknown Op = "unknown" // the ledger cannot know it: always NULL
)

// Basis is the Field that stands for the cost the query chose as its basis.
const Basis = "$basis"

// Formula is the structure of a column's computation, so that SQL and texts derive from the same source.
type Formula struct {
	Op    Op
	Field string
	Where []Match // all must hold
	// ZeroWhenNone makes a sum without matching rows 0 instead of NULL.
	ZeroWhenNone bool
	// ZeroAmongKnown makes a sum without matching rows 0 where Field is known of other rows, else NULL, so that sums of
	// parts are the sum of the whole.
	ZeroAmongKnown bool
	Num, Den       *Formula
	// Listed marks a Field that lists several values, with commas; a count counts each.
	Listed bool
	// Share is the share of samples of a quantile, in ppm.
	Share int64
	// Percent of a percentile. Its Field counts values in units of 1/Per.
	Percent int
	Per     int64
}

// Match restricts a sum to rows whose Field has one of Values; without Values, to rows with a known Field.
type Match struct {
	Field  string
	Values []string
}

// Field is the formula of a key or attribute.
func Field(name string) Formula { return Formula{Op: OpField, Field: name} }

// Sum adds a ledger column over the matching rows.
func Sum(field string, where ...Match) Formula {
	return Formula{Op: OpSum, Field: field, Where: where}
}

// SumOrZero is Sum that returns 0, not NULL, if no row matches.
func SumOrZero(field string, where ...Match) Formula {
	return Formula{Op: OpSum, Field: field, Where: where, ZeroWhenNone: true}
}

// SumAmongKnown is Sum that returns 0 if no row matches, but the field of other rows is known.
func SumAmongKnown(field string, where ...Match) Formula {
	return Formula{Op: OpSum, Field: field, Where: where, ZeroAmongKnown: true}
}

// Causes restricts to postings of the given causes.
func Causes(causes ...ledger.Cause) Match {
	m := Match{Field: "cause"}
	for _, c := range causes {
		m.Values = append(m.Values, string(c))
	}
	return m
}

// Where restricts to rows whose field has one of the values.
func Where(field string, values ...string) Match { return Match{field, values} }

// Known restricts to rows with a known field.
func Known(field string) Match { return Match{Field: field} }

// CountOf is the number of different known values of a field.
func CountOf(field string, where ...Match) Formula {
	return Formula{Op: OpCount, Field: field, Where: where}
}

// CountOfListed is CountOf of a field that lists values, with commas.
func CountOfListed(field string) Formula { return Formula{Op: OpCount, Field: field, Listed: true} }

// QuantileOf is a percentile of merged histograms (the SQL type histogram), in
// seconds: 950,000 ppm is P95.
func QuantileOf(field string, ppm int64, where ...Match) Formula {
	return Formula{Op: OpQuantile, Field: field, Share: ppm, Where: where}
}

// PercentileOf is a percentile of the values that a field counts in bins (internal/sketch), in units of 1/per. Counts
// are added; percentiles are never averaged.
func PercentileOf(percent int, field string, per int64) Formula {
	return Formula{Op: OpPercentile, Field: field, Percent: percent, Per: per}
}

// RankOf is a percentile of the known values of a field by nearest rank:
// 950,000 ppm is P95.
func RankOf(field string, ppm int64, where ...Match) Formula {
	return Formula{Op: OpRank, Field: field, Share: ppm, Where: where}
}

// RatioOf divides two formulas.
func RatioOf(num, den Formula) Formula { return Formula{Op: OpRatio, Num: &num, Den: &den} }

// LessOf subtracts a figure from another.
func LessOf(num, den Formula) Formula { return Formula{Op: OpLess, Num: &num, Den: &den} }

// Attributes lists the fields that the formula takes from its row unchanged.
func (f Formula) Attributes() []string {
	switch f.Op {
	case OpField:
		return []string{f.Field}
	case OpRatio, OpLess:
		return slices.Concat(f.Num.Attributes(), f.Den.Attributes())
	}
	return nil
}

// Reads reports whether the formula uses a field.
func (f Formula) Reads(field string) bool {
	return f.Field == field || f.Num != nil && f.Num.Reads(field) || f.Den != nil && f.Den.Reads(field)
}

// Tests lists the fields that select the rows that the formula adds up.
func (f Formula) Tests() (fields []string) {
	for _, m := range f.Where {
		fields = append(fields, m.Field)
	}
	for _, part := range []*Formula{f.Num, f.Den} {
		if part != nil {
			fields = append(fields, part.Tests()...)
		}
	}
	return fields
}

// Follows reports whether all fields of the formula are known: the ones it adds up and the ones that select rows.
func (f Formula) Follows(known func(field string) bool) bool {
	if f.Field != "" && !known(f.Field) || slices.ContainsFunc(f.Where, func(m Match) bool { return !known(m.Field) }) {
		return false
	}
	return (f.Num == nil || f.Num.Follows(known)) && (f.Den == nil || f.Den.Follows(known))
}

// Aggregates reports whether the formula needs more than one ledger row.
func (f Formula) Aggregates() bool { return f.Op != OpField && f.Op != OpUnknown }

// whole reports whether the formula consists only of sums, so that it holds for any group of ledger rows. An attribute
// in a ratio holds for its own row only.
func (f Formula) whole() bool {
	if f.Op == OpRatio || f.Op == OpLess {
		return f.Num.whole() && f.Den.whole()
	}
	return f.Aggregates()
}

// test is the condition on the rows of a sum, in words.
func (f Formula) test() string {
	tests := make([]string, len(f.Where))
	for i, m := range f.Where {
		switch tests[i] = m.Field + " in (" + strings.Join(m.Values, ", ") + ")"; {
		case len(m.Values) == 0 && m.Field == Basis:
			tests[i] = "basis cost is known"
		case len(m.Values) == 0:
			tests[i] = m.Field + " is known"
		case len(m.Values) == 1:
			tests[i] = m.Field + " = " + m.Values[0]
		}
	}
	if len(tests) == 0 {
		return ""
	}
	return " where " + strings.Join(tests, " and ")
}

// String is the formula in words, as shown by tooltips, the API schema and the documentation.
func (f Formula) String() string {
	field := f.Field
	if field == Basis {
		field = "basis cost"
	}
	switch f.Op {
	case OpField:
		return field
	case OpSum, OpSumAll:
		return "Σ " + field + f.test()
	case OpCount:
		return "number of different " + field + f.test()
	case OpRank:
		return fmt.Sprintf("P%d of %s by nearest rank%s", f.Share/10_000, field, f.test())
	case OpMin:
		return "smallest " + field + f.test()
	case OpMax:
		return "largest " + field + f.test()
	case OpPercentile:
		return fmt.Sprintf("%d-th percentile of %s", f.Percent, field)
	case OpRatio:
		return fmt.Sprintf("(%s) ÷ (%s)", f.Num, f.Den)
	case OpLess:
		return fmt.Sprintf("(%s) − (%s)", f.Num, f.Den)
	case OpLeastSettled:
		return "least settled of " + field + " where money is known or awaited"
	case OpWorstQuality:
		return "worst " + field + " that makes at least 1 % of Σ |effective_cost|"
	case OpDistinct:
		return "every " + field
	case OpQuantile:
		return fmt.Sprintf("P%s of the merged buckets of %s",
			strings.TrimSuffix(fmt.Sprintf("%d.%d", f.Share/10_000, f.Share%10_000/1000), ".0"), field) + f.test()
	case OpUnknown:
		return "not known"
	}
	return string(f.Op)
}
