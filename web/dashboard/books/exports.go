package books

import (
	"context"
	"time"

	"gpuledger/internal/outgoing"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

var exportHeads = views.Heads(
	"Schedule: export_schedules.name", "Dataset: export_schedules.dataset wide-only",
	"Every: export_schedules.every wide-only nowrap", "Last run: export_schedules.last_run wide-only nowrap",
	"Outcome: export_schedules.last_state", "Next run: figure.next_run nowrap",
)

// longestError is how much of an error a row shows; its state has all of it.
const longestError = 200

// exportColumns are the columns that readExports reads.
var exportColumns = []string{"name", "dataset", "target", "every", "last_run", "last_state", "last_error",
	"last_ended_at", "last_tries", "last_done"}

// readExports reads the schedules of exports as far as the page shows them.
func readExports(ctx context.Context, reader page.Reader) (list []outgoing.Stored, err error) {
	err = page.Each(ctx, reader, "export_schedules", metrics.Options{}, exportColumns, func(r page.Record) error {
		x := outgoing.Stored{Schedule: outgoing.Schedule{Name: r.Text("name"), Dataset: r.Text("dataset"),
			Target: r.Text("target"), Every: outgoing.Cadence(r.Text("every"))}, Done: timeOf(r, "last_done")}
		if tick := timeOf(r, "last_run"); tick != nil {
			x.Last = &outgoing.Run{Name: x.Name, Tick: *tick, Tries: int(r.Count("last_tries")),
				EndedAt: timeOf(r, "last_ended_at"), State: outgoing.RunState(r.Text("last_state")), Error: r.Text("last_error")}
		}
		list = append(list, x)
		return nil
	})
	return list, err
}

// timeOf is a time of a row; nil if it is not known.
func timeOf(r page.Record, name string) *time.Time {
	v := r.Value(name)
	if !v.Valid {
		return nil
	}
	return &v.Time
}

// exportsPanel lists schedules of exports with their last and next run.
func exportsPanel(list []outgoing.Stored, now time.Time) views.TablePanel {
	panel := views.TablePanel{Title: "Export schedules", Note: "times in UTC"}
	if len(list) == 0 {
		panel.None = "No export schedule is stored. gpuledger export schedule add stores one."
		return panel
	}
	t := views.Table{Caption: "Export schedules", Heads: exportHeads}
	for i := range list {
		x := &list[i]
		last, outcome := views.Cell{Figure: views.Figure{Text: "never", Title: "no run has begun yet", Zero: true}},
			views.Cell{Figure: views.Figure{Text: "none yet", Zero: true}}
		if x.Last != nil {
			tag := runTag(x.Last)
			last = views.Text(format.Instant(period.FromTime(x.Last.Tick)))
			outcome = views.Cell{Tag: &tag, Sub: page.Middle(x.Last.Error, longestError), Narrow: last.Figure.Text}
		}
		t.Rows = append(t.Rows, views.Row{Cells: []views.Cell{
			{Figure: views.Figure{Text: x.Name}, Name: true, Sub: page.Middle(x.Target, 60),
				Narrow: x.Dataset + ", " + string(x.Every)},
			views.Text(x.Dataset), views.Text(string(x.Every)), last, outcome, nextCell(x, now),
		}})
	}
	panel.Table = t
	return panel
}

// runTag is the state of a run.
func runTag(r *outgoing.Run) views.Tag {
	switch r.State {
	case outgoing.Failed:
		return views.Tag{Text: string(r.State), Tone: "bad", Title: "try " + format.Count(int64(r.Tries)) + ": " + r.Error}
	case outgoing.Done:
		return views.Tag{Text: string(r.State), Tone: "good", Title: "its files and manifest are at the target"}
	}
	return views.Tag{Text: string(r.State), Title: "it has not ended yet"}
}

func nextCell(x *outgoing.Stored, now time.Time) views.Cell {
	if now.IsZero() {
		return views.Cell{Figure: views.Figure{Text: format.NA, Title: "the server has no clock"}}
	}
	next := x.Next(now)
	if !next.After(now) {
		return views.Cell{Figure: views.Figure{Text: "now", Title: "due until its run is done, while gpuledger serve runs"}}
	}
	return views.Text(format.Instant(period.FromTime(next)))
}
