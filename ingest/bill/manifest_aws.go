package bill

import (
	"fmt"
	"slices"
	"strings"

	"gpuledger/ingest/table"
)

// ParseAWSManifest reads a manifest of AWS Data Exports (executionId, exportArn,
// dataFiles) and tolerates the keys of older reports (assemblyId, reportName,
// reportKeys). A manifest without data files is refused.
func ParseAWSManifest(name string, text []byte) (*Manifest, error) {
	t := ManifestText{name, text}
	refuse := func(key, reason, detail string) (*Manifest, error) { return nil, t.Refuse(key, reason, detail) }
	var raw struct {
		ExecutionID string   `json:"executionId"`
		AssemblyID  string   `json:"assemblyId"`
		ExportARN   string   `json:"exportArn"`
		ReportName  string   `json:"reportName"`
		ExportName  string   `json:"exportName"`
		DataFiles   []string `json:"dataFiles"`
		ReportKeys  []string `json:"reportKeys"`
		SubmitTime  string   `json:"submitTime"`
		Submitted   string   `json:"submittedTime"`
		CreatedAt   string   `json:"createdAt"`
	}
	if err := t.Decode(&raw); err != nil {
		return nil, err
	}
	files := "dataFiles"
	if len(raw.DataFiles) == 0 && len(raw.ReportKeys) > 0 {
		files = "reportKeys"
	}
	m := &Manifest{
		Name: name, Export: First(raw.ExportARN, raw.ReportName, raw.ExportName),
		ExecutionID: First(raw.ExecutionID, raw.AssemblyID),
	}
	line := t.Lines()
	for _, f := range slices.Concat(raw.DataFiles, raw.ReportKeys) {
		m.DataFiles = append(m.DataFiles, DataFile{Name: f, Bytes: -1, Rows: -1, Line: line(f)})
	}
	if len(m.DataFiles) == 0 {
		return refuse(files, "broken manifest",
			"it names no data files; import the folder of a run that has some, or fetch the manifest again")
	}
	for _, d := range m.DataFiles {
		if f := d.Name; strings.Trim(ObjectKey(f), "/") == "" {
			return refuse(files, "broken manifest",
				fmt.Sprintf("%q is not the name of a file; fetch the manifest again", table.Clip(f)))
		}
	}
	for _, said := range [...]struct{ key, text string }{
		{"submitTime", raw.SubmitTime}, {"submittedTime", raw.Submitted}, {"createdAt", raw.CreatedAt},
	} {
		if said.text == "" {
			continue
		}
		at, err := table.ParseInstant(said.text)
		if err != nil {
			return refuse(said.key, "not a date", fmt.Sprintf("%q: %v", table.Clip(said.text), err))
		}
		m.SubmitTime = &at
		break
	}
	if m.SubmitTime == nil {
		for _, f := range append([]string{name}, slices.Concat(raw.DataFiles, raw.ReportKeys)...) {
			if at, execution, ok := RunFolder(f); ok {
				m.SubmitTime, m.ExecutionID = &at, First(m.ExecutionID, execution)
				break
			}
		}
	}
	return m, nil
}
