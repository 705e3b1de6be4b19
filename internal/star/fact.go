package star

import (
	"fmt"
	"slices"
)

// Type is the type of a column in PostgreSQL.
type Type string

// Types of columns. Sums are numeric without a scale: exact, and never rounded.
const (
	Text    Type = "text"
	ID      Type = "uuid"
	Integer Type = "bigint"
	Decimal Type = "numeric"
	Time    Type = "timestamptz"
	Bool    Type = "boolean"
	Numbers Type = "bigint[]"
	Texts   Type = "text[]"
)

// Key is a column that identifies rows. Null means unknown or not applicable.
type Key struct {
	Name string
	Type Type
	Doc  string // empty: the doc of package metrics' group key of that name
	// Always marks a key that is never null.
	Always bool
	// Machine names the column of nodes that holds the key. node_id leads to it: rows of the fact do not have it.
	Machine string
}

// Merge is the aggregate that merges the values of a measure.
type Merge string

// Merges. Each skips null: unknown, or a column that the row does not carry.
const (
	Sum    Merge = "sum"
	Least  Merge = "min"
	Most   Merge = "max"
	Either Merge = "bool_or"
	Each   Merge = "bool_and"
	Counts Merge = "merged_bins" // values per bin; each bin is added
	Union  Merge = "merged_set"  // of sets
	// Buckets adds lists of the same length, number by number.
	Buckets Merge = "merged_counts"
	Bits    Merge = "bit_or" // numbers in which each bit has a meaning
)

// Measure is a column that is merged.
type Measure struct {
	Name  string
	Type  Type
	Merge Merge
	Unit  string // "currency": of column currency; "GPU-h", "h", "kWh"; empty: none
	Doc   string
	// Always marks a measure that is never null.
	Always bool
}

// Step is the length of time that a row of a roll-up covers.
type Step struct {
	Name string // of tables: hours, days, months
	at   string // SQL of its start, for a row r of the fact with its hour
}

// Steps. Months are added up from days.
var (
	Hours  = Step{"hours", "r.hour"}
	Days   = Step{"days", "date_trunc('day', r.hour, 'UTC')"}
	Months = Step{"months", "@from::timestamptz"}
)

// starts is the meaning of the column at.
func (s Step) starts() string {
	return "Start of the " + map[string]string{
		Hours.Name: "hour", Days.Name: "UTC day", Months.Name: "calendar month (UTC)",
	}[s.Name] + " that the row covers."
}

// rank orders steps by length.
func (s Step) rank() int { return slices.Index([]string{Hours.Name, Days.Name, Months.Name}, s.Name) }

// Rollup adds a fact up by some of its keys.
type Rollup struct {
	Name     string   // of tables: NAME_days
	Doc      string   // what a row is
	Keys     []string // of the fact
	Measures []string // of the fact; nil: all
	// Any lists keys for which a row keeps one arbitrary value, such as some owner within the team.
	Any   []string
	Steps []Step
	// Many is the key with far more values than a page shows, if any; it gets an index.
	Many string
	// Often marks a key that queries commonly filter by, as scoped users' queries do; it gets an index. Empty: none.
	Often string
}

// Fact is something that happened, with one row per hour and combination of keys.
type Fact struct {
	Name string
	Doc  string // the sum that rows hold
	// Rows names the statement of internal/store that returns the rows r of a window, with their hour, keys and measures.
	// Made names instead the code that builds them, and its version: when the version changes, the days are added up
	// again. Made rows are rows of days.
	Rows string
	Made string
	// Kept keeps a day's rows after its minutes are deleted, since they cannot be built again.
	Kept     bool
	Keys     []Key
	Measures []Measure
	Rollups  []Rollup
	// Org and Place are the security key: the keys that lead to owners and to clusters and decide access to a row
	// (policy.go). The first of them that a roll-up has decides; a roll-up without one is for users with access to all
	// owners, or to all clusters. Instead of Org, Open states why the fact has no owner, so that access to the whole
	// cluster is enough, or Closed why only users with full access see it. Instead of Place, Anywhere states why the fact
	// has no cluster. The Org of rows that several owners shared is Nobody.
	Org, Place             []string
	Open, Closed, Anywhere string
	// Reads are the datasets that the fact answers. A query can use it if its first and coarsest roll-up has the keys that
	// the dataset needs. Every means that rows of the ledger are separated by all keys of package metrics, even those that
	// no roll-up has.
	Reads []string
	Every bool
}

// Facts lists all facts in the order in which they are filled.
var Facts = []*Fact{&Cost, &Run, &Idle, &Busy, &Covered, &Commitment, &Held, &Spot, &Gang, &Model, &Posted, &Estimate,
	&Device, &DeviceSignal, &WorkloadSignal, &RunSignal, &Serving,
	&Layout, &Slice, &Packing, &PackingCard, &Use, &Demand, &DemandCost, &Target}

// Key returns a key of the fact.
func (f *Fact) Key(name string) (Key, bool) {
	i := slices.IndexFunc(f.Keys, func(k Key) bool { return k.Name == name })
	if i < 0 {
		return Key{}, false
	}
	return f.Keys[i], true
}

// Measure returns a measure of the fact.
func (f *Fact) Measure(name string) (Measure, bool) {
	i := slices.IndexFunc(f.Measures, func(m Measure) bool { return m.Name == name })
	if i < 0 {
		return Measure{}, false
	}
	return f.Measures[i], true
}

// Rollup returns a roll-up of the fact, which must have it.
func (f *Fact) Rollup(name string) *Rollup {
	i := slices.IndexFunc(f.Rollups, func(r Rollup) bool { return r.Name == name })
	if i < 0 {
		panic(fmt.Sprintf("fact %s has no roll-up %s", f.Name, name)) // callers pass constants
	}
	return &f.Rollups[i]
}

// Of finds a roll-up and its fact; nil if no fact has it.
func Of(rollup string) (*Fact, *Rollup) {
	for _, f := range Facts {
		for i := range f.Rollups {
			if f.Rollups[i].Name == rollup {
				return f, &f.Rollups[i]
			}
		}
	}
	return nil, nil
}

// By reports whether the roll-up has tables of a step.
func (r *Rollup) By(s Step) bool {
	return slices.ContainsFunc(r.Steps, func(k Step) bool { return k.Name == s.Name })
}

// Has reports whether rows of the roll-up have a key.
func (r *Rollup) Has(key string) bool { return slices.Contains(r.Keys, key) }

// Carries reports whether rows of the roll-up have all of the measures.
func (r *Rollup) Carries(measures []string) bool {
	return r.Measures == nil ||
		!slices.ContainsFunc(measures, func(m string) bool { return !slices.Contains(r.Measures, m) })
}

// measures of a roll-up, in the order of its fact.
func (r *Rollup) measures(f *Fact) []Measure {
	if r.Measures == nil {
		return f.Measures
	}
	var list []Measure
	for _, m := range f.Measures {
		if slices.Contains(r.Measures, m.Name) {
			list = append(list, m)
		}
	}
	return list
}
