package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/grafana/grafana-foundation-sdk/go/cog/plugins"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
)

// The committed boards are those of this code, no more and no fewer.
func TestBoardsAreCurrent(t *testing.T) {
	files, err := filepath.Glob("../*.json")
	if err != nil || len(files) != len(boards) {
		t.Errorf("%d boards in the folder, %d here: %v", len(files), len(boards), err)
	}
	for name, of := range boards {
		want, err := written(of())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		have, err := os.ReadFile(filepath.Join("..", name))
		if err != nil || !bytes.Equal(have, want) {
			t.Errorf("%s is not that of this code (%v): go -C deploy/grafana/build run .", name, err)
		}
	}
}

// The committed boards are sound: the SDK reads every field by its schema, each panel has its own id, a description
// and no overlap, and data sources are variables.
func TestBoardsAreSound(t *testing.T) {
	plugins.RegisterDefaultPlugins()
	fixed := regexp.MustCompile(`"uid": "[^$"]+"`)
	for name, of := range boards {
		text, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		if fault := faultOf(text); fault != "" {
			t.Errorf("%s: %s", name, fault)
		}
		for _, change := range [][2]string{{`"schemaVersion"`, `"schemaVersions"`}, {
			`"gridPos": {`, `"gridPos": {"z": 1,`}, {`"calcs": [`, `"calculations": [`}} {
			other := bytes.Replace(text, []byte(change[0]), []byte(change[1]), 1)
			if !bytes.Equal(other, text) && faultOf(other) == "" {
				t.Errorf("%s: the schema takes %s", name, change[1])
			}
		}
		if uids := fixed.FindAll(text, -1); len(uids) != 1 { // the board's
			t.Errorf("%s: fixed uids %s", name, uids)
		}
		var plain struct {
			Panels []struct {
				ID          int
				Title       string
				Description string
				GridPos     struct{ X, Y, W, H int }
				Targets     []struct{ Datasource struct{ UID string } }
			}
		}
		if err := json.Unmarshal(text, &plain); err != nil {
			t.Fatal(err)
		}
		if len(plain.Panels) != len(of().panels) {
			t.Errorf("%s: %d panels of %d", name, len(plain.Panels), len(of().panels))
		}
		var ids []int
		for i, p := range plain.Panels {
			if p.Title == "" || p.Description == "" || len(p.Targets) != 1 || slices.Contains(ids, p.ID) {
				t.Errorf("%s: panel %d %q lacks something, or its id %d is taken", name, i, p.Title, p.ID)
			}
			ids = append(ids, p.ID)
			for _, o := range plain.Panels[:i] {
				a, b := p.GridPos, o.GridPos
				if a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H && b.Y < a.Y+a.H {
					t.Errorf("%s: %q lies over %q", name, p.Title, o.Title)
				}
			}
		}
	}
}

// faultOf is how a dashboard breaks the schema; empty if it does not. The SDK returns its list of faults, even an empty
// one.
func faultOf(text []byte) string {
	var d dashboard.Dashboard
	if err := d.UnmarshalJSONStrict(text); err != nil && err.Error() != "" {
		return err.Error()
	}
	if err := d.Validate(); err != nil {
		return err.Error()
	}
	return ""
}
