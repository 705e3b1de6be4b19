package dashboard

import "testing"

// TestPagesShowWhatIsDefined checks the pages of figures against the definitions, so that a
// renamed column fails here.
func TestPagesShowWhatIsDefined(t *testing.T) {
	if len(figuresPages()) < 16 { // each of them was checked
		t.Error("pages are missing:", len(figuresPages()))
	}
}
