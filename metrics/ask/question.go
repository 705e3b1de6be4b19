package ask

import (
	"net/url"
	"strings"

	"gpuledger/metrics"
)

// A Question is a report with its options, as typed.
type Question struct {
	Dataset string
	Options metrics.Options
	// Figures are the columns that the asker reads; SQL returns these and the keys. Empty: all that SQL can add up.
	Figures []string
}

// Query parses the question.
func (a Question) Query() (metrics.Query, error) {
	q, err := metrics.Parse(a.Dataset, a.Options)
	q.Only = a.Figures
	return q, err
}

// options lists the options that are set and are not the default.
func (a Question) options() (list [][2]string) {
	for _, opt := range metrics.OptionList {
		text := *opt.Get(&a.Options)
		if text != "" && !(opt.Name == "basis" && text == "effective") && !(opt.Name == "sharing" && text == "before") {
			list = append(list, [2]string{opt.Name, text})
		}
	}
	return list
}

// Values is the question as the query of an address of the REST API.
func (a Question) Values() url.Values {
	v := url.Values{}
	for _, o := range a.options() {
		v.Set(o[0], o[1])
	}
	return v
}

// REST is the question as a path and query of the REST API.
func (a Question) REST() string {
	v := a.Values()
	if len(v) == 0 {
		return "/api/v1/" + a.Dataset
	}
	return "/api/v1/" + a.Dataset + "?" + v.Encode()
}

// Command is the question as a command for a POSIX shell.
func (a Question) Command() string {
	var b strings.Builder
	b.WriteString("gpuledger report " + a.Dataset)
	for _, o := range a.options() {
		b.WriteString(" --" + o[0] + " " + shellQuoted(o[1]))
	}
	return b.String()
}

// shellQuoted quotes a word unless a shell reads it as it is.
func shellQuoted(word string) string {
	plain := strings.IndexFunc(word, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-_.,:/", r)
	}) < 0
	if plain && word != "" && word[0] != '-' {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// labels are names of columns and keys that do not read well with blanks for underscores.
var labels = map[string]string{
	"gpu_hours": "GPU-hours", "used_gpu_hours": "Used GPU-hours", "active_gpu_hours": "Active GPU-hours",
	"capacity_gpu_hours": "All GPU-hours", "lost_gpu_hours": "Lost GPU-hours", "gpu_model": "GPU model",
	"energy_kwh": "Energy, kWh", "pricing": "Price class", "mig_profile": "MIG profile", "cost_before": "Before",
	"cost_after": "After", "without_hours": "Without hours", "exchange": "Exchange rate", "gpus": "GPUs",
	"cost_center": "Cost centre", "held_cost": "Held", "active_cost": "Active", "used_cost": "Used",
}

// Label is the name of a column or key as people read it.
func Label(name string) string {
	if text, ok := labels[name]; ok {
		return text
	}
	text := strings.ReplaceAll(name, "_", " ")
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
