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

// Key is a column that rows are told apart by. Null is unknown, or does not apply.
type Key struct {
	Name string
	Type Type
	Doc  string // empty: what package metrics says of the group key of that name
	// Always says that no row is without it.
	Always bool
	// Machine names the column of nodes that it is, to which node_id leads: rows of the
	// fact do not have it.
	Machine string
}

// Merge is how values of a measure become that of more rows.
type Merge string

// Merges. Each of them skips what is null: unknown, or not carried.
const (
	Sum    Merge = "sum"
	Least  Merge = "min"
	Most   Merge = "max"
	Either Merge = "bool_or"
	Each   Merge = "bool_and"
	Counts Merge = "merged_bins" // of how many values are in which bin: each bin's are added
	Union  Merge = "merged_set"  // of sets
	// Buckets adds lists of the same length, number by number.
	Buckets Merge = "merged_counts"
	Bits    Merge = "bit_or" // of numbers whose bits say each something
)

// Measure is a column that is merged.
type Measure struct {
	Name  string
	Type  Type
	Merge Merge
	Unit  string // "currency": of column currency; "GPU-h", "h", "kWh"; empty: none
	Doc   string
	// Always says that no row is without it.
	Always bool
}

// Step is the length of what a row of a roll-up adds up.
type Step struct {
	Name string // of tables: hours, days, months
	at   string // its start, of a row r of the fact with its hour
}

// Steps. Months are made of days.
var (
	Hours  = Step{"hours", "r.hour"}
	Days   = Step{"days", "date_trunc('day', r.hour, 'UTC')"}
	Months = Step{"months", "@from::timestamptz"}
)

// rank orders steps by length.
func (s Step) rank() int { return slices.Index([]string{Hours.Name, Days.Name, Months.Name}, s.Name) }

// Rollup is what a fact adds up to by some of its keys.
type Rollup struct {
	Name     string   // of tables: NAME_days
	Doc      string   // what a row is
	Keys     []string // of the fact
	Measures []string // of the fact; nil: all
	// Any are keys of which a row names one of those that it adds up, such as an
	// owner of a team, who leads to the team and to no more.
	Any   []string
	Steps []Step
	// Many is the key with far more values than a page shows, if any; indexed.
	Many string
	// Often is a key of which questions often name a value or two, as those of somebody who
	// sees a part do; indexed. Empty: none.
	Often string
}

// Fact is what happened, at the grain of its rows in an hour.
type Fact struct {
	Name string
	Doc  string // what is added up
	// Rows names the statement of internal/store that has the rows r of a window,
	// with their hour, keys and measures. Made says instead which code makes them, and
	// its version: with another one the days are added up again. They are of days.
	Rows string
	Made string
	// Kept says that what is made of a day stays when its minutes go, without which it
	// cannot be made again.
	Kept     bool
	Keys     []Key
	Measures []Measure
	Rollups  []Rollup
	// Org and Place are its security key: the keys that lead to owners and to
	// clusters, by which it is decided who sees a row (policy.go). The first that a
	// roll-up has decides; roll-ups with none are for who sees all owners, or all
	// clusters. Open says instead of Org why there is no owner in it, and who sees all
	// of a cluster sees it, Closed why only who sees everything does, Anywhere instead
	// of Place why there is no cluster in it. Org of what several had is Nobody.
	Org, Place             []string
	Open, Closed, Anywhere string
	// Reads are datasets that are answered from it: they need what its first roll-up has, the
	// coarsest, and what a question names. Every says that the rows of the ledger are told
	// apart by all keys of package metrics, also those that no roll-up has.
	Reads []string
	Every bool
}

// Facts are all of them, in the order in which they are filled.
var Facts = []*Fact{&Cost, &Run, &Idle, &Busy, &Covered, &Commitment, &Held, &Spot, &Gang, &Model, &Posted, &Device,
	&DeviceSignal, &WorkloadSignal, &RunSignal, &Serving,
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
		panic(fmt.Sprintf("fact %s has no roll-up %s", f.Name, name)) // names are constants
	}
	return &f.Rollups[i]
}

// Of finds a roll-up and its fact; nil where no fact has it.
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

// By reports whether the roll-up is kept by a step.
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
