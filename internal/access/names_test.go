package access_test

import (
	"testing"

	"gpuledger/internal/access"
)

func TestNamesAreStoredAsOneSpelling(t *testing.T) {
	for in, want := range map[string]string{
		"otto": "otto", " Otto ": "otto", "ＯＴＴＯ": "otto", "Otto  Lead": "otto lead", "otto@example.com": "otto@example.com",
		"ﬁnance": "finance", "Größe": "größe", "e\u0301va": "éva", "東京たろうx": "東京たろうx", "हिन्दी": "हिन्दी", "Иван": "иван",
	} {
		if got, err := access.NormalName(in); err != nil || got != want {
			t.Errorf("%q is %q (%v), want %q", in, got, err, want)
		}
	}
	if got, err := access.NormalLabel(" CI  Pipelines "); err != nil || got != "CI Pipelines" {
		t.Errorf("a label is %q (%v)", got, err)
	}
	for _, in := range []string{"", " ", "a\u202eb", "a\u200bb", "a\nb", "a\x00b", "аdmin", "αdmin", "otto\u2028",
		"otto\u2800", "otto\ufffc", "ot\u0332to", "otto\u0489", "a\u0301\u0302\u0303x", "\u0301otto"} {
		if got, err := access.NormalName(in); err == nil {
			t.Errorf("%q is taken, as %q", in, got)
		}
	}
}

func TestAlikeNames(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"otto", "otto", true}, {"otto", "Otto", true}, {"otto", "ｏｔｔｏ", true}, {"otto lead", "ottolead", true},
		{"сосо", "coco", true}, {"ορτο", "opto", true}, {"оттo", "ottо", true},
		{"otto", "otta", false}, {"иван", "ivan", false}, {"cfo", "ceo", false},
	} {
		if access.Alike(c.a, c.b) != c.want {
			t.Errorf("%q and %q: alike is %v", c.a, c.b, !c.want)
		}
	}
}
