package outgoing

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"time"

	"gpuledger/internal/blob"
	"gpuledger/internal/export"
	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// monthFolder is the folder of a month below the target of a schedule.
func monthFolder(m period.Month) string { return "billing_period=" + string(m) }

var inMonthFolder = regexp.MustCompile(`^billing_period=([0-9]{4}-[0-9]{2})/(.+)$`)

// months are the newest months with bills, oldest first. Without any, or for a dataset whose rows no month chooses, it is
// the month of now.
func (e *Exporter) months(ctx context.Context, s Schedule, now time.Time) ([]period.Month, error) {
	d, err := metrics.LookupDataset(s.Dataset)
	if err != nil {
		return nil, err
	}
	current := []period.Month{period.MonthName(period.FromTime(now))}
	if ChosenBy(d) == ByNothing {
		return current, nil
	}
	q, err := metrics.Parse("periods", metrics.Options{})
	if err != nil {
		return nil, err
	}
	a, err := metrics.ReadAnswer(ctx, e.From, q)
	if err != nil {
		return nil, err
	}
	var list []period.Month
	for _, row := range a.Rows {
		list = append(list, period.Month(row[a.At("billing_period")].Text))
	}
	slices.Sort(list)
	list = slices.Compact(list)
	if len(list) == 0 {
		return current, nil
	}
	return list[max(0, len(list)-s.Months):], nil
}

// Schedule exports the months of a schedule, each to its folder, and deletes those that are no longer kept. All months
// at the target have the same types: if a month needs wider ones, the others are exported again.
func (e *Exporter) Schedule(ctx context.Context, s Schedule, to blob.Folder, now time.Time) (Totals, error) {
	var total Totals
	months, err := e.months(ctx, s, now)
	if err != nil {
		return total, err
	}
	there, err := monthsAt(ctx, to)
	if err != nil {
		return total, err
	}
	expired := s.expired(append(slices.Clone(months), there...))
	var types []export.Type
	older := map[period.Month]*Manifest{} // at the target, not among the newest
	for _, m := range there {
		before, _, err := readManifest(ctx, to.Sub(monthFolder(m)))
		if err != nil {
			return total, err
		}
		if before == nil || slices.Contains(expired, m) {
			continue
		}
		types = append(types, before.Columns...)
		if !slices.Contains(months, m) {
			older[m] = before
		}
	}
	todo := slices.DeleteFunc(months, func(m period.Month) bool { return slices.Contains(expired, m) })
	last := map[period.Month]Totals{}
	for again := true; again; {
		for _, m := range todo {
			out, err := e.Export(ctx, s.Question(m), to.Sub(monthFolder(m)), types)
			if err != nil {
				return total, fmt.Errorf("%s: %w", m, err)
			}
			older[m], types = out.Manifest, out.Manifest.widest(types)
			sum := last[m]
			sum.Written, sum.Removed = sum.Written+out.Written, sum.Removed+out.Removed
			sum.Kept, sum.Rows, sum.Bytes = out.Kept, out.Rows, out.Bytes
			last[m] = sum
		}
		todo = nil
		for m, at := range older {
			if !at.covers(types) {
				todo = append(todo, m)
			}
		}
		slices.Sort(todo)
		again = len(todo) > 0
	}
	for _, t := range last {
		total.Add(t)
	}
	for _, m := range expired {
		n, err := forget(ctx, to, m)
		if err != nil {
			return total, err
		}
		total.Removed += n
	}
	return total, nil
}

// widest are the types that cover the given ones and the manifest's columns.
func (m *Manifest) widest(given []export.Type) []export.Type {
	return append(slices.DeleteFunc(slices.Clone(given), func(t export.Type) bool {
		return slices.ContainsFunc(m.Columns, func(c export.Type) bool { return c.Name == t.Name && covers(c, t) })
	}), m.Columns...)
}

// expired are the months, of those given, that are no longer kept.
func (s Schedule) expired(months []period.Month) []period.Month {
	slices.SortFunc(months, func(a, b period.Month) int { return cmp.Compare(b, a) })
	months = slices.Compact(months)
	if s.Keep == 0 || len(months) <= s.Keep {
		return nil
	}
	return months[s.Keep:]
}

// monthsAt are the months at a target, oldest first.
func monthsAt(ctx context.Context, to blob.Folder) ([]period.Month, error) {
	entries, err := to.List(ctx)
	if err != nil {
		return nil, err
	}
	var list []period.Month
	for _, f := range entries {
		if at := inMonthFolder.FindStringSubmatch(f.Name); at != nil && (at[2] == ManifestName || named.MatchString(at[2])) {
			list = append(list, period.Month(at[1]))
		}
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// forget deletes a month at a target: its manifest first, so that no manifest names a deleted file.
func forget(ctx context.Context, to blob.Folder, m period.Month) (n int64, err error) {
	folder := monthFolder(m)
	entries, err := to.Sub(folder).List(ctx)
	if err != nil {
		return 0, err
	}
	if err := to.Remove(ctx, folder+"/"+ManifestName); err != nil {
		return 0, err
	}
	for _, f := range entries {
		if !named.MatchString(f.Name) {
			continue
		}
		if err := to.Remove(ctx, folder+"/"+f.Name); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}
