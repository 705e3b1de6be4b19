package ingest

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"gpuledger/internal/blob"
)

// All files of a refused delivery are named, whichever pass found the bad cell, with a
// manifest and without.
func TestAllFilesOfARefusedDeliveryAreNamed(t *testing.T) {
	manifest := `{"executionId":"e","exportArn":"arn:aws:bcm-data-exports:us-east-1:1:export/h","dataFiles":["s3://b/x-1.csv","s3://b/x-2.csv","s3://b/x-3.csv"]}`
	bad := map[string]string{
		"the first pass":          cur(curRow(2, "cheap")),
		"the second pass":         strings.Replace(cur(curRow(2, "1")), ",1,USD", ",one,USD", 1),
		"none, it cannot be read": "PAR1",
	}
	for pass, text := range bad {
		for _, named := range []bool{true, false} {
			files := map[string]string{"x-1.csv": cur(curRow(1, "1")), "x-2.csv": text, "x-3.csv": cur(curRow(3, "1"))}
			if named {
				files["x-Manifest.json"] = manifest
			}
			m := newMemory()
			_, err := importer(m).Import(t.Context(), Request{Source: "aws-cur", URIs: []string{write(t, files)}})
			for name := range files {
				if name != "x-Manifest.json" && (err == nil || !strings.Contains(err.Error(), name)) {
					t.Errorf("%s, manifest %v: %s is not named: %v", pass, named, name, err)
				}
			}
			if len(m.current) != 0 || m.open != 0 {
				t.Errorf("%s: %d deliveries", pass, len(m.current))
			}
		}
	}
}

// A skipped file is named, with its apparent format.
func TestSkippedFilesSayWhatTheySeemToBe(t *testing.T) {
	files := map[string]string{
		"a/invoice.pdf": "%PDF-1.7 ...", "b.csv": "Invoice,Customer,Net,Gross,Tax\n1,a,1,2,3\n",
		"c.html": "<!DOCTYPE html><p>", "d.json": `{"a":1}`,
		"e.bin": "\x00\x01\x02", "f.txt": "hello", "g.csv": "",
		"h.csv": "lineItem/referenceNo,lineItem/tenantId,lineItem/intervalUsageStart,product/resourceId,cost/myCost\nV1,t,2026-10-01T00:00Z,o,1\n",
	}
	root := write(t, files)
	listed, err := blob.Stores{}.List(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range listed {
		got[f.Name] = skippedFile{File: f}.seems()
	}
	want := map[string]string{"a/invoice.pdf": "a PDF document",
		"b.csv": "a table with columns Invoice, Customer, Net, Gross and 1 more", "c.html": "a web page",
		"d.json": "JSON of another kind", "e.bin": "binary data", "f.txt": "a text", "g.csv": "empty",
		"h.csv": "a cost report in Oracle's older format: import Oracle's FOCUS reports instead (docs/connect/focus.md)"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v", got)
	}
	many := make([]skippedFile, maxSkipped+7)
	for i := range many {
		many[i] = skippedFile{File: listed[0], source: SourceSlurm}
		many[i].Name = filepath.Join("x", fmt.Sprint(i))
	}
	if notes := skippedNotes(many); len(notes) != maxSkipped+1 || notes["file of another format that was skipped"] != 7 {
		t.Errorf("%d notes: %v", len(notes), notes)
	}
}
