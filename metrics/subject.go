package metrics

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/nearest"
	"gpuledger/internal/period"
)

// Subject is the subject of an explanation.
type Subject struct {
	Kind string    // posting, charge, usage, run, attempt, node, device, spot, report or figure
	Text string    // as typed
	ID   ledger.ID // of posting, charge, usage and attempt
	Name string    // run id, node name, device
	// Number is the attempt number of attempt/RUN/NUMBER; it selects that attempt of every task of the run.
	Number int
	Hours  period.Interval // of node and device
	Query  Query           // of report and figure, and of the postings of spot
	Given  Options         // the options of the Query of a report or figure, or of spot's Beside
	Column string          // of figure: a column of the dataset, or a side of its formula
	Beside Query           // of the figures of spot
}

// subjectForms lists the forms of a subject.
const subjectForms = "must be run/ID, attempt/ID or attempt/RUN/NUMBER, posting/ID, charge/ID, usage/ID, " +
	"node/NAME/HOUR, device/UUID/DAY, owner/team=NAME, spot or spot/instance_type=NAME, a report such as " +
	"costs?from=2026-11-01&group-by=team, or DATASET.COLUMN such as variance.price?from=2026-11-01&to=2026-12-01"

// ParseSubject reads a subject. It returns an *OptionError if the text has no known form or an invalid id.
func ParseSubject(text string) (Subject, error) {
	s := Subject{Text: text}
	if rest, ok := strings.CutPrefix(text, "spot"); ok && (rest == "" || rest[0] == '?' || rest[0] == '/') {
		return s, s.spot(rest)
	}
	of, query, _ := strings.Cut(text, "?")
	if d, column, ok := cutFigure(of); ok {
		return s, s.figure(d, column, query)
	}
	if dataset, query, ok := strings.Cut(text, "?"); ok || text == "costs" {
		if d, err := LookupDataset(dataset); err == nil && d.Grouped && !d.Pairs {
			return s, s.report(dataset, query)
		}
		if !strings.HasPrefix(text, "owner/") {
			return s, refuse("subject", text, "only costs are explained as a whole; name a figure, as in %s.effective_cost; %s",
				clip(dataset), subjectForms)
		}
	}
	kind, rest, _ := strings.Cut(text, "/")
	s.Kind = kind
	if rest == "" {
		return s, refuse("subject", text, subjectForms)
	}
	switch kind {
	case "run":
		s.Name = rest
	case "posting", "charge", "usage", "attempt":
		id, err := ledger.ParseID(rest)
		if run, number, ok := cutLast(rest); err != nil && ok && kind == "attempt" {
			s.Name = run
			s.Number, err = strconv.Atoi(number)
		}
		if err != nil {
			return s, refuse("subject", text, "%v", err)
		}
		s.ID = id
	case "node", "device":
		name, at, ok := cutLast(rest)
		if !ok {
			return s, refuse("subject", text, subjectForms)
		}
		from, err := ParseTime("subject", at, "UTC")
		if err != nil {
			return s, err
		}
		length := int64(period.Hour)
		if kind == "device" {
			length = period.Day
		}
		s.Name, s.Hours.From = name, from.Floor(length)
		s.Hours.To = s.Hours.From + period.Second(length)
	case "owner":
		return s, s.owner(rest)
	default:
		return s, refuse("subject", text, subjectForms)
	}
	return s, nil
}

func cutLast(text string) (before, after string, ok bool) {
	i := strings.LastIndexByte(text, '/')
	if i <= 0 || i == len(text)-1 {
		return "", "", false
	}
	return text[:i], text[i+1:], true
}

// options reads report options from a query string: names with dashes or underscores, as in the API.
func (s *Subject) options(query string) (o Options, err error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return o, refuse("subject", s.Text, "is not a valid query string")
	}
	for name, list := range values {
		i := slices.IndexFunc(OptionList, func(opt Option) bool { return strings.ReplaceAll(name, "_", "-") == opt.Name })
		switch {
		case i < 0:
			near := nearest.Name(name, names(OptionList, func(opt Option) string { return opt.Name }))
			return o, refuseName(name, strings.Join(list, ", "), near, "is not an option of report%s", nearest.Meant(near))
		case len(list) != 1:
			return o, refuse(name, strings.Join(list, ", "), "is given more than once")
		}
		*OptionList[i].Get(&o) = list[0]
	}
	return o, nil
}

// report is a report of costs with its options.
func (s *Subject) report(dataset, query string) error {
	o, err := s.options(query)
	if err != nil {
		return err
	}
	if o.Currency != "" {
		return refuse("currency", o.Currency,
			"an explanation shows amounts as they were posted, in their own currency; leave it out")
	}
	s.Kind, s.Given = "report", o
	s.Query, err = parseExplained(dataset, o)
	return err
}

// parseExplained is Parse for explanations, which cover all rows behind a figure.
func parseExplained(dataset string, o Options) (Query, error) {
	q, err := Parse(dataset, o)
	if err == nil && q.Having != nil {
		err = refuse("filter", o.Filter,
			"tests %s, which chooses rows of an answer; explain takes conditions on keys: name the row by its keys",
			strings.Join(FilterKeys(q.Having), ", "))
	}
	return q, err
}

// spot explains spot savings: of everything, or of one value of a group key as in /instance_type=g5.12xlarge. A window
// and a filter may follow a question mark.
func (s *Subject) spot(rest string) error {
	of, query, _ := strings.Cut(rest, "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		return refuse("subject", s.Text, "is not a valid query string")
	}
	var o Options
	for name, list := range values {
		to := map[string]*string{"from": &o.From, "to": &o.To, "tz": &o.TZ, "filter": &o.Filter}[name]
		if to == nil || len(list) != 1 {
			return refuse(name, strings.Join(list, ", "),
				"is not from, to, tz or filter, or given twice: spot is explained over a window")
		}
		*to = list[0]
	}
	figures, postings := o, o
	if of == "" {
		figures.GroupBy = "currency"
	} else {
		key, value, ok := strings.Cut(strings.TrimPrefix(of, "/"), "=")
		if !ok || !slices.Contains(spotGroups, key) {
			return refuse("subject", s.Text, "a group of spot is written as spot/KEY=VALUE, the keys are %s",
				strings.Join(spotGroups, ", "))
		}
		value = "'" + strings.ReplaceAll(value, "'", "''") + "'"
		figures.Filter = both(o.Filter, "group_key = "+key+" and group_value = "+value)
		if key == "hour" {
			key = "hour_of_day"
		}
		postings.Filter = both(o.Filter, key+" = "+value)
	}
	s.Kind, s.Given = "spot", o
	if s.Beside, err = parseExplained("spot", figures); err != nil {
		return err
	}
	s.Query, err = parseExplained("spot_postings", postings)
	return err
}

// both joins two filters; the first may be empty.
func both(a, b string) string {
	if a == "" {
		return b
	}
	return "(" + a + ") and " + b
}

// owner is a report of costs for "team=research" and the like; more options may follow a question mark.
func (s *Subject) owner(rest string) error {
	who, query, _ := strings.Cut(rest, "?")
	var tests []string
	for test := range strings.SplitSeq(who, ",") {
		key, value, ok := strings.Cut(test, "=")
		if !ok || !slices.Contains(OwnerKeys, key) {
			return refuse("subject", s.Text, "an owner is written as dimension=value, the dimensions are %s",
				strings.Join(OwnerKeys, ", "))
		}
		tests = append(tests, key+" = '"+strings.ReplaceAll(value, "'", "''")+"'")
	}
	filter := "filter=" + url.QueryEscape(strings.Join(tests, " and "))
	if query != "" {
		filter += "&" + query
	}
	return s.report("costs", filter)
}
