package store_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"gpuledger/internal/store/pg"
)

// cases has the reason why a statement may contain a `case`. Rules are in Go, and SQL sums up: decisions about money,
// names or advice belong in Go, or in a fragment that SQL also uses. "Pick" stands for a sum of the rows of one kind,
// "once" for a property that a subject has once however many rows it has, "unknown" for NULL when the value is unknown.
var cases = map[string]string{
	"access.session":              "names who is really there beside whom he sees as",
	"access.bi_views":             "current_user is no name of a role",
	"access.end_login":            "ends only sessions that this login may end: and has no order",
	"access.end_own":              "one session, or all but this",
	"access.proxied":              "who sees as whom, as access.session",
	"adjust.post_fresh":           "a line that has final parts gets other ids, and is an adjustment (13.5)",
	"advice.decide":               "only what is done has a date and a cost before",
	"advice.findings":             "names the subject by the kind of the finding; the window's part of its cost",
	"advice.realise":              "unknown below one whole day",
	"bill.assign_roles":           "the first in the order of deliveries is the book",
	"bill.sum_changes":            "sign: new lines less old ones",
	"close.parts":                 "whose period a part is closed with (13.3)",
	"report.device_usage":         "pick: hours of known activity; order: devices seen by the end of the day first",
	"dirty.touch_segments":        "from where on a changed segment moves days",
	"explain.holders":             "names the evidence where none is recorded",
	"import.progress":             "the phase began when it changed",
	"page.find":                   "a workload that serves is found as its service",
	"part.reached_months":         "what lasts longer than a day is at its first hour, but for prepaid capacity (8.5, 8.15)",
	"reopen.parts":                "undoes close.parts",
	"report.attempts":             "once; pick: lost on spot; unknown end while it runs",
	"report.bounds":               "an open window ends where stored time does",
	"report.changes":              "what nobody decided on has expired by the clock",
	"report.charges":              "words of state and role; line ranges as text",
	"explain.charge":              "the word of the state",
	"report.commitment_costs":     "what a line has to do with a commitment, and which work held it (22.1)",
	"report.commitment_demand":    "pick: costs by use, and those that a commitment could cover",
	"report.commitments":          "pick: costs by use; who caused what is unused (22.1)",
	"report.conflicts":            "which column was kept, by what conflicts",
	"report.coverage":             "the one currency of what hours without a bill would cost",
	"report.covered_hours":        "pick: capacity with and without a bill",
	"report.devices":              "unknown activity; the one currency of a device",
	"report.experiments":          "once; which way a metric is better",
	"report.focus_cost_and_usage": "columns that FOCUS fills only for some charges; costs that no bill carries",
	"report.focus_invoice_line":   "only an invoiced charge has a line of an invoice",
	"report.focus_kinds":          "what the purchase of a commitment is spread over is used or unused",
	"report.fair_share":           "quotas of queues have their name; GPU-hours of cards, hours of instances (21.2)",
	"report.groups":               "the one currency, cluster, namespace or team of a group",
	"report.imports":              "phase and time left while it runs",
	"report.inference":            "unknown histograms and tokens",
	"report.interrupted":          "once: the first interruption of an attempt",
	"report.interruptions":        "pick: cost of the attempt that was hit, and of the next",
	"report.layout_rows":          "pick: the card's own row or that of a slice; the one currency",
	"report.layout_spans":         "unknown placement of a card without instances",
	"report.mappings":             "words of status",
	"report.model_costs":          "workloads that serve have a class and a service, others none; no state without money (8.14)",
	"report.models":               "the life of a model by the kind of its runs",
	"report.owner_coverage":       "pick: cost with and without an owner, and by quality",
	"report.packing":              "pick: cost of stranded; the one currency; yes and no",
	"report.policies":             "words of status; rates alone follow nothing",
	"report.postings":             "no slot where it is negative",
	"report.provisional_prices":   "words for methods of pricing (8.12 to 8.14)",
	"report.queue":                "pick: who waits, never started, starved (21.2)",
	"report.recommendations":      "the name of a subject by its kind; pick: savings that count",
	"report.reconciliation":       "the column of a metric; differences of books alone",
	"report.restatements":         "the word for the state of the period",
	"report.run_burn":             "when a budget was used up, or will be (15.5)",
	"report.run_facts":            "pick: time on spot, where its cost is known (15.4)",
	"report.run_sums":             "unknown where GPU time has no on-demand price (15.4)",
	"report.runs":                 "once; pick: what counts for a mean; the one currency of a run",
	"report.scaling":              "once; the one currency of a run",
	"report.checkpoint_interval":  "Daly's bound (20.4)",
	"report.spot":                 "pick: rows on spot and on demand",
	"report.spot_posted":          "pick: spent, destroyed, dead",
	"report.spot_postings":        "pick: spent, destroyed",
	"report.spot_facts":           "unknown without a cost",
	"report.statement_lines":      "the word for a reopened statement",
	"report.statements":           "the word for a reopened statement",
	"report.targets":              "verdict against the limits that Go gives in @target_values",
	"report.waste":                "once; cost per month of what lasts a week; risks cost nothing",
	"report.workloads":            "the reason goes with the outcome that is shown",
	"share.put_discounts":         "period and state of a pool's money; what a direct part is less its price",
	"share.put_machines":          "lines that a commitment covers name it",
	"share.put_pools":             "period and state of a pool's money",
	"source.save":                 "a listing that is not given stays",
	"spot.paid":                   "unknown list cost where a part has none",
	"statistics.stale":            "a table of which the planner was never told",
	"telemetry.merge_placements":  "a later end moves only what lies after the old one",
	"telemetry.shrink_places":     "the first or last hour moves only where it was lost",
	"telemetry.touch_layouts":     "open to the past where no earlier hour was seen",
	"verify.control_totals":       "sums that nobody stated, or that are not as stated",
	"verify.postings_of_parts":    "fees that amortise later are in the month of their hours (13.3)",
	"verify.parts_of_charges":     "unknown where the delivery lacks the metric",
	"verify.share_pools":          "period and state of a pool's money, as share.put_pools",
	"verify.usage_rows":           "only what is held is GPU-hours",
	"waste.losable_runs":          "retries by the kind of what runs; all runs or the named",
	"world.billed":                "pick: lines that price, and that count time",

	"report.focus_all_months":          "fees that amortise later are in the month of their hours (13.3)",
	"report.focus_billed":              "a cost that no bill carries",
	"report.focus_billing_period":      "the words of FOCUS for the state of a month",
	"report.focus_contract_commitment": "the words of FOCUS for terms; columns that no bill states",
	"report.focus_invoice_detail":      "the words of FOCUS for the state of a month",
	"report.focus_updated":             "an import changes nothing in a closed month",
}

var (
	sqlComment = regexp.MustCompile(`--.*`)
	sqlCase    = regexp.MustCompile(`(?i)\bcase\b`)
)

func TestEveryCaseOfAStatementHasItsReason(t *testing.T) {
	has := map[string]bool{}
	for name, text := range writtenStatements(t) { // fragments are Go's
		if sqlCase.MatchString(sqlComment.ReplaceAllString(text, "")) {
			has[name] = true
		}
	}
	for name := range has {
		if cases[name] == "" {
			t.Errorf("statement %s decides something by `case`: rules live in Go, SQL adds up. If it must, say why in cases",
				name)
		}
	}
	for name := range cases {
		if !has[name] {
			t.Errorf("statement %s has no `case` any more, or is gone: take it out of cases", name)
		}
	}
}

// mostState has the reason why a statement may take the least settled state of all rows. Others take @least_settled, which
// leaves out time that a bill leaves out: it has no money that could change (docs/rules.md 8.14).
var mostState = map[string]string{
	"report.demand_costs":   "rows have a cost",
	"demand.sums":           "rows have a cost",
	"advice.interruptible":  "rows have a cost",
	"waste.other_costs":     "rows have a cost",
	"waste.rows":            "rows have a cost",
	"waste.run_costs":       "of rows with a cost",
	"report.posted_lines":   "postings of bill lines",
	"report.reconciliation": "postings of bill lines",
}

var sqlMostState = regexp.MustCompile(`(?i)\bmax\((\w+\.)?state\)`)

func TestStatesAreThoseOfMoney(t *testing.T) {
	has := map[string]bool{}
	for name, text := range writtenStatements(t) {
		if has[name] = sqlMostState.MatchString(sqlComment.ReplaceAllString(text, "")); has[name] && mostState[name] == "" {
			t.Errorf("statement %s takes the state of rows without money: write @least_settled(rows)", name)
		}
	}
	for name := range mostState {
		if !has[name] {
			t.Errorf("statement %s takes no max(state) any more, or is gone: take it out of mostState", name)
		}
	}
}

// sqlEnds matches a first or last hour read from view postings: that reads the whole view, while on posting_rows it is
// the end of an index.
var sqlEnds = regexp.MustCompile(`(?i)\b(min|max)\((\w+\.)?hour\)[^)]* from postings\b`)

func TestFirstAndLastHoursAreAskedOfTheTable(t *testing.T) {
	for name, text := range writtenStatements(t) {
		if sqlEnds.MatchString(text) {
			t.Errorf("statement %s reads all postings for their first or last hour: ask posting_rows", name)
		}
	}
}

// writtenStatements are the files below, unexpanded.
func writtenStatements(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	rooms, err := filepath.Glob("*/sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range append(rooms, "sql") {
		named, err := pg.Named(os.DirFS(filepath.Dir(folder)))
		if err != nil {
			t.Fatal(err)
		}
		maps.Copy(all, named)
	}
	if len(all) == 0 {
		t.Fatal("no statements")
	}
	return all
}
