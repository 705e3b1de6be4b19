package report

import (
	"regexp"
	"strconv"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/star"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
	"gpuledger/metrics/advice"
	"gpuledger/metrics/spot"
)

// A statement is a text with parts: @NAME stands for one of words, which are the same
// in every question, for one of parts, which depend on the question, for the rows of a
// roll-up (NAME_rows, internal/star), or for another statement report.NAME.
// @NAME[column] is a condition on a column, one of conditions. (@NAME(column) is a rule
// of package pg, filled in before.)

var words = map[string]string{
	"tenant":               strconv.Itoa(pg.Tenant),
	"waste_kinds":          wasteKindsSQL(),
	"owner_columns":        ownerColumnsSQL(nil),
	"owner_values":         ownerValuesSQL(),
	"node_columns":         nodeColumnsSQL(nil),
	"place":                placeOf("p."),
	"idle_causes":          causesSQL(metrics.IdleCauses),
	"target_values":        targetValues(),
	"month_seconds":        strconv.Itoa(advice.MonthHours * period.Hour),
	"monthly_from_seconds": strconv.Itoa(advice.LeastDays * period.Day),
	"asked_per_gpu":        strconv.Itoa(ledger.AskedPerGPU),
	"starved_seconds":      strconv.Itoa(metrics.StarvedHours * period.Hour),
	"checkpoint_seconds":   strconv.Itoa(spot.CheckpointSeconds),
	"demand_class":         demandClass(),
	"coverable":            steady(metrics.BaselinePercent),
	"pilot_gate":           pilotGate(),
	"pilot_reasons":        pilotReasons(),
	"pilot_alarm":          pilotAlarm(),
}

// parts and conditions are made by init: they use Expand, which looks them up.
var (
	parts      map[string]func(Compiler) string
	conditions map[string]func(c Compiler, column string) string
)

func init() {
	parts = map[string]func(Compiler) string{
		// What the question says.
		"from":              func(c Compiler) string { return c.instant(c.window.From, "-infinity") },
		"to":                func(c Compiler) string { return c.instant(c.window.To, "infinity") },
		"asked_from":        func(c Compiler) string { return c.instant(c.Q.Window.From, "-infinity") },
		"asked_to":          func(c Compiler) string { return c.instant(c.Q.Window.To, "infinity") },
		"period_start":      Compiler.periodStart,
		"billing_period":    Compiler.billingPeriod,
		"currency":          func(c Compiler) string { return c.value(c.Q.Currency, "text") },
		"as_of":             func(c Compiler) string { return c.value(c.Q.AsOf.String(), "timestamptz") },
		"statement_account": func(c Compiler) string { return c.value(c.Q.Statement.BillingAccount, "text") },
		"statement_period":  func(c Compiler) string { return c.value(string(c.Q.Statement.BillingPeriod), "text") },
		"statement_version": func(c Compiler) string { return c.value(strconv.Itoa(c.Q.Statement.Version), "int") },
		"after_sharing":     func(c Compiler) string { return strconv.FormatBool(c.Q.Sharing == metrics.AfterSharing) },
		"own_labels":        Compiler.ownLabels,

		// What is read of the ledger.
		"facts":  Compiler.theFacts,
		"kept":   func(c Compiler) string { return c.kept },
		"posted": func(c Compiler) string { return c.ofTheirRuns("postings") },
		"used":   func(c Compiler) string { return c.ofTheirRuns("usage") },

		// Rows of facts: what was added up, and all else from the ledger.
		"cost_rows":        func(c Compiler) string { return costRows(c.window) },
		"owner_sums":       Compiler.ownerSums,
		"place_currencies": Compiler.placeCurrencies,
		"run_rows":         Compiler.runRows,
		"try":              Compiler.try,
		"serving":          Compiler.servingRows,
		"serving_table":    Compiler.servingTable,
		"spot_groups":      Compiler.spotGroups,
	}
	conditions = map[string]func(c Compiler, column string) string{
		"halves":     Compiler.halves,
		"of_runs":    Compiler.ofRuns,
		"these_runs": Compiler.theseRuns,
		"shown":      Compiler.seek,
	}
	for name, text := range pg.Statements {
		for _, part := range placeholder.FindAllStringSubmatch(text, -1) {
			if strings.HasPrefix(name, "report.") && !known(part[1], part[2]) {
				panic("statement " + name + " has a part that nobody makes: " + part[0])
			}
		}
	}
}

var placeholder = regexp.MustCompile(`@([a-z_]+)(?:\[([a-z_.]+)\])?`)

// known reports whether a part, or a condition on a column, has a meaning.
func known(name, column string) bool {
	if column != "" {
		return conditions[name] != nil
	}
	return words[name] != "" || parts[name] != nil || pg.Statements["report."+name] != "" || rowsKnown(name)
}

// Expand fills in the parts of a static text.
func (c Compiler) Expand(text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(at string) string {
		part := placeholder.FindStringSubmatch(at)
		name := part[1]
		if condition, ok := conditions[name]; ok {
			return condition(c, part[2])
		}
		if word, ok := words[name]; ok {
			return word
		}
		if part, ok := parts[name]; ok {
			return part(c)
		}
		if statement, ok := pg.Statements["report."+name]; ok {
			return c.Expand(statement)
		}
		return c.rows(c.readOf(name))
	})
}

// readOf is what a statement reads as @NAME_rows: what its dataset says, else a roll-up.
func (c Compiler) readOf(part string) read {
	name := strings.TrimSuffix(part, "_rows")
	if rd, said := baseOf(c.Q.Dataset).read(name); said {
		return rd
	}
	f, r := star.Of(name)
	return readAs(name, f, r)
}

// rowsKnown reports whether a part of a statement is rows of a fact.
func rowsKnown(part string) bool {
	name, rows := strings.CutSuffix(part, "_rows")
	f, _ := star.Of(name)
	return rows && f != nil
}

// billingPeriod is the billing period that is asked for, NULL for all.
func (c Compiler) billingPeriod() string {
	if c.Q.BillingPeriod == "" {
		return "null::text"
	}
	return c.value(string(c.Q.BillingPeriod), "text")
}

// periodStart is the start of the period of a row.
func (c Compiler) periodStart() string {
	if c.Q.Granularity == metrics.Total {
		return "(select b.period_start from (" + c.Expand(pg.Statement("report.bounds")) + ") b)"
	}
	return c.bucket()
}

// theFacts are those of the half that is read; all with a bill, one by one, where none is.
func (c Compiler) theFacts() string {
	if c.facts == "" {
		return c.Expand(pg.Statement("report.behind"))
	}
	return c.Expand(pg.Statement(c.facts))
}

// halves are what a statement makes of the facts with a bill, and of those without.
func (c Compiler) halves(statement string) string {
	c.Plan = nil // of a stretch of time
	return c.eachFacts(func(c Compiler) string { return c.Expand(pg.Statement("report." + statement)) })
}
