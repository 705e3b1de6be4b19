package explain

import (
	"strconv"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

var (
	ownLineHeads  = views.Heads("Line: charges.line", "Hour", "#Your part", "Rest")
	ownUsageHeads = views.Heads(
		"Slot: usage.slot", "Hour", "Holder: usage.pod", "Cause: key.cause", "#Seconds: usage.seconds", "Basis",
	)
	ownSampleHeads = views.Heads(
		"Slot", "Hour: samples.hour", "Device", "Signal: samples.signal", "#Minutes: samples.minutes", "#Lowest",
		"#Highest",
	)
)

// ownSections adds the sections of an explanation for scoped users.
func ownSections(o *metrics.OwnExplanation, add func(views.ExplainedSection)) {
	if len(o.Lines) > 0 {
		add(ownLines(o.Lines))
	}
	if len(o.Usage) > 0 {
		add(ownUsage(o.Usage))
	}
	if s := ownSamples(o.Usage); s != nil {
		add(*s)
	}
}

func ownLines(lines []metrics.OwnLine) views.ExplainedSection {
	t := views.Table{Caption: "Your part of each bill line", Heads: ownLineHeads}
	shared := 0
	for i := range lines {
		l := &lines[i]
		if l.Others {
			shared++
		}
		if len(t.Rows) == mostRows {
			continue
		}
		line := views.Cell{Figure: views.Figure{Text: "no bill line", Zero: true, Title: "not billed yet"}}
		if l.File != nil && l.Line != nil {
			place := ":" + strconv.FormatInt(*l.Line, 10)
			line = views.Cell{Figure: views.Figure{Text: page.FileName(*l.File) + place, Title: *l.File + place}, Mono: true}
		}
		line.Sub = strings.TrimLeft(optional(l.Service)+", "+strings.ReplaceAll(l.Kind, "_", " "), ", ")
		rest := views.Text("")
		if l.Others {
			rest = views.Cell{Figure: views.Figure{Text: "others", Title: metrics.OthersHave}}
		}
		t.Rows = append(t.Rows, views.Row{Cells: []views.Cell{line,
			{Figure: views.Figure{Text: moment(l.Hour)}, Sub: optional(l.Node)},
			{Figure: costText(format.Currency(l.Share.Currency), l.Share.Effective)}, rest}})
	}
	s := views.ExplainedSection{
		Title: "Bill lines", Note: format.Plural(len(lines), "part of a line", "parts of lines"), Table: &t,
	}
	if shared > 0 {
		s.Text = format.Plural(shared, "part is shared with others", "parts are shared with others") +
			". Only users with full access see the other holders and the full cost of these lines."
	}
	return s
}

func ownUsage(list []metrics.OwnUsage) views.ExplainedSection {
	t := views.Table{Caption: "Usage", Heads: ownUsageHeads}
	for i := range list[:min(len(list), mostRows)] {
		u := &list[i]
		t.Rows = append(t.Rows, views.Row{Cells: []views.Cell{{Figure: views.Figure{Text: slotOf(u.Slot, u.Slice)},
			Sub: optional(u.Profile)}, {Figure: views.Figure{Text: moment(u.Hour)}, Sub: u.Node},
			{Figure: views.Figure{Text: holder(u.Holder)}, Name: true, Sub: optional(u.Team)},
			{Figure: views.Figure{Text: page.CauseLabel(ledger.Cause(u.Cause))}, Cause: u.Cause, Sub: u.Activity},
			views.Text(format.Count(u.Seconds)),
			{Figure: views.Figure{Text: strings.ReplaceAll(u.Method, "_", " ")}, Sub: u.Quality}}})
	}
	return views.ExplainedSection{Title: "Usage", Note: format.Plural(len(list), "row", "rows"), Table: &t}
}

// ownSamples is nil if no row has samples; metrics leaves them out over too many hours.
func ownSamples(list []metrics.OwnUsage) *views.ExplainedSection {
	t := views.Table{Caption: "Samples", Heads: ownSampleHeads}
	seen := map[*metrics.SliceSamples]bool{}
	for i := range list {
		u := &list[i]
		s := u.Samples
		if s == nil || seen[s] {
			continue
		}
		seen[s] = true
		t.Rows = append(t.Rows, views.Row{Cells: []views.Cell{{Figure: views.Figure{Text: slotOf(s.Slot, s.Slice)},
			Sub: optional(s.Profile)}, views.Text(moment(u.Hour)),
			{Figure: views.Figure{Text: page.Middle(s.Device, 16), Title: s.Device}, Mono: true},
			views.Text(strings.TrimSuffix(s.Signal, "_ppm")),
			views.Text(strconv.Itoa(s.Minutes)), views.Text(percent(s.Low)), views.Text(percent(s.High))}})
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return &views.ExplainedSection{Title: "Samples", Note: "of the devices and slices, by any user", Table: &t}
}

// slotOf names a device or a slice of it.
func slotOf(slot int, slice *int) string {
	if slice == nil {
		return strconv.Itoa(slot)
	}
	return strconv.Itoa(slot) + " / " + strconv.Itoa(*slice)
}
