package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"gpuledger/test/tier"
)

// rule is a rule of Prometheus.
type rule struct {
	Record, Alert, Expr string
	Annotations         map[string]string
}

// rules reads all rules of deploy/prometheus.
func rules(t *testing.T) (files []string, all []rule) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(top, "deploy", "prometheus", "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var file struct{ Groups []struct{ Rules []rule } }
		if err := yaml.Unmarshal(text, &file); err != nil {
			t.Fatal(err)
		}
		for _, g := range file.Groups {
			all = append(all, g.Rules...)
		}
	}
	return files, all
}

func promtool(t *testing.T, in string, args ...string) string {
	t.Helper()
	path, err := exec.LookPath("promtool")
	if err != nil {
		tier.Absent(t, "no promtool here (.ci/ensure-prometheus installs it)")
	}
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Stdin = strings.NewReader(in)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("promtool %s: %v\n%s", strings.Join(args[:2], " "), err, out)
	}
	return string(out)
}

// TestRulesHold: promtool accepts the rules, each alert has a case in which it fires, and its runbook is there.
func TestRulesHold(t *testing.T) {
	files, all := rules(t)
	promtool(t, "", append([]string{"check", "rules", "--lint=all", "--lint-fatal"}, files...)...)
	cases := filepath.Join(top, "deploy", "prometheus", "tests", "alerts_test.yaml")
	promtool(t, "", "test", "rules", cases)
	tried, err := os.ReadFile(cases)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		if r.Alert == "" {
			continue
		}
		page, ours := strings.CutPrefix(r.Annotations["runbook_url"], "https://gpuledger.example.com/")
		text, err := os.ReadFile(filepath.Join(top, filepath.FromSlash(page)))
		if !ours || err != nil || !regexp.MustCompile(`(?m)^# .*\b`+r.Alert+`\b`).Match(text) {
			t.Errorf("%s: %q is no page with its name in the title: %v", r.Alert, page, err)
		}
		if !regexp.MustCompile(`alertname: ` + r.Alert + `\n +exp_alerts:`).Match(tried) {
			t.Errorf("%s fires in no case of %s", r.Alert, cases)
		}
	}
}

// series that rules may read although gpuledger does not serve them: of dcgm-exporter, and of Prometheus.
var othersSeries = []string{"DCGM_FI_PROF_GR_ENGINE_ACTIVE", "DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_DEV_FB_USED",
	"DCGM_FI_DEV_FB_FREE", "up"}

var (
	promString = regexp.MustCompile(`"[^"]*"`)
	promName   = regexp.MustCompile(`[a-zA-Z_:][a-zA-Z0-9_:]*`)
)

// seriesOf lists the series that an expression reads: names that are followed by neither a parenthesis nor an operator
// on labels.
func seriesOf(expr string) (names []string) {
	expr = promString.ReplaceAllString(expr, `""`)
	expr = regexp.MustCompile(`\b(by|on|without|ignoring|group_left|group_right)\s*\([^)]*\)`).ReplaceAllString(expr, " ")
	expr = regexp.MustCompile(`\{[^}]*\}|\[[^\]]*\]`).ReplaceAllString(expr, " ")
	for _, at := range promName.FindAllStringIndex(expr, -1) {
		name, rest := expr[at[0]:at[1]], strings.TrimLeft(expr[at[1]:], " \n")
		before := expr[:at[0]]
		switch {
		case strings.HasPrefix(rest, "("), slices.Contains([]string{"and", "or", "unless", "offset", "bool"}, name):
		case before != "" && strings.ContainsAny(before[len(before)-1:], "0123456789."): // a unit, as in 2h
		default:
			names = append(names, name)
		}
	}
	return names
}

// servedNames are the names of the metrics of an answer.
func servedNames(text string) map[string]bool {
	names := map[string]bool{}
	for line := range strings.Lines(text) {
		if name := promName.FindString(line); !strings.HasPrefix(line, "#") {
			names[name] = true
		}
	}
	return names
}

// budgetsOfTests are budgets for the months of the small fleet.
func budgetsOfTests(t *testing.T, db string) {
	t.Helper()
	first := scan[string](t, connect(t, db), "select to_char(max(period_start), 'YYYY-MM-01') from bi_v1.costs_daily")
	file := filepath.Join(t.TempDir(), "budgets.csv")
	text := "name,key,value,period,start,amount,unit,currency,parent\n" +
		"fleet,all,,month," + first + ",1000,money,USD,\nfleet hours,all,,year," + first[:4] + "-01-01,50,gpu_hours,,\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	must(t, db, "import", "budgets", file)
}

func answerOf(t *testing.T, address string) string {
	t.Helper()
	resp, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d, %v", address, resp.StatusCode, err)
	}
	return string(text)
}

// TestRulesNameServedMetrics: every series that a rule reads is served for the small fleet, is another rule's, or is a
// documented one of another exporter; and a real Prometheus that scrapes it evaluates every rule without a fault.
func TestRulesNameServedMetrics(t *testing.T) {
	db := smallLedger(t)
	budgetsOfTests(t, db)
	// A scrape on a busy machine may miss the database for once, and warn.
	p, address := start(t, db, "--log-level=error", "serve", "--addr=127.0.0.1:0"), ""
	until(t, "serve to say where it is", func() bool {
		address = addressLine.FindString(p.out.String())
		return address != ""
	})
	var text string
	until(t, "a scrape that reads the database", func() bool {
		text = answerOf(t, address+"/metrics")
		return strings.Contains(text, "\ngpuledger_database_up 1\n")
	})
	served := servedNames(text)
	files, all := rules(t)
	documented, err := os.ReadFile(filepath.Join(top, "docs", "operate", "prometheus.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range othersSeries {
		if name != "up" && !strings.Contains(string(documented), "`"+name+"`") {
			t.Errorf("%s is in no document", name)
		}
	}
	if strings.Contains(text, "\ngpuledger_periods_to_close 0\n") { // without an ended month there are no blockers
		served["gpuledger_close_blockers"] = true
	}
	for _, r := range all {
		names := seriesOf(r.Expr)
		if len(names) == 0 {
			t.Errorf("%s%s reads nothing", r.Record, r.Alert)
		}
		for _, name := range names {
			if !served[name] && !slices.Contains(othersSeries, name) &&
				!slices.ContainsFunc(all, func(o rule) bool { return o.Record == name }) {
				t.Errorf("%s%s reads %s, which is not served", r.Record, r.Alert, name)
			}
		}
	}
	var asked []string
	for _, r := range all {
		if r.Record != "" && !strings.HasPrefix(r.Record, "gpu:") {
			asked = append(asked, r.Record)
		}
	}
	for name, b := range grafanaBoards(t) {
		for _, p := range b.Panels {
			for _, target := range p.Targets {
				if target.Expr == "" {
					continue
				}
				asked = append(asked, target.Expr)
				for _, series := range seriesOf(target.Expr) {
					if !served[series] {
						t.Errorf("%s, %s: %s is not served", name, p.Title, series)
					}
				}
			}
		}
	}
	evaluated(t, strings.TrimPrefix(address, "http://"), files, asked)
}

// evaluated runs a Prometheus that scrapes a server and evaluates the rules, until each is evaluated and all of the
// expressions have values.
func evaluated(t *testing.T, target string, files, asked []string) {
	t.Helper()
	if _, err := exec.LookPath("prometheus"); err != nil {
		tier.Absent(t, "no prometheus here (.ci/ensure-prometheus installs it)")
	}
	data := t.TempDir()
	list := make([]string, len(files))
	for i, f := range files {
		path, err := filepath.Abs(f)
		if err != nil {
			t.Fatal(err)
		}
		list[i] = path
	}
	config := fmt.Sprintf("global: {scrape_interval: 1s, evaluation_interval: 1s}\nrule_files: [%s]\nscrape_configs:\n"+
		"  - job_name: gpuledger\n    static_configs: [{targets: [%q]}]\n", strings.Join(list, ", "), target)
	if err := os.WriteFile(filepath.Join(data, "prometheus.yml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "prometheus", "--config.file="+filepath.Join(data, "prometheus.yml"),
		"--storage.tsdb.path="+filepath.Join(data, "tsdb"), "--web.listen-address="+at, "--log.level=error")
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	ask := func(path string, into any) bool {
		resp, err := http.Get("http://" + at + path)
		if err != nil {
			return false
		}
		defer func() { _ = resp.Body.Close() }()
		return json.NewDecoder(resp.Body).Decode(into) == nil
	}
	for _, expr := range asked {
		until(t, expr+" to have a value", func() bool {
			var answer struct{ Data struct{ Result []any } }
			return ask("/api/v1/query?query="+url.QueryEscape(expr), &answer) && len(answer.Data.Result) > 0
		})
	}
	var state struct {
		Data struct {
			Groups []struct {
				Rules []struct{ Name, Health, LastError string }
			}
		}
	}
	until(t, "every rule to be evaluated", func() bool {
		if !ask("/api/v1/rules", &state) {
			return false
		}
		for _, g := range state.Data.Groups {
			for _, r := range g.Rules {
				if r.Health == "err" {
					t.Fatalf("%s: %s", r.Name, r.LastError)
				}
				if r.Health != "ok" {
					return false
				}
			}
		}
		return len(state.Data.Groups) > 0
	})
}
