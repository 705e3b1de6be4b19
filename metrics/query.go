package metrics

import (
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Granularity splits costs by time.
type Granularity string

// Granularities. Weeks begin on Monday.
const (
	Total Granularity = "total"
	Hour  Granularity = "hour"
	Day   Granularity = "day"
	Week  Granularity = "week"
	Month Granularity = "month"
)

// Step is the granularity of the dataset's rows if the query names none.
func (d *Dataset) Step() Granularity {
	if d.Stepped && !d.Totals {
		return Hour
	}
	return Total
}

// Sharing is whether shared cost stays with its source or goes to its receivers (docs/rules.md, section 12).
type Sharing string

// Sharings. The zero value is BeforeSharing.
const (
	BeforeSharing Sharing = ""
	AfterSharing  Sharing = "after" // with the pairs of sharing
)

var granularities = []Granularity{Total, Hour, Day, Week, Month}

var granularityNames = names(granularities, func(g Granularity) string { return string(g) })

// Order is one term of an order; NULLs come last in either direction.
type Order struct {
	Column string
	Desc   bool
}

// Query is a parsed report: every name in it exists.
type Query struct {
	Dataset *Dataset
	// Window selects on the service hour; zero bounds are open.
	Window        period.Interval
	Against       period.Interval // what a derived dataset compares Window with; empty: nothing
	Zone          string          // IANA name; buckets begin in it
	BillingPeriod period.Month
	GroupBy       []Key
	Filter        Expr // on base rows; nil: everything
	Having        Expr // on rows of the answer; nil: all of them
	Granularity   Granularity
	Sharing       Sharing
	AsOf          period.Second // the ledger as it was then; 0: as it is
	Statement     Statement     // a closed statement instead of the ledger; zero: the ledger
	Currency      string        // convert to it if there is a rate; empty: every amount in its own currency
	// KeepUnconverted keeps amounts without a rate in their own currency instead of refusing the answer.
	KeepUnconverted bool
	Basis           ledger.Metric // the cost that orders rows and feeds ratios
	Order           []Order       // complete: no two rows compare equal
	FocusVersion    string        // of the FOCUS specification; empty: its newest, or no dataset of it
	Limit           int           // 0: no limit
	Offset          int           // rows to leave out; only pages set it
	After           Position      // only rows after this one in the order; nil: from the first
	// Only names the figures that the caller reads, so that no others are looked up and added up; empty: all. Keys and
	// attributes stay. Only pages set it.
	Only []string
}

// Columns are the columns of the answer: the dataset's, and in a grouped dataset one per group key after the period.
func (q Query) Columns() []Column {
	var cols []Column
	switch {
	case q.Dataset.Grouped:
		cols = groupedColumns(q.Dataset, q.GroupBy)
	case q.Regrouped():
		cols = q.regroupedColumns()
	default:
		cols = q.Dataset.versionColumns(q.FocusVersion)
	}
	if q.Currency != "" && q.Dataset.Derived == nil {
		at := slices.IndexFunc(cols, func(c Column) bool { return c.Name == "currency" })
		cols = slices.Insert(slices.Clone(cols), at+1, exchangeRates)
	}
	if len(q.Only) == 0 {
		return cols
	}
	wanted := slices.Concat(q.Only, FilterKeys(q.Having))
	for _, o := range q.Order {
		wanted = append(wanted, o.Column)
	}
	for _, c := range cols {
		if slices.Contains(wanted, c.Name) {
			wanted = append(wanted, c.Formula.Attributes()...)
		}
	}
	return slices.DeleteFunc(slices.Clone(cols), func(c Column) bool {
		return c.figure() && !slices.Contains(wanted, c.Name)
	})
}

// Carried are the tag and label keys in the query, whose KEY is data.
func (q Query) Carried() []Key {
	named := slices.Clone(q.GroupBy)
	for _, name := range FilterKeys(q.Filter) {
		if k, ok := LookupKey(name); ok {
			named = append(named, k)
		}
	}
	slices.SortFunc(named, func(a, b Key) int { return strings.Compare(a.Name, b.Name) })
	return slices.DeleteFunc(slices.Compact(named), func(k Key) bool { return k.On != OnLabel && k.On != OnTag })
}

// Regrouped reports whether rows have other keys than the dataset's own rows.
func (q Query) Regrouped() bool { return !q.Dataset.Grouped && len(q.GroupBy) > 0 }

// ownColumns are the columns of the dataset's own rows.
func (d *Dataset) ownColumns() []Column {
	if !slices.ContainsFunc(d.Columns, func(c Column) bool { return c.OnlyGroups }) {
		return d.Columns
	}
	return slices.DeleteFunc(slices.Clone(d.Columns), func(c Column) bool { return c.OnlyGroups })
}

// regroupedColumns are the keys and all columns that hold for any group of rows.
func (q Query) regroupedColumns() []Column {
	d := q.Dataset
	var cols []Column
	keep := func(name string) {
		if c, ok := d.Column(name); ok && c.Formula.Op == OpField &&
			!slices.ContainsFunc(cols, func(have Column) bool { return have.Name == name }) {
			cols = append(cols, c)
		}
	}
	if d.Stepped {
		keep("period_start")
	}
	for _, k := range q.GroupBy {
		if own, ok := d.Column(k.Name); ok && own.Formula.Op == OpField {
			keep(k.Name)
		} else { // the dataset's own rows have no such key, or a list of all values
			cols = append(cols, KeyColumn(k))
		}
	}
	if c, ok := d.Column("currency"); ok &&
		slices.ContainsFunc(d.Columns, func(m Column) bool { return m.Kind == Money }) && c.Formula.Op == OpField {
		keep("currency")
	}
	for _, c := range d.Columns {
		if c.Formula = c.inGroups(); c.Formula.whole() &&
			!slices.ContainsFunc(cols, func(have Column) bool { return have.Name == c.Name }) {
			cols = append(cols, c)
		}
	}
	return cols
}

func groupedColumns(d *Dataset, keys []Key) []Column {
	at := slices.IndexFunc(d.Columns, func(c Column) bool { return c.Name == "currency" })
	cols := slices.Clone(d.Columns[:at])
	for _, k := range keys {
		cols = append(cols, KeyColumn(k))
	}
	for _, c := range d.Columns[at:] {
		if !slices.ContainsFunc(keys, func(k Key) bool { return k.Name == c.Name }) {
			cols = append(cols, c)
		}
	}
	return cols
}

// KeyColumn is the column that shows a group key.
func KeyColumn(k Key) Column {
	return Column{Name: k.Name, Kind: Text, Doc: k.Doc, Formula: Field(k.Name), Source: string(k.On), Filter: true}
}

// completeOrder resolves the basis and appends the columns that make rows unique.
func (q *Query) completeOrder() {
	var order []Order
	add := func(o Order) {
		if !slices.ContainsFunc(order, func(have Order) bool { return have.Column == o.Column }) {
			order = append(order, o)
		}
	}
	for _, o := range q.Order {
		add(o)
	}
	if len(q.Order) == 0 {
		for _, o := range q.Dataset.Order {
			if o.Column == Basis {
				o.Column = string(q.Basis)
			}
			add(o)
		}
	}
	if q.Dataset.Grouped || q.Regrouped() {
		add(Order{Column: "period_start"})
		for _, k := range q.GroupBy {
			add(Order{Column: k.Name})
		}
		add(Order{Column: "currency"})
	}
	if !q.Regrouped() {
		for _, name := range q.Dataset.RowKey {
			add(Order{Column: name})
		}
	}
	cols := q.Columns()
	// the dataset's default order names more columns than groups have
	q.Order = slices.DeleteFunc(order, func(o Order) bool {
		return !slices.ContainsFunc(cols, func(c Column) bool { return c.Name == o.Column })
	})
}

// Version identifies the data that answers depend on.
type Version struct {
	Tag        string // changes with the ledger and the imports
	Entries    int64  // of the audit log; only logged datasets change with them
	Generation int64  // newest generation of any chunk
	State      string // of the database: while it is the same, so are all answers that do not follow the clock
	Policy     string // policy version of the last calculation, empty before the first
}
