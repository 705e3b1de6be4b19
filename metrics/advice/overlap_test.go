package advice

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

func TestWhatOverlaps(t *testing.T) {
	job := Holder{
		Subject: Subject{"prod", "ml", "Job", "train"}, GPUModel: "H100", PriceClass: "on_demand",
		Type: "p5.48xlarge", Region: "us-east-1", Team: "ml", Class: "run",
	}
	chat := Holder{
		Subject: Subject{"prod", "ml", "Deployment", "chat"}, GPUModel: "H100", PriceClass: "on_demand",
		Type: "p5.48xlarge", Region: "us-east-1", Team: "ml", Class: "service",
	}
	cut, spot := chat, job
	cut.GPUModel, cut.Profile, cut.Type = "A100 40GB", "3g.20gb", "p4d.24xlarge"
	spot.PriceClass = "spot"
	rec := func(kind string, of Subject, model string) Recommendation {
		return Recommendation{Kind: kind, Subject: of, GPUModel: model, Region: map[string]string{Commit: "us-east-1"}[kind]}
	}
	training, serving := rec(Commit, Subject{Kind: "p5.48xlarge", Name: "training"}, ""),
		rec(Commit, Subject{Kind: "p5.48xlarge", Name: "serving"}, "")
	elsewhere := training
	elsewhere.Region = "eu-west-1"
	move := rec(MoveToSpot, Subject{Cluster: "prod", Kind: "p5.48xlarge", Name: "ml"}, "H100")
	for name, c := range map[string]struct {
		a, b Recommendation
		want bool
	}{
		"commitments of two classes":     {training, serving, false},
		"of two regions":                 {training, elsewhere, false},
		"to spot and to commit":          {training, move, true},
		"to spot, and what serves":       {serving, move, false},
		"what idles is not committed to": {training, rec(StopIdle, job.Subject, "H100"), false},
		"what idles moves to spot":       {move, rec(StopIdle, job.Subject, "H100"), true},
		"replicas are committed to":      {serving, rec(FewerReplicas, chat.Subject, "H100"), true},
		"sizes leave out replicas": {
			rec(SmallerSlice, chat.Subject, "H100"), rec(FewerReplicas, chat.Subject, "H100"), false,
		},
		"two ways to a smaller size": {
			rec(SmallerSlice, chat.Subject, "H100"), rec(SmallerCard, chat.Subject, "H100"), true,
		},
		"layouts, and who is on the cards": {
			rec(Repartition, Subject{Cluster: "prod", Kind: "cards", Name: "A100 40GB"}, "A100 40GB"),
			rec(SmallerSlice, chat.Subject, "A100 40GB"), true,
		},
		"layouts of other cards": {
			rec(Repartition, Subject{Cluster: "prod", Kind: "cards", Name: "A100 40GB"}, "A100 40GB"),
			rec(SmallerSlice, chat.Subject, "H100"), false,
		},
		"two kinds of cards": {
			rec(StopIdle, chat.Subject, "H100"), rec(StopIdle, chat.Subject, "A100 40GB"), false,
		},
	} {
		list := []Recommendation{c.a, c.b}
		ClaimOf(list, []Holder{job, chat, cut, spot})
		for i := range list {
			list[i].Currency = "USD"
		}
		got := Overlaps([]Saver{
			{ledger.NewID("a"), "USD", money.MustParse("3"), list[0].Claims},
			{ledger.NewID("b"), "USD", money.MustParse("2"), list[1].Claims},
		})
		if (len(got) == 1) != c.want || c.want && got[ledger.NewID("b")] != ledger.NewID("a") {
			t.Errorf("%s: %v; claims %v and %v", name, got, list[0].Claims, list[1].Claims)
		}
	}
}

// With any claims: no two savings that count share a claim, every saving that does not count shares one with a larger
// one that does, and the order of the list does not matter.
func TestNothingIsCountedTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []Saver
		for i := range rapid.IntRange(0, 12).Draw(t, "n") {
			s := Saver{
				ID: ledger.NewID("s", fmt.Sprint(i)), Currency: rapid.SampledFrom([]string{"USD", "EUR"}).Draw(t, "currency"),
				Saving: money.MustParse(fmt.Sprint(rapid.IntRange(0, 9).Draw(t, "saving"))),
			}
			for _, c := range rapid.SliceOfDistinct(rapid.IntRange(0, 8), rapid.ID).Draw(t, "claims") {
				s.Claims = append(s.Claims, Claim(fmt.Sprint(c)))
			}
			list = append(list, s)
		}
		out := Overlaps(list)
		for _, a := range list {
			for _, b := range list {
				both := a.ID != b.ID && a.Currency == b.Currency && a.Saving.Sign() > 0 && b.Saving.Sign() > 0 &&
					share(a.Claims, b.Claims)
				_, aOut := out[a.ID]
				_, bOut := out[b.ID]
				if both && !aOut && !bOut {
					t.Fatalf("%v and %v both count", a, b)
				}
				if out[a.ID] == b.ID && (!both || bOut || b.Saving.Cmp(a.Saving) < 0) {
					t.Fatalf("%v is left out for %v", a, b)
				}
			}
		}
		again := Overlaps(rapid.Permutation(list).Draw(t, "order"))
		if fmt.Sprint(again) != fmt.Sprint(out) {
			t.Fatalf("%v in one order, %v in another", out, again)
		}
	})
}

func share(a, b []Claim) bool {
	return slices.ContainsFunc(a, func(x Claim) bool { return slices.Contains(b, x) })
}

// Repartitioning cards saves on slices of that cluster and model only.
func TestAdviceOnLayoutsIsAboutItsOwnCards(t *testing.T) {
	r := Recommendation{Kind: Repartition, Subject: Subject{Cluster: "a"}, GPUModel: "A100 40GB"}
	for _, c := range []struct {
		cluster, model, profile string
		want                    bool
	}{{"a", "A100 40GB", "1g.5gb", true}, {"b", "A100 40GB", "1g.5gb", false},
		{"a", "H100", "1g.5gb", false}, {"a", "A100 40GB", "", false}} {
		if got := r.about(&Holder{
			Subject: Subject{Cluster: c.cluster}, GPUModel: c.model, Profile: c.profile,
		}); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
