package report

import (
	"slices"
	"strings"

	"gpuledger/internal/period"
	"gpuledger/internal/star"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// Devices are read from what was last added up of them, also of days that have
// changed since: what they showed is not in the ledger, and what they cost is to be
// of the same time. A window takes the days that begin in it.

// daysOrMonths makes days of all pieces of a window but months.
func daysOrMonths(window period.Interval, list []piece) []piece {
	if len(list) == 0 {
		return []piece{{fromDays, window}}
	}
	var out []piece
	for _, p := range list {
		if p.From != fromMonths {
			p.From = fromDays
		}
		if n := len(out); n > 0 && out[n-1].From == p.From {
			out[n-1].Span.To = p.Span.To
			continue
		}
		out = append(out, p)
	}
	return out
}

// holderKeys are the keys of who held a device.
var holderKeys = append([]string{"mig_profile", "workload_class", "namespace"}, metrics.OwnerKeys...)

// unknownToDevices are the keys of q that are of who held a device.
func unknownToDevices(q metrics.Query) []string {
	return slices.DeleteFunc(askedNames(q), func(name string) bool { return !slices.Contains(holderKeys, name) })
}

// unknownToPlaces are the keys of q that kinds of machines do not tell apart.
func unknownToPlaces(q metrics.Query) []string {
	if !q.Regrouped() {
		return []string{"device"}
	}
	return slices.DeleteFunc(askedNames(q), func(name string) bool { return name == "currency" || slices.Contains(placeNames, name) })
}

// unknownToHolders are the keys of q that holders of kinds of machines do not tell apart.
func unknownToHolders(q metrics.Query) []string {
	return slices.DeleteFunc(unknownToPlaces(q), func(name string) bool { return slices.Contains(holderKeys, name) })
}

// placeNames are the keys of kinds of machines.
var placeNames = star.Names(star.Machine)

// deviceRows are the rows of a fact of devices that answer the question, with all
// columns: those that nothing asks for are null.
func (c Compiler) deviceRows(f *star.Fact) string {
	counted := func(place, seen string) string {
		rows := c.devicesBy(f, f.Rollup(f.Name+place))
		if f == &star.Device { // to be counted, and no more
			rows = append(rows, c.devicesBy(f, f.Rollup(f.Name+seen), "capacity_gpu_hours")...)
		}
		return strings.Join(rows, "\nunion all\n")
	}
	switch {
	case c.arguments == nil: // of a view, which is for whoever reads it
		rows := func(rollup string) string {
			return "select * from (\n" + strings.Join(c.devicesBy(f, f.Rollup(rollup)), "\nunion all\n") + "\n) w where "
		}
		return rows(f.Name) + readsWhole + "\nunion all\n" + rows(f.Name+"_holder") + "not " + readsWhole
	case c.inPart && len(unknownToHolders(c.Q)) == 0: // what others had, too, is not his
		return counted("_holder_place", "_holder_seen")
	case c.inPart:
		return strings.Join(c.devicesBy(f, f.Rollup(f.Name+"_holder")), "\nunion all\n")
	case len(unknownToPlaces(c.Q)) == 0:
		return counted("_place", "_seen")
	case len(unknownToHolders(c.Q)) == 0 && len(unknownToDevices(c.Q)) > 0:
		return counted("_holder_place", "_holder_seen")
	case len(unknownToDevices(c.Q)) == 0:
		return strings.Join(c.devicesBy(f, f.Rollup(f.Name)), "\nunion all\n")
	}
	return strings.Join(c.devicesBy(f, f.Rollup(f.Name+"_holder")), "\nunion all\n")
}

// readsWhole is the condition that a login reads views as a whole. It is asked once, so
// that of two readings the server does one. Who has no scope reads all or nothing, as the
// owner of the views does.
const readsWhole = "(select coalesce((select everything from session_scope()), true))"

// devicesBy are the rows of a roll-up with all columns of the fact but hour: those
// that it does not have, and those left out, are null.
func (c Compiler) devicesBy(f *star.Fact, r *star.Rollup, out ...string) []string {
	c = c.planDevices()
	own := f.Table(r, star.Days).Columns()
	list := []string{"r.at as hour"}
	column := func(name string, typ star.Type) {
		if slices.Contains(own, name) && !slices.Contains(out, name) {
			list = append(list, "r."+name)
			return
		}
		list = append(list, "null::"+string(typ)+" as "+name)
	}
	for _, k := range f.Keys {
		column(k.Name, k.Type)
	}
	for _, m := range f.Measures {
		column(m.Name, m.Type)
	}
	of := "null::text"
	if r.Has(placeNames[0]) {
		of = "c.currency"
	}
	rows := c.addedRows(f, r, "select "+strings.Join(list, ", ")+", "+of+" as place_currency")
	if r.Has(placeNames[0]) {
		for i := range rows {
			rows[i] += " left join (\n" + c.placeCurrencies() + "\n) c on c.place = " + placeOf("r.")
		}
	}
	if c.shown { // slots without telemetry are known by name alone
		for i := range rows {
			rows[i] += " where r.device is null or r.device in (select many from shown)"
		}
	}
	return rows
}

// placeCurrencies are the kinds of machines whose costs of the window are in one
// currency, whoever bears them.
func (c Compiler) placeCurrencies() string {
	if c.inPart {
		return c.Expand(pg.Statement("report.known_currencies"))
	}
	c = c.planDevices()
	rows := c.addedRows(&star.Device, star.Device.Rollup("device_place"), "select "+placeOf("r.")+" as place, r.currency")
	if c.arguments == nil {
		known := c.Expand(pg.Statement("report.known_currencies"))
		rows = append(rows, "select k.place, k.currency from (\n"+known+"\n) k where not "+readsWhole)
	}
	return "select x.place, min(x.currency) as currency from (\n" + strings.Join(rows, "\nunion all\n") + "\n) x group by x.place having min(x.currency) = max(x.currency)"
}

// placeOf tells kinds of machines apart.
func placeOf(relation string) string { return "row(" + star.Listed(relation, placeNames) + ")::text" }

// planDevices gives the definition of a view a plan, which it has not.
func (c Compiler) planDevices() Compiler {
	if c.Plan == nil {
		c.Plan = &RollupPlan{Pieces: daysOrMonths(c.window, nil)}
	}
	return c
}
