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

// A statement is a text with parts. @NAME stands for
//
//   - one of words, which are the same for every query,
//   - one of values, which the query sets,
//   - one of parts, which depend on the query,
//   - another statement report.NAME,
//   - or, as NAME_rows, the rows of a fact or of a roll-up (internal/star) that answer.
//
// @NAME[of] is one of conditions: on a column, of a table, of a statement. Any other name panics at start.
// (@NAME(column) is a rule of package pg, filled in before.)

var words = map[string]string{
	"tenant":               strconv.Itoa(pg.Tenant),
	"waste_kinds":          wasteKindsSQL(),
	"owner_columns":        ownerColumnsSQL(nil),
	"owner_values":         ownerValuesSQL(),
	"owner_holder":         ownerHolderSQL(),
	"owner_tags":           ownerTagsSQL(),
	"unscoped":             star.Unscoped,
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

// parts and conditions are set by init, because their functions use Expand, which looks them up.
var (
	parts      map[string]func(Compiler) string
	conditions map[string]func(c Compiler, column string) string
)

func init() {
	parts = map[string]func(Compiler) string{
		"period_start":  Compiler.periodStart,
		"after_sharing": func(c Compiler) string { return strconv.FormatBool(c.Q.Sharing == metrics.AfterSharing) },
		"own_labels":    Compiler.ownLabels,

		// Facts of the ledger.
		"facts": Compiler.theFacts,
		"kept":  func(c Compiler) string { return c.kept },

		// Rows of facts: from roll-ups, and the rest from the ledger.
		"cost_rows":        func(c Compiler) string { return costRows(c.window) },
		"owner_sums":       Compiler.ownerSums,
		"place_currencies": Compiler.placeCurrencies,
		"run_rows":         Compiler.runRows,
		"try":              Compiler.try,
		"spot_groups":      Compiler.spotGroups,
	}
	conditions = map[string]func(c Compiler, column string) string{
		"led":        func(_ Compiler, key string) string { return leadsBy[key].list() },
		"seen":       Compiler.ofTheirRuns,
		"halves":     Compiler.halves,
		"of_runs":    Compiler.ofRuns,
		"these_runs": Compiler.theseRuns,
		"shown":      Compiler.seek,
		"named":      Compiler.namedKeys,
	}
	for name, text := range pg.Statements {
		for _, part := range placeholder.FindAllStringSubmatch(text, -1) {
			if strings.HasPrefix(name, "report.") && !known(part[1], part[2]) {
				panic("statement " + name + " has an unknown placeholder: " + part[0])
			}
		}
	}
}

var placeholder = regexp.MustCompile(`@([a-z_]+)(?:\[([a-z_.]+)\])?`)

// known reports whether a part, or a condition on a column, is defined.
func known(name, column string) bool {
	if column != "" {
		return conditions[name] != nil
	}
	return words[name] != "" || values[name].of != nil || parts[name] != nil ||
		pg.Statements["report."+name] != "" || rowsKnown(name)
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
		if v, ok := values[name]; ok {
			return v.in(c)
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

// readOf is what a statement reads as @NAME_rows: by its dataset, else a roll-up of that name.
func (c Compiler) readOf(part string) read {
	name := strings.TrimSuffix(part, "_rows")
	if rd, said := baseOf(c.Q.Dataset).read(name); said {
		return rd
	}
	f, r := star.Of(name)
	return readAs(name, f, r)
}

// rowsKnown reports whether a part of a statement is the rows of a fact.
func rowsKnown(part string) bool {
	name, rows := strings.CutSuffix(part, "_rows")
	f, _ := star.Of(name)
	return rows && f != nil
}

// values are set by the query.
var values = map[string]value{
	"from":              {"timestamptz", "'-infinity'", func(c Compiler) string { return instant(c.window.From) }},
	"to":                {"timestamptz", "'infinity'", func(c Compiler) string { return instant(c.window.To) }},
	"asked_from":        {"timestamptz", "'-infinity'", func(c Compiler) string { return instant(c.Q.Window.From) }},
	"asked_to":          {"timestamptz", "'infinity'", func(c Compiler) string { return instant(c.Q.Window.To) }},
	"as_of":             {"timestamptz", "'infinity'", func(c Compiler) string { return instant(c.Q.AsOf) }},
	"billing_period":    {"text", "null", func(c Compiler) string { return string(c.Q.BillingPeriod) }},
	"currency":          {"text", "", func(c Compiler) string { return c.Q.Currency }},
	"statement_account": {"text", "", func(c Compiler) string { return c.Q.Statement.BillingAccount }},
	"statement_period":  {"text", "", func(c Compiler) string { return string(c.Q.Statement.BillingPeriod) }},
	"statement_version": {"int", "", func(c Compiler) string { return strconv.Itoa(c.Q.Statement.Version) }},
}

// value is one of values: its type, and the SQL to use if the query does not set it; "": the empty text.
type value struct {
	typ, none string
	of        func(c Compiler) string
}

func (v value) in(c Compiler) string {
	text := v.of(c)
	if text == "" && v.none != "" {
		return v.none + "::" + v.typ
	}
	return c.value(text, v.typ)
}

func instant(s period.Second) string {
	if s == 0 {
		return ""
	}
	return s.String()
}

func (c Compiler) periodStart() string {
	if c.Q.Granularity == metrics.Total {
		return "(select b.period_start from (" + c.Expand(pg.Statement("report.bounds")) + ") b)"
	}
	return c.bucket()
}

// theFacts are the facts of the half that is being read; outside of a half, all facts with a bill, one by one.
func (c Compiler) theFacts() string {
	if c.facts == "" {
		return c.Expand(pg.Statement("report.behind"))
	}
	return c.Expand(pg.Statement(c.facts))
}

// halves applies a statement to the facts with a bill and to those without.
func (c Compiler) halves(statement string) string {
	c.Plan = nil // the plan would cut the facts into stretches of time
	return c.eachFacts(func(c Compiler) string { return c.Expand(pg.Statement("report." + statement)) })
}

// eachFacts joins the results of make for both halves of the facts and, after sharing, for the pairs.
func (c Compiler) eachFacts(make func(c Compiler) string) string {
	files := []string{"report.facts_billed", "report.facts_uncovered"}
	switch {
	case !c.Q.Statement.IsZero():
		files = []string{"report.facts_statement"}
	case c.Q.AsOf != 0:
		files = []string{"report.facts_as_of"}
	case c.Q.Sharing == metrics.AfterSharing:
		files = append(files, "report.facts_shared")
	}
	var parts []string
	for _, facts := range files {
		half := c.from(facts)
		if c.Plan == nil || facts == "report.facts_shared" { // no roll-up has pairs
			parts = append(parts, make(half))
			continue
		}
		for _, p := range c.Plan.Pieces {
			if p.From == fromLedger {
				parts = append(parts, make(half.over(p.Span)))
			}
		}
	}
	return strings.Join(parts, "\nunion all\n")
}

// ofTheirRuns names a table of the ledger. For scoped users who query runs it is the view that has all rows of their
// runs: a run belongs to one owner, but its rows may belong to several.
func (c Compiler) ofTheirRuns(table string) string {
	if c.sees.inPart && baseOf(c.Q.Dataset).lives {
		return table + "_of_runs"
	}
	return table
}
