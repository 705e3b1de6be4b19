package bill

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
)

// ParseAWSManifest reads a manifest of AWS Data Exports (executionId, exportArn,
// dataFiles) and tolerates the keys of older reports (assemblyId, reportName,
// reportKeys). A manifest without data files is refused.
func ParseAWSManifest(name string, text []byte) (*Manifest, error) {
	refuse := func(column, reason, detail string) (*Manifest, error) {
		return nil, &ledger.FileError{Rejection: ledger.Rejection{File: name, Column: column, Reason: reason, Detail: detail}}
	}
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
	if err := json.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &raw); err != nil {
		return refuse("", "broken manifest", err.Error())
	}
	m := &Manifest{Name: name, Export: First(raw.ExportARN, raw.ReportName, raw.ExportName), ExecutionID: First(raw.ExecutionID, raw.AssemblyID)}
	for _, f := range slices.Concat(raw.DataFiles, raw.ReportKeys) {
		m.DataFiles = append(m.DataFiles, DataFile{Name: f, Bytes: -1, Rows: -1})
	}
	if len(m.DataFiles) == 0 {
		return refuse("dataFiles", "broken manifest", "it names no data files")
	}
	for _, d := range m.DataFiles {
		if f := d.Name; strings.Trim(ObjectKey(f), "/") == "" {
			return refuse("dataFiles", "broken manifest", fmt.Sprintf("%q names no file", table.Clip(f)))
		}
	}
	if when := First(raw.SubmitTime, raw.Submitted, raw.CreatedAt); when != "" {
		at, err := table.ParseInstant(when)
		if err != nil {
			return refuse("submitTime", "not a date", fmt.Sprintf("%q: %v", table.Clip(when), err))
		}
		m.SubmitTime = &at
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
