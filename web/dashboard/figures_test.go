package dashboard

import "testing"

// TestPagesShowWhatIsDefined keeps the pages of figures and the definitions together: a
// column that is renamed is missed here, not by a reader.
func TestPagesShowWhatIsDefined(t *testing.T) {
	if len(figuresPages()) < 16 { // each of them was checked
		t.Error("pages are missing:", len(figuresPages()))
	}
}
