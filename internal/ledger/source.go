package ledger

// SourceInfo describes an import source to people.
type SourceInfo struct {
	Name  string // as spelled in commands and datasets
	Label string // as shown on pages and statements
	Bill  bool   // its rows are money
}

// Sources are the import sources that pages name.
var Sources = []SourceInfo{
	{"aws-cur", "AWS Cost and Usage Report", true},
	{"gcp-billing", "Google Cloud Billing export", true},
	{"azure-cost", "Azure Cost Management export", true},
	{"focus", "FOCUS", true},
	{"price-book", "Price book", true},
	{"public-prices", "Public prices", false},
	{"budgets", "Budgets", false},
	{"annotations", "Annotations", false},
	{"openmetrics", "OpenMetrics", false},
	{"prometheus", "Prometheus history", false},
	{"otlp", "OpenTelemetry metrics", false},
	{"slurm", "Slurm accounting", false},
	{"sagemaker", "SageMaker jobs", false},
	{"attempts", "Attempts file", false},
	{"experiments", "Experiment runs", false},
	{"llm-usage", "LLM gateway calls", false},
	{"spot-events", "Spot events", false},
}

// SourceOf returns the description of a source; an unlisted source is labelled with its own name.
func SourceOf(name string) SourceInfo {
	for _, s := range Sources {
		if s.Name == name {
			return s
		}
	}
	return SourceInfo{Name: name, Label: name}
}
