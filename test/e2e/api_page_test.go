package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gpuledger/web/api/client"
)

// servedAPI is a server with access control and the small fleet, with an admin's token.
func servedAPI(t *testing.T) (db, url, token string) {
	t.Helper()
	db = smallLedger(t)
	url, _ = serveLedger(t, db, "--auth", "on")
	var made struct{ Token string }
	out := must(t, db, "token", "create", "--name=scripts", "--role=admin", "--output=json")
	if err := json.Unmarshal([]byte(out), &made); err != nil || made.Token == "" {
		t.Fatalf("%v: %s", err, out)
	}
	return db, url, made.Token
}

var recipeBlock = regexp.MustCompile("(?s)```(sh|python|sql)\n(.*?)```")

// Each recipe of the page on the API runs as it is, and REST in Python adds up to what SQL says.
func TestRecipesOfThePageOnTheAPI(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(top, "docs", "answer", "api.md"))
	if err != nil {
		t.Fatal(err)
	}
	db, url, token := servedAPI(t)
	folder, sql := t.TempDir(), connect(t, db)
	var said []string // per block
	kinds := map[string]int{}
	for _, block := range recipeBlock.FindAllStringSubmatch(string(text), -1) {
		kind, recipe := block[1], block[2]
		kinds[kind]++
		if kind == "sql" {
			said = append(said, scan[string](t, sql, strings.Replace(strings.TrimSuffix(strings.TrimSpace(recipe), ";"),
				"trim_scale(sum(effective_cost))", "trim_scale(sum(effective_cost))::text", 1)))
			continue
		}
		command := map[string][]string{"sh": {"bash", "-euo", "pipefail", "-c", recipe}, "python": {"python3", "-c", recipe}}[kind]
		cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
		cmd.Dir = folder
		cmd.Env = append(os.Environ(), "GPULEDGER="+url, "GPULEDGER_TOKEN="+token)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if err != nil || len(out) == 0 {
			t.Fatalf("%s\n%v\n%s%s", recipe, err, clip(string(out)), clip(errs.String()))
		}
		said = append(said, strings.TrimSpace(string(out)))
	}
	if len(said) != 10 || kinds["sh"] != 7 || kinds["python"] != 2 || kinds["sql"] != 1 {
		t.Fatalf("%d recipes: %v", len(said), kinds)
	}
	for i, want := range map[int]string{0: `"effective_cost"`, 1: "PAR1", 2: "304", 4: `"accepted":1`,
		5: `"stored":true`, 6: `"accepted":1`} {
		if !strings.Contains(said[i], want) {
			t.Errorf("recipe %d prints %s, want %s", i+1, clip(said[i]), want)
		}
	}
	if first, again, _ := strings.Cut(said[3], "\n"); first != again || !strings.Contains(first, `"stored":1`) {
		t.Errorf("the change with a key: %s", said[3])
	}
	if said[7] != said[9] || said[7] == "" {
		t.Errorf("Python adds up to %s, SQL to %s", said[7], said[9])
	}
	if !strings.HasPrefix(said[8], "400 group_by ") {
		t.Errorf("the wrong parameter: %s", said[8])
	}
}

// The generated Go client reads pages and files, changes once per key, and gives problems as errors.
func TestTheGoClient(t *testing.T) {
	_, url, token := servedAPI(t)
	ledger := client.New(url, token)
	rows, pages := 0, 0
	params := client.GetCostsParams{GroupBy: client.P("team,cause"), Limit: client.P(7)}
	for next := true; next; pages++ {
		page, err := ledger.GetCosts(t.Context(), &params)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range page.Data {
			if row.Currency != nil && (row.EffectiveCost == nil || row.Cause == nil) {
				t.Errorf("a row without cost or cause: %+v", row)
			}
			rows++
		}
		params.Cursor, next = page.Meta.NextCursor, page.Meta.NextCursor != nil
	}
	whole, err := ledger.GetCosts(t.Context(), &client.GetCostsParams{GroupBy: client.P("team,cause"),
		Limit: client.P(1000)})
	if err != nil || len(whole.Data) != rows || pages < 3 {
		t.Errorf("%d rows on %d pages, %d at once, %v", rows, pages, len(whole.Data), err)
	}
	file, err := ledger.Open(t.Context(), "costs", "csv", &client.GetCostsParams{GroupBy: client.P("team,cause")})
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(file)
	if err != nil || file.Close() != nil || bytes.Count(text, []byte("\r\n")) != rows+1 {
		t.Errorf("%d lines of CSV, %v", bytes.Count(text, []byte("\r\n")), err)
	}
	_, err = ledger.GetCosts(t.Context(), &client.GetCostsParams{GroupBy: client.P("taem")})
	if p, ok := errors.AsType[*client.Problem](err); !ok || p.Status != 400 || p.Parameter == nil || *p.Parameter != "group_by" {
		t.Errorf("a wrong key: %v", err)
	}
	if _, err := client.New(url, "wrong").GetRuns(t.Context(), &client.GetRunsParams{}); err == nil ||
		!strings.Contains(err.Error(), "401") {
		t.Errorf("a wrong token: %v", err)
	}
	budget := client.BudgetRow{Name: "speech", Key: "team", Value: client.P("speech"), Period: "month",
		Start: client.P("2026-11-01"), Amount: "10", Unit: "money", Currency: client.P("USD")}
	key := &client.SaveBudgetsParams{IdempotencyKey: client.P("k")}
	for range 2 {
		saved, err := ledger.SaveBudgets(t.Context(), key, []client.BudgetRow{budget})
		if err != nil || saved.Stored != 1 {
			t.Errorf("%+v, %v", saved, err)
		}
	}
	budget.Amount = "11"
	_, err = ledger.SaveBudgets(t.Context(), key, []client.BudgetRow{budget})
	if p, ok := errors.AsType[*client.Problem](err); !ok || p.Status != 422 {
		t.Errorf("the key of another request: %v", err)
	}
	e, err := ledger.Explain(t.Context(), "owner/team=speech", &client.ExplainParams{})
	if err != nil || len(e.Figures) == 0 || e.Formula == "" {
		t.Errorf("%+v, %v", e, err)
	}
}
