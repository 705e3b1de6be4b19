package main

import (
	"strings"

	"gpuledger/internal/store"
	"gpuledger/metrics"
	"gpuledger/web/views/format"
)

// shownDays is how many days a line names.
const shownDays = 5

// days counts the billed days without telemetry.
func (c *doctorCmd) days(a *app, s *store.Store, say report) error {
	q, err := metrics.Parse("coverage", metrics.Options{Granularity: "day", Order: "period_start"})
	if err != nil {
		return err
	}
	rows, err := s.Query(a.ctx, q)
	if err != nil {
		return err
	}
	defer rows.Close()
	at := map[string]int{}
	for i, col := range rows.Columns() {
		at[col.Name] = i
	}
	billed, seen := map[string]bool{}, map[string]bool{}
	var all, dark []string
	for rows.Next() {
		day, _, _ := strings.Cut(rows.Values()[at["period_start"]].String(metrics.Time), "T")
		some := func(name string) bool {
			v := rows.Values()[at[name]]
			return v.Valid && strings.Trim(v.Text, "0.") != ""
		}
		if some("billed_gpu_hours") && !billed[day] {
			billed[day], all = true, append(all, day)
		}
		seen[day] = seen[day] || some("known_gpu_hours")
	}
	if err := rows.Err(); err != nil || len(all) == 0 {
		return err
	}
	for _, day := range all {
		if !seen[day] {
			dark = append(dark, day)
		}
	}
	if len(dark) == 0 {
		say(fine, "telemetry", "%s some", counted(len(all), "billed day has", "billed days all have"))
		return nil
	}
	more := ""
	if len(dark) > shownDays {
		more = " …"
	}
	say(hint, "telemetry", "%d of %s %s none, such as %s%s: that cost is unobserved until the telemetry is imported "+
		"(docs/start/your-data.md)", len(dark), counted(len(all), "billed day", "billed days"),
		format.Noun(len(dark), "has", "have"), strings.Join(dark[:min(len(dark), shownDays)], ", "), more)
	return nil
}
