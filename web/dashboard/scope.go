package dashboard

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/views/format"
)

// scope is what the address of a page asks for. Everything that a page shows
// follows from it: it is the page's state.
type scope struct {
	path     string
	From, To string // dates as given, empty = open
	Basis    string // "effective" by default
	Team     string
	Cluster  string
	Provider string
	Currency string // empty: the largest where a page shows one, else all
	Kind     string // runs
	Status   string // runs
	Text     string // runs: part of the name
	Sharing  string // overview: "after": teams with what sharing passed on; empty: before
	Order    string // runs, lines
	AsTable  bool
	Page     int    // runs, lines, from 1
	All      bool   // all alerts
	By       string // overview: "provider"; books: "account"
	Group    string // pages of figures: what their rows are of; empty: the page's own choice
	Within   string // pages of figures: "key:value" that they are narrowed to
	Decide   string // recommendations: id of the one whose form is open
	Row      string // recommendations: id of the one that a script asks for
	pick     picked

	window period.Interval // zero bounds are open
	span   period.Interval // what a page about a period shows: the window, else the extent
}

// within closes the open ends of the window with the extent.
func (s scope) within(extent period.Interval) scope {
	s.span = s.window
	if extent.Empty() {
		return s
	}
	if s.span.From == 0 {
		s.span.From = extent.From
	}
	if s.span.To == 0 {
		s.span.To = extent.To
	}
	return s
}

// lastDay is the last day that is shown, empty when nothing is.
func (s scope) lastDay() period.Interval {
	if s.span.Empty() {
		return period.Interval{}
	}
	return period.DayOf(s.span.To - 1)
}

// filtered reports whether only a part of the ledger is asked for.
func (s scope) filtered() bool { return s.Team+s.Cluster+s.Provider != "" }

// picked are choices of the pages of books, bill lines, imports and the fleet. They are
// named as the API names them.
type picked struct {
	Month, Payer, Account, Source, Delivery, Service, Metric, Category, Charge, Model, State string
	Version, Against, Check                                                                  string // statements and periods
}

// texts are the parameters that a page takes as they are. own are choices of
// one page, which others do not keep.
var texts = []struct {
	name string
	own  bool
	at   func(*scope) *string
}{
	{"team", false, func(s *scope) *string { return &s.Team }},
	{"cluster", false, func(s *scope) *string { return &s.Cluster }},
	{"provider", false, func(s *scope) *string { return &s.Provider }},
	{"currency", false, func(s *scope) *string { return &s.Currency }},
	{"kind", true, func(s *scope) *string { return &s.Kind }},
	{"status", true, func(s *scope) *string { return &s.Status }},
	{"billing_period", true, func(s *scope) *string { return &s.pick.Month }},
	{"billing_account", true, func(s *scope) *string { return &s.pick.Payer }},
	{"account", true, func(s *scope) *string { return &s.pick.Account }},
	{"source", true, func(s *scope) *string { return &s.pick.Source }},
	{"delivery", true, func(s *scope) *string { return &s.pick.Delivery }},
	{"service_name", true, func(s *scope) *string { return &s.pick.Service }},
	{"metric", true, func(s *scope) *string { return &s.pick.Metric }},
	{"charge_category", true, func(s *scope) *string { return &s.pick.Category }},
	{"charge", true, func(s *scope) *string { return &s.pick.Charge }},
	{"model", true, func(s *scope) *string { return &s.pick.Model }},
	{"state", true, func(s *scope) *string { return &s.pick.State }},
	{"version", true, func(s *scope) *string { return &s.pick.Version }},
	{"against", true, func(s *scope) *string { return &s.pick.Against }},
	{"check", true, func(s *scope) *string { return &s.pick.Check }},
	{"q", true, func(s *scope) *string { return &s.Text }},
	{"sharing", true, func(s *scope) *string { return &s.Sharing }},
	{"by", true, func(s *scope) *string { return &s.By }},
	{"group", true, func(s *scope) *string { return &s.Group }},
	{"within", true, func(s *scope) *string { return &s.Within }},
	{"order", true, func(s *scope) *string { return &s.Order }},
	{"decide", true, func(s *scope) *string { return &s.Decide }},
	{"row", true, func(s *scope) *string { return &s.Row }},
}

var bases = []string{"effective", "billed", "list", "contracted"}

// longest bounds any parameter, in bytes.
const longest = 200

func readScope(r *http.Request) (scope, error) {
	v := r.URL.Query()
	s := scope{
		path: r.URL.EscapedPath(),
		From: v.Get("from"), To: v.Get("to"), Basis: v.Get("basis"), AsTable: v.Get("as") == "table", All: v.Get("attention") == "all",
	}
	for _, t := range texts {
		text := v.Get(t.name)
		if len(text) > longest {
			return scope{}, &metrics.OptionError{Option: t.name, Value: text, Reason: "is longer than 200 bytes"}
		}
		*t.at(&s) = text
	}
	s.Text = strings.TrimSpace(s.Text)
	s.Page = 1
	if text := v.Get("page"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 1_000_000 {
			return scope{}, &metrics.OptionError{Option: "page", Value: text, Reason: "must be a whole number from 1 to 1000000"}
		}
		s.Page = n
	}
	if s.Basis == "" {
		s.Basis = "effective"
	}
	// The read model's own rules decide what is a window and a basis.
	q, err := metrics.Parse("costs", s.options(metrics.Options{Sharing: s.Sharing}))
	if err != nil {
		return scope{}, err
	}
	if s.Sharing == "before" {
		s.Sharing = ""
	}
	s.window = q.Window
	return s, nil
}

// costs is options for the dataset of that name, which knows providers.
func (s scope) costs(o metrics.Options) metrics.Options {
	o.Filter = both(o.Filter, equal("provider", s.Provider))
	return s.options(o)
}

// equal is a term of a filter, empty for an empty value.
func equal(key, value string) string {
	if value == "" {
		return ""
	}
	return key + " = " + quote(value)
}

// both joins terms that are not empty.
func both(terms ...string) string {
	return strings.Join(slices.DeleteFunc(terms, func(t string) bool { return t == "" }), " and ")
}

// options adds window, basis and filter to what a panel asks.
func (s scope) options(o metrics.Options) metrics.Options {
	o.From, o.To, o.Basis = s.From, s.To, s.Basis
	if o.From == "" && s.span.From != 0 {
		o.From = address(s.span.From)
	}
	if o.To == "" && s.span.To != 0 {
		o.To = address(s.span.To)
	}
	o.Filter = both(o.Filter, equal("team", s.Team), equal("cluster", s.Cluster))
	return o
}

// address writes an instant as from and to carry it.
func address(at period.Second) string {
	if at == at.Floor(period.Day) {
		return format.ISODay(at)
	}
	return at.String()
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// with returns the scope's address with some parameters changed; an empty
// value removes one. Order of parameters is fixed, so that equal states have
// equal addresses.
func (s scope) with(changes ...string) string { return s.at(s.path, changes...) }

func (s scope) at(path string, changes ...string) string {
	params := s.params()
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
		if b.Len() == 0 {
			sep = "?"
		}
		b.WriteString(sep + k + "=" + url.QueryEscape(v))
	}
	for _, p := range append(params, [2]string{"page", ""}) {
		value := p[1]
		if changed, ok := set[p[0]]; ok {
			value = changed
			delete(set, p[0])
		}
		put(p[0], value)
	}
	return path + b.String()
}

func (s scope) params() [][2]string {
	basis, as, all := s.Basis, "", ""
	if basis == "effective" {
		basis = ""
	}
	if s.AsTable {
		as = "table"
	}
	if s.All {
		all = "all"
	}
	params := [][2]string{{"from", s.From}, {"to", s.To}, {"basis", basis}}
	for _, t := range texts {
		params = append(params, [2]string{t.name, *t.at(&s)})
	}
	return append(params, [2]string{"as", as}, [2]string{"attention", all})
}

// carried is what other pages keep of the scope: the filter, not the page's own choices.
func (s scope) carried(path string, changes ...string) string {
	s.AsTable, s.All = false, false
	for _, t := range texts {
		if t.own {
			*t.at(&s) = ""
		}
	}
	return s.at(path, changes...)
}

// api is the address of the same question in the API, as CSV.
func (s scope) api(dataset string, o metrics.Options) string {
	v := url.Values{"format": {"csv"}}
	if dataset == "costs" {
		o = s.costs(o)
	} else {
		o = s.options(o)
	}
	for _, opt := range metrics.OptionList {
		if text := *opt.Get(&o); text != "" {
			v.Set(opt.Name, text)
		}
	}
	if s.Basis == "effective" {
		v.Del("basis")
	}
	return "/api/v1/" + dataset + "?" + v.Encode()
}

// why is the address of the explanation of a figure of costs.
func (s scope) why(filter ...string) string {
	address := s.api("costs", metrics.Options{Filter: both(filter...), Sharing: s.Sharing})
	return "/explain" + strings.TrimPrefix(strings.Replace(address, "&format=csv", "", 1), "/api/v1")
}

// runPath is the address of a run; its id keeps its slashes.
func runPath(prefix, id string) string {
	parts := strings.Split(id, "/")
	for i, p := range parts {
		switch p {
		case "", ".", "..": // browsers and routers would fold them away
			return prefix + "?run=" + url.QueryEscape(id)
		}
		parts[i] = url.PathEscape(p)
	}
	return prefix + strings.Join(parts, "/")
}
