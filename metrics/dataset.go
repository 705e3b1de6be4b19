package metrics

import (
	"slices"
	"strings"

	"gpuledger/metrics/focus"
)

// Dataset is one name and one set of columns, the same for report, API and
// SQL view.
type Dataset struct {
	Name    string
	Doc     string // what a row is, in one sentence
	Columns []Column
	// Lead names the columns that a narrow table shows first, the most telling first; Basis is the cost that the query
	// chose as its basis. Columns that the answer lacks are passed over.
	Lead []string
	// Grouped datasets take group-by and granularity; their key columns come
	// before Columns.
	Grouped bool
	// GroupBy are the group keys of a query that names none.
	GroupBy []string
	// Offers are group keys that rows have beyond their columns. In datasets with separate rows, group-by and filters may
	// name them.
	Offers []string
	// Labelled datasets also take label:KEY: their rows belong to workloads with labels.
	Labelled bool
	// Shared datasets can be queried after sharing; with Pairs they always contain the pairs of sharing.
	Shared, Pairs bool
	// RowKey are the columns that identify a row; they complete every order.
	RowKey []string
	// Order is the default order; "$basis" is the basis cost.
	Order []Order
	// Windowed datasets are selected by from and to.
	Windowed bool
	// Stepped datasets have rows per hour, or per day, week or month by granularity. Those with Totals have one period by
	// default.
	Stepped, Totals bool
	// InPart datasets have rows that belong to one owner or to no owner each, or sums of such rows, so that scoped users
	// can query their part. Other datasets need full access.
	InPart bool
	// ScopeNote says to scoped users what their part of an InPart dataset is not, if its rows look complete.
	ScopeNote string
	// Logged datasets change with each entry of the log, even if the ledger does not; rows of Expiring ones also change as
	// time passes.
	Logged, Expiring bool
	// Compared datasets compare the window with another (against).
	Compared bool
	// Focus is the dataset of the FOCUS specification whose columns these are, those of all versions; nil: none.
	Focus *focus.Dataset
	// ByMonth datasets can be chosen by billing period without having it as a column of that name.
	ByMonth bool
	// Derived computes the rows from answers of other datasets; nil: a statement reads them.
	Derived Derived
	// Aliases are further names of columns in filters and orders.
	Aliases map[string]string
}

// Datasets lists all datasets, in the order of the contract.
var Datasets = []*Dataset{
	&costs,
	&chargeback,
	&charges,
	&postings,
	&usage,
	&runs,
	&attempts,
	&groups,
	&inference,
	&reconciliation,
	&restatements,
	&deliveries,
	&imports,
	&importCounts,
	&rejections,
	&workloads,
	&events,
	&checkpoints,
	&llmUsage,
	&conflicts,
	&samples,
	&policies,
	&mappings,
	&coverage,
	&periods,
	&statements,
	&statementLines,
	&statementDiff,
	&journal,
	&audit,
	&changes,
	&exportSchedules,
	&exportRuns,
	&spot,
	&spotPostings,
	&interruptions,
	&devices,
	&cardSlices,
	&cardLayouts,
	&packing,
	&betterLayouts,
	&queue,
	&fairShare,
	&waste,
	&idleHours,
	&busyHours,
	&recommendations,
	&commitments,
	&commitmentDemand,
	&targets,
	&experiments,
	&models,
	&scaling,
	&varianceOf,
	&budgets,
	&budgetDays,
	&budgetVersions,
	&limitLabels,
	&annotations,
	&storedAnnotations,
	&ownerCoverage,
	&freshness,
	&rates,
	&provisionalPrices,
	&provisionalAccuracy,
	&servedNames,
	&providerSplits,
	&requests,
	&focusCostAndUsage,
	&focusContractCommitment,
	&focusBillingPeriod,
	&focusInvoiceDetail,
}

// DatasetNames lists the names of Datasets.
func DatasetNames() []string {
	names := make([]string, len(Datasets))
	for i, d := range Datasets {
		names[i] = d.Name
	}
	return names
}

// LookupDataset finds a dataset or returns an *UnknownDatasetError.
func LookupDataset(name string) (*Dataset, error) {
	for _, d := range Datasets {
		if d.Name == name {
			return d, nil
		}
	}
	return nil, &UnknownDatasetError{name}
}

// Keys are the group keys of a report that names none.
func (d *Dataset) Keys() []Key {
	var keys []Key
	for _, name := range d.GroupBy {
		if k, ok := LookupKey(name); ok {
			keys = append(keys, k)
		}
	}
	return keys
}

// Column finds a column by its name or alias.
func (d *Dataset) Column(name string) (Column, bool) {
	if real, ok := d.Aliases[name]; ok {
		name = real
	}
	i := slices.IndexFunc(d.Columns, func(c Column) bool { return c.Name == name })
	if i < 0 {
		return Column{}, false
	}
	return d.Columns[i], true
}

// Aggregates reports whether rows are groups of ledger rows.
func (d *Dataset) Aggregates() bool {
	return slices.ContainsFunc(d.Columns, func(c Column) bool { return c.Formula.Aggregates() })
}

// Regroups reports whether group-by can make rows of other keys.
func (d *Dataset) Regroups() bool {
	return d.Grouped || slices.ContainsFunc(d.Columns, func(c Column) bool { return c.inGroups().whole() })
}

// steppedNames lists the datasets that granularity can split by time.
func steppedNames() string {
	var names []string
	for _, d := range Datasets {
		if d.SplitsByTime() {
			names = append(names, d.Name)
		}
	}
	return strings.Join(names, ", ")
}

// SplitsByTime reports whether granularity can split the dataset by time.
func (d *Dataset) SplitsByTime() bool { return (d.Grouped || d.Stepped) && !d.Compared }

// filterNames lists the names that a filter of the dataset may use, without measures.
func (d *Dataset) filterNames() string { return strings.Join(d.filterKeys(), ", ") }

func (d *Dataset) filterKeys() []string {
	var all []string
	if d.Grouped {
		return append(names(Keys, func(k Key) string { return k.Name }), "tag:KEY", "label:KEY")
	}
	for _, c := range d.Columns {
		if c.Filter {
			all = append(all, c.Name)
		}
	}
	return append(all, d.offered()...)
}

// offered lists the keys that rows have beyond their columns, for messages.
func (d *Dataset) offered() []string {
	if d.Labelled {
		return append(slices.Clone(d.Offers), "label:KEY")
	}
	return d.Offers
}

// offers finds a key that rows have beyond their columns.
func (d *Dataset) offers(name string) (Key, bool) {
	k, ok := LookupKey(name)
	return k, ok && (slices.Contains(d.Offers, name) || d.Labelled && k.On == OnLabel)
}

// groupKey finds a name for group-by: a standard key of a grouped dataset; in other datasets an attribute, an alias of
// one, or an offered key.
func (d *Dataset) groupKey(name string) (Key, bool) {
	if d.Grouped {
		return LookupKey(name)
	}
	if real, ok := d.Aliases[name]; ok {
		name = real
	}
	if k, ok := d.offers(name); ok {
		return k, true
	}
	c, ok := d.Column(name)
	return Key{Name: c.Name, Doc: c.Doc}, ok && c.Filter && c.Kind != Time && c.Formula.Op == OpField && !c.OnlyGroups
}

// GroupKeys lists the names that group-by may use, without tags and labels.
func (d *Dataset) GroupKeys() []string {
	return slices.DeleteFunc(slices.Clone(d.groupKeyList()), func(name string) bool { return strings.Contains(name, ":") })
}

// groupKeyNames lists the names that group-by may use.
func (d *Dataset) groupKeyNames() string { return strings.Join(d.groupKeyList(), ", ") }

func (d *Dataset) groupKeyList() []string {
	if d.Grouped {
		return d.filterKeys()
	}
	var all []string
	for _, c := range d.Columns {
		if _, ok := d.groupKey(c.Name); ok {
			all = append(all, c.Name)
		}
	}
	return append(all, d.offered()...)
}

// Billed reports whether rows can be chosen by their billing period.
func (d *Dataset) Billed() bool {
	_, has := d.Column("billing_period")
	return has || d.ByMonth || d.Grouped && !d.Compared // the invoices of one month have no cost in the month before
}

// HasMoney reports whether rows have a cost, and so a basis.
func (d *Dataset) HasMoney() bool {
	_, ok := d.Column("effective_cost")
	return ok
}

// attr is an attribute; all kinds except measures are filter keys.
func attr(name string, kind Kind, doc string) Column {
	return Column{Name: name, Kind: kind, Doc: doc, Formula: Field(name),
		Filter: kind == Text || kind == ID || kind == Count || kind == Bool || kind == Time}
}

func (c Column) unit(u string) Column { c.Unit = u; return c }

func (c Column) values(v ...string) Column { c.Values = v; return c }

func (c Column) caveat(text ...string) Column { c.Caveats = append(c.Caveats, text...); return c }

func (c Column) by(f Formula) Column { c.Formula, c.Filter = f, false; return c }

func moneyColumn(name, doc string, f Formula) Column {
	return Column{Name: name, Kind: Money, Unit: "currency", Doc: doc, Formula: f}
}

func gpuHours(name, doc string, f Formula) Column {
	return Column{Name: name, Kind: Quantity, Unit: "GPU-hours", Doc: doc, Formula: f}
}

// sourced sets the source of all columns that have none.
func sourced(source string, columns ...Column) []Column {
	for i := range columns {
		if columns[i].Source == "" {
			columns[i].Source = source
		}
	}
	return columns
}
