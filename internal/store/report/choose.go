package report

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/star"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// Which roll-up answers is decided by what is needed of a fact, for all of them alike:
// the keys that a question names or a statement needs, and the measures. The first
// roll-up that has all answers; a fact declares those with few rows first.

// read is what a statement reads of a fact: @NAME_rows in it.
type read struct {
	name string
	fact *star.Fact
	// by are the keys, and sums the measures, that the statement needs whatever is asked.
	by, sums []string
	// also are keys that it needs where the question names another.
	also map[string][]string
	// counts are keys of which values are counted. What has the measures need not have
	// them: then rows that have, and no measures, come beside.
	counts []string
	// unasked are read by these keys alone, whatever the question names.
	unasked bool
	// added are read from what was added up alone: rows of the ledger come in another part.
	added bool
	// when says whether the question needs it at all; nil: always.
	when func(q metrics.Query) bool
}

// readOf is what a statement needs of a fact where nothing else is said: what its first
// roll-up has.
func readOf(f *star.Fact) read { return readAs(f.Name, f, &f.Rollups[0]) }

// readAs is what a statement needs that takes the rows of a roll-up.
func readAs(name string, f *star.Fact, r *star.Rollup) read {
	rd := read{name: name, fact: f, by: r.Keys, sums: r.Measures}
	if rd.sums == nil {
		rd.sums = star.MeasureNames(f)
	}
	return rd
}

// shape is what the viewer's scope consists of.
type shape struct {
	inPart               bool // he sees a part of the books
	wholeTeams, anywhere bool
	teams                []string // of its owners; nil: rows of any team may be in it
}

// shapeOf asks the database for it.
func shapeOf(ctx context.Context, tx pgx.Tx) (sees shape, err error) {
	if sees.inPart = access.From(ctx).Bounded(); !sees.inPart {
		return sees, nil
	}
	of, err := pg.One[struct {
		WholeTeams, Anywhere bool
		Teams                []string
	}](ctx, tx, "rollup.scope", pg.Tenant)
	return shape{inPart: true, wholeTeams: of.WholeTeams, anywhere: of.Anywhere, teams: of.Teams}, err
}

// may reports whether each row of a roll-up is in the scope or not.
func (s shape) may(f *star.Fact, r *star.Rollup) bool {
	return !s.inPart || f.InScopes(r, s.wholeTeams, s.anywhere)
}

// choose is the roll-up that answers, and where it does not have what is counted one that
// has; none where no roll-up has what the question needs.
func (rd read) choose(q metrics.Query, sees shape) []*star.Rollup {
	names := rd.names(q)
	best := rd.first(q, sees, slices.Concat(rd.by, names), rd.sums)
	if best == nil || !slices.ContainsFunc(rd.counts, func(key string) bool { return !best.Has(key) }) {
		return list(best)
	}
	counted := rd.first(q, sees, slices.Concat(rd.counts, names), nil)
	if counted == nil || counted.Carries(rd.sums) {
		return list(counted)
	}
	return []*star.Rollup{best, counted}
}

func list(r *star.Rollup) []*star.Rollup {
	if r == nil {
		return nil
	}
	return []*star.Rollup{r}
}

// first is the first roll-up that knows names, has measures and is kept as finely as asked.
func (rd read) first(q metrics.Query, sees shape, names, sums []string) *star.Rollup {
	for i := range rd.fact.Rollups {
		r := &rd.fact.Rollups[i]
		if sees.may(rd.fact, r) && r.Carries(sums) && len(unknown(rd.fact, r, names)) == 0 && rd.fine(q, r) {
			return r
		}
	}
	return nil
}

// fine reports whether a roll-up is kept by the hour where that is asked.
func (rd read) fine(q metrics.Query, r *star.Rollup) bool {
	return q.Granularity != metrics.Hour || r.By(star.Hours) || rd.latest(q)
}

// latest reports whether it is read from what was last added up, also of days that have
// changed since: what is not in the ledger, and what is to be of the same time.
func (rd read) latest(q metrics.Query) bool { return rd.fact.Made != "" || baseOf(q.Dataset).latest }

// names are what the question names, and what the statement needs for that.
func (rd read) names(q metrics.Query) []string {
	if rd.unasked {
		return nil
	}
	names := asked(q)
	for _, name := range names {
		names = append(names, rd.also[name]...)
	}
	return names
}

// asked are the names of what tells rows of an answer apart, and of what a filter tests.
func asked(q metrics.Query) (names []string) {
	if q.Dataset == nil {
		return nil
	}
	for _, col := range q.Columns() {
		if col.Formula.Op == metrics.OpField {
			names = append(names, col.Formula.Field)
		}
	}
	for _, name := range metrics.FilterKeys(q.Filter) {
		if real, ok := q.Dataset.Aliases[name]; ok {
			name = real
		}
		names = append(names, name)
	}
	return names
}

// namedKeys is what @named[ROW] stands for: the keys that a dataset offers beside its
// columns, as far as the question names them.
func (c Compiler) namedKeys(row string) string {
	var cols strings.Builder
	names := asked(c.Q)
	for _, key := range c.Q.Dataset.Offers {
		if slices.Contains(names, key) {
			cols.WriteString(", " + row + "." + ident(key))
		}
	}
	return cols.String()
}

// unknown are the names that rows of a roll-up do not have and do not lead to. What is not
// of the fact at all comes from elsewhere in a statement.
func unknown(f *star.Fact, r *star.Rollup, names []string) (missing []string) {
	for _, name := range names {
		keys := leads(f, name)
		of := len(keys) > 0 || f.Every && standard(name)
		if of && !slices.ContainsFunc(keys, r.Has) && !slices.Contains(missing, name) {
			missing = append(missing, name)
		}
	}
	return missing
}

// leads are the keys of a fact that lead to a name: to themselves, an owner to all of its
// dimensions, a machine to what it is.
func leads(f *star.Fact, name string) (keys []string) {
	for _, key := range []string{name, ownerID, nodeID} {
		_, has := f.Key(key)
		switch {
		case !has:
		case key == name, key == ownerID && slices.Contains(metrics.OwnerKeys, name),
			key == nodeID && (name == "node" || slices.Contains(placeNames, name)):
			keys = append(keys, key)
		}
	}
	return keys
}

// Keys of facts that lead to what owners and machines are called.
const (
	ownerID = "owner_id"
	nodeID  = "node_id"
)

// placeNames are the keys of kinds of machines.
var placeNames = star.Names(star.Machine)

// standard reports whether a name is a key of package metrics that rows may differ in.
func standard(name string) bool {
	k, ok := metrics.LookupKey(name)
	return ok && k.On != metrics.OnTenant
}
