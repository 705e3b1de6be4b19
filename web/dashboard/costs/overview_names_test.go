package costs

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Names have no room to wrap in a chart: long ones are shortened there and have their full name as title.
func TestNamesFitTheirChart(t *testing.T) {
	if short, title := fitted("speech", flowLetters); short != "speech" || title != "" {
		t.Errorf("a short name is %q with title %q", short, title)
	}
	long := strings.Repeat("übersetzung-", 25)
	if short, title := fitted(long, flowLetters); utf8.RuneCountInString(short) != flowLetters || title != long ||
		!strings.HasSuffix(short, "…") {
		t.Errorf("a long name is %q with title %q", short, title)
	}
}
