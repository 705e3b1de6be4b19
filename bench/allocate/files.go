package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"gpuledger/internal/period"
)

// writeFiles writes the fleet for DuckDB into a separate folder, once:
//
//	samples.parquet  gpu, ts (second), ppm; by gpu and time
//	hours.parquet    gpu, hour, ppm: the same as one list of 60 per hour, null without sample
//	holds.parquet    gpu, begins, ends (seconds), job, team, lost_from (0: nothing is lost)
//	charges.parquet  node, hour, and the four costs in millionths
func (f fleet) writeFiles(dir string) (folder string, err error) {
	folder = filepath.Join(dir, fmt.Sprintf("month-%d-%d-%d", f.seed, f.gpus, f.days))
	if _, err := os.Stat(filepath.Join(folder, "complete")); err == nil {
		return folder, nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	samples, err := newTable(filepath.Join(folder, "samples.parquet"), int32s("gpu"), int32s("ts"), int32s("ppm"))
	if err != nil {
		return "", err
	}
	hours, err := newTable(filepath.Join(folder, "hours.parquet"), int32s("gpu"), int32s("hour"), vectors("ppm"))
	if err != nil {
		return "", err
	}
	holds, err := newTable(filepath.Join(folder, "holds.parquet"), int32s("gpu"), int32s("begins"), int32s("ends"),
		int32s("job"), int32s("team"), int32s("lost_from"))
	if err != nil {
		return "", err
	}
	charges, err := newTable(filepath.Join(folder, "charges.parquet"), int32s("node"), int32s("hour"), int64s("billed"),
		int64s("effective"), int64s("list"), int64s("contracted"))
	if err != nil {
		return "", err
	}
	var n nodeFacts
	for node := range f.nodes() {
		f.fill(node, &n)
		n.write(f.month(), samples, hours, holds, charges)
		for _, t := range []*table{samples, hours, holds, charges} {
			if err := t.flush(); err != nil {
				return "", err
			}
		}
	}
	for _, t := range []*table{samples, hours, holds, charges} {
		if err := t.close(); err != nil {
			return "", err
		}
	}
	return folder, os.WriteFile(filepath.Join(folder, "complete"), []byte(time.Now().UTC().Format(time.RFC3339)), 0o644)
}

// write appends one node, inside the month.
func (n *nodeFacts) write(month period.Interval, samples, hours, holds, charges *table) {
	const before = int(margin / period.Minute)
	for slot, line := range n.load {
		gpu := int64(n.number*gpusPerNode + slot)
		for m, ppm := range line[before : len(line)-before] {
			if ppm != unknown {
				samples.add(gpu, int64(month.From)+int64(m)*period.Minute, int64(ppm))
			}
		}
		for m := before; m < len(line)-before; m += 60 {
			hours.add(gpu, int64(month.From)/period.Hour+int64(m-before)/60)
			hours.addVector(2, line[m:m+60])
		}
	}
	for i := range n.stints {
		s := &n.stints[i]
		if in := s.Intersect(month); !in.Empty() {
			lost := s.lostFrom
			if lost != 0 {
				lost = max(lost, in.From)
			}
			holds.add(int64(n.number*gpusPerNode+s.slot), int64(in.From), int64(in.To), int64(n.number)<<16|int64(s.job),
				int64(s.team), int64(lost))
		}
	}
	for h := month.From; h < month.To; h += period.Hour {
		c := n.price(h)
		charges.add(int64(n.number), int64(h), c.billed, c.effective, c.list, c.contracted)
	}
}
