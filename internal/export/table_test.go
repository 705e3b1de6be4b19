package export

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gpuledger/internal/visible"
	"gpuledger/metrics"
)

// A table has the columns that fit, the important ones first, and names all others.
func TestTableFitsItsScreen(t *testing.T) {
	rows := [][]metrics.Value{row("atlas", "1234.565"), row("atlas-moe-training-of-the-second-half", "2")}
	first := []string{"name", "cost", "at", "n"}
	for width, want := range map[int]string{
		20: `
name
atlas
atlas-moe-…cond-half

Not shown (--wide,
  or --columns A,B):
  cost, at, n,
  hours, ratio,
  held, id
`,
		60: `
name                                      cost   n
atlas                                  1234.57  -3
atlas-moe-training-of-the-second-half     2.00  -3

Not shown (--wide, or --columns A,B): at, hours, ratio,
  held, id
Rounded (all digits: --format csv): cost
`,
		100: `
name                                      cost  at                     n  hours   ratio  held
atlas                                  1234.57  2026-11-02T09:00:00Z  -3  0.143  0.3333  true
atlas-moe-training-of-the-second-half     2.00  2026-11-02T09:00:00Z  -3  0.143  0.3333  true

Not shown (--wide, or --columns A,B): id
Rounded (all digits: --format csv): cost, hours, ratio
`,
	} {
		got := write(t, Table, Options{Screen: Screen{Columns: width, First: first}}, rows...)
		if d := cmp.Diff(strings.TrimPrefix(want, "\n"), got); d != "" {
			t.Errorf("%d columns (-want +got):\n%s", width, d)
		}
	}
	picked := write(t, Table, Options{Screen: Screen{Columns: 60, First: first, Picked: true}}, rows...)
	if head, _, _ := strings.Cut(picked, "\n"); len(strings.Fields(head)) != len(columns) ||
		!strings.HasPrefix(head, "name ") || !strings.HasSuffix(head, "  id") {
		t.Errorf("columns that were asked for: %q", head)
	}
}

func TestColumnsThatAreEmptyAreNamed(t *testing.T) {
	some := []metrics.Value{text("x"), {}, {}, {}, {}, {}, {}, {}}
	const want = "name\nx\n\nEmpty: cost, hours, ratio, n, at, held, id\n"
	for _, screen := range []Screen{{}, {Columns: 80}, {Wide: true}} {
		if d := cmp.Diff(want, write(t, Table, Options{Screen: screen}, some)); d != "" {
			t.Errorf("%+v (-want +got):\n%s", screen, d)
		}
	}
	picked := write(t, Table, Options{Screen: Screen{Columns: 80, Picked: true}}, some)
	if head, _, _ := strings.Cut(picked, "\n"); head != "name  cost  hours  ratio  n  at  held  id" {
		t.Errorf("columns that were asked for: %q", head)
	}
	// A value that comes after the columns are chosen is not passed over in silence.
	many := slices.Repeat([][]metrics.Value{some}, widthRows)
	got := write(t, Table, Options{Screen: Screen{Wide: true}}, append(many, row("last", "1"))...)
	if !strings.HasSuffix(got, fmt.Sprintf("\nlast\n\nEmpty in the first %d rows, so not shown (--columns A,B): cost, "+
		"hours, ratio, n, at, held, id\n", widthRows)) {
		t.Errorf("the end is %q", got[len(got)-200:])
	}
}

// Whatever the texts and the screen are, no line of a table is longer than the screen, no digit is cut, and every
// column is either shown or named.
func TestNoLineIsLongerThanTheScreen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.String(), 1, 5).Draw(t, "texts")
		width := rapid.IntRange(40, 200).Draw(t, "width")
		first := rapid.Permutation([]string{"name", "cost", "at", "id"}).Draw(t, "first")
		var rows [][]metrics.Value
		for _, s := range texts {
			rows = append(rows, row(s, "123456.789"))
		}
		got := tableOf(t, Screen{Columns: width, First: first}, rows...)
		for line := range strings.SplitSeq(got, "\n") {
			if n := visible.Width(line); n > width {
				t.Fatalf("%d columns on a screen of %d: %q", n, width, line)
			}
		}
		words := strings.FieldsFunc(got, func(r rune) bool { return strings.ContainsRune(" \n,:", r) })
		for _, c := range columns {
			if !slices.Contains(words, c.Name) {
				t.Fatalf("nothing says where %s is:\n%s", c.Name, got)
			}
		}
		if shown, _, _ := strings.Cut(got, "\n"); strings.Contains(shown, "cost") &&
			strings.Count(got, "123456.79") != len(texts) {
			t.Fatalf("digits are missing:\n%s", got)
		}
	})
}

func tableOf(t interface{ Fatal(args ...any) }, screen Screen, rows ...[]metrics.Value) string {
	var b strings.Builder
	if _, err := Write(&b, Table, metrics.NewSliceRows(columns, rows), Options{Screen: screen}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestEscapeSequencesAreOnlyOnAStyledScreen(t *testing.T) {
	if got := write(t, Table, Options{}, row("a", "1.234")); strings.Contains(got, "\x1b") {
		t.Errorf("%q", got)
	}
	got := write(t, Table, Options{Screen: Screen{Styled: true, Columns: 30}}, row("a", "1.234"))
	for line := range strings.SplitSeq(got, "\n") {
		if strings.Contains(line, "\x1b") && !strings.HasSuffix(line, plain) {
			t.Errorf("a style goes on past %q", line)
		}
	}
	if !strings.HasPrefix(got, bold+"name") || !strings.Contains(got, faint+"Rounded") {
		t.Errorf("%q", got)
	}
}
