package ask

import (
	"fmt"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// A NoSQLError is a question that the views cannot answer with the same digits.
type NoSQLError struct{ Reason string }

func (e *NoSQLError) Error() string { return e.Reason }

func refuse(format string, args ...any) error { return &NoSQLError{fmt.Sprintf(format, args...)} }

// rowsOf says how a window selects rows of a view whose figures do not depend on the window: by an instant (one
// column), or by an overlap of two.
var rowsOf = map[string][]string{
	"postings":             {"hour"},
	"usage":                {"hour"},
	"charges":              {"charge_period_start"},
	"focus_cost_and_usage": {"ChargePeriodStart"},
	"runs":                 {"started_at", "ended_at"},
}

// SQL is the question as a statement over bi_v1, or a *NoSQLError.
func (a Question) SQL() (string, error) {
	q, err := a.Query()
	if err != nil {
		return "", err
	}
	switch {
	case q.Dataset.Name == "variance":
		return comparedSQL(q)
	case q.Dataset.Name == "budgets" || q.Dataset.Name == "budget_days":
		return budgetSQL(q)
	case q.Dataset.Derived != nil:
		return "", refuse("%s is computed from several datasets, so it has no view", q.Dataset.Name)
	case q.Dataset.Pairs:
		return "", refuse("%s has no view by day", q.Dataset.Name)
	}
	if err := viewable(q); err != nil {
		return "", err
	}
	view, at, err := viewOf(q)
	if err != nil {
		return "", err
	}
	s := statement{q: q, view: view}
	if err := s.where(at); err != nil {
		return "", err
	}
	if err := s.columns(); err != nil {
		return "", err
	}
	return s.text(), nil
}

// viewable refuses questions whose rows no view has.
func viewable(q metrics.Query) error {
	switch {
	case q.AsOf != 0 || q.Statement != (metrics.Statement{}):
		return refuse("the views show the ledger as it is now")
	case q.Currency != "":
		return refuse("the views show every amount in its own currency")
	case q.Zone != "UTC":
		return refuse("the views have UTC days; leave tz out")
	case len(q.Carried()) > 0:
		return refuse("the views have no tags or labels")
	case q.Dataset.Focus != nil && q.FocusVersion != q.Dataset.Focus.Versions[0]:
		return refuse("the views have the columns of FOCUS %s", q.Dataset.Focus.Versions[0])
	case q.Dataset.ByMonth && q.BillingPeriod != "":
		return refuse("the view of %s has the month as BillingPeriodStart", q.Dataset.Name)
	}
	return nil
}

// viewOf picks the view, and the columns by which the window selects its rows.
func viewOf(q metrics.Query) (view string, at []string, err error) {
	d := q.Dataset
	whole := q.Window == (period.Interval{})
	switch {
	case d.Grouped:
		view = d.Name
		if q.Sharing == metrics.AfterSharing {
			view += "_after"
		}
		if byDay(q) {
			return view + "_daily", []string{"period_start"}, nil
		}
		return view + "_hourly", []string{"period_start"}, nil
	case d.Stepped && !d.Totals:
		if q.Granularity != d.Step() && !q.Regrouped() {
			return "", nil, refuse("the view of %s has rows per hour", d.Name)
		}
		return d.Name, []string{"period_start"}, nil
	case d.Stepped:
		at = []string{"period_start"}
		if byDay(q) {
			return d.Name + "_daily", at, nil
		}
		return d.Name + "_hourly", at, nil
	case whole || rowsOf[d.Name] != nil:
		return d.Name, rowsOf[d.Name], nil
	}
	return "", nil, refuse("figures of %s depend on the period, and its view has all of the time", d.Name)
}

// byDay reports whether whole UTC days answer the question.
func byDay(q metrics.Query) bool {
	return q.Window.From%period.Second(period.Day) == 0 && q.Window.To%period.Second(period.Day) == 0 &&
		q.Granularity != metrics.Hour
}

// statement is a select over one view.
type statement struct {
	q      metrics.Query
	view   string
	list   []string
	groups int // how many columns of list are keys; they come first
	cond   []string
	added  bool // rows are added up
}

// where collects the conditions.
func (s *statement) where(at []string) error {
	w := s.q.Window
	bound := func(column, op string, at period.Second) {
		s.cond = append(s.cond, fmt.Sprintf("%s %s '%s'", column, op, at))
	}
	switch len(at) {
	case 1:
		if w.From != 0 {
			bound(at[0], ">=", w.From)
		}
		if w.To != 0 {
			bound(at[0], "<", w.To)
		}
	case 2: // an end that is unknown has not come
		if w.To != 0 {
			s.cond = append(s.cond, fmt.Sprintf("(%[1]s is null or %[1]s < '%[2]s')", at[0], w.To))
		}
		if w.From != 0 {
			s.cond = append(s.cond, fmt.Sprintf("(%[1]s is null or %[1]s > '%[2]s')", at[1], w.From))
		}
	}
	if s.q.BillingPeriod != "" {
		s.cond = append(s.cond, "billing_period = "+quoted(string(s.q.BillingPeriod)))
	}
	if s.q.Filter != nil {
		text, err := s.condition(s.q.Filter)
		if err != nil {
			return err
		}
		s.cond = append(s.cond, text)
	}
	if s.q.Having != nil {
		for _, name := range metrics.FilterKeys(s.q.Having) {
			if name != "currency" { // a key of every answer
				return refuse("the filter tests %s, a figure", name)
			}
		}
		text, err := s.condition(s.q.Having)
		if err != nil {
			return err
		}
		s.cond = append(s.cond, text)
	}
	return nil
}

// columns collects keys and figures. Figures that the view's rows cannot be added up to are left out, and so are those of
// another basis than that of the view's rows.
func (s *statement) columns() error {
	s.added = s.q.Dataset.Grouped || s.q.Regrouped() || s.q.Dataset.Stepped && s.q.Dataset.Totals
	if s.added && s.q.Granularity != metrics.Total {
		s.list = append(s.list, fmt.Sprintf("date_trunc('%s', period_start, 'UTC') as period_start", s.q.Granularity))
	}
	keys := len(s.list)
	for _, c := range s.q.Columns() {
		switch {
		case c.Name == "period_start" || c.Name == "period_end":
		case !s.added && s.q.Basis != ledger.EffectiveCost && c.Formula.Reads(metrics.Basis):
			if slices.Contains(s.q.Only, c.Name) {
				return refuse("the view of %s has %s of effective cost only", s.q.Dataset.Name, c.Name)
			}
		case !s.added:
			if c.Kind != metrics.Text || len(s.q.Only) == 0 || c.Filter {
				s.list = append(s.list, ident(c.Name))
			}
		case c.Formula.Op == metrics.OpField:
			if err := s.holds(c.Name); err != nil {
				return err
			}
			s.list = slices.Insert(s.list, keys, ident(c.Name))
			keys++
		case len(s.q.Only) == 0 || slices.Contains(s.q.Only, c.Name):
			if text := s.figure(c); text != "" {
				s.list = append(s.list, text+" as "+ident(c.Name))
			}
		}
	}
	s.groups = keys
	return nil
}

// figure is the sum of a column of the view; a ratio is that of the sums of its parts. Empty: neither.
func (s *statement) figure(c metrics.Column) string {
	if c.Formula.Op == metrics.OpRatio {
		num, den := s.column(*c.Formula.Num), s.column(*c.Formula.Den)
		if num == "" || den == "" {
			return ""
		}
		return fmt.Sprintf("round((sum(%s) / nullif(sum(%s), 0))::numeric, %d)", num, den, metrics.RatioDigits)
	}
	if s.column(c.Formula) == "" || c.Kind == metrics.Ratio { // rounded in each row of the view, so it does not add up
		return ""
	}
	switch c.Formula.Op {
	case metrics.OpSum, metrics.OpSumAll:
		name := ident(c.Name)
		if c.Formula.Op == metrics.OpSumAll {
			return fmt.Sprintf("case when count(*) = count(%[1]s) then sum(%[1]s) end", name)
		}
		return "sum(" + name + ")"
	}
	return ""
}

// column names the column of the view that is a formula of the rows.
func (s *statement) column(f metrics.Formula) string {
	if f.Field == metrics.Basis {
		f.Field = string(s.q.Basis)
	}
	for _, c := range s.q.Dataset.Columns {
		own := c.Formula
		if own.Op == metrics.OpField && c.Groups == nil {
			continue
		}
		if c.Groups != nil || own.Op != f.Op || !same(own, f) {
			continue
		}
		return ident(c.Name)
	}
	return ""
}

// same reports whether two sums are of the same field and rows.
func same(a, b metrics.Formula) bool {
	return (a.Op == metrics.OpSum || a.Op == metrics.OpSumAll) && a.Field == b.Field &&
		a.ZeroWhenNone == b.ZeroWhenNone && a.ZeroAmongKnown == b.ZeroAmongKnown &&
		slices.EqualFunc(a.Where, b.Where, func(x, y metrics.Match) bool {
			return x.Field == y.Field && slices.Equal(x.Values, y.Values)
		})
}

// text writes the statement.
func (s *statement) text() string {
	var b strings.Builder
	b.WriteString("select " + strings.Join(s.list, ",\n  ") + "\nfrom bi_v1." + ident(s.view))
	if len(s.cond) > 0 {
		b.WriteString("\nwhere " + strings.Join(s.cond, "\n  and "))
	}
	if s.added && s.groups > 0 {
		numbers := make([]string, s.groups)
		for i := range numbers {
			numbers[i] = fmt.Sprint(i + 1)
		}
		b.WriteString("\ngroup by " + strings.Join(numbers, ", "))
	}
	return b.String() + ";"
}

// condition writes a filter. Under a not, tests are true or false, never null.
func (s *statement) condition(e metrics.Expr) (string, error) {
	pair := func(left, right metrics.Expr, word string) (string, error) {
		l, err := s.condition(left)
		if err != nil {
			return "", err
		}
		r, err := s.condition(right)
		return "(" + l + " " + word + " " + r + ")", err
	}
	switch e := e.(type) {
	case metrics.And:
		return pair(e.Left, e.Right, "and")
	case metrics.Or:
		return pair(e.Left, e.Right, "or")
	case metrics.Not:
		text, err := s.condition(e.Of)
		return "not coalesce(" + text + ", false)", err
	case metrics.Compare:
		return s.compare(e)
	}
	return "", refuse("the filter has a form without SQL")
}

// holds refuses a key that the rows of the view do not have.
func (s *statement) holds(name string) error {
	if _, own := s.q.Dataset.Column(name); !own && !s.q.Dataset.Grouped {
		return refuse("the view of %s has no column %s", s.q.Dataset.Name, name)
	}
	return nil
}

func (s *statement) compare(e metrics.Compare) (string, error) {
	name := e.Key
	if real, ok := s.q.Dataset.Aliases[name]; ok {
		name = real
	}
	if err := s.holds(name); err != nil {
		return "", err
	}
	col := ident(name)
	value := quoted(e.Values[0])
	switch e.Op {
	case metrics.Equal, metrics.NotEqual:
		if e.Values[0] == "" {
			return col + map[metrics.CompareOp]string{metrics.Equal: " is null", metrics.NotEqual: " is not null"}[e.Op], nil
		}
		if e.Op == metrics.NotEqual {
			return "(" + col + " is distinct from " + value + ")", nil
		}
		return col + " = " + value, nil
	case metrics.Less, metrics.AtMost, metrics.Greater, metrics.AtLeast:
		if e.Kind == metrics.Text {
			col += ` collate "C"`
		}
		return col + " " + string(e.Op) + " " + value, nil
	case metrics.Like:
		return col + " like " + value, nil
	}
	var terms, values []string
	for _, v := range e.Values {
		if v == "" {
			terms = append(terms, col+" is null")
		} else {
			values = append(values, quoted(v))
		}
	}
	if len(values) > 0 {
		terms = append(terms, col+" in ("+strings.Join(values, ", ")+")")
	}
	return "(" + strings.Join(terms, " or ") + ")", nil
}

// quoted is a literal; standard_conforming_strings is on.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// words are the names of columns that SQL keeps to itself.
var words = []string{"column", "end", "from", "group", "limit", "order", "overlaps", "to", "user", "window"}

// ident quotes a name that is a word of SQL.
func ident(name string) string {
	if slices.Contains(words, name) || name != strings.ToLower(name) { // FOCUS writes PascalCase
		return `"` + name + `"`
	}
	return name
}
