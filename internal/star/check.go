package star

import (
	"errors"
	"fmt"
	"slices"
)

// Check refuses incomplete declarations and declarations that cannot be added up.
func Check(facts []*Fact) error {
	var wrong []error
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf(format, args...)) }
	tables := map[string]bool{}
	for _, f := range facts {
		f.checkColumns(say)
		f.checkSecurity(say)
		if f.Doc == "" || (f.Rows == "") == (f.Made == "") || len(f.Rollups) == 0 {
			say("fact %s: set Doc, Rollups and either Rows or Made", f.Name)
		}
		for i := range f.Rollups {
			f.checkRollup(&f.Rollups[i], say)
		}
		for _, t := range f.Tables() {
			if tables[t.Short()] {
				say("two tables have the name %s", t.Name())
			}
			tables[t.Short()] = true
		}
	}
	return errors.Join(wrong...)
}

// checkSecurity refuses a fact without a security key.
func (f *Fact) checkSecurity(say func(string, ...any)) {
	said := 0
	for _, ok := range []bool{len(f.Org) > 0, f.Open != "", f.Closed != ""} {
		if ok {
			said++
		}
	}
	if said != 1 {
		say("fact %s: set Org (the keys that lead to owners), Open (why no key does) or Closed (why only users with full "+
			"access see it)", f.Name)
	}
	if (len(f.Place) == 0) == (f.Anywhere == "") {
		say("fact %s: set either Place (the keys that lead to clusters) or Anywhere (why no key does)", f.Name)
	}
	for _, k := range f.Org {
		if _, ok := f.Key(k); k != Nobody && (!ok || !slices.Contains([]string{"owner_id", "team", "run_id"}, k)) {
			say("fact %s: Org names %s; it must be a key of the fact that leads to owners", f.Name, k)
		}
	}
	for _, k := range f.Place {
		if _, ok := f.Key(k); !ok || !slices.Contains([]string{"cluster", "node_id", "run_id"}, k) {
			say("fact %s: Place names %s; it must be a key of the fact that leads to clusters", f.Name, k)
		}
	}
	if slices.Contains(f.Org, "run_id") != slices.Contains(f.Place, "run_id") || slices.Contains(f.Org, "run_id") &&
		len(f.Org)+len(f.Place) > 2 {
		say("fact %s: run_id must be the only key of both Org and Place, or of neither", f.Name)
	}
}

func (f *Fact) checkColumns(say func(string, ...any)) {
	var names []string
	for _, k := range f.Keys {
		names = append(names, k.Name)
		if k.doc() == "" {
			say("fact %s: key %s has no Doc", f.Name, k.Name)
		}
		if _, ok := f.Key("node_id"); k.Machine != "" && !ok {
			say("fact %s: key %s of machines needs the key node_id", f.Name, k.Name)
		}
	}
	for _, m := range f.Measures {
		names = append(names, m.Name)
		switch m.Merge {
		case Sum:
			if m.Type != Decimal {
				say("fact %s: the sum %s has type %s, which is not exact", f.Name, m.Name, m.Type)
			}
		case Least, Most, Bits:
		case Either, Each:
			if m.Type != Bool {
				say("fact %s: %s merges %s, which is not a boolean", f.Name, m.Merge, m.Name)
			}
		case Counts, Union, Buckets:
			if m.Type != Numbers {
				say("fact %s: %s merges %s, which is not a list of numbers", f.Name, m.Merge, m.Name)
			}
		default:
			say("fact %s: measure %s has no merge; ratios, percentiles and other results cannot be added up", f.Name, m.Name)
		}
		if m.Doc == "" {
			say("fact %s: measure %s has no Doc", f.Name, m.Name)
		}
	}
	slices.Sort(names)
	if len(slices.Compact(slices.Clone(names))) != len(names) {
		say("fact %s: two columns have the same name: %v", f.Name, names)
	}
}

func (f *Fact) checkRollup(r *Rollup, say func(string, ...any)) {
	for _, name := range slices.Concat(r.Keys, r.Any) {
		if _, ok := f.Key(name); !ok {
			say("roll-up %[1]s: fact %[3]s has no key %[2]s", r.Name, name, f.Name)
		}
	}
	for _, name := range r.Measures {
		if _, ok := f.Measure(name); !ok {
			say("roll-up %[1]s: fact %[3]s has no measure %[2]s", r.Name, name, f.Name)
		}
	}
	if r.Many != "" && !r.Has(r.Many) {
		say("roll-up %s: Many names %s, which is not one of its keys", r.Name, r.Many)
	}
	if r.By(Months) && !r.By(Days) {
		say("roll-up %s: Months need Days, which it does not keep", r.Name)
	}
	if r.Doc == "" || len(r.Steps) == 0 {
		say("roll-up %s: set Doc and Steps", r.Name)
	}
}
