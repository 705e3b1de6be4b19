package export

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"gpuledger/internal/visible"
)

// writeNotes names the columns that the table leaves out or shortens.
func (t *table) writeNotes(w *bufio.Writer) error {
	var empty, late, more, short []string
	for _, i := range t.order() {
		name := visible.Text(t.cols[i].Name)
		switch shown := slices.Contains(t.shown, i); {
		case shown && t.rounded[i]:
			short = append(short, name)
		case shown:
		case !t.filled[i]:
			empty = append(empty, name)
		case t.empty[i]:
			late = append(late, name)
		default:
			more = append(more, name)
		}
	}
	notes := []string{
		t.note("Not shown (--wide, or --columns A,B)", more, true),
		t.note(fmt.Sprintf("Empty in the first %d rows, so not shown (--columns A,B)", widthRows), late, false),
		t.note("Empty", empty, false),
		t.note("Rounded (all digits: --format csv)", short, false),
	}
	notes = slices.DeleteFunc(notes, func(note string) bool { return note == "" })
	if len(notes) == 0 {
		return nil
	}
	text := strings.Join(notes, "\n")
	if t.Styled {
		text = faint + strings.ReplaceAll(text, "\n", plain+"\n"+faint) + plain
	}
	_, err := w.WriteString("\n" + text + "\n")
	return err
}

// note is a heading with names, broken into lines of the screen; a clipped one has at most clippedNames of them.
func (t *table) note(heading string, names []string, clipped bool) string {
	const clippedNames = 12
	if len(names) == 0 {
		return ""
	}
	rest := ""
	if clipped && !t.Wide && t.Columns > 0 && len(names) > clippedNames+1 {
		rest = fmt.Sprintf(" and %d more", len(names)-clippedNames)
		names = names[:clippedNames]
	}
	text := heading + ": " + strings.Join(names, ", ") + rest
	if t.Wide || t.Columns == 0 {
		return text
	}
	return visible.Wrap(text, "  ", t.Columns)
}
