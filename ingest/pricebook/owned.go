package pricebook

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"gpuledger/internal/catalog"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Owned is hardware of one kind that was bought together.
type Owned struct {
	Name         string
	Cluster      string
	Account      string
	Region, Zone string
	InstanceType string
	GPUModel     string
	GPUs         int64 // per machine
	Currency     string
	Machines     []Machine
	Tags         map[string]string

	// InService is the start of its life; Service is the period with lines: [InService, the
	// earlier of retired and through).
	InService period.Second
	Service   period.Interval

	// Per machine.
	Purchase, Residual money.Amount
	Method             Method
	Declining          *big.Rat // yearly, of the book value
	LifeMonths         int64
	LifeHours          int64
	Opportunity        *big.Rat // yearly, of the book value; nil if not used
	Colocation         *Cost    // per calendar month
	Support            *Cost    // per calendar year
	Staff              *Cost    // per calendar month
	Power              *Power

	life []lifeMonth
	line int
	raw  map[string]string // the texts of all figures, for the control totals
}

// Machine is one node.
type Machine struct {
	Name       string
	InstanceID string // instance key (rule 2.1)
}

// Method is how the purchase price is spread over a machine's life.
type Method string

// Depreciation methods.
const (
	NoDepreciation   Method = ""
	StraightLine     Method = "straight_line"
	DecliningBalance Method = "declining_balance"
	SumOfYears       Method = "sum_of_years"
	Units            Method = "units"
)

// Cost is a recurring cost.
type Cost struct {
	Amount money.Amount
	Total  bool     // of all machines of the entry together, else of each
	Share  *big.Rat // of the amount; nil = all of it

	each []money.Amount // of every machine, or one for all
}

const (
	maxEntries  = 10_000
	maxMachines = 100_000 // of a book
	maxMonths   = 12 * period.LongestYears
	maxHours    = 366 * 24 * period.LongestYears
)

var ownedKeys = []string{
	"name", "cluster", "nodes", "count", "account", "region", "zone", "instance_type", "gpu_model", "gpus", "tags",
	"in_service", "retired", "through", "currency", "purchase_price", "residual_value",
	"depreciation", "declining_rate", "life_months", "life_hours", "opportunity_rate",
	"colocation_monthly", "support_annual", "staff_monthly", "power",
}

// ownedDefaults are the book's values for all its entries.
type ownedDefaults struct {
	book     string
	currency string
	through  *yaml.Node
}

// owned reads one entry of owned:, nil after a rejection.
func (p *parser) owned(n *yaml.Node, d ownedDefaults) *Owned {
	m := p.mapping(n, "", ownedKeys)
	if m.bad() {
		return nil
	}
	if m.nodes["currency"] == nil && d.currency != "" {
		m.nodes["currency"] = &yaml.Node{Kind: yaml.ScalarNode, Value: d.currency, Line: n.Line}
	}
	if m.nodes["through"] == nil && d.through != nil {
		m.nodes["through"] = d.through
	}
	e := &Owned{
		Name: m.need("name"), Cluster: cmp.Or(m.text("cluster"), defaultCluster),
		Region: m.text("region"), Zone: m.text("zone"),
		InstanceType: m.text("instance_type"), GPUModel: m.text("gpu_model"), Currency: m.currency("currency"),
		Tags: m.tags("tags"), line: n.Line, raw: map[string]string{},
	}
	e.Account = cmp.Or(m.text("account"), m.text("cluster"), d.book)
	e.hardware(m)
	e.times(m)
	e.value(m)
	e.Colocation, e.Support, e.Staff = e.cost(m, "colocation_monthly"), e.cost(m, "support_annual"),
		e.cost(m, "staff_monthly")
	if node := m.nodes["power"]; node != nil {
		e.Power = e.power(p.mapping(node, "power.", powerKeys))
	}
	if m.bad() {
		return nil
	}
	e.Machines = p.machines(m, e)
	if m.bad() {
		return nil
	}
	e.life = e.lifeMonths()
	for _, c := range []*Cost{e.Colocation, e.Support, e.Staff} {
		c.divide(len(e.Machines))
	}
	if e.Power != nil && len(e.Power.Tariff) > 0 && e.Power.Tariff[0].From > e.InService {
		m.reject("power", "missing value",
			fmt.Sprintf("the first tariff begins at %s, after the machine went into service", e.Power.Tariff[0].From))
		return nil
	}
	return e
}

// defaultCluster is the cluster of telemetry without one.
const defaultCluster = "default"

// hardware reads the machine's properties. The number of GPUs must be known.
func (e *Owned) hardware(m *mapping) {
	it, known := catalog.Lookup(e.InstanceType)
	e.GPUs = m.whole("gpus", 0, 1024)
	switch {
	case m.text("gpus") != "":
	case known && it.Slots() > 0:
		e.GPUs = int64(it.Slots())
	default:
		m.reject("gpus", "missing value",
			"the catalogue does not know instance_type "+fmt.Sprintf("%q", e.InstanceType)+"; give the number of GPUs per node")
	}
	if e.GPUModel == "" && known {
		e.GPUModel = it.GPUModel
	}
}

// times reads in_service, retired and through.
func (e *Owned) times(m *mapping) {
	m.need("in_service")
	through := m.need("through")
	e.InService = m.at("in_service")
	retired, end := m.at("retired"), m.through(through)
	if m.bad() {
		return
	}
	if why := period.Impossible(e.InService); why != "" {
		m.reject("in_service", "out of range", why)
		return
	}
	if retired != 0 && retired <= e.InService {
		m.reject("retired", "end before start", fmt.Sprintf("in service from %s, retired at %s", e.InService, retired))
		return
	}
	if retired != 0 {
		end = min(end, retired)
	}
	if period.FarAfter(e.InService, end) {
		m.reject("through", "too long",
			fmt.Sprintf("%s to %s is more than %d years of service; end the entry with retired, and enter the years "+
				"after that as another entry, with the remaining value as the purchase price",
				e.InService, end, period.LongestYears))
		return
	}
	e.Service = period.Interval{From: e.InService, To: max(end, e.InService)}
}

// through is the end of the last day, month or hour that lines are written for.
func (m *mapping) through(text string) period.Second {
	if text == "" {
		return 0
	}
	if t, err := time.Parse("2006-01", text); err == nil {
		return period.MonthOf(period.FromTime(t)).To
	}
	at, err := instant(text)
	switch {
	case err != nil:
		m.reject("through", "not a date", err.Error())
	case len(text) == len(time.DateOnly):
		at = period.DayOf(at).To
	case at != at.Floor(period.Hour):
		m.reject("through", "not a whole hour", "lines are written by the hour: "+text)
	}
	return at
}

// value reads the machine's purchase and depreciation.
func (e *Owned) value(m *mapping) {
	price := m.need("purchase_price")
	if price == "" {
		return
	}
	e.Purchase = m.amount("purchase_price", price)
	e.raw["purchase_price"], e.raw["residual_value"] = price, m.text("residual_value")
	if a := m.decimal("residual_value"); a != nil {
		e.Residual = *a
	}
	if e.Residual.Cmp(e.Purchase) > 0 {
		m.reject("residual_value", "out of range", "the residual value is above the purchase price")
	}
	e.Method = Method(m.text("depreciation"))
	e.LifeMonths, e.LifeHours = m.whole("life_months", 1, maxMonths), m.whole("life_hours", 1, maxHours)
	e.Declining, e.raw["declining_rate"] = m.fraction("declining_rate"), m.text("declining_rate")
	e.Opportunity, e.raw["opportunity_rate"] = m.fraction("opportunity_rate"), m.text("opportunity_rate")
	needs := map[Method][]string{
		NoDepreciation: nil, StraightLine: {"life_months"}, SumOfYears: {"life_months"},
		DecliningBalance: {"declining_rate", "life_months"}, Units: {"life_hours"},
	}
	need, known := needs[e.Method]
	if !known {
		m.reject("depreciation", "unknown method",
			fmt.Sprintf("%q is not one of straight_line, declining_balance, sum_of_years, units", e.Method))
		return
	}
	for _, key := range []string{"declining_rate", "life_months", "life_hours"} {
		switch has := m.nodes[key] != nil; {
		case !has && slices.Contains(need, key):
			m.reject(key, "missing value", fmt.Sprintf("depreciation %s needs %s", e.Method, key))
		case has && !slices.Contains(need, key):
			m.reject(key, "unused value", fmt.Sprintf("depreciation %q does not use %s", e.Method, key))
		}
	}
	if e.Method == NoDepreciation && e.Purchase.Cmp(e.Residual) != 0 {
		m.reject("depreciation", "missing value", "a purchase price above the residual value needs a method")
	}
}

var costKeys = []string{"amount", "total", "share"}

// cost reads a recurring cost: a decimal per machine, or a mapping with amount
// (per machine) or total (of the entry), and share.
func (e *Owned) cost(m *mapping, key string) *Cost {
	n := m.nodes[key]
	if n == nil {
		return nil
	}
	if n.Kind == yaml.ScalarNode {
		e.raw[key] = n.Value
		return &Cost{Amount: m.amount(key, n.Value)}
	}
	c := m.p.mapping(n, key+".", costKeys)
	amount, total := c.decimal("amount"), c.decimal("total")
	if (amount == nil) == (total == nil) && !c.bad() {
		c.p.reject(c.line, key, "missing value", "either amount (per node) or total (of all nodes of the entry) is expected")
	}
	out := &Cost{Share: c.fraction("share")}
	e.raw[key+".share"] = c.text("share")
	switch {
	case total != nil:
		out.Amount, out.Total, e.raw[key] = *total, true, c.text("total")
	case amount != nil:
		out.Amount, e.raw[key] = *amount, c.text("amount")
	}
	return out
}

// tags reads a mapping of texts.
func (m *mapping) tags(key string) map[string]string {
	n := m.nodes[key]
	if n == nil {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		m.reject(key, "not an entry", "a mapping of keys to texts is expected")
		return nil
	}
	out := map[string]string{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		_, repeated := out[k.Value]
		switch {
		case k.Kind != yaml.ScalarNode || v.Kind != yaml.ScalarNode || strings.TrimSpace(k.Value) == "":
			m.p.reject(k.Line, m.prefix+key, "not a value", "a plain text is expected")
		case repeated:
			m.p.reject(k.Line, m.prefix+key, "repeated key", "each key is expected once")
		default:
			out[k.Value] = v.Value
		}
	}
	return out
}
