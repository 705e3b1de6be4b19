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
	usageHeads = views.Heads(
		"Slot: usage.slot", "Holder: usage.pod", "Cause: key.cause", "#Seconds: usage.seconds",
		"#Per second: figure.weight", "#Weight: figure.weight", "Basis",
	)
	partitionHeads = views.Heads(
		"Line: charges.line", "How it was split: figure.fact", "#Part: figure.weight", "#Share: figure.share",
	)
	sampleHeads = views.Heads(
		"Slot", "Device", "Signal: samples.signal", "#Minutes: samples.minutes", "#Lowest", "#Highest", "Kept",
	)
	layoutHeads = views.Heads(
		"Slice: samples.slice", "Profile: key.mig_profile", "#Minutes", "#Raw weight", "#Weight",
	)
	holderHeads = views.Heads(
		"Holder: usage.pod", "Device", "Why", "#Minutes named: samples.minutes", "From: figure.newest_sample", "To",
	)
)

// hourSections adds the sections of one node-hour: its rows, its parts and its evidence.
func hourSections(n *metrics.NodeHour, add func(views.ExplainedSection)) {
	name := n.Node + ", " + moment(n.Hour)
	rows := views.Table{Caption: "Usage rows of " + name, Heads: usageHeads}
	mine, ordered := 0, make([]*metrics.WeightedRow, 0, len(n.Rows))
	for _, own := range []bool{true, false} {
		for i := range n.Rows {
			if n.Rows[i].Mine == own {
				ordered = append(ordered, &n.Rows[i])
			}
		}
	}
	for _, r := range ordered {
		if r.Mine {
			mine++
		}
		if len(rows.Rows) == mostRows {
			continue
		}
		slot := slotOf(r.Slot, r.Slice)
		cells := []views.Cell{{Figure: views.Figure{Text: slot}, Sub: optional(r.Profile)},
			{Figure: views.Figure{Text: holder(r.Holder)}, Name: true, Sub: optional(r.Team)},
			{Figure: views.Figure{Text: page.CauseLabel(ledger.Cause(r.Cause))}, Cause: r.Cause, Sub: r.Activity},
			views.Text(format.Count(r.Seconds)), views.Text(r.PerSecond), views.Text(r.Weight + "/" + n.Denominator),
			{Figure: views.Figure{Text: strings.ReplaceAll(r.Method, "_", " ")}, Sub: r.Quality}}
		if r.Mine {
			cells[0].Tag = &views.Tag{Text: "slot " + slot, Tone: "good", Title: "part of the figure"}
		}
		rows.Rows = append(rows.Rows, views.Row{Cells: cells})
	}
	add(views.ExplainedSection{
		Title: name, Note: format.Count(int64(mine)) + " of " + format.Plural(len(n.Rows), "usage row", "usage rows"),
		Table: &rows,
	})
	if len(n.Parts) > 0 {
		parts := partsTable("Parts of "+name, n.Parts[:min(len(n.Parts), mostRows)])
		add(views.ExplainedSection{
			Title: "Bill lines", Note: format.Plural(len(n.Parts), "part", "parts") + " of this node-hour", Table: &parts,
		})
	}
	if n.Evidence != nil {
		evidenceSections(n.OwnEvidence(), add)
	}
}

func holder(name string) string {
	if name == "" {
		return "nobody"
	}
	return name
}

func partsTable(caption string, parts []metrics.ExplainedPart) views.Table {
	t := views.Table{Caption: caption, Heads: partitionHeads}
	for i := range parts {
		p := &parts[i]
		line := views.Cell{Figure: views.Figure{Text: "no bill line", Zero: true, Title: "not billed yet"}}
		switch {
		case p.File != nil && p.Line != nil:
			place := ":" + strconv.FormatInt(*p.Line, 10)
			line = views.Cell{Figure: views.Figure{Text: page.FileName(*p.File) + place, Title: *p.File + place}, Mono: true}
			if p.ChargeID != nil {
				line.Href = "/explain/charge/" + *p.ChargeID
			}
		case p.Rate != nil:
			line = views.Cell{Figure: views.Figure{Text: "rate " + *p.Rate + " per hour", Title: optional(p.Source)}, Name: true}
		}
		if c := p.Charge; c != nil {
			line.Sub = optional(c.Amount.Effective) + " " + c.Amount.Currency + " for " + moment(c.From) + " to " + moment(c.To)
			if c.State != "current" {
				line.Sub += ", " + c.State
			}
		}
		c := format.Currency(p.Amount.Currency)
		t.Rows = append(t.Rows, views.Row{
			Cells: []views.Cell{
				line, {Figure: views.Figure{Text: p.Cut}, Name: true},
				{Figure: costText(c, p.Amount.Effective)}, {Figure: costText(c, p.Share.Effective)},
			},
		})
	}
	return t
}

func evidenceSections(e *metrics.NodeEvidence, add func(views.ExplainedSection)) {
	note := ""
	if e.Source == "frozen" {
		note = "as it was when the period was closed"
	}
	if len(e.Samples) > 0 {
		t := views.Table{Caption: "Samples", Heads: sampleHeads}
		for i := range e.Samples {
			s := &e.Samples[i]
			t.Rows = append(t.Rows, views.Row{Cells: []views.Cell{{Figure: views.Figure{Text: slotOf(s.Slot, s.Slice)},
				Sub: optional(s.Profile)}, {Figure: views.Figure{Text: page.Middle(s.Device, 16), Title: s.Device}, Mono: true},
				views.Text(strings.TrimSuffix(s.Signal, "_ppm")), views.Text(strconv.Itoa(s.Minutes)),
				views.Text(percent(s.Low)), views.Text(percent(s.High)), views.Text(s.Kept)}})
		}
		add(views.ExplainedSection{Title: "Samples", Note: note, Table: &t})
	}
	for i := range e.Layouts {
		l := &e.Layouts[i]
		t := views.Table{Caption: "Layout of slot " + strconv.Itoa(l.Slot), Heads: layoutHeads}
		for _, s := range l.Slices {
			t.Rows = append(t.Rows, textRow(strconv.Itoa(s.Slice), s.Profile, strconv.Itoa(s.Minutes), s.Raw, s.Weight))
		}
		text := "The raw weights add up to " + l.Sum
		if l.Note != "" {
			text += ", which " + l.Note
		}
		add(views.ExplainedSection{
			Title: "Layout of slot " + strconv.Itoa(l.Slot), Note: l.Model, Text: text + ".", Table: &t,
		})
	}
	if len(e.Holders) > 0 {
		t := views.Table{Caption: "Holders", Heads: holderHeads}
		for i := range e.Holders {
			h := &e.Holders[i]
			from, to := format.NA, "ongoing"
			if h.From != nil {
				from = moment(*h.From)
			}
			if h.To != nil {
				to = moment(*h.To)
			}
			device := optional(h.Device)
			if h.Slice != nil {
				device += " / " + strconv.Itoa(*h.Slice)
			}
			t.Rows = append(t.Rows, views.Row{Cells: []views.Cell{{Figure: views.Figure{Text: h.Holder, Title: h.UID},
				Name: true, Sub: h.Kind}, {Figure: views.Figure{Text: page.Middle(device, 16), Title: device}, Mono: true},
				views.Text(strings.ReplaceAll(h.Basis, "_", " ")),
				views.Text(strconv.Itoa(h.Minutes)), views.Text(from), views.Text(to)}})
		}
		add(views.ExplainedSection{Title: "Holders", Note: note, Table: &t})
	}
}

// percent prints ppm to a tenth of a percent.
func percent(ppm int64) string {
	tenths := (ppm + 500) / 1000
	return strconv.FormatInt(tenths/10, 10) + "." + strconv.FormatInt(tenths%10, 10) + " %"
}
