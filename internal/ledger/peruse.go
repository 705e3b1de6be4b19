package ledger

import "strings"

// PerUse reports whether a line bills AI by its use, without a machine (rule 8.21): calls and tokens of models,
// serverless inference. category is the ServiceCategory of FOCUS, empty if the bill has none. Lines that bill time of
// machines, or storage, of such services do not count.
func PerUse(c *Charge, category string) bool {
	if c.InstanceHours || c.InstanceType != "" {
		return false
	}
	if yes, known := perUseByColumns(c.UsageUnit, category); known {
		return yes
	}
	name, code := perUseWords(c.ServiceName), perUseWords(c.ServiceCode)
	text := perUseWords(c.UsageType + " " + c.Description + " " + c.UsageUnit)
	if tokens(text) {
		return true
	}
	switch {
	case hasAny(name, "sagemaker") || hasAny(code, "amazonsagemaker"):
		return hasAny(text, "serverless", "serverlessinf")
	case hasAny(text, "storage", "disk", "core", "cores", "vcpu", "ram", "memory") && !hasAny(text, "serverless"):
		return false
	}
	for _, s := range perUseServices {
		if hasAny(name, s) || hasAny(code, s) {
			return true
		}
	}
	if hasAny(name, "serverless") && hasAny(name+text, "inference", "gpu", "gpus", "model", "models") {
		return true
	}
	return strings.EqualFold(category, categoryAI) && !timed(c.UsageUnit)
}

const categoryAI = "AI and Machine Learning"

// otherCategories are FOCUS categories that never contain AI, whatever a line's words.
var otherCategories = map[string]bool{
	"storage": true, "networking": true, "databases": true, "security": true, "identity": true, "developer tools": true,
	"management and governance": true, "migration": true,
}

// perUseByColumns decides by unit and category alone, which are more reliable than words in names: tokens belong to
// models, and counts in the AI category are use. known is false if the words have to decide.
func perUseByColumns(unit, category string) (yes, known bool) {
	switch {
	case hasAny(perUseWords(unit), "token", "tokens", "1ktokens", "1mtokens"):
		return true, true
	case strings.EqualFold(category, categoryAI):
		counted := unit != "" && !timed(unit)
		return counted, counted
	}
	return false, otherCategories[strings.ToLower(category)]
}

// perUseServices are services whose lines are AI by use, by their names and codes, as written by perUseWords.
var perUseServices = []string{
	"bedrock", "amazonbedrock", "amazonbedrockservice", "amazonbedrockfoundationmodels",
	"comprehend", "amazonrekognition", "rekognition", "amazontextract", "textract",
	"transcribe", "amazontranscribe", "amazonpolly", "polly",
	"translate", "amazontranslate", "amazonlex", "amazonpersonalize",
	"openai", "azure openai", "cognitive services", "microsoft cognitiveservices",
	"azure ai services", "foundry models", "foundry tools", "ai foundry",
	"vertex ai", "gemini api", "generative language api", "cloud vision api",
	"cloud natural language api", "cloud speech api", "cloud speech to text api",
	"cloud text to speech api", "cloud translation api", "cloud document ai api", "dialogflow api",
	"generative ai", "anthropic", "claude", "mistral ai", "cohere",
}

// tokens reports whether a text mentions tokens of a model.
func tokens(text string) bool {
	return hasAny(text, "token", "tokens") &&
		hasAny(text, "input", "output", "prompt", "completion", "cached", "inference", "generated", "reasoning")
}

// timed reports whether a unit is one of time or storage.
func timed(unit string) bool {
	of, _ := ReadUnit(unit)
	return of != CountsElse || hasAny(perUseWords(unit), "gb", "gib", "gbmo", "month", "months")
}

// perUseWords are the words of a text in lower case, each between blanks.
func perUseWords(text string) string {
	if text == "" {
		return " "
	}
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return r < '0' || r > '9' && r < 'a' || r > 'z' && r < 128
	})
	return " " + strings.Join(words, " ") + " "
}

func hasAny(text string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(text, " "+w+" ") {
			return true
		}
	}
	return false
}
