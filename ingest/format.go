package ingest

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"strings"

	"gpuledger/ingest/annotations"
	"gpuledger/ingest/awscur"
	"gpuledger/ingest/azurecost"
	"gpuledger/ingest/bill"
	"gpuledger/ingest/budgets"
	"gpuledger/ingest/experiments"
	"gpuledger/ingest/focus"
	"gpuledger/ingest/gcpbilling"
	"gpuledger/ingest/llmusage"
	"gpuledger/ingest/publicprices"
	"gpuledger/ingest/spotevents"
	"gpuledger/ingest/table"
	"gpuledger/internal/blob"
)

// The importable sources.
const (
	SourceAuto         = "auto"
	SourceAWSCUR       = awscur.Source
	SourceGCPBilling   = gcpbilling.Source
	SourceAzureCost    = azurecost.Source
	SourceFOCUS        = focus.Source
	SourceOpenMetrics  = "openmetrics"
	SourcePrometheus   = "prometheus"
	SourceKubernetes   = "kubernetes"
	SourceNvidiaSMI    = "nvidia-smi"
	SourceOTLP         = "otlp"
	SourceSlurm        = "slurm"
	SourceSageMaker    = "sagemaker"
	SourceAttempts     = "attempts"
	SourceExperiments  = "experiments"
	SourceLLMUsage     = "llm-usage"
	SourceSpotEvents   = "spot-events"
	SourcePriceBook    = "price-book"
	SourcePublicPrices = "public-prices"
	SourceBudgets      = "budgets"
	SourceAnnotations  = "annotations"
)

// Sources lists them; auto decides per file. An auto import runs them in this order: price
// books last, since telemetry's measured energy prices owned hardware.
var Sources = []string{
	SourceAuto, SourceAWSCUR, SourceGCPBilling, SourceAzureCost, SourceFOCUS, SourceSpotEvents, SourceSlurm,
	SourceSageMaker, SourceAttempts, SourceExperiments, SourceLLMUsage, SourceKubernetes,
	SourceOpenMetrics, SourceNvidiaSMI, SourceOTLP, SourcePrometheus, SourcePriceBook, SourcePublicPrices,
	SourceBudgets, SourceAnnotations,
}

// billFormats are the formats of the bill pipeline, in the order in which they are tried on a
// file.
var billFormats = []bill.Format{focus.Format, awscur.Format, gcpbilling.Format, azurecost.Format}

func billFormat(source string) bill.Format {
	for _, f := range billFormats {
		if f.Source() == source {
			return f
		}
	}
	return nil
}

// headBytes is how much of a file detection reads.
const headBytes = 64 << 10

// Detection is the result of detecting a file's format.
type Detection struct {
	Source   string // empty if unknown
	Manifest bool   // it names other files
	Results  bool   // of experiments: results, not records of runs
}

var bookKey = regexp.MustCompile(`(?m)^["']?(rates|owned)["']?\s*:`)

// Detect decides a file's format by content. An error means that its first bytes cannot be
// read, as in a damaged archive.
func Detect(f blob.File) (Detection, error) {
	head, err := f.Head(headBytes)
	if err != nil {
		return Detection{}, err
	}
	for _, format := range billFormats {
		names, err := table.HeadNames(f, format.Options())
		if err != nil {
			return Detection{}, err
		}
		if format.Looks(names) {
			return Detection{Source: format.Source()}, nil
		}
	}
	return detectText(head), nil
}

func detectText(head []byte) Detection {
	head = bytes.TrimPrefix(head, []byte("\ufeff"))
	text := bytes.TrimLeft(head, " \t\r\n")
	if len(text) == 0 {
		return Detection{}
	}
	for _, format := range telemetryFormats {
		if format.looks(text) {
			return Detection{Source: format.source}
		}
	}
	if experiments.Detect(text) {
		return Detection{Source: SourceExperiments, Results: true}
	}
	if publicprices.Detect(text) {
		return Detection{Source: SourcePublicPrices}
	}
	if budgets.Detect(text) {
		return Detection{Source: SourceBudgets}
	}
	if annotations.Detect(text) {
		return Detection{Source: SourceAnnotations}
	}
	if llmusage.Detect(text) {
		return Detection{Source: SourceLLMUsage}
	}
	switch {
	case text[0] == '{' || text[0] == '[':
		if spotevents.LooksLikeEvents(text) {
			return Detection{Source: SourceSpotEvents}
		}
		for _, format := range billFormats {
			if format.IsManifest(text) {
				return Detection{Source: format.Source(), Manifest: true}
			}
		}
	case bookKey.Match(text):
		return Detection{Source: SourcePriceBook}
	}
	return Detection{}
}

// byName guesses the format of an unreadable file from its name.
func byName(f blob.File) Detection {
	name := strings.ToLower(f.Name)
	for _, packed := range []string{".gz", ".zst", ".zstd"} {
		name = strings.TrimSuffix(name, packed)
	}
	switch path.Ext(name) {
	case ".parquet", ".csv":
		return Detection{Source: SourceAWSCUR}
	case ".avro":
		return Detection{Source: SourceGCPBilling}
	case ".yaml", ".yml":
		return Detection{Source: SourcePriceBook}
	case ".json", ".jsonl", ".ndjson":
		if strings.HasSuffix(name, "manifest.json") {
			return Detection{Source: SourceAWSCUR, Manifest: true}
		}
		return Detection{Source: SourceSpotEvents}
	case ".prom", ".om", ".openmetrics", ".metrics", ".txt":
		return Detection{Source: SourceOpenMetrics}
	}
	return Detection{}
}

// candidateFile is a file to import.
type candidateFile struct {
	blob.File
	uri      string
	named    bool // the URI names this file, not a folder above
	manifest bool
	results  bool // of experiments
}

// sortFiles detects each file's format and assigns it to its source. Files of other formats
// below a directory are skipped; one that was named itself is refused.
func sortFiles(
	source string, files []candidateFile,
) (bySource map[string][]candidateFile, skipped []skippedFile, err error) {
	bySource = map[string][]candidateFile{}
	for _, f := range files {
		d, derr := Detect(f.File)
		promised := byName(f.File)
		switch {
		case derr != nil:
			// Unreadable: opening it as the promised format will give the reason.
			if d = promised; d.Source == "" || (source != SourceAuto && f.named) {
				d.Source = source
			}
			if d.Source == SourceAuto {
				return nil, nil, derr
			}
		case source != SourceAuto && f.named:
			d.Source = source // its parser gives the best error
		case d.Source == "" && promised.Source == source:
			d = promised
		}
		if d.Source == "" && f.named {
			seems, at := skippedFile{f.File, ""}.seems(), ""
			if strings.HasPrefix(seems, "a table with columns") {
				at = " line 1"
			}
			return nil, nil, fmt.Errorf("%s%s: unknown format: it seems to be %s; name its source with --source, one of %s",
				f.Name, at, seems, strings.Join(Sources[1:], ", "))
		}
		if d.Source == "" || (source != SourceAuto && d.Source != source) {
			skipped = append(skipped, skippedFile{f.File, d.Source})
			continue
		}
		f.manifest = d.Manifest
		f.results = d.Results || source == SourceExperiments && f.named && namedResults(f.File)
		bySource[d.Source] = append(bySource[d.Source], f)
	}
	return bySource, skipped, nil
}
