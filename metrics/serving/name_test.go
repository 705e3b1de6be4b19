package serving

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestServedNamesJoinTheirModel(t *testing.T) {
	models := NewModels([]string{
		"llama-3-8b", "Mistral_7B", "llama-int8", "llama", "acme/ranker",
		"globex/ranker", "whisper-v3", "Whisper.V3", "gpt-v2",
	})
	for _, c := range []struct {
		served, model, version string
		by                     Join
	}{
		{"llama-3-8b", "llama-3-8b", "", BySame},
		{"Llama_3.8B", "llama-3-8b", "", ByRule},
		{"registry.example.com:5000/org/llama-3-8b:v2", "llama-3-8b", "", ByRule},
		{"registry.example.com/org/llama-3-8b@sha256:0a1b", "llama-3-8b", "", ByRule},
		{"hf://meta/Llama-3-8B@main", "llama-3-8b", "", ByRule},
		{"s3://bucket/models/llama-3-8b/", "llama-3-8b", "", ByRule},
		{"/mnt/models/llama-3-8b/2", "llama-3-8b", "", ByRule},
		{"org/llama-3-8b:build77", "llama-3-8b", "", ByRule},
		{"llama-3-8b:build77-awq", "llama-3-8b", "awq", ByRule},
		{"llama-3-8b-v2.1-vllm-prod", "llama-3-8b", "", ByRule},
		{"llama-3-8b-2024-06-11", "llama-3-8b", "", ByRule},
		{"llama-3-8b-20240611", "llama-3-8b", "", ByRule},
		{"TheBloke/Llama-3-8B-GPTQ", "llama-3-8b", "gptq", ByRule},
		{"llama-3-8b.Q4_K_M.gguf", "llama-3-8b", "q4-k-m-gguf", ByRule},
		{"unsloth/mistral-7b-bnb-4bit", "Mistral_7B", "bnb-4bit", ByRule},
		{"mistral-7b-w4a16-svc", "Mistral_7B", "w4a16", ByRule},
		{"mistral-7b-awq-int4-g128", "Mistral_7B", "awq-int4-g128", ByRule},
		{"mistral-7b-4-bit", "Mistral_7B", "4-bit", ByRule},
		{"gpt-v2-2024-06", "gpt-v2", "", ByRule},
		{"llama-int8", "llama-int8", "", BySame},
		{"acme/llama-int8-vllm", "llama-int8", "", ByRule},
		{"llama-int4", "llama", "int4", ByRule},
		{"acme/ranker:v7", "acme/ranker", "", ByRule},
		{"ranker", "ranker", "", Ambiguous},
		{"initech/ranker", "initech/ranker", "", Unknown},
		{"whisper_v3-fp8", "whisper_v3-fp8", "", Ambiguous},
		{"Whisper.V3", "Whisper.V3", "", BySame},
		{"llama-3.1", "llama-3.1", "", Unknown},
		{"llama-3-8b-instruct", "llama-3-8b-instruct", "", Unknown},
		{"awq", "awq", "", Unknown},
		{"-v2", "-v2", "", Unknown},
		{"://", "://", "", Unknown},
		{"a:b:c@d", "a:b:c@d", "", Unknown},
	} {
		if n := models.Name(c.served); n.Model != c.model || n.Version != c.version || n.By != c.by || n.Served != c.served {
			t.Errorf("%s: %+v, want %s %q by %s", c.served, n, c.model, c.version, c.by)
		}
	}
	if n := models.Name("org/whisper-v3"); !slices.Equal(n.Among, []string{"Whisper.V3", "whisper-v3"}) {
		t.Errorf("among %q", n.Among)
	}
}

// Names of models consist of words that are endings elsewhere, too, but never of a version folder's name (…/3).
var modelName = rapid.Custom(func(t *rapid.T) string {
	word := rapid.SampledFrom([]string{
		"llama", "3", "8b", "v2", "awq", "int8", "q4", "prod", "2024", "08", "k", "m", "4", "bit", "tensorrt", "main",
	})
	return strings.Join(rapid.SliceOfN(word, 1, 4).Draw(t, "words"),
		rapid.SampledFrom([]string{"-", "_", "."}).Draw(t, "between"))
}).Filter(func(name string) bool { return !folder.MatchString(fold(name)) })

var (
	someBefore = []string{
		"", "org/", "registry.example.com/", "registry.example.com:5000/team/",
		"hf://org/", "s3://bucket/models/", "/mnt/", "models:/",
	}
	someVersion = []string{
		"-v2", "_V1.3", ":v2", ":latest", "-20260131", "-2026-01-31",
		".2026-01", "@sha256:00ff", ":build9", "/3", "/", "-checkpoint-900",
	}
	someService = []string{"-vllm", "_tgi", "-triton", ".server", "-svc", "-inference", "-PROD", "-tensorrt-llm"}
	someQuant   = []string{
		"-awq", "-GPTQ", "-int4", "_int8", "-fp8", "-w4a16", ".gguf",
		".Q4_K_M", "-q8_0", "-4bit", "-bnb-4bit", "-nf4", "-iq3_xxs",
	}
)

func TestAnyDecorationJoins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		model := modelName.Draw(t, "model")
		served := rapid.SampledFrom(someBefore).Draw(t, "before") + strings.ToUpper(model)
		quant := rapid.SampledFrom(append([]string{""}, someQuant...)).Draw(t, "quantisation")
		served += quant + rapid.SampledFrom(append([]string{""}, someService...)).Draw(t, "service") +
			rapid.SampledFrom(append([]string{""}, someVersion...)).Draw(t, "version")
		n := NewModels([]string{"something-else", model}).Name(served)
		if n.Model != model || n.By == BySame && served != model || n.Version != fold(quant) {
			t.Fatalf("%q of %q: %+v", served, model, n)
		}
		others := []string{"zebra", model, strings.ToUpper(model[:1]) + model[1:], "x/" + model}
		other := "y/" + model
		n = NewModels(append(others, other)).Name("z/" + model + "-awq")
		if m := NewModels([]string{other, others[3]}).Name(model + quant); m.By != Ambiguous || m.Model != m.Served {
			t.Fatalf("two alike: %+v", m)
		}
		reversed := append([]string{other}, others...)
		slices.Reverse(reversed)
		if again := NewModels(reversed).Name("z/" + model + "-awq"); again.Model != n.Model || again.By != n.By ||
			!slices.Equal(again.Among, n.Among) {
			t.Fatalf("the order counts: %+v, %+v", n, again)
		}
	})
}

func FuzzServedName(f *testing.F) {
	for _, s := range []string{"", "/", ":", "@", "a/:@", "--", "q4-k-m", "s3://", "x:://y/1/2/3"} {
		f.Add(s, "x")
	}
	f.Fuzz(func(t *testing.T, served, model string) {
		n := NewModels([]string{model, "llama"}).Name(served)
		if n.Model == "" && served != "" || n.By == Unknown && n.Model != served {
			t.Fatalf("%q with %q: %+v", served, model, n)
		}
	})
}

// A name joined by rule has moved if any part of its join has changed; a name joined by policy never moves.
func TestNamesThatMoved(t *testing.T) {
	models := NewModels([]string{"llama-3-8b", "acme/ranker", "globex/ranker"})
	for _, served := range []string{"llama-3-8b", "org/llama-3-8b-awq", "ranker", "nobody"} {
		was := models.Name(served)
		if models.Moved(was) {
			t.Errorf("%+v has not moved", was)
		}
		for what, change := range map[string]func(n *Name){"model": func(n *Name) { n.Model += "x" },
			"version": func(n *Name) { n.Version += "x" },
			"by":      func(n *Name) { n.By += "x" }, "among": func(n *Name) { n.Among = append(slices.Clone(n.Among), "x") }} {
			other := was
			if change(&other); !models.Moved(other) {
				t.Errorf("%s: %s has moved", served, what)
			}
			if other.By = ByPolicy; models.Moved(other) {
				t.Errorf("%s: the policy's own word has moved", served)
			}
		}
	}
}
