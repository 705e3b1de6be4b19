package ledger

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestClosedVocabulariesHaveOneSpelling(t *testing.T) {
	for _, c := range []struct{ dimension, value, want string }{
		{"stage", "fine-tuning", "fine_tuning"}, {"stage", "FineTuning", "fine_tuning"},
		{"stage", "finetuning", "fine_tuning"}, {"stage", "Fine Tuning", "fine_tuning"},
		{"kind", "TRAINING", "training"}, {"kind", "serving", "serving"},
		{"stage", "Serving", "serving"}, {"stage", "Pre-Processing", "Pre-Processing"},
		{"environment", "production", "prod"}, {"environment", "Production", "prod"},
		{"environment", "PROD", "prod"}, {"environment", "development", "dev"},
		{"environment", "prod-eu", "prod-eu"}, {"environment", "", ""},
		{"team", "ML_Platform", "ML_Platform"}, {"project", "production", "production"},
		{"model", "Fine-Tuning", "Fine-Tuning"},
	} {
		if got := Spell(c.dimension, c.value); got != c.want {
			t.Errorf("%s %q is %q, want %q", c.dimension, c.value, got, c.want)
		}
	}
}

// Spelling twice equals spelling once; other dimensions keep different values separate.
func TestSpellingIsIdempotentAndMergesNothingElse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dimension := rapid.SampledFrom(append(slices.Clone(Dimensions), "kind")).Draw(t, "dimension")
		value := rapid.OneOf(rapid.String(),
			rapid.StringMatching(`(?i)(prod(uction)?|dev(elopment)?|fine[-_ .]?tuning|training)[-_]?`)).Draw(t, "value")
		once := Spell(dimension, value)
		if Spell(dimension, once) != once {
			t.Fatalf("%q becomes %q and then %q", value, once, Spell(dimension, once))
		}
		if vocabularies[dimension] == nil && once != value {
			t.Fatalf("%s %q became %q", dimension, value, once)
		}
		if once != value && Alike(once) != Alike(value) && dimension != "environment" {
			t.Fatalf("%q became another word, %q", value, once)
		}
	})
}
