package ledger

import (
	"maps"
	"testing"
)

func TestLabelsOfTheFirstLayerAnswer(t *testing.T) {
	got := LabelSet{
		{"label_flavour": "sweet", "Flavour": "sour", "empty": " "},
		{"flavour": "bitter", "app.kubernetes.io/name": "tune", "empty": "root"},
		{"tier": "gold", "label_app_kubernetes_io_name": "no"},
	}.Folded()
	want := map[string]string{"flavour": "sour", "appkubernetesioname": "tune", "empty": "root", "tier": "gold"}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if none := (LabelSet{}).Folded(); len(none) != 0 {
		t.Errorf("nobody says %v", none)
	}
}
