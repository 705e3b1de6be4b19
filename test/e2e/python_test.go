package e2e

import (
	"encoding/json"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gpuledger/test/tier"
)

// pythonPackage copies deploy/python to a folder of the test. go test notices changed files, since the test reads them,
// and Python leaves no compiled files in the repository.
func pythonPackage(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		tier.Absent(t, "python3: the package for training scripts is not tested")
	}
	from, to := filepath.Join(top, "deploy", "python"), t.TempDir()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		at, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == "__pycache__" {
				return filepath.SkipDir
			}
			return os.MkdirAll(filepath.Join(to, at), 0o755)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, at), text, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// python runs Python in the folder of the package, with a clean environment and a folder to spool in.
func python(t *testing.T, folder, spool string, env []string, args ...string) (stdout, stderr string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "python3", args...)
	cmd.Dir = folder
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + spool, "PYTHONPATH=" + folder,
		"GPULEDGER_SPOOL=" + spool}, env...)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("python3 %q: %v\n%s%s", args, err, clip(out.String()), clip(errs.String()))
	}
	return out.String(), errs.String()
}

// The package's own tests: servers that are dead, slow or confused, a kill, a fork, bounds.
func TestThePythonPackageAlone(t *testing.T) {
	folder := pythonPackage(t)
	_, errs := python(t, folder, t.TempDir(), nil, "-W", "error", "-m", "unittest", "discover", "-s", ".", "-t", ".")
	if !regexp.MustCompile(`Ran [2-9]\d tests`).MatchString(errs) || !strings.Contains(errs, "\nOK") {
		t.Errorf("%s", clip(errs))
	}
}

// tokenFor makes a token of a role.
func tokenFor(t *testing.T, db, role string) string {
	t.Helper()
	var made struct{ Token string }
	out := must(t, db, "token", "create", "--name="+role, "--role="+role, "--output=json")
	if err := json.Unmarshal([]byte(out), &made); err != nil || made.Token == "" {
		t.Fatalf("%v: %s", err, out)
	}
	return made.Token
}

// reportRows are the rows of a report, by column.
func reportRows(t *testing.T, db string, args ...string) (rows []map[string]string) {
	t.Helper()
	a := decodeCSV(t, must(t, append([]string{db, "report", "--format=csv"}, args...)...))
	for _, cells := range a.rows {
		row := map[string]string{}
		for i, name := range a.columns {
			row[name] = cells[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// A training script with a token that may only send and one that may only read: the cost is the report's, the checkpoint
// and the result are in the ledger. Without its server, the script ends well, and what it told is sent later.
func TestATrainingScriptInPython(t *testing.T) {
	folder, spool, db := pythonPackage(t), t.TempDir(), smallLedger(t)
	rows := reportRows(t, db, "runs", "--limit=1", "--columns=run_id,effective_cost,currency")
	run := rows[0]["run_id"]
	env := []string{"GPULEDGER_RUN_ID=" + run, "GPULEDGER_TOKEN=" + tokenFor(t, db, "ingest"),
		"GPULEDGER_READ_TOKEN=" + tokenFor(t, db, "auditor")}

	// The address of a server that is started later.
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	env = append(env, "GPULEDGER_URL=http://"+addr)
	out, errs := python(t, folder, spool, env, "examples/train.py")
	if !strings.Contains(out, "cost not known yet") || !strings.Contains(errs, "rows wait in") ||
		!strings.Contains(errs, "0 dropped; 4 wait") {
		t.Errorf("without a server: %s%s", out, errs)
	}

	serveLedger(t, db, "--auth", "on", "--addr="+addr)
	if out, _ = python(t, folder, spool, env, "-m", "gpuledger", "send"); out != "4 sent, 0 refused, 0 dropped, 0 wait\n" {
		t.Errorf("later: %s", out)
	}
	out, errs = python(t, folder, spool, env, "-c", "import gpuledger\nwith gpuledger.start(experiment='tokenizer-v3') as run:\n"+
		"    run.metric('bleu', 31.2, baseline=29.8)\n    cost = run.cost(wait=30)\n    print(cost.amount, cost.currency)")
	if want := rows[0]["effective_cost"] + " " + rows[0]["currency"] + "\n"; out != want || errs != "" {
		t.Errorf("the run costs %s, Python says %s%s", want, out, errs)
	}
	sql := connect(t, db)
	until(t, "the last checkpoint of the run", func() bool {
		return scan[int64](t, sql, "select coalesce(max(step), 0) from checkpoint_facts where run = $1", run) == 300
	})
	results := reportRows(t, db, "experiments", "--filter=experiment = 'tokenizer-v3'", "--columns=metric,value,successful")
	if len(results) != 2 || results[0]["metric"] != "bleu" || results[0]["value"] != "31.2" {
		t.Errorf("results of the script: %v", results)
	}
}
