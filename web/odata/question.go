package odata

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"gpuledger/internal/nearest"
	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// Question is a request for an entity set, as a question of reports.
type Question struct {
	Query      metrics.Query
	Properties []Property // of the answer, in order
	Context    string     // fragment of the context address
	Top        int        // math.MaxInt: all
	Skip       int
	Counted    bool   // the answer has the number of rows, too
	Token      string // $skiptoken: the page after another one
	Empty      bool   // the filter holds for no time
	Bounded    bool   // the filter chooses the period of the query
	// Digest is that of all parameters but the place in the answer.
	Digest string
	params url.Values
}

// Property is a value of an entity.
type Property struct {
	Name   string
	Column string // empty: the identifier of the row
}

// options are the system query options, with those that are not supported.
var options = map[string]bool{"$select": true, "$filter": true, "$orderby": true, "$top": true, "$skip": true,
	"$count": true, "$skiptoken": true, "$apply": true, "$format": true, "$expand": false, "$search": false,
	"$compute": false, "$levels": false, "$deltatoken": false, "$id": false, "$index": false, "$schemaversion": false}

// replaced are report options that a system query option replaces.
var replaced = map[string]string{"filter": "$filter", "order": "$orderby", "limit": "$top", "group-by": "$apply"}

// Parse reads a request for a dataset. Further query options are those of reports, such as from and currency.
func Parse(d *metrics.Dataset, params url.Values) (*Question, error) {
	q := &Question{Top: math.MaxInt, params: params}
	o := grain(d)
	for name, values := range params {
		if len(values) > 1 {
			return nil, refuse(name, strings.Join(values, ", "), "is given more than once")
		}
		if err := setOption(&o, name, values[0]); err != nil {
			return nil, err
		}
	}
	shape, err := q.apply(d, &o)
	if err != nil {
		return nil, err
	}
	plain, err := metrics.Parse(d.Name, o) // what the answer has, before conditions on it
	if err != nil {
		return nil, err
	}
	known := properties(plain.Columns())
	if shape != nil {
		known = shape.columns(known)
	}
	filter := shape.condition()
	if text := params.Get("$filter"); text != "" {
		e, err := parseFilter(text, known)
		if err != nil {
			return nil, asRefusal("$filter", text, err)
		}
		filter = both(filter, e)
	}
	granularity := plain.Granularity
	if shape != nil {
		granularity = shape.rows
	}
	filter = q.window(&o, plain, granularity, filter)
	if shape != nil && !shape.timed && slices.Contains(metrics.FilterKeys(filter), periodStart) {
		return nil, &UnsupportedError{"$apply", "a condition on period_start other than on the bounds of whole periods"}
	}
	if filter != nil {
		o.Filter = metrics.FilterText(filter)
	}
	if o.Order, err = orderBy(params.Get("$orderby"), known); err != nil {
		return nil, err
	}
	if q.Query, err = metrics.Parse(d.Name, o); err != nil {
		return nil, err
	}
	if err := q.numbers(); err != nil {
		return nil, err
	}
	q.digest(d)
	return q, q.choose(d, known, shape)
}

// setOption reads an option of reports.
func setOption(o *metrics.Options, name, value string) error {
	if strings.HasPrefix(name, "$") {
		switch supported, known := options[name]; {
		case supported:
			return nil
		case known:
			return &UnsupportedError{name, "the option"}
		}
		near := nearest.Name(name, sortedOptions())
		return &metrics.OptionError{Option: name, Value: value, Nearest: near,
			Reason: "is not a query option of OData" + nearest.Meant(near) + "; names are in lower case"}
	}
	if strings.HasPrefix(name, "@") {
		return &UnsupportedError{name, "a parameter alias"}
	}
	dashed := strings.ReplaceAll(name, "_", "-")
	if instead := replaced[dashed]; instead != "" {
		return refuse(name, value, "is an option of REST; write %s here", instead)
	}
	for _, opt := range metrics.OptionList {
		if opt.Name == dashed {
			*opt.Get(o) = value
			return nil
		}
	}
	return refuse(name, value, "is neither a query option of OData nor one of reports")
}

func sortedOptions() (names []string) {
	for name, supported := range options {
		if supported {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// asRefusal is the fault of an option.
func asRefusal(option, value string, err error) error {
	if unsupported, ok := err.(*UnsupportedError); ok { //nolint:errorlint // it is never wrapped here
		return &UnsupportedError{option, unsupported.What}
	}
	return refuse(option, value, "%s", err)
}

func both(a, b metrics.Expr) metrics.Expr {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return metrics.And{Left: a, Right: b}
}

// window turns bounds on the start of periods into the period of the question, if they fall between two periods: so
// only that time is added up. Incremental refresh asks like this.
func (q *Question) window(
	o *metrics.Options, plain metrics.Query, rows metrics.Granularity, filter metrics.Expr,
) (rest metrics.Expr) {
	var step period.Second
	switch rows {
	case metrics.Hour:
		step = 3600
	case metrics.Day:
		step = 86400
	}
	if step == 0 || plain.Zone != "UTC" || !plain.Dataset.Windowed || !plain.Dataset.SplitsByTime() || o.From != "" ||
		o.To != "" {
		return filter
	}
	w := period.Interval{}
	for _, term := range metrics.Terms(filter) {
		if c, ok := term.(metrics.Compare); !ok || c.Key != periodStart || !bound(&w, c, step) {
			rest = both(rest, term)
		}
	}
	q.Bounded = w.From != 0 || w.To != 0
	if w.From != 0 {
		o.From = w.From.String()
	}
	if w.To != 0 {
		o.To = w.To.String()
	}
	if w.From != 0 && w.To != 0 && w.Empty() {
		q.Empty, o.From, o.To = true, "", ""
	}
	return rest
}

// bound narrows a period by a condition on the start of its steps; false if it cannot.
func bound(w *period.Interval, c metrics.Compare, step period.Second) bool {
	at, err := time.Parse(time.RFC3339Nano, c.Values[0])
	t := period.FromTime(at)
	if err != nil || at.Nanosecond() != 0 || t%step != 0 || at.Year() < 1971 || at.Year() > 9998 {
		return false
	}
	lower := func(t period.Second) { w.From = max(w.From, t) }
	upper := func(t period.Second) {
		if w.To == 0 || t < w.To {
			w.To = t
		}
	}
	switch c.Op {
	case metrics.AtLeast:
		lower(t)
	case metrics.Greater:
		lower(t + step)
	case metrics.Less:
		upper(t)
	case metrics.AtMost:
		upper(t + step)
	case metrics.Equal:
		lower(t)
		upper(t + step)
	default:
		return false
	}
	return true
}

// orderBy translates $orderby.
func orderBy(text string, known properties) (string, error) {
	var terms []string
	for term := range strings.SplitSeq(text, ",") {
		words := strings.Fields(term)
		if len(words) == 0 && text == "" {
			break
		}
		if len(words) == 0 || len(words) > 2 || len(words) == 2 && words[1] != "asc" && words[1] != "desc" {
			return "", refuse("$orderby", text, "must be properties, each with asc or desc or neither, separated by commas")
		}
		if _, ok := known.kind(words[0]); !ok {
			return "", unknownProperty("$orderby", text, words[0], known)
		}
		if len(words) == 2 && words[1] == "desc" {
			words[0] = "-" + words[0]
		}
		terms = append(terms, words[0])
	}
	return strings.Join(terms, ","), nil
}

func unknownProperty(option, text, name string, known properties) error {
	names := make([]string, len(known))
	for i, c := range known {
		names[i] = c.Name
	}
	near := nearest.Name(name, names)
	return &metrics.OptionError{Option: option, Value: text, Nearest: near, Reason: fmt.Sprintf(
		"%q is not a property of this set%s; it has %s", name, nearest.Meant(near), strings.Join(names, ", "))}
}

// numbers reads $top, $skip, $count and $skiptoken.
func (q *Question) numbers() error {
	for _, n := range []struct {
		name string
		to   *int
	}{{"$top", &q.Top}, {"$skip", &q.Skip}} {
		text := q.params.Get(n.name)
		if text == "" {
			continue
		}
		v, err := strconv.ParseInt(text, 10, 32)
		if err != nil || v < 0 {
			return refuse(n.name, text, "must be a whole number from 0 to 2147483647")
		}
		*n.to = int(v)
	}
	switch text := q.params.Get("$count"); text {
	case "", "false":
	case "true":
		q.Counted = true
	default:
		return refuse("$count", text, "must be true or false")
	}
	q.Token = q.params.Get("$skiptoken")
	return nil
}

// digest is that of the question without the place in its answer.
func (q *Question) digest(d *metrics.Dataset) {
	rest := url.Values{}
	for name, values := range q.params {
		if !slices.Contains([]string{"$top", "$skip", "$skiptoken", "$count", "$format"}, name) {
			rest[name] = values
		}
	}
	sum := sha256.Sum256([]byte("odata/" + d.Name + "?" + rest.Encode()))
	q.Digest = hex.EncodeToString(sum[:8])
}

// choose reads $select and names what the answer has.
func (q *Question) choose(d *metrics.Dataset, known properties, shape *shape) error {
	text := q.params.Get("$select")
	q.Context = d.Name
	var all []Property
	for _, c := range known {
		if c.Name != "exchange_rates" { // only answers in one currency have it, so the type does not
			all = append(all, Property{c.Name, c.Name})
		}
	}
	if shape == nil {
		all = append(all, Property{RowID, ""})
	}
	if text != "" && text != "*" {
		var chosen []Property
		for name := range strings.SplitSeq(text, ",") {
			name = strings.TrimSpace(name)
			i := slices.IndexFunc(all, func(p Property) bool { return p.Name == name })
			if i < 0 {
				return unknownProperty("$select", text, name, known)
			}
			if !slices.Contains(chosen, all[i]) {
				chosen = append(chosen, all[i])
			}
		}
		all = chosen
	}
	q.Properties = all
	if text != "" && text != "*" || shape != nil {
		names := make([]string, len(all))
		for i, p := range all {
			names[i] = p.Name
			q.Query.Only = append(q.Query.Only, cmp.Or(p.Column, "currency"))
		}
		q.Context += "(" + strings.Join(names, ",") + ")"
	}
	return nil
}

// Next is the query string of the page after a cursor, when some rows have been sent.
func (q *Question) Next(cursor string, sent int) string {
	next := url.Values{}
	for name, values := range q.params {
		next[name] = values
	}
	next.Del("$skip")
	next.Del("$count")
	next.Set("$skiptoken", cursor)
	if q.Top != math.MaxInt {
		next.Set("$top", strconv.Itoa(q.Top-sent))
	}
	return strings.ReplaceAll(next.Encode(), "%24", "$")
}
