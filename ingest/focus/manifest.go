package focus

import (
	"bytes"

	"gpuledger/ingest/bill"
)

// ParseManifest reads a manifest of AWS Data Exports.
func (format) ParseManifest(name string, text []byte) (*bill.Manifest, error) {
	return bill.ParseAWSManifest(name, text)
}

// IsManifest reports whether JSON text is a manifest of an export with FOCUS
// columns.
func (format) IsManifest(head []byte) bool {
	return bytes.Contains(head, []byte(`"dataFiles"`)) && bytes.Contains(head, []byte(`"BilledCost"`))
}
