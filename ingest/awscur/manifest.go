package awscur

import (
	"bytes"

	"gpuledger/ingest/bill"
)

// ParseManifest reads a manifest of Data Exports or of older reports.
func (format) ParseManifest(name string, text []byte) (*bill.Manifest, error) {
	return bill.ParseAWSManifest(name, text)
}

// IsManifest reports whether JSON text looks like a manifest.
func (format) IsManifest(head []byte) bool {
	return bytes.Contains(head, []byte(`"dataFiles"`)) || bytes.Contains(head, []byte(`"reportKeys"`)) ||
		bytes.Contains(head, []byte(`"exportArn"`)) || bytes.Contains(head, []byte(`"assemblyId"`))
}
