package review

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/nearest"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/metrics/ask"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/dashboard/panel"
)

const (
	mostKeys   = 3     // that the explorer groups by at once
	mostGroups = 40    // that it draws
	mostMarks  = 6_000 // in a chart over time
	mostHours  = 9_000 // that are added up to the hours of a week
)

// question is what the address of the explorer asks.
type question struct {
	dataset *metrics.Dataset
	figures []metrics.Column // that can be drawn
	measure metrics.Column
	by      []string
	chart   panel.Chart
	step    string // granularity as chosen; empty: that of the chart
	groups  int    // drawn alone; 0: as many as the chart has room for
	change  bool   // what changed most comes first
	pins    metrics.Expr
	pair    *pair
}

// offered are the datasets that can be drawn: their rows add up to groups. Rows of one key each overlap with those of
// other keys.
func offered() (list []*metrics.Dataset) {
	for _, d := range metrics.Datasets {
		if d.Regroups() && len(d.GroupKeys()) > 0 && (len(d.RowKey) == 0 || d.RowKey[0] != "key") {
			list = append(list, d)
		}
	}
	return list
}

func refuse(option, value, format string, args ...any) error {
	return &metrics.OptionError{Option: option, Value: value, Reason: fmt.Sprintf(format, args...)}
}

// readDataset finds the dataset of an address.
func readDataset(name string) (*metrics.Dataset, error) {
	d, err := metrics.LookupDataset(cmp.Or(name, "costs"))
	if err != nil {
		return nil, refuse("dataset", "", "%s", err)
	}
	if !slices.Contains(offered(), d) {
		return nil, refuse("dataset", name, "has rows that cannot be added up, so there is no chart of it; "+
			"its rows are at /api/v1/%s", d.Name)
	}
	return d, nil
}

// readQuestion reads the explorer's parameters. What it cannot draw is an *metrics.OptionError.
func readQuestion(s page.Scope) (question, error) {
	q := question{chart: panel.Chart(cmp.Or(s.Pick.Chart, string(panel.Bars))), step: s.Pick.Granularity}
	var err error
	if q.dataset, err = readDataset(s.Pick.Dataset); err != nil {
		return q, err
	}
	for _, read := range []func(page.Scope) error{q.readKeys, q.readMeasure, q.readLooks, q.readGroups, q.readPair} {
		if err := read(s); err != nil {
			return q, err
		}
	}
	return q, nil
}

// readKeys reads the keys. An address without any choice shows teams, and datasets of which only groups add up have
// at least one key.
func (q *question) readKeys(s page.Scope) error {
	for name := range strings.SplitSeq(s.By, ",") {
		if name = strings.TrimSpace(name); name != "" {
			q.by = append(q.by, name)
		}
	}
	bare := s.Pick.Dataset+s.Pick.Measure+s.Pick.Chart == ""
	if len(q.by) == 0 && (bare || !q.dataset.Grouped) {
		q.by = []string{firstKey(q.dataset)}
	}
	if len(q.by) > mostKeys {
		return refuse("by", s.By, "names more than three keys")
	}
	parsed, err := metrics.Parse(q.dataset.Name, metrics.Options{GroupBy: strings.Join(q.by, ",")})
	if option, ok := err.(*metrics.OptionError); ok {
		option.Option = "by"
	}
	if err != nil {
		return err
	}
	if len(q.by) == 0 {
		for _, k := range parsed.GroupBy { // the dataset's own
			q.by = append(q.by, k.Name)
		}
	}
	q.figures = panel.Measures(parsed)
	return nil
}

// usual are the keys that are offered first, here and for a difference.
var usual = []string{
	"team", "project", "run", "model", "service", "kind", "cause", "cluster", "gpu_model", "pricing", "provider",
	"account", "environment",
}

func firstKey(d *metrics.Dataset) string {
	keys := d.GroupKeys()
	for _, name := range usual {
		if slices.Contains(keys, name) {
			return name
		}
	}
	return keys[0]
}

// readMeasure finds the measure; without one it is the cost of the page's basis, else the first figure.
func (q *question) readMeasure(s page.Scope) error {
	names := make([]string, len(q.figures))
	for i, c := range q.figures {
		names[i] = c.Name
	}
	i := slices.Index(names, cmp.Or(s.Pick.Measure, s.Basis+"_cost"))
	switch {
	case len(names) == 0:
		return refuse("by", s.By, "leaves no figure of %s that can be added up", q.dataset.Name)
	case i < 0 && s.Pick.Measure != "":
		return refuse("measure", s.Pick.Measure, "is not a figure of %s (did you mean %s?); figures are %s", q.dataset.Name,
			nearest.Names(s.Pick.Measure, names)[0], strings.Join(names, ", "))
	}
	if i < 0 {
		i = max(slices.Index(names, "difference"), 0) // of variance; of others the first
	}
	q.measure = q.figures[i]
	return nil
}

// steps are the choices of granularity, named as in REST.
var steps = []string{"hour", "day", "week", "month", "total"}

// readLooks reads chart, granularity and order.
func (q *question) readLooks(s page.Scope) error {
	if !slices.Contains(panel.Charts, q.chart) {
		return refuse("chart", s.Pick.Chart, "is not a chart; there are %s", chartList())
	}
	if q.step == "auto" {
		q.step = ""
	}
	if q.step != "" && !slices.Contains(steps, q.step) {
		return refuse("granularity", q.step, "must be auto, %s", strings.Join(steps, ", "))
	}
	if q.step != "" && q.step != "total" && !q.dataset.SplitsByTime() {
		return refuse("granularity", q.step, "rows of %s are not split by time; leave it out", q.dataset.Name)
	}
	if !slices.Contains([]string{"", "size", "change"}, s.Order) {
		return refuse("order", s.Order, "must be size or change")
	}
	q.change = s.Order == "change"
	return nil
}

// chartList names the kinds of chart.
func chartList() string {
	names := make([]string, len(panel.Charts))
	for i, c := range panel.Charts {
		names[i] = string(c)
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// readGroups reads how many groups are drawn, and which in any case.
func (q *question) readGroups(s page.Scope) (err error) {
	if text := s.Pick.Groups; text != "" {
		if q.groups, err = strconv.Atoi(text); err != nil || q.groups < 1 || q.groups > mostGroups {
			return refuse("groups", text, "must be a whole number from 1 to %d", mostGroups)
		}
	}
	for name, text := range map[string]string{"pin": s.Pick.Pin, "change": s.Pick.Change} {
		if text == "" {
			continue
		}
		if _, err := metrics.Parse(q.dataset.Name, metrics.Options{Filter: text}); err != nil {
			if option, ok := err.(*metrics.OptionError); ok {
				option.Option = name
			}
			return err
		}
	}
	if s.Pick.Pin != "" {
		q.pins, err = metrics.ParseFilter(s.Pick.Pin)
	}
	return err
}

// granularity is the step that a period is drawn in.
func (q *question) granularity(span period.Interval) (metrics.Granularity, error) {
	week := q.chart == panel.Heatmap && len(q.by) == 0
	by := metrics.Granularity(q.step)
	switch {
	case !q.dataset.SplitsByTime():
		return "", nil
	case by == "" && week:
		by = metrics.Hour
	case by == "" && (q.chart == panel.Bars || q.chart == panel.Lines || q.chart == panel.Multiples ||
		q.chart == panel.Heatmap && len(q.by) == 1):
		by = page.StepOf(span)
	}
	most := panel.MostSteps
	if week {
		most = mostHours
	}
	if n := stepsOf(span, by); n > most {
		return "", refuse("granularity", string(by), "has %d steps in this period, more than the %d that are drawn; "+
			"choose a longer step or a shorter period", n, most)
	}
	return by, nil
}

// stepsOf is about how many steps a period has.
func stepsOf(span period.Interval, by metrics.Granularity) int {
	length := map[metrics.Granularity]int64{
		metrics.Hour: period.Hour, metrics.Day: period.Day, metrics.Week: 7 * period.Day, metrics.Month: 28 * period.Day,
	}[by]
	if length == 0 {
		return 1
	}
	return int(int64(span.To-span.From)/length) + 1
}

// pair are two groups of a key that are compared.
type pair struct {
	key    string
	values []string // the first one or both
}

// readPair reads vs: "team in (a, b)", or "team = a" while the second is not chosen.
func (q *question) readPair(s page.Scope) error {
	text := s.Pick.VS
	if text == "" {
		return nil
	}
	e, err := metrics.ParseFilter(text)
	if err != nil {
		return refuse("vs", text, "%s", err)
	}
	c, ok := e.(metrics.Compare)
	if !ok || c.Op != metrics.Equal && (c.Op != metrics.In || len(c.Values) != 2) {
		return refuse("vs", text, "must name two groups, such as team in (speech, vision)")
	}
	if !slices.Contains(q.dataset.GroupKeys(), c.Key) {
		return refuse("vs", text, "%s is not a key of %s (did you mean %s?)", c.Key, q.dataset.Name,
			nearest.Names(c.Key, q.dataset.GroupKeys())[0])
	}
	q.pair = &pair{c.Key, c.Values}
	return nil
}

// both reports whether both groups are chosen.
func (p *pair) both() bool { return p != nil && len(p.values) == 2 }

// ask is a question about the panel's figures in a scope.
func (q *question) ask(s page.Scope, step metrics.Granularity, filter string) ask.Question {
	keys := q.by
	if q.chart == panel.Heatmap && len(keys) > 2 {
		keys = keys[:2]
	}
	o := metrics.Options{
		GroupBy: strings.Join(keys, ","), Filter: page.Both(s.Figures(), filter), Granularity: string(step),
	}
	if q.dataset.Shared {
		o.Sharing = s.Sharing
	}
	return ask.Question{Dataset: q.dataset.Name, Options: s.For(q.dataset.Name, o)}
}
