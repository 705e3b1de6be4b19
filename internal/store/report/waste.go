package report

import (
	"fmt"
	"strings"

	"gpuledger/metrics/advice"
	"gpuledger/metrics/waste"
)

// wasteKindsSQL lists the kinds of findings with their texts, and the kind of recommendation that each leads to.
func wasteKindsSQL() string {
	quote := func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" } // from definitions
	rows := make([]string, len(waste.Definitions))
	for i := range waste.Definitions {
		d := &waste.Definitions[i]
		rows[i] = fmt.Sprintf("(%s, %s, %s, %s, %s)", quote(string(d.Kind)), quote(d.Label), quote(d.Meaning),
			quote(d.Action), quote(advice.AnswerTo(string(d.Kind))))
	}
	return "values " + strings.Join(rows, ", ")
}
