package azurecost

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"strings"

	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
)

// manifestText is common to both styles of manifest.json; the style of 2021 has no exportConfig
// and no runInfo.
type manifestText struct {
	BlobCount    *int64 `json:"blobCount"`
	DataFormat   string `json:"dataFormat"`
	ExportConfig struct {
		ExportName string `json:"exportName"`
		ResourceID string `json:"resourceId"`
		Type       string `json:"type"`
	} `json:"exportConfig"`
	DeliveryConfig struct {
		CompressionMode string `json:"compressionMode"`
	} `json:"deliveryConfig"`
	RunInfo struct {
		SubmittedTime string `json:"submittedTime"`
		RunID         string `json:"runId"`
	} `json:"runInfo"`
	Blobs []struct {
		BlobName     string `json:"blobName"`
		ByteCount    *int64 `json:"byteCount"`
		DataRowCount *int64 `json:"dataRowCount"`
	} `json:"blobs"`
}

// ParseManifest reads the manifest.json of an export run. A run without data
// names no blobs. The names are relative to the container.
func (format) ParseManifest(name string, text []byte) (*bill.Manifest, error) {
	t := bill.ManifestText{Name: name, Text: text}
	refuse := func(key, reason, detail string) (*bill.Manifest, error) { return nil, t.Refuse(key, reason, detail) }
	var raw manifestText
	if err := t.Decode(&raw); err != nil {
		return nil, err
	}
	if raw.BlobCount == nil && raw.Blobs == nil {
		return refuse("blobs", "broken manifest", "it has neither blobCount nor blobs; fetch the manifest again")
	}
	if raw.BlobCount != nil && *raw.BlobCount != int64(len(raw.Blobs)) {
		return refuse("blobCount", "broken manifest",
			fmt.Sprintf("it declares %d blobs but lists %d; fetch the manifest again", *raw.BlobCount, len(raw.Blobs)))
	}
	m := &bill.Manifest{Name: name, Dataset: raw.ExportConfig.Type, ExecutionID: raw.RunInfo.RunID,
		Export: strings.ToLower(bill.First(raw.ExportConfig.ResourceID, raw.ExportConfig.ExportName))}
	line := t.Lines()
	for _, b := range raw.Blobs {
		if strings.Trim(bill.ObjectKey(b.BlobName), "/") == "" {
			return refuse("blobs", "broken manifest",
				fmt.Sprintf("%q is not the name of a blob; fetch the manifest again", table.Clip(b.BlobName)))
		}
		d := bill.DataFile{
			Name: b.BlobName, Bytes: orUnknown(b.ByteCount), Rows: orUnknown(b.DataRowCount), Line: line(b.BlobName),
		}
		if strings.EqualFold(raw.DeliveryConfig.CompressionMode, "gzip") ||
			strings.HasSuffix(strings.ToLower(b.BlobName), ".gz") {
			d.Bytes = -1 // undocumented whether of the packed file
		}
		m.DataFiles = append(m.DataFiles, d)
	}
	if when := raw.RunInfo.SubmittedTime; when != "" {
		at, err := table.ParseInstant(when)
		if err != nil {
			return refuse("submittedTime", "not a date", fmt.Sprintf("%q: %v", table.Clip(when), err))
		}
		m.SubmitTime = &at
	}
	for _, d := range m.DataFiles {
		if at, run, ok := bill.RunFolder(d.Name); ok && m.SubmitTime == nil {
			m.SubmitTime, m.ExecutionID = &at, bill.First(m.ExecutionID, run)
		}
		if m.Export == "" { // the export's folder is above that of the days
			if above, ok := aboveDays(d.Name); ok {
				m.Export = "azure " + strings.ToLower(above)
			}
		}
	}
	return m, nil
}

func orUnknown(n *int64) int64 {
	if n == nil || *n < 0 {
		return -1
	}
	return *n
}

// aboveDays cuts a blob's name at the folder of its days.
func aboveDays(name string) (above string, ok bool) {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		if i > 0 && dayFolder.MatchString(part) {
			return path.Join(parts[:i]...), true
		}
	}
	return "", false
}

var (
	blobsKey   = regexp.MustCompile(`"blobs"\s*:`)
	countKey   = regexp.MustCompile(`"(blobCount|dataRowCount|manifestVersion|exportConfig)"\s*:`)
	exportType = regexp.MustCompile(`"exportConfig"\s*:\s*\{[^{}]*"type"\s*:\s*"([^"]*)"`)
)

// IsManifest reports whether JSON text is the manifest of an export of cost details, and not of
// FOCUS, price sheets or reservations.
func (format) IsManifest(head []byte) bool {
	if !countKey.Match(head) || !blobsKey.Match(head) && !bytes.Contains(head, []byte(`"exportConfig"`)) {
		return false
	}
	if m := exportType.FindSubmatch(head); m != nil {
		return datasetOf(string(m[1])) != ""
	}
	return true
}
