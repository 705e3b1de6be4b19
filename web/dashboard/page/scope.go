package page

import (
	"net/url"
	"slices"
	"strings"

	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// Scope is the parsed address of a page. It is the page's whole state: everything shown
// follows from it.
type Scope struct {
	Path     string
	From, To string // dates as given, empty = open
	// BillingPeriod is a billing month such as 2026-10, empty for all. Datasets without one
	// show the calendar month of that name.
	BillingPeriod string
	// Against is what the period is compared with: a word of metrics, a period FROM/TO, or
	// AgainstNone. Empty is the period before.
	Against  string
	Basis    string // "effective" by default
	Team     string
	Cluster  string
	Provider string
	// Currency is what costs are converted to where a rate does, and chosen by elsewhere. Empty: the
	// largest if a page shows one currency, else all.
	Currency string
	Kind     string // runs
	Status   string // runs
	Text     string // runs: part of the name
	Sharing  string // overview: "after": teams with what sharing passed on; empty: before
	Order    string // runs, lines
	Complete bool   // only complete days
	AsTable  bool
	Page     int    // runs, lines, from 1
	All      bool   // all alerts
	By       string // overview: "provider"; books: "account"
	Group    string // pages of figures: keys that rows are grouped by; empty: the page's default
	Within   string // pages of figures: "key:value" that the page is narrowed to
	Decide   string // recommendations: id of the one whose form is open
	Row      string // recommendations: id of the one that a script requests
	Filter   string // conditions in the language of reports; each applies where its keys are known
	Pick     Picked

	statements bool            // Against names another statement
	coin       string          // the only currency of the rows; empty: Currency
	mixed      bool            // the rows have all currencies that are not converted
	figures    []string        // terms of Filter that test figures of the page's rows
	cut        period.Second   // end of the complete days, where the period goes beyond them
	Window     period.Interval // zero bounds are open
	Span       period.Interval // period that a page shows: the window, else all stored time
}

// Over closes the open ends of the window with all stored time. A window of more than ten
// years is cut to the stored time, so that an address cannot ask for any number of steps.
func (s Scope) Over(stored period.Interval) Scope {
	s.Span = s.Window
	if stored.Empty() {
		if s.Span.TooLong() {
			s.Span = period.Interval{}
		}
		return s
	}
	if s.Span.From == 0 {
		s.Span.From = stored.From
	}
	if s.Span.To == 0 {
		s.Span.To = stored.To
	}
	if s.Span.TooLong() {
		s.Span = s.Span.Intersect(stored)
	}
	return s
}

// Shown is Over, and leaves out the days after the last complete one if the scope has only
// complete days. A period without any is not cut.
func (s Scope) Shown(e metrics.Extent) Scope {
	s = s.Over(e.Stored)
	if end := e.Complete(); s.Complete && s.Span.From < end && end < s.Span.To {
		s.cut, s.Span.To = end, end
	}
	return s
}

// Value is the value of a parameter in the address.
func (s Scope) Value(name string) string {
	for _, t := range texts {
		if t.name == name {
			return *t.at(&s)
		}
	}
	return ""
}

// Without is the scope without a parameter.
func (s Scope) Without(name string) Scope {
	for _, t := range texts {
		if t.name == name {
			*t.at(&s) = ""
		}
	}
	return s
}

// During is the scope narrowed to a period.
func (s Scope) During(i period.Interval) Scope {
	s.From, s.To, s.BillingPeriod, s.Window, s.Span = Address(i.From), Address(i.To), "", i, i
	return s
}

// lastDay is the last day that is shown, empty when nothing is.
func (s Scope) lastDay() period.Interval {
	if s.Span.Empty() {
		return period.Interval{}
	}
	return period.DayOf(s.Span.To - 1)
}

// Filtered reports whether the scope has a filter on costs.
func (s Scope) Filtered() bool { return s.Team+s.Cluster+s.Provider != "" || s.Narrows("costs") }

// Picked are choices of the pages of books, bill lines, imports and the fleet. They are
// named as the API names them.
type Picked struct {
	Payer, Account, Source, Delivery, Service, Metric, Category, Charge, Model, State string
	// statements and periods
	Version, Check, Owner string
	Tree                  string // overview: keys of the tree of costs
	// the explorer
	Dataset, Measure, Chart, Granularity, Groups, Pin, VS, Change string
	Budget                                                        string
	Set                                                           string // budget whose form is open
}

// texts are the parameters that a page reads without parsing. own marks choices of one page,
// which links to other pages drop.
var texts = []struct {
	name string
	own  bool
	at   func(*Scope) *string
}{
	{"billing_period", false, func(s *Scope) *string { return &s.BillingPeriod }},
	{"against", false, func(s *Scope) *string { return &s.Against }},
	{"team", false, func(s *Scope) *string { return &s.Team }},
	{"cluster", false, func(s *Scope) *string { return &s.Cluster }},
	{"provider", false, func(s *Scope) *string { return &s.Provider }},
	{"currency", false, func(s *Scope) *string { return &s.Currency }},
	{"kind", true, func(s *Scope) *string { return &s.Kind }},
	{"status", true, func(s *Scope) *string { return &s.Status }},
	{"budget", true, func(s *Scope) *string { return &s.Pick.Budget }},
	{"set", true, func(s *Scope) *string { return &s.Pick.Set }},
	{"billing_account", true, func(s *Scope) *string { return &s.Pick.Payer }},
	{"account", true, func(s *Scope) *string { return &s.Pick.Account }},
	{"source", true, func(s *Scope) *string { return &s.Pick.Source }},
	{"delivery", true, func(s *Scope) *string { return &s.Pick.Delivery }},
	{"service_name", true, func(s *Scope) *string { return &s.Pick.Service }},
	{"metric", true, func(s *Scope) *string { return &s.Pick.Metric }},
	{"charge_category", true, func(s *Scope) *string { return &s.Pick.Category }},
	{"charge", true, func(s *Scope) *string { return &s.Pick.Charge }},
	{"model", true, func(s *Scope) *string { return &s.Pick.Model }},
	{"state", true, func(s *Scope) *string { return &s.Pick.State }},
	{"version", true, func(s *Scope) *string { return &s.Pick.Version }},
	{"owner", true, func(s *Scope) *string { return &s.Pick.Owner }},
	{"check", true, func(s *Scope) *string { return &s.Pick.Check }},
	{"dataset", true, func(s *Scope) *string { return &s.Pick.Dataset }},
	{"measure", true, func(s *Scope) *string { return &s.Pick.Measure }},
	{"chart", true, func(s *Scope) *string { return &s.Pick.Chart }},
	{"granularity", true, func(s *Scope) *string { return &s.Pick.Granularity }},
	{"groups", true, func(s *Scope) *string { return &s.Pick.Groups }},
	{"pin", true, func(s *Scope) *string { return &s.Pick.Pin }},
	{"vs", true, func(s *Scope) *string { return &s.Pick.VS }},
	{"change", true, func(s *Scope) *string { return &s.Pick.Change }},
	{"q", true, func(s *Scope) *string { return &s.Text }},
	{"sharing", false, func(s *Scope) *string { return &s.Sharing }},
	{"by", true, func(s *Scope) *string { return &s.By }},
	{"tree", true, func(s *Scope) *string { return &s.Pick.Tree }},
	{"group", true, func(s *Scope) *string { return &s.Group }},
	{"within", true, func(s *Scope) *string { return &s.Within }},
	{"order", true, func(s *Scope) *string { return &s.Order }},
	{"decide", true, func(s *Scope) *string { return &s.Decide }},
	{"row", true, func(s *Scope) *string { return &s.Row }},
	{"filter", false, func(s *Scope) *string { return &s.Filter }},
}

// Costs is For the dataset costs, with the rows of all currencies.
func (s Scope) Costs(o metrics.Options) metrics.Options {
	s.Within, s.mixed = "", true
	return s.Closed().For("costs", o)
}

// Equal is a term of a filter, empty for an empty value.
func Equal(key, value string) string {
	if value == "" {
		return ""
	}
	return key + " = " + Quote(value)
}

// Both joins terms that are not empty.
func Both(terms ...string) string {
	return strings.Join(slices.DeleteFunc(terms, func(t string) bool { return t == "" }), " and ")
}

// Address formats an instant for the parameters from and to.
func Address(at period.Second) string {
	if at == at.Floor(period.Day) {
		return format.ISODay(at)
	}
	return at.String()
}

// Quote quotes a text for a filter.
func Quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// With returns the scope's address with some parameters changed; an empty value removes
// one. The order of parameters is fixed, so that equal states have equal addresses.
func (s Scope) With(changes ...string) string { return s.At(s.Path, changes...) }

// At is With for another path.
func (s Scope) At(path string, changes ...string) string {
	params := s.Params()
	set := map[string]string{}
	for i := 0; i+1 < len(changes); i += 2 {
		set[changes[i]] = changes[i+1]
	}
	var b strings.Builder
	put := func(k, v string) {
		if v == "" {
			return
		}
		sep := "&"
		if b.Len() == 0 && !strings.Contains(path, "?") {
			sep = "?"
		}
		b.WriteString(sep + k + "=" + url.QueryEscape(v))
	}
	for _, p := range append(params, [2]string{"page", ""}, [2]string{partParam, ""}) {
		value := p[1]
		if changed, ok := set[p[0]]; ok {
			value = changed
			delete(set, p[0])
		}
		put(p[0], value)
	}
	return path + b.String()
}

// SortBy makes a head a link that sorts by a column: first falling or rising, and the other
// way if sorted says that rows are already sorted by it.
func (s Scope) SortBy(head *views.SortLink, column, sorted string, falling bool) {
	next := column
	if falling {
		next = "-" + column
	}
	switch sorted {
	case column:
		head.Sort, next = "ascending", "-"+column
	case "-" + column:
		head.Sort, next = "descending", column
	}
	head.Href = s.With("order", next)
}

// Others are the parameters that a form keeps in addition to its own.
func (s Scope) Others(own ...string) (list [][2]string) {
	for _, kv := range s.Params() {
		if kv[1] != "" && !slices.Contains(own, kv[0]) {
			list = append(list, kv)
		}
	}
	return list
}

// Params are all parameters of the address in their order, including empty ones.
func (s Scope) Params() [][2]string {
	basis, complete, as, all := s.Basis, "", "", ""
	if basis == "effective" {
		basis = ""
	}
	if s.AsTable {
		as = "table"
	}
	if s.All {
		all = "all"
	}
	if s.Complete {
		complete = "1"
	}
	params := [][2]string{{"from", s.From}, {"to", s.To}, {"complete", complete}, {"basis", basis}}
	for _, t := range texts {
		params = append(params, [2]string{t.name, *t.at(&s)})
	}
	return append(params, [2]string{"as", as}, [2]string{"attention", all})
}

// Carried is the address of another page with the scope's filter, without this page's own
// choices.
func (s Scope) Carried(path string, changes ...string) string {
	s.AsTable, s.All = false, false
	if s.statements {
		s.Against = ""
	}
	if path != s.Path {
		s.Filter = s.shared()
	}
	for _, t := range texts {
		if t.own {
			*t.at(&s) = ""
		}
	}
	return s.At(path, changes...)
}

// API is the address of the same query in the API, as CSV for a spreadsheet.
func (s Scope) API(dataset string, o metrics.Options) string {
	if dataset == "costs" {
		o = s.Costs(o)
	} else {
		o = s.For(dataset, o)
	}
	v := s.asked(o)
	v.Set("format", "csv")
	v.Set("for_excel", "true")
	return "/api/v1/" + dataset + "?" + v.Encode()
}

// asked writes options as parameters of an address.
func (s Scope) asked(o metrics.Options) url.Values {
	v := url.Values{}
	for _, opt := range metrics.OptionList {
		if text := *opt.Get(&o); text != "" {
			v.Set(opt.Name, text)
		}
	}
	if s.Basis == "effective" {
		v.Del("basis")
	}
	return v
}

// Why is the address of the explanation of a figure of costs.
func (s Scope) Why(filter ...string) string {
	s.Currency = "" // explained as billed
	address := "/explain/costs"
	if v := s.asked(s.Costs(metrics.Options{Filter: Both(filter...), Sharing: s.Sharing})); len(v) > 0 {
		address += "?" + v.Encode()
	}
	return address
}

// RunPath is the address of a run; its id keeps its slashes.
func RunPath(prefix, id string) string {
	parts := strings.Split(id, "/")
	for i, p := range parts {
		switch p {
		case "", ".", "..": // browsers and routers would remove them
			return prefix + "?run=" + url.QueryEscape(id)
		}
		parts[i] = url.PathEscape(p)
	}
	return prefix + strings.Join(parts, "/")
}
