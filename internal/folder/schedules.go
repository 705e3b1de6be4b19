package folder

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"gpuledger/allocation/policy"
	"gpuledger/internal/export"
	"gpuledger/internal/outgoing"
	"gpuledger/internal/yamlfault"
	"gpuledger/metrics"
)

// scheduleNames are the fields of a schedule but its name, in the order of scheduleValues.
var scheduleNames = append([]string{"dataset", "to", "every", "format", "for_excel", "months", "keep"},
	optionFields()...)

// optionFields are the options of a report as fields.
func optionFields() (names []string) {
	for _, option := range outgoing.OptionNames {
		names = append(names, fieldOf(option))
	}
	return names
}

// fieldOf is an option of the command as a field.
func fieldOf(option string) string { return strings.ReplaceAll(option, "-", "_") }

func scheduleValues(x *outgoing.Schedule) []string {
	months := ""
	if x.Months > 0 {
		months = strconv.Itoa(x.Months)
	}
	values := []string{x.Dataset, x.Target, string(x.Every), string(x.Format), strconv.FormatBool(x.ForExcel), months,
		strconv.Itoa(x.Keep)}
	for _, option := range outgoing.OptionNames {
		values = append(values, *outgoing.OptionOf(&x.Options, option))
	}
	return values
}

// schedule reads one schedule, with the defaults of the command.
func (r *reader) schedule(d *document) {
	values, ok := r.fields(d, d.root, append([]string{"kind", "name"}, scheduleNames...))
	if !ok {
		return
	}
	x := outgoing.Schedule{Name: values["name"], Dataset: values["dataset"], Target: values["to"],
		Every:  outgoing.Cadence(cmp.Or(values["every"], string(outgoing.Daily))),
		Format: export.Format(cmp.Or(values["format"], string(export.Parquet))), Months: outgoing.StandardMonths}
	refused := map[string]bool{}
	refuse := func(name, format string, args ...any) {
		refused[name] = true
		r.fault(d.at(yamlfault.Line(d.root, name)), name+format, args...)
	}
	for _, name := range []string{"name", "dataset", "to"} {
		if values[name] == "" {
			refuse(name, " is missing: write name, dataset and to")
		}
	}
	for name, number := range map[string]*int{"months": &x.Months, "keep": &x.Keep} {
		if text := values[name]; text != "" {
			n, err := strconv.Atoi(text)
			if *number = n; err != nil {
				refuse(name, ": %q is not a whole number", text)
			}
		}
	}
	switch text := values["for_excel"]; text {
	case "true":
		x.ForExcel = true
	case "", "false":
	default:
		refuse("for_excel", ": %q is not true or false", text)
	}
	for _, option := range outgoing.OptionNames {
		*outgoing.OptionOf(&x.Options, option) = values[fieldOf(option)]
	}
	for _, err := range x.Faults() {
		name, what := "dataset", ": "+err.Error()
		if option, is := errors.AsType[*metrics.OptionError](err); is {
			named := *option
			named.Option = fieldOf(option.Option)
			name, what = named.Option, strings.TrimPrefix(named.Error(), named.Option)
		}
		if !refused[name] {
			refuse(name, "%s", what)
		}
	}
	if !refused["to"] {
		if err := r.options.Target(x.Target); err != nil {
			refuse("to", ": %s", err)
		}
	}
	at := d.at(yamlfault.Line(d.root, "name"))
	r.once(at, KindSchedule, x.Name)
	r.folder.Schedules = append(r.folder.Schedules, Schedule{at, x})
}

func (c *comparison) schedules(list []Schedule) {
	var changed []Schedule
	for _, x := range list {
		do, was := Create, outgoing.Schedule{}
		if i := slices.IndexFunc(c.state.Schedules, func(o outgoing.Schedule) bool { return o.Name == x.Name }); i >= 0 {
			do, was = Update, c.state.Schedules[i]
		}
		if was == x.Schedule {
			c.change(x.Place, KindSchedule, x.Name, 0, None, nil)
			continue
		}
		before, after := scheduleValues(&was), scheduleValues(&x.Schedule)
		var fields []policy.Difference
		for i, name := range scheduleNames {
			if before[i] == after[i] {
				continue
			}
			if do == Create {
				before[i] = ""
			}
			fields = append(fields, policy.Difference{Name: name, From: before[i], To: after[i]})
		}
		c.change(x.Place, KindSchedule, x.Name, 0, do, fields)
		c.plan.Schedules = append(c.plan.Schedules, x.Schedule)
		changed = append(changed, x)
	}
	all := slices.Clone(c.plan.Schedules)
	for _, o := range c.state.Schedules {
		if !slices.ContainsFunc(all, func(x outgoing.Schedule) bool { return x.Name == o.Name }) {
			all = append(all, o)
		}
	}
	for _, x := range changed {
		if err := x.Apart(all); err != nil {
			c.fault(x.Place, "%s", err)
		}
	}
}

type scheduleFile struct {
	Kind     string            `yaml:"kind"`
	Name     string            `yaml:"name"`
	Dataset  string            `yaml:"dataset"`
	To       string            `yaml:"to"`
	Every    string            `yaml:"every"`
	Format   string            `yaml:"format"`
	ForExcel bool              `yaml:"for_excel,omitempty"`
	Months   int               `yaml:"months"`
	Keep     int               `yaml:"keep,omitempty"`
	Options  map[string]string `yaml:",inline"`
}

// exportSchedules adds the file of the schedules.
func exportSchedules(out map[string]string, list []outgoing.Schedule) error {
	if len(list) == 0 {
		return nil
	}
	files := make([]any, len(list))
	for i := range list {
		x := &list[i]
		options := map[string]string{}
		for _, option := range outgoing.OptionNames {
			if value := *outgoing.OptionOf(&x.Options, option); value != "" {
				options[fieldOf(option)] = value
			}
		}
		files[i] = scheduleFile{KindSchedule, x.Name, x.Dataset, x.Target, string(x.Every), string(x.Format), x.ForExcel,
			x.Months, x.Keep, options}
	}
	return write(out, "schedules.yaml", files...)
}
