package metrics

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/nearest"
	"gpuledger/internal/period"
	"gpuledger/metrics/focus"
)

// Options are the report options as typed, empty if not given. The names of the contract are the field names in lower
// case with dashes.
type Options struct {
	From, To, TZ  string
	Against       string
	BillingPeriod string
	GroupBy       string
	Filter        string
	Granularity   string
	Basis         string
	Sharing       string
	Currency      string
	// CurrencyMissing is the treatment of amounts that no rate converts.
	CurrencyMissing string
	Order           string
	Limit           string
	AsOf            string
	Statement       string
	Org             string
	FocusVersion    string
}

// Option is one report option: its name and where Options keeps it.
type Option struct {
	Name string
	Doc  string
	Get  func(*Options) *string
}

// OptionList lists the report options in the order of the contract. The API
// takes them as query parameters, with dashes or underscores.
var OptionList = []Option{
	{
		"from", "First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339.",
		func(o *Options) *string { return &o.From },
	},
	{"to", "End of the window, exclusive; written like from.", func(o *Options) *string { return &o.To }},
	{
		"against", "What the period is compared with: previous (the same length before; of whole months as many months), " +
			"same_days (one month earlier) or a period such as 2026-10-01/2026-11-01. Only variance.",
		func(o *Options) *string { return &o.Against },
	},
	{
		"tz", "IANA time zone of buckets and of times without an offset; UTC by default.",
		func(o *Options) *string { return &o.TZ },
	},
	{
		"billing-period", "Only costs invoiced in this billing month, such as 2026-11.",
		func(o *Options) *string { return &o.BillingPeriod },
	},
	{
		"group-by", "Group keys, separated by commas. costs and chargeback take all of them, also tag:KEY and label:KEY; " +
			"other datasets group their rows by the keys that they have.",
		func(o *Options) *string { return &o.GroupBy },
	},
	{"filter", "key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not " +
		"and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys " +
		"choose rows before they are added up; conditions on measures choose rows of the answer. An " +
		"empty string means no value.",
		func(o *Options) *string { return &o.Filter }},
	{
		"granularity", "Length of a period: total, hour, day, week (from Monday) or month. Only datasets that are added up " +
			"over time.",
		func(o *Options) *string { return &o.Granularity },
	},
	{
		"basis", "effective, billed, list or contracted: the cost that orders rows and feeds ratios.",
		func(o *Options) *string { return &o.Basis },
	},
	{
		"sharing", "before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only " +
			"costs and postings; chargeback shows both.", func(o *Options) *string { return &o.Sharing },
	},
	{"currency", "Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates " +
		"lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only " +
		"costs and chargeback.",
		func(o *Options) *string { return &o.Currency }},
	{"currency-missing", "refuse: an amount that no rate converts refuses the answer, which lists the pairs and days " +
		"without a rate; keep: the amount stays in separate rows in its own currency.",
		func(o *Options) *string { return &o.CurrencyMissing }},
	{
		"order", "Columns, separated by commas; -column for descending. NULLs come last.",
		func(o *Options) *string { return &o.Order },
	},
	{"limit", "Maximum number of rows.", func(o *Options) *string { return &o.Limit }},
	{
		"as-of", "The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and " +
			"node.", func(o *Options) *string { return &o.AsOf },
	},
	{
		"statement", "A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version " +
			"that counts) or ACCOUNT/2026-10/2. Only costs.", func(o *Options) *string {
			return &o.Statement
		},
	},
	{"org", "as-was: owners as of the service hour.", func(o *Options) *string { return &o.Org }},
	{"focus-version", "Version of the FOCUS specification whose columns the answer has: 1.4, or 1.3. Only datasets whose " +
		"names begin with focus_.", func(o *Options) *string { return &o.FocusVersion }},
}

// Parse checks a report's options against the dataset and returns the Query.
// It returns an *UnknownDatasetError or an *OptionError.
func Parse(dataset string, o Options) (Query, error) {
	d, err := LookupDataset(dataset)
	if err != nil {
		return Query{}, err
	}
	q := Query{Dataset: d}
	for _, step := range []func(*Query, *Options) error{
		parseUnbuilt, parseFocusVersion, parseZone, parseWindow, parseAgainst, parseBillingPeriod, parseGroupBy, parseFilter,
		parseGranularity, parseSharing, parseState, parseCurrency, parseBasis, parseOrder, parseLimit,
	} {
		if err := step(&q, &o); err != nil {
			return Query{}, err
		}
	}
	q.completeOrder()
	return q, nil
}

func parseUnbuilt(_ *Query, o *Options) error {
	switch {
	case o.Org != "" && o.Org != "as-was":
		return refuse("org", o.Org, "unknown: this build knows only as-was, the owner as of the service hour")
	}
	return nil
}

func parseFocusVersion(q *Query, o *Options) error {
	spec := q.Dataset.Focus
	switch {
	case spec == nil && o.FocusVersion != "":
		return refuse("focus-version", o.FocusVersion, "%s is not a dataset of FOCUS; leave it out", q.Dataset.Name)
	case spec == nil:
		return nil
	case o.FocusVersion == "":
		q.FocusVersion = spec.Versions[0]
	case !slices.Contains(focus.Versions, o.FocusVersion):
		return refuse("focus-version", o.FocusVersion, "must be %s", strings.Join(focus.Versions, " or "))
	case !spec.Has(o.FocusVersion):
		return refuse("focus-version", o.FocusVersion, "FOCUS %s has no dataset %s; ask for %s in version %s",
			o.FocusVersion, spec.Name, q.Dataset.Name, strings.Join(spec.Versions, " or "))
	default:
		q.FocusVersion = o.FocusVersion
	}
	return nil
}

func parseZone(q *Query, o *Options) error {
	q.Zone = "UTC"
	if o.TZ == "" {
		return nil
	}
	if o.TZ == "Local" {
		return refuse("tz", o.TZ, "is not an IANA time zone; name one, such as Europe/Berlin")
	}
	if _, err := time.LoadLocation(o.TZ); err != nil {
		return refuse("tz", o.TZ, "is not an IANA time zone such as UTC or Europe/Berlin")
	}
	q.Zone = o.TZ
	return nil
}

// Layouts of from and to without an offset, read in the query's zone.
var localLayouts = []string{
	"2006-01-02", "2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02 15:04:05", "2006-01",
}

// ParseTime reads an instant written like from and to. zone applies to texts without an offset.
func ParseTime(option, text, zone string) (period.Second, error) {
	loc, err := time.LoadLocation(zone)
	if err != nil {
		return 0, refuse("tz", zone, "is not an IANA time zone such as UTC or Europe/Berlin")
	}
	t, err := time.Parse(time.RFC3339, text)
	for _, layout := range localLayouts {
		if err == nil {
			break
		}
		t, err = time.ParseInLocation(layout, text, loc)
	}
	if err != nil {
		return 0, refuse(option, text,
			"is not a date or time; write 2026-11-01, 2026-11-01T05:00 or 2026-11-01T05:00:00+01:00")
	}
	if t.Year() < 1971 || t.Year() > 9999 {
		return 0, refuse(option, text, "must lie between the years 1971 and 9999")
	}
	return period.FromTime(t), nil
}

// ParseWindow reads from and to for every surface. An empty text leaves its side open (0).
func ParseWindow(from, to, zone string) (w period.Interval, err error) {
	if from != "" {
		if w.From, err = ParseTime("from", from, zone); err != nil {
			return period.Interval{}, err
		}
	}
	if to != "" {
		if w.To, err = ParseTime("to", to, zone); err != nil {
			return period.Interval{}, err
		}
	}
	if from != "" && to != "" && w.Empty() {
		return period.Interval{}, refuse("to", to, "must be later than from %s; to is exclusive", w.From)
	}
	return w, nil
}

func parseWindow(q *Query, o *Options) (err error) {
	if q.Window, err = ParseWindow(o.From, o.To, q.Zone); err != nil {
		return err
	}
	if !q.Dataset.Windowed && (o.From != "" || o.To != "") {
		name, text := "from", o.From
		if text == "" {
			name, text = "to", o.To
		}
		return refuse(name, text, "%s is not cut by time; leave it out", q.Dataset.Name)
	}
	return nil
}

func parseBillingPeriod(q *Query, o *Options) error {
	if o.BillingPeriod == "" {
		return nil
	}
	if q.Dataset.Compared {
		return refuse("billing-period", o.BillingPeriod, "%s compares periods of service; take from, to and against",
			q.Dataset.Name)
	}
	if !q.Dataset.Billed() {
		return refuse("billing-period", o.BillingPeriod, "%s has no billing period", q.Dataset.Name)
	}
	q.BillingPeriod = period.Month(o.BillingPeriod)
	if _, err := q.BillingPeriod.Interval(); err != nil {
		return refuse("billing-period", o.BillingPeriod, "is not of the form YYYY-MM")
	}
	return nil
}

// Bounds of the different keys of a query. Each key of a label or tag costs a lookup per row, and a level of an
// explanation filters by all group keys of a figure.
const (
	maxKeys       = 16 // of group-by
	maxFilterKeys = 2 * maxKeys
)

func parseGroupBy(q *Query, o *Options) error {
	if o.GroupBy == "" {
		q.GroupBy = q.Dataset.Keys()
		return nil
	}
	if !q.Dataset.Regroups() {
		return refuse("group-by", o.GroupBy, "rows of %s cannot be added up; leave group-by out", q.Dataset.Name)
	}
	for name := range strings.SplitSeq(o.GroupBy, ",") {
		k, ok := q.Dataset.groupKey(strings.TrimSpace(name))
		if !ok {
			near := nearest.Name(strings.TrimSpace(name), q.Dataset.groupKeyList())
			return refuseName("group-by", o.GroupBy, near, "%q is not a group key of %s%s; known are %s",
				clip(strings.TrimSpace(name)), q.Dataset.Name, nearest.Meant(near), q.Dataset.groupKeyNames())
		}
		if slices.Contains(q.GroupBy, k) {
			return refuse("group-by", o.GroupBy, "names %s twice", k.Name)
		}
		if len(q.GroupBy) == maxKeys {
			return refuse("group-by", o.GroupBy, "names more than %d keys; ask for fewer at once", maxKeys)
		}
		q.GroupBy = append(q.GroupBy, k)
	}
	return nil
}

func parseFilter(q *Query, o *Options) error {
	if o.Filter == "" {
		return nil
	}
	e, err := ParseFilter(o.Filter)
	if err != nil {
		return refuse("filter", o.Filter, "%s", err)
	}
	named := FilterKeys(e)
	slices.Sort(named)
	if len(slices.Compact(named)) > maxFilterKeys {
		return refuse("filter", o.Filter, "names more than %d different keys; ask for fewer at once", maxFilterKeys)
	}
	if err := q.resolve(e); err != nil {
		return refuseFor("filter", o.Filter, err)
	}
	return nil
}

func parseGranularity(q *Query, o *Options) error {
	q.Granularity = q.Dataset.Step()
	if o.Granularity == "" {
		return nil
	}
	q.Granularity = Granularity(o.Granularity)
	if !slices.Contains(granularities, q.Granularity) {
		return refuseWord("granularity", o.Granularity, "total, hour, day, week or month", granularityNames...)
	}
	switch {
	case q.Dataset.Stepped && !q.Dataset.Totals && q.Granularity == Total:
		return refuse("granularity", o.Granularity, "%s has rows per hour, day, week or month", q.Dataset.Name)
	case !q.Dataset.SplitsByTime() && q.Granularity != Total:
		return refuse("granularity", o.Granularity, "rows of %s are not split by time; granularity works with %s",
			q.Dataset.Name, steppedNames())
	}
	return nil
}

func parseSharing(q *Query, o *Options) error {
	switch {
	case o.Sharing == "" || o.Sharing == "before":
	case o.Sharing != string(AfterSharing):
		return refuseWord("sharing", o.Sharing, "before or after", "before", string(AfterSharing))
	case !q.Dataset.Shared:
		return refuse("sharing", o.Sharing, "%s is always before sharing; after is for costs and postings", q.Dataset.Name)
	default:
		q.Sharing = AfterSharing
	}
	if q.Dataset.Pairs {
		q.Sharing = AfterSharing
	}
	return nil
}

func parseCurrency(q *Query, o *Options) error {
	switch {
	case o.Currency == "":
	case !q.Dataset.Grouped:
		return refuse("currency", o.Currency,
			"%s shows every amount in its own currency; only costs and chargeback are converted", q.Dataset.Name)
	case !ledger.CurrencyCode(o.Currency):
		return refuse("currency", o.Currency, "is not a currency code of ISO 4217 such as EUR")
	}
	q.Currency = o.Currency
	switch {
	case o.CurrencyMissing == "" || o.CurrencyMissing == "refuse":
	case o.CurrencyMissing != "keep":
		return refuseWord("currency-missing", o.CurrencyMissing, "refuse or keep", "refuse", "keep")
	case o.Currency == "":
		return refuse("currency-missing", o.CurrencyMissing, "needs the option currency")
	default:
		q.KeepUnconverted = true
	}
	return nil
}

func parseBasis(q *Query, o *Options) error {
	q.Basis = ledger.EffectiveCost
	if o.Basis == "" {
		return nil
	}
	q.Basis = ledger.Metric(o.Basis + "_cost")
	if !slices.Contains(ledger.Metrics, q.Basis) {
		return refuseWord("basis", o.Basis, "effective, billed, list or contracted",
			"effective", "billed", "list", "contracted")
	}
	return nil
}

func parseOrder(q *Query, o *Options) error {
	if o.Order == "" {
		return nil
	}
	cols := q.Columns()
	for term := range strings.SplitSeq(o.Order, ",") {
		name, desc := strings.CutPrefix(strings.TrimSpace(term), "-")
		if real, ok := q.Dataset.Aliases[name]; ok {
			name = real
		}
		if !slices.ContainsFunc(cols, func(c Column) bool { return c.Name == name }) {
			all := names(cols, func(c Column) string { return c.Name })
			near := nearest.Name(name, all)
			return refuseName("order", o.Order, near, "%q is not a column of this answer%s; it has %s", clip(name),
				nearest.Meant(near), strings.Join(all, ", "))
		}
		q.Order = append(q.Order, Order{name, desc})
	}
	return nil
}

func parseLimit(q *Query, o *Options) error {
	if o.Limit == "" {
		return nil
	}
	n, err := strconv.ParseInt(o.Limit, 10, 32)
	if err != nil || n < 1 {
		return refuse("limit", o.Limit, "must be a whole number from 1 to 2147483647")
	}
	q.Limit = int(n)
	return nil
}
