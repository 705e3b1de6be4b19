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

// The roll-up that answers is chosen by the needs of the query, in the same way for all facts: the keys that a
// query names or a statement needs, and the measures. The first roll-up that has them all answers; a fact declares
// roll-ups with few rows first.

// read is what a statement reads of a fact, as @NAME_rows.
type read struct {
	name string
	fact *star.Fact
	// by are the keys, and sums the measures, that the statement needs for any query.
	by, sums []string
	// also are the keys that it needs in addition if the query names another key.
	also map[string][]string
	// counts are keys whose values are counted. A roll-up with the measures may lack these keys; rows of a second
	// roll-up, which has the keys and no measures, are then added.
	counts []string
	// unasked: read by these keys alone, whatever the query names.
	unasked bool
	// added: read from roll-ups alone; rows of the ledger come in another part.
	added bool
	// when reports whether the query needs it at all; nil: always.
	when func(q metrics.Query) bool
}

// readOf is what a statement needs of a fact by default: the keys and measures of its first roll-up.
func readOf(f *star.Fact) read { return readAs(f.Name, f, &f.Rollups[0]) }

// readAs is what a statement needs that reads the rows of a given roll-up.
func readAs(name string, f *star.Fact, r *star.Rollup) read {
	rd := read{name: name, fact: f, by: r.Keys, sums: r.Measures}
	if rd.sums == nil {
		rd.sums = star.MeasureNames(f)
	}
	return rd
}

// shape describes the viewer's scope.
type shape struct {
	inPart               bool // the viewer is scoped
	wholeTeams, anywhere bool
	teams                []string // teams of its owners; nil: rows of any team may be in scope
}

// shapeOf reads the shape of the viewer's scope.
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

// may reports whether every row of a roll-up is either fully in the scope or fully outside it.
func (s shape) may(f *star.Fact, r *star.Rollup) bool {
	return !s.inPart || f.InScopes(r, s.wholeTeams, s.anywhere)
}

// choose returns the roll-up that answers. If that one lacks the counted keys, it adds one that has them. It is empty
// if no roll-up has what the query needs.
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

// first is the first roll-up that has the names and the measures, at the granularity of the query.
func (rd read) first(q metrics.Query, sees shape, names, sums []string) *star.Rollup {
	for i := range rd.fact.Rollups {
		r := &rd.fact.Rollups[i]
		if sees.may(rd.fact, r) && r.Carries(sums) && len(unknown(rd.fact, r, names)) == 0 && rd.fine(q, r) {
			return r
		}
	}
	return nil
}

// fine reports whether a roll-up is kept by hour if the query needs hours.
func (rd read) fine(q metrics.Query, r *star.Rollup) bool {
	return q.Granularity != metrics.Hour || r.By(star.Hours) || rd.latest(q)
}

// latest reports whether the roll-up is read as it was last built, including days that have changed since: for facts
// that are not in the ledger, and for datasets whose rows must all be from the same time.
func (rd read) latest(q metrics.Query) bool { return rd.fact.Made != "" || baseOf(q.Dataset).latest }

// names are the names in the query, and those that the statement needs for them.
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

// asked are the fields that distinguish the rows of an answer, and those that a filter tests.
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

// namedKeys is the text of @named[ROW]: the keys that a dataset offers in addition to its columns, if the query names
// them.
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

// unknown are the names that a roll-up's rows neither have nor lead to. Names that do not belong to the fact are left
// out: they come from elsewhere in the statement.
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

// leads are the keys of a fact that lead to a name: the name itself, an owner to all its dimensions, a machine to its
// attributes.
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

// Keys of facts that lead to the names of owners and machines.
const (
	ownerID = "owner_id"
	nodeID  = "node_id"
)

// placeNames are the keys of kinds of machines.
var placeNames = star.Names(star.Machine)

// standard reports whether a name is a key of package metrics that can differ between rows.
func standard(name string) bool {
	k, ok := metrics.LookupKey(name)
	return ok && k.On != metrics.OnTenant
}
