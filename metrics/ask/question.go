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

// labels are names of columns and keys that do not read well as their words.
var labels = map[string]string{
	"capacity_gpu_hours": "All GPU-hours", "energy_kwh": "Energy, kWh", "pricing": "Price class", "cost_before": "Before",
	"cost_after": "After", "exchange": "Exchange rate", "cost_center": "Cost centre", "held_cost": "Held",
	"active_cost": "Active", "used_cost": "Used", "co2e_kg": "CO₂e, kg",
}

// spelled are words of names that are abbreviations.
var spelled = strings.NewReplacer(" gpu hours ", " GPU-hours ", " gpu hour ", " GPU-hour ", " gpu ", " GPU ", " gpus ",
	" GPUs ", " mig ", " MIG ", " cpu ", " CPU ", " p50 ", " P50 ", " p95 ", " P95 ", " p99 ", " P99 ", " ttft ", " TTFT ",
	" llm ", " LLM ", " kwh ", " kWh ", " gib ", " GiB ")

// Label is the name of a column or key as people read it.
func Label(name string) string {
	if text, ok := labels[name]; ok {
		return text
	}
	text := strings.TrimSpace(spelled.Replace(" " + strings.ReplaceAll(strings.TrimSuffix(name, "_seconds"), "_", " ") + " "))
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// Lower is the label inside a sentence; abbreviations stay.
func Lower(name string) string {
	label := Label(name)
	if len(label) < 2 || label[1] >= 'A' && label[1] <= 'Z' {
		return label
	}
	return strings.ToLower(label[:1]) + label[1:]
}
