package bill

import (
	"strings"
	"testing"
)

// A manifest is refused with its line, and a listed file with the line that lists it.
func TestRefusalsOfManifestsHaveALine(t *testing.T) {
	for text, want := range map[string]string{
		"{\n  \"exportArn\": \"a\",\n  \"dataFiles\": [}\n}": "m.json line 3: broken manifest: " +
			"invalid character '}'",
		"\ufeff{\n\"dataFiles\": 7}": "m.json line 2, column dataFiles: " +
			"broken manifest",
		"{\"exportArn\": \"a\",\n": "m.json line 1: broken manifest: " +
			"unexpected end of JSON input",
		"{\n\"exportArn\": \"a\",\n\"dataFiles\": []}": "m.json line 3, column dataFiles: " +
			"broken manifest: it names no data files",
		"{\"exportArn\": \"a\"}": "m.json, column dataFiles: broken " +
			"manifest: it names no data files",
		"{\"reportName\": \"a\",\n\"reportKeys\":\n[\"/\"]}": "m.json line 2, column reportKeys: " +
			"broken manifest",
		"{\"dataFiles\": [\"a.csv\"],\n\n\"createdAt\": \"yesterday\"}": "m.json line 3, column createdAt: not " +
			"a date",
		"{\"dataFiles\": [\"a.csv\"],\n\"submitTime\": \"2026-99-01T00:00:00Z\"}": "m.json line 2, column submitTime: " +
			"not a date",
	} {
		_, err := ParseAWSManifest("m.json", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v\nwant %s", text, err, want)
		}
	}
	m, err := ParseAWSManifest("m.json", []byte("{\"dataFiles\": [\"a.csv\",\n\"b.csv\"]}"))
	if err != nil || m.DataFiles[1].Line != 2 {
		t.Errorf("%+v, %v", m, err)
	}
}
