package metrics

import (
	"context"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// subjectsOfKeys are subjects that the cell of a column names.
var subjectsOfKeys = map[string]string{
	"run_id": "run/", "run": "run/", "charge_id": "charge/", "posting_id": "posting/", "usage_id": "usage/",
}

// costKeys are columns that name a key of costs, in the order in which a row is looked up by them.
var costKeys = [][2]string{
	{"run_id", "run"}, {"run", "run"}, {"cluster", "cluster"}, {"namespace", "namespace"}, {"workload", "workload"},
	{"pod", "pod"}, {"node", "node"}, {"device", "device"}, {"device_uuid", "device"}, {"service", "service"}, {"model", "model"},
	{"instance_type", "instance_type"}, {"commitment", "commitment"}, {"experiment", "experiment"}, {"group_id", "group"},
	{"provider", "provider"}, {"billing_account", "billing_account"}, {"account", "account"}, {"team", "team"},
}

// costsKnow are the keys of a dataset that mean the same in costs, where others of the same name do not: inference
// names the served model.
var costsKnow = map[string][]string{"inference": {"service"}}

// leads are the next steps from a row towards bill lines: what its cells name, and the costs of its keys and hours.
func (o *origins) leads(ctx context.Context, row []Value, out *Origin) ([]Lead, error) {
	list := []Lead{}
	for _, c := range o.answer.Columns {
		if kind := subjectsOfKeys[c.Name]; kind != "" {
			if id := o.text(row, c.Name); id != "" {
				list = append(list, Lead{Label(strings.TrimSuffix(kind, "/")) + " " + id, kind + id})
			}
		}
	}
	switch named := o.text(row, "result_run"); {
	case o.q.Dataset == &spot:
		return append(list, o.spotLead(row)), nil
	case named != "":
		lead, err := o.runLead(ctx, named)
		if err != nil {
			return nil, err
		}
		list = append(list, lead...)
	}
	opt, ok := o.costsOf(row)
	if !ok {
		return list, nil
	}
	lead, err := o.costLead(ctx, opt, out)
	if err != nil || lead == nil {
		return list, err
	}
	return append(list, *lead), nil
}

// runLead leads to the run that a result names, by its id or name, if the ledger has it. Without the experiment's name,
// its cost has other keys than the experiment.
func (o *origins) runLead(ctx context.Context, named string) ([]Lead, error) {
	is := Value{Valid: true, Text: named}
	opt := Options{Filter: IsValue("run_id", is, ID) + " or " + IsValue("name", is, Text)}
	q, err := Parse(runs.Name, opt)
	if err != nil {
		return nil, err
	}
	q.Only, q.Limit = []string{"run_id"}, 1
	a, err := ReadAnswer(ctx, o.from, q)
	if err != nil || len(a.Rows) == 0 {
		return nil, err
	}
	return []Lead{{"Run " + named, FigureSubject(runs.Name, string(ledger.EffectiveCost), opt)}}, nil
}

// spotLead is the explanation of savings posting by posting.
func (o *origins) spotLead(row []Value) Lead {
	of, filter := "spot", o.given.Filter
	if key := o.text(row, "group_key"); key != "" {
		if value := o.text(row, "group_value"); value != "" {
			of, filter = "spot/"+key+"="+value, ""
		}
	}
	return Lead{"Spot machines, posting by posting", subjectOf(of, Options{
		From: o.given.From, To: o.given.To, TZ: o.given.TZ, Filter: filter,
	})}
}

// costsOf are the options of the costs of a row's keys and hours; false if costs have none of its keys.
func (o *origins) costsOf(row []Value) (Options, bool) {
	n := o.narrowed(row)
	opt := Options{From: n.From, To: n.To, TZ: n.TZ, BillingPeriod: n.BillingPeriod, Sharing: n.Sharing,
		Filter: o.baseFilter(row)}
	if o.q.Dataset == &ownerCoverage {
		opt.Filter = Both(opt.Filter, o.coverageTerm(row))
		return opt, true
	}
	if o.q.Dataset.Grouped || o.q.Regrouped() || o.q.Dataset.Stepped {
		return opt, o.q.Dataset.Grouped || opt.Filter != ""
	}
	var terms []string
	for _, key := range costKeys {
		if v := o.text(row, key[0]); v != "" && !slices.ContainsFunc(terms, func(t string) bool {
			return strings.HasPrefix(t, key[1]+" ")
		}) {
			terms = append(terms, IsValue(key[1], Value{Valid: true, Text: v}, Text))
		}
		if key[1] == "run" && len(terms) > 0 { // a run has one owner
			break
		}
	}
	for _, bounds := range [][2]string{{"from", "to"}, {"window_start", "window_end"}, {"valid_from", "valid_to"}} {
		if from, to := o.text(row, bounds[0]), o.text(row, bounds[1]); from != "" && to != "" {
			opt.From, opt.To, opt.TZ = wholeHours(from, to, opt.From, opt.To)
			break
		}
	}
	if month := o.text(row, "billing_period"); opt.BillingPeriod == "" {
		opt.BillingPeriod = month
	}
	opt.Filter = Both(terms...)
	_, err := Parse(costs.Name, opt)
	return opt, err == nil && len(terms) > 0
}

// coverageTerm selects the costs of a column of owner_coverage in a row, which is about an owner key.
func (o *origins) coverageTerm(row []Value) string {
	nobody := ""
	if o.text(row, "key") == "team" {
		nobody = unowned
	}
	switch quality, ok := strings.CutSuffix(o.column.Name, "_cost"); {
	case o.column.Name == "owned_cost":
		return o.text(row, "key") + " != '" + nobody + "'"
	case o.column.Name == "unowned_cost":
		return o.text(row, "key") + " = '" + nobody + "'"
	case ok && quality != "effective":
		return "quality = " + quality
	}
	return ""
}

// baseFilter is the condition on base rows that a row of the answer adds up, as far as costs know its keys.
func (o *origins) baseFilter(row []Value) string {
	all := o.selects(row)
	if o.q.Filter != nil {
		all = append(all, FilterText(o.q.Filter))
	}
	return costFilter(o.q.Dataset.Name, all...)
}

// costFilter keeps the conditions of a dataset on keys of costs. Conditions on the currency are left out: an explanation
// of costs shows all currencies.
func costFilter(dataset string, filters ...string) string {
	var kept []string
	for _, filter := range filters {
		e, err := ParseFilter(filter)
		if err != nil {
			continue
		}
		for _, term := range Terms(e) {
			if !slices.ContainsFunc(FilterKeys(term), func(key string) bool {
				_, ok := costs.FilterKind(key)
				return !ok || costsKnow[dataset] != nil && !slices.Contains(costsKnow[dataset], key)
			}) {
				kept = append(kept, FilterText(term))
			}
		}
	}
	return Both(kept...)
}

// wholeHours are the service hours of an interval.
func wholeHours(from, to, givenFrom, givenTo string) (string, string, string) {
	start, err := ParseTime("from", from, "UTC")
	if err != nil {
		return givenFrom, givenTo, ""
	}
	end, err := ParseTime("to", to, "UTC")
	if err != nil {
		return givenFrom, givenTo, ""
	}
	return start.Floor(period.Hour).String(), (end + period.Hour - 1).Floor(period.Hour).String(), ""
}

// costLead leads to the costs of the same keys and hours. Of a figure of money it says whether they are the figure.
func (o *origins) costLead(ctx context.Context, opt Options, out *Origin) (*Lead, error) {
	lead := &Lead{"All costs of the same keys and hours, down to bill lines", subjectOf(costs.Name, opt)}
	if o.column.Kind != Money {
		return lead, nil
	}
	cost, err := o.costIn(ctx, opt, out.Unit)
	if err != nil || cost == nil {
		return nil, err
	}
	if out.Value != nil && *cost == *out.Value {
		lead.Text = "The same cost, down to bill lines"
	}
	return lead, nil
}

// costIn is the effective cost of options in a currency; nil if there is none.
func (o *origins) costIn(ctx context.Context, opt Options, currency string) (*string, error) {
	q, err := Parse(costs.Name, opt)
	if err != nil {
		return nil, err
	}
	q.Only = []string{string(ledger.EffectiveCost), "currency"}
	a, err := ReadAnswer(ctx, o.from, q)
	if err != nil {
		return nil, err
	}
	for _, row := range a.Rows {
		if c := textOf(a, row, "currency"); c != nil && *c == currency {
			return textOf(a, row, string(ledger.EffectiveCost)), nil
		}
	}
	return nil, nil
}
