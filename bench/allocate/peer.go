package main

import (
	"fmt"
	"math"
	"path/filepath"

	"gpuledger/allocation"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// joinedGPUs is on how many GPUs the interval join is measured: on all of them it takes minutes.
const joinedGPUs = 40

// ways are the four queries for DuckDB.
type ways struct{ parquet, memory, compact, join string }

// prepare loads the tables that the ways read and writes their SQL. Loading is not part of any turn.
func (d *duckDB) prepare(f fleet, folder string) (w ways, err error) {
	file := func(name string) string { return "'" + filepath.Join(folder, name+".parquet") + "'" }
	for _, sql := range []string{
		"set threads = 2", "set preserve_insertion_order = false",
		"create table samples as from " + file("samples"),
		"create table hours as from " + file("hours"),
	} {
		if _, err := d.exec(sql, false); err != nil {
			return w, err
		}
	}
	month := f.month()
	words := func(more ...string) map[string]string {
		m := map[string]string{"holds": file("holds"), "charges": file("charges"), "from": fmt.Sprint(int64(month.From)),
			"to":      fmt.Sprint(int64(month.To)),
			"samples": file("samples"), "part": fmt.Sprintf("gpu < %d", joinedGPUs),
			"nodes": fmt.Sprint(joinedGPUs / gpusPerNode)}
		for i := 0; i < len(more); i += 2 {
			m[more[i]] = more[i+1]
		}
		return m
	}
	flat := func(samples string) map[string]string {
		return words("by hour", "select gpu, ts // 3600 as hour, ppm >= 100000 as active, (count(*) * 60)::integer as "+
			"seconds, (sum(ppm) * 60)::bigint as work from "+samples+" group by all",
			"by minute", "select gpu, ts // 3600 as hour, ts, ppm from "+samples)
	}
	for _, q := range []struct {
		into  *string
		name  string
		words map[string]string
	}{
		{&w.parquet, "bucket", flat(file("samples"))},
		{&w.memory, "bucket", flat("samples")},
		{&w.compact, "bucket", words("by hour", hoursOfVectors, "by minute", minutesOfVectors)},
		{&w.join, "join", words()},
	} {
		if *q.into, err = query(q.name, q.words); err != nil {
			return w, err
		}
	}
	return w, nil
}

// The two forms of the bucket query's input from hours with vectors.
const (
	hoursOfVectors = `select gpu, hour, active, (len(such) * 60)::integer as seconds, (list_sum(such) * 60)::bigint as work
		from (
    select gpu, hour, true as active, list_filter(ppm, lambda x: x >= 100000) as such from hours
    union all select gpu, hour, false, list_filter(ppm, lambda x: x < 100000) from hours) where len(such) > 0`
	minutesOfVectors = `select gpu, hour, (hour * 3600 + m * 60)::integer as ts, ppm from (
    select gpu, hour, unnest(range(60)) as m, unnest(ppm) as ppm from hours semi
    join (select distinct gpu, hour from pieces where t - f < 3600) using (gpu, hour)) where ppm is not null`
)

// share is one team's share of one cause.
type share struct {
	seconds int64
	costs   [4]float64 // billed, effective, list, contracted, in dollars
}

type shareKey struct {
	team  int // -1: no holder
	cause ledger.Cause
}

// tally adds chunks up by team and cause, exactly.
type tally struct {
	teams   map[ledger.ID]int
	seconds map[shareKey]int64
	costs   map[shareKey]*[4]money.Amount // in the order of share
}

func newTally() *tally {
	t := &tally{
		teams: make(map[ledger.ID]int), seconds: make(map[shareKey]int64), costs: make(map[shareKey]*[4]money.Amount),
	}
	for team := -1; team < teams; team++ {
		t.teams[ownerOf(team)] = team
	}
	return t
}

func (t *tally) add(_ *nodeFacts, c *allocation.Chunk) {
	for i := range c.Usage {
		u := &c.Usage[i]
		t.seconds[shareKey{t.teams[u.OwnerID], u.Cause}] += u.Seconds
	}
	for i := range c.Postings {
		p := &c.Postings[i]
		key := shareKey{t.teams[p.OwnerID], p.Cause}
		if t.costs[key] == nil {
			t.costs[key] = new([4]money.Amount)
		}
		for m, a := range [...]ledger.Metric{
			ledger.BilledCost, ledger.EffectiveCost, ledger.ListCost, ledger.ContractedCost,
		} {
			if v := p.Get(a); v != nil {
				t.costs[key][m] = t.costs[key][m].Add(*v)
			}
		}
	}
}

// agree compares the totals with those of DuckDB's table: seconds to the second,
// costs to nine digits.
func (t *tally) agree(d *duckDB, into string) error {
	a, err := d.exec("select team, cause, sum(seconds)::double, sum(billed) / 1e6, sum(effective) / 1e6, sum(list) / "+
		"1e6, sum(contracted) / 1e6 from "+into+" group by all", true)
	if err != nil {
		return err
	}
	theirs := make(map[shareKey]share)
	for _, row := range a.Rows {
		cause, _ := row[1].(string)
		team, ok := row[0].(float64)
		var s share
		seconds, ok2 := row[2].(float64)
		for m := range s.costs {
			v, ok3 := row[3+m].(float64)
			s.costs[m], ok2 = v, ok2 && ok3
		}
		if !ok || !ok2 {
			return fmt.Errorf("DuckDB's totals %v are not numbers", row)
		}
		s.seconds = int64(seconds)
		theirs[shareKey{int(team), ledger.Cause(cause)}] = s
	}
	for key, seconds := range t.seconds {
		s, there := theirs[key]
		if !there || s.seconds != seconds {
			return fmt.Errorf("team %d, %s: %d s here, %d s in DuckDB's %s", key.team, key.cause, seconds, s.seconds, into)
		}
		for m, cost := range t.costs[key] {
			here, _ := cost.Rat().Float64() // DuckDB's are doubles: only the comparison is inexact
			if math.Abs(here-s.costs[m]) > 1e-6+1e-9*math.Abs(here) {
				return fmt.Errorf("team %d, %s: %f here, %f in DuckDB's %s", key.team, key.cause, here, s.costs[m], into)
			}
		}
		delete(theirs, key)
	}
	if len(theirs) > 0 {
		return fmt.Errorf("DuckDB's %s has %d totals that are not here: %v", into, len(theirs), theirs)
	}
	return nil
}
