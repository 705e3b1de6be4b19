package metrics

import "strings"

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
