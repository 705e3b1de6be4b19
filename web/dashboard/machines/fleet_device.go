package machines

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/metrics/fleet"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/chart"
	"gpuledger/web/views/format"
)

var (
	sliceHeads = views.Heads(
		"Slice: samples.slice", "#Instance: samples.slice", "State: figure.state_now",
		"#Activity: figure.activity_now", "#Memory used: samples.avg wide-only", "Holder: usage.pod",
	)
	holderHeads = views.Heads(
		"Workload: key.workload", "Slice: samples.slice wide-only", "From: figure.newest_sample",
		"Until: figure.newest_sample", "#Minutes named: samples.minutes",
	)
	layoutHeads = views.Heads(
		"Slice: samples.slice", "Profile: key.mig_profile", "First sample: figure.newest_sample",
		"Last sample: figure.newest_sample",
	)
)

// fleetDevice serves one device: its last hour and its layouts.
func (d *room) fleetDevice(w http.ResponseWriter, r *http.Request) {
	s, err := page.ReadScope(r)
	if err != nil {
		d.Refused(w, r, err)
		return
	}
	uuid := chi.URLParam(r, "device")
	ctx, cancel := context.WithTimeout(r.Context(), page.PanelTimeout)
	defer cancel()
	device, known, err := d.Reader.FleetDevice(ctx, d.clock(), uuid)
	if err != nil {
		d.Broken(w, r, s, "fleet", err)
		return
	}
	if !known {
		d.Render(w, r, http.StatusNotFound, views.MessagePage(views.Message{
			Shell: d.Shell(r, s, "fleet", "Device not found"), Sentence: "No sample of this device is stored.",
			Sub: page.Clip(uuid), Link: views.Link{Text: "The fleet", Href: s.Carried("/fleet")},
		}))
		return
	}
	v := deviceView(s, &device)
	v.Shell = d.Shell(r, s, "fleet", shortDevice(device.UUID))
	d.Render(w, r, http.StatusOK, views.FleetDevicePage(v))
}

func deviceView(s page.Scope, d *fleet.DeviceDetail) views.FleetDevice {
	name := stateNames[d.State]
	v := views.FleetDevice{
		Back:     views.Link{Text: "Fleet", Href: s.Carried("/fleet", "q", d.Node.Name)},
		State:    views.Tag{Text: strings.ToLower(name.label), Title: name.means},
		Sentence: shortModel(d.Model) + ", GPU " + strconv.Itoa(int(d.Index)) + " of " + d.Node.Name,
	}
	var place []string
	for _, part := range []string{
		d.UUID, d.Node.Cluster, d.Node.InstanceType, d.Node.Zone, strings.ReplaceAll(string(d.Node.PriceClass), "_", " "),
	} {
		if part != "" {
			place = append(place, part)
		}
	}
	v.Sub = strings.Join(place, " · ")
	fact := func(name, define, value, note string) {
		f := views.Fact{Name: name, Define: define, Note: note,
			Value: views.Figure{Text: cmp.Or(value, format.NA), Zero: value == ""}}
		if value == "" {
			f.Value.Title = "no sample"
		}
		v.Facts = append(v.Facts, f)
	}
	activity, signal := "", "no signal in this hour"
	if d.Activity.Known {
		activity = percentOf(d.Activity.Value)
	}
	if d.Signal != "" {
		signal = signalNames[d.Signal]
	} else if len(d.Slices) > 0 {
		signal = "see its slices below"
	}
	fact("Activity", "figure.activity_now", activity, signal)
	fact("Memory used", "samples.avg", memoryText(&d.Device), "framebuffer")
	fact("Power", "samples.avg", powerText(d.Power), "board")
	fact("Temperature", "samples.avg", heatText(d.Temperature), "of the GPU")
	fact("Newest sample", "figure.newest_sample", format.Instant(d.Newest), "UTC")
	v.Notes = []string{
		"Now is the newest measured minute of the last three.", "A minute without a sample is unknown, never zero.",
	}
	if d.InPart {
		v.Notes = append(v.Notes, othersNote,
			"Only activity is drawn: other signals by the minute may come from other users' work.")
	}
	v.Charts = deviceCharts(d)
	v.Slices = slicesPanel(s, d)
	v.Holders = holdersPanel(d)
	v.Layouts = layoutsPanel(d)
	return v
}

// deviceCharts draws the measurements minute by minute.
func deviceCharts(d *fleet.DeviceDetail) []views.FleetChart {
	end := d.AsOf.Floor(period.Minute) + period.Minute
	from, to := format.Clock(end-fleet.Window*period.Minute), format.Clock(end)
	draw := func(title, note string, values []int64, whole int64, print func(int64) string) views.FleetChart {
		c := views.FleetChart{
			Title: title, Note: note, From: from, To: to, High: print(whole), Low: print(0), Line: chart.Minutes(values, whole),
		}
		known := slices.DeleteFunc(slices.Clone(values), func(v int64) bool { return v < 0 })
		if len(known) == 0 {
			c.None = "There is no sample from " + from + " to " + to + "."
			return c
		}
		c.Label = title + " from " + from + " to " + to + " UTC: lowest " + print(slices.Min(known)) + ", highest " +
			print(slices.Max(known)) + ", " +
			format.Plural(len(known), "minute", "minutes") + " known"
		return c
	}
	out := []views.FleetChart{draw("Activity", signalNames[d.Signal], hourOf(&d.Device), wholePPM, percentOf)}
	for _, s := range []struct {
		signal      ledger.Signal
		title, note string
		least       int64 // lowest end of the axis
		print       func(int64) string
	}{
		{ledger.SignalMemoryUsed, "Memory used", "", 0, format.Gigabytes},
		{
			ledger.SignalPower, "Power", "board", 0,
			func(v int64) string { return powerText(fleet.Reading{Value: v, Known: true}) },
		},
		{
			ledger.SignalTemperature, "Temperature", "", 90_000,
			func(v int64) string { return heatText(fleet.Reading{Value: v, Known: true}) },
		},
		{ledger.SignalSM, "SM active", "share of multiprocessors with a warp", wholePPM, percentOf},
		{ledger.SignalTensor, "Tensor pipe active", "", wholePPM, percentOf},
		{ledger.SignalDRAM, "Memory bandwidth", "share of cycles with a transfer", wholePPM, percentOf},
	} {
		line, ok := d.Lines[s.signal]
		if !ok {
			continue
		}
		high, _ := line.Highest()
		whole := max(high, s.least, 1)
		if s.signal == ledger.SignalMemoryUsed && d.MemoryFree.Known && d.MemoryUsed.Known {
			whole = max(high, d.MemoryUsed.Value+d.MemoryFree.Value)
		}
		out = append(out, draw(s.title, s.note, line[:], whole, s.print))
	}
	return out
}

func slicesPanel(at page.Scope, d *fleet.DeviceDetail) views.TablePanel {
	t := views.Table{Caption: "MIG slices", Heads: sliceHeads}
	for i := range d.Slices {
		s := &d.Slices[i]
		memory := format.NA
		if s.MemoryUsed.Known {
			memory = format.Gigabytes(s.MemoryUsed.Value)
		}
		holder := views.Text("no known holder")
		if len(s.Holders) > 0 {
			h := holderOf(at, &d.Node, &s.Holders[0])
			holder = views.Cell{Figure: views.Figure{Text: h.Name, Title: h.Title}, Name: true, Href: h.Href}
		}
		t.Rows = append(t.Rows, views.Row{Cells: []views.Cell{{Figure: views.Figure{Text: s.Profile}},
			views.Text(strconv.Itoa(int(s.ID))), views.Text(stateNames[s.State].label),
			{Figure: activityFigure(s.State, s.Activity, d.AsOf, d.Newest)}, views.Text(memory), holder}})
	}
	return views.TablePanel{Title: "MIG slices", Note: "the newest layout", Table: t}
}

// holdersPanel lists the workloads named on the device in the last day.
func holdersPanel(d *fleet.DeviceDetail) views.TablePanel {
	type key struct {
		slice           int32
		namespace, name string
	}
	type span struct {
		from, to period.Second
		minutes  int
	}
	spans := map[key]span{}
	var order []key
	for _, h := range d.Held {
		k := key{h.SliceID, h.Namespace, h.Name}
		s, seen := spans[k]
		if !seen {
			order = append(order, k)
			s.to = h.Hour + period.Hour
		}
		s.from, s.minutes = h.Hour, s.minutes+h.Minutes
		spans[k] = s
	}
	t := views.Table{Caption: "Holders", Heads: holderHeads}
	for _, k := range order[:min(len(order), 100)] {
		s := spans[k]
		t.Rows = append(t.Rows, views.Row{Cells: []views.Cell{{Figure: views.Figure{Text: k.name}, Name: true,
			Sub: k.namespace}, views.Text(sliceName(k.slice)), views.Text(format.Instant(s.from)),
			views.Text(format.Instant(min(s.to, d.AsOf))), views.Text(format.Count(int64(s.minutes)))}})
	}
	return views.TablePanel{
		Title: "Holders of the last day", Note: "named in exporter rows, by hour",
		Table: t, None: "No exporter row named a workload on it in the last day.",
	}
}

func layoutsPanel(d *fleet.DeviceDetail) views.TablePanel {
	t := views.Table{Caption: "Layouts", Heads: layoutHeads}
	for _, l := range d.Layouts {
		t.Rows = append(t.Rows, views.Row{
			Cells: []views.Cell{
				views.Text(sliceName(l.SliceID)), views.Text(cmp.Or(l.Profile, "whole card")),
				views.Text(format.Stamp(l.From)), views.Text(format.Stamp(l.To)),
			},
		})
	}
	return views.TablePanel{
		Title: "Layout history", Note: "stretches without a gap of two hours or more", Table: t, None: "No layout is known.",
	}
}

func sliceName(id int32) string {
	if id == ledger.WholeDevice {
		return "card"
	}
	return "instance " + strconv.Itoa(int(id))
}
