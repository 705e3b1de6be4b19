package ask

import (
	"net/url"
	"strings"

	"gpuledger/metrics"
)

// A Question is a report with its options, as typed.
type Question struct {
	Dataset string
	Options metrics.Options
	// Figures are the columns that the asker reads; SQL returns these and the keys. Empty: all that SQL can add up.
	Figures []string
}

// Query parses the question.
func (a Question) Query() (metrics.Query, error) {
	q, err := metrics.Parse(a.Dataset, a.Options)
	q.Only = a.Figures
	return q, err
}

// options lists the options that are set and are not the default.
func (a Question) options() (list [][2]string) {
	for _, opt := range metrics.OptionList {
		text := *opt.Get(&a.Options)
		if text != "" && !(opt.Name == "basis" && text == "effective") && !(opt.Name == "sharing" && text == "before") {
			list = append(list, [2]string{opt.Name, text})
		}
	}
	return list
}

// REST is the question as a path and query of the REST API.
func (a Question) REST() string { return a.As("") }

// As is REST with a format of the answer, as people download it; empty: the client's choice. CSV that people download is
// opened in spreadsheets.
func (a Question) As(format string) string {
	v := url.Values{}
	for _, o := range a.options() {
		v.Set(o[0], o[1])
	}
	if format != "" {
		v.Set("format", format)
	}
	if format == "csv" {
		v.Set("for_excel", "true")
	}
	if len(v) == 0 {
		return "/api/v1/" + a.Dataset
	}
	return "/api/v1/" + a.Dataset + "?" + v.Encode()
}

// Command is the question as a command for a POSIX shell.
func (a Question) Command() string {
	var b strings.Builder
	b.WriteString("gpuledger report " + a.Dataset)
	for _, o := range a.options() {
		b.WriteString(" --" + o[0] + " " + shellQuoted(o[1]))
	}
	return b.String()
}

// shellQuoted quotes a word unless a shell reads it as it is.
func shellQuoted(word string) string {
	plain := strings.IndexFunc(word, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-_.,:/", r)
	}) < 0
	if plain && word != "" && word[0] != '-' {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
