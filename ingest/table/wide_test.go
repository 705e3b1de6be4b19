package table

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
)

func wideFile(t *testing.T, columns, rows int) blob.File {
	t.Helper()
	var b bytes.Buffer
	for i := range columns {
		fmt.Fprintf(&b, "c%d,", i)
	}
	b.WriteString("end\n")
	for range rows {
		b.WriteString(strings.Repeat("1,", columns) + "2\n")
	}
	path := filepath.Join(t.TempDir(), "wide.csv")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return blob.File{Name: "wide.csv", Path: path}
}

// The widest file that is read is read whole; one column more is refused, and so is
// a header or a row without end, before all of it is taken apart.
func TestWideFilesAreReadOrRefused(t *testing.T) {
	tab, err := Open(wideFile(t, MaxColumns-1, 100), Options{})
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	err = tab.Each(t.Context(), func(r Row) error {
		if rows++; r.Raw(0) != "1" || r.Raw(MaxColumns-1) != "2" {
			t.Fatalf("row %d: %q to %q", rows, r.Raw(0), r.Raw(MaxColumns-1))
		}
		return nil
	})
	if err != nil || rows != 100 || tab.Close() != nil {
		t.Errorf("%d rows, %v", rows, err)
	}
	for _, columns := range []int{MaxColumns, 60_000, 1_000_000} {
		tab, err := Open(wideFile(t, columns, 1), Options{})
		if refused, ok := errors.AsType[*ledger.FileError](err); !ok || refused.Reason != "too many columns" ||
			refused.Line != 1 {
			t.Errorf("%d columns: %v %v", columns+1, tab, err)
		}
	}
	row := "a,b\n1,2\n" + strings.Repeat("1,", 1_000_000) + "\n"
	seen := 0
	err = EachLine(t.Context(), strings.NewReader(row), "rows.csv", func(int64, []string) error { seen++; return nil })
	if refused, ok := errors.AsType[*ledger.FileError](err); !ok || refused.Reason != "too many columns" ||
		refused.Line != 3 || seen != 2 {
		t.Errorf("a row of a million fields after %d: %v", seen, err)
	}
}
