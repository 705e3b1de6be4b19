package archtest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const module = "gpuledger"

// levels is the import table. A package may import only packages of lower levels; packages of one level never import
// each other. The longest matching prefix decides.
var levels = map[string]int{
	"internal/money":     0,
	"internal/visible":   0,
	"internal/period":    0,
	"internal/nearest":   0,
	"internal/problem":   0,
	"internal/yamlfault": 0,

	"internal/ledger": 1,
	"internal/fiscal": 1,

	"internal/minutes":        2,
	"internal/catalog/mig":    2,
	"internal/catalog":        2,
	"internal/blob":           2,
	"internal/blob/retry":     1,
	"internal/blob/googleapi": 2,
	"internal/config":         2,
	"internal/sketch":         2,
	"internal/localpg":        2,
	"internal/outbound":       2,
	"internal/seldom":         2,
	"internal/access":         2,
	"migrations":              2,
	"internal/fleetsim/world": 2,
	"allocation/policy":       2,

	"internal/oidc":    3,
	"internal/pgdoor":  3,
	"internal/confirm": 3,

	// Stores import blob, and blob imports none of them: cmd connects them.
	"internal/blob/azstore":   3,
	"internal/blob/bqtable":   3,
	"internal/blob/gcsstore":  3,
	"internal/blob/httpstore": 3,
	"internal/blob/s3store":   3,

	"internal/fleetsim/bills": 3,

	"allocation/fleet":    3,
	"allocation/owner":    3,
	"allocation/timeline": 3,
	"allocation/cause":    3,
	"allocation/split":    3,
	"allocation/part":     3,
	"allocation/attempt":  3,
	"allocation/limit":    3,
	"allocation/share":    3,
	"ingest/jsonstream":   3,
	"ingest/table":        3,
	"metrics/variance":    2,
	"metrics/focus":       2,
	"metrics":             3,
	"metrics/timeline":    3, // pure functions that compute data for pages and analysis
	"metrics/fleet":       3,
	"metrics/serving":     3,
	"metrics/packing":     3,
	"metrics/waste":       3,
	"metrics/spot":        3,
	"metrics/ask":         4,
	"metrics/advice":      4,
	"internal/star":       4,
	"web/views/format":    3,

	"ingest/bill":       4,
	"ingest/records":    4,
	"ingest/series":     4,
	"allocation":        4,
	"internal/export":   4,
	"internal/fleetsim": 4,
	"web/assets":        4,
	"web/views/chart":   4,

	"ingest/attempts":             5,
	"ingest/awscur":               5,
	"ingest/azurecost":            5,
	"ingest/focus":                5,
	"ingest/gcpbilling":           5,
	"ingest/kubernetes":           5,
	"ingest/llmusage":             5,
	"ingest/nvidiasmi":            5,
	"ingest/openmetrics":          5,
	"ingest/otlp":                 5,
	"ingest/pricebook":            5,
	"ingest/promquery":            5,
	"ingest/publicprices":         5,
	"ingest/annotations":          5,
	"ingest/budgets":              5,
	"ingest/remotewrite":          5,
	"ingest/sagemaker":            5,
	"ingest/runrecords":           5,
	"ingest/experiments":          5,
	"ingest/slurm":                5,
	"ingest/spotevents":           5,
	"metrics/statement":           5,
	"internal/posting":            5,
	"internal/outgoing":           5,
	"internal/fleetsim/exporters": 5,
	"internal/analysis":           5,
	"internal/closing":            5,
	"web/views":                   5,
	"web/operate":                 5,
	"web/gate":                    5,
	"web/limit":                   5,
	"web/once":                    6,

	"ingest":          6,
	"internal/folder": 6,
	"internal/agent":  6,
	"web/paper":       6,
	"web/odata":       6,

	// The pages: shared code, pages of one dataset, the rooms, and the room whose overview reads the others' data.
	"web/dashboard/page":      6,
	"web/dashboard/figures":   7,
	"web/api":                 7,
	"web/api/client":          6,
	"web/api/client/training": 7,
	"web/dashboard/panel":     8,
	"web/dashboard/books":     8,
	"web/dashboard/explain":   8,
	"web/dashboard/find":      8,
	"web/dashboard/machines":  8,
	"web/dashboard/people":    8,
	"web/dashboard/saved":     8,
	"web/dashboard/work":      8,
	"web/dashboard/costs":     10,
	"web/dashboard/review":    9,
	"web/dashboard":           11,

	"ingest/eventqueue":       7,
	"ingest/live":             7, // requests and scrapes as they come, kept until they are stored
	"ingest/scrape":           7,
	"ingest/kubernetes/watch": 7,

	"ingest/endpoints":  8,
	"internal/schedule": 8,
	"internal/upkeep":   6,
	"internal/workers":  8,

	// The rooms of the store, each above those that it uses.
	"internal/store/pg":      6,
	"internal/store/bills":   7,
	"internal/store/report":  7,
	"internal/store/pages":   7,
	"internal/store/facts":   8,
	"internal/store/book":    9,
	"internal/store/access":  10,
	"internal/store/exports": 10,
	"internal/store/figures": 10,
	"internal/store/explain": 10,
	"internal/store/verify":  11,
	"internal/store/periods": 12,
	"internal/store":         13,

	"web":           12,
	"cmd/gpuledger": 14,

	// Test code: above the whole product, which therefore imports none of it.
	"test/tier":      14,
	"test":           15,
	"test/storetest": 16,
}

// pure packages take values and return values: no database, network, files,
// clock or log.
var pure = []string{
	"internal/money", "internal/period", "internal/fiscal", "internal/ledger", "internal/minutes", "internal/catalog",
	"allocation", "ingest/table", "ingest/bill", "ingest/awscur", "ingest/azurecost", "ingest/focus",
	"ingest/gcpbilling", "ingest/openmetrics", "ingest/pricebook", "ingest/publicprices", "ingest/budgets",
	"ingest/annotations", "ingest/spotevents",
	"ingest/series", "ingest/jsonstream", "ingest/records", "ingest/runrecords", "ingest/experiments", "ingest/attempts",
	"ingest/llmusage", "ingest/nvidiasmi", "ingest/sagemaker", "ingest/slurm", "internal/sketch", "metrics",
}

// impure are the imports that pure packages must not have, and why.
var impure = map[string]string{
	"github.com/jackc/pgx/v5": "SQL lives in internal/store",
	"net/http":                "network lives in web and cmd",
	"os":                      "files are opened by internal/blob",
	"log/slog":                "errors are returned, not logged",
	"log":                     "errors are returned, not logged",
	"math/rand":               "randomness is passed in",
	"math/rand/v2":            "randomness is passed in",
}

type goPackage struct {
	Dir, ImportPath string
	GoFiles         []string
	Imports         []string
}

func root(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func packages(t *testing.T) []goPackage {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=Dir,ImportPath,GoFiles,Imports", "./...")
	cmd.Dir = root(t)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal("go list: ", err)
	}
	var list []goPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}

func level(path string) (int, bool) {
	path = strings.TrimPrefix(path, module+"/")
	for {
		if l, ok := levels[path]; ok {
			return l, true
		}
		i := strings.LastIndex(path, "/")
		if i < 0 {
			return 0, false
		}
		path = path[:i]
	}
}

func TestImportsPointOneWay(t *testing.T) {
	for _, p := range packages(t) {
		own, ok := level(p.ImportPath)
		if !ok {
			t.Errorf("%s has no place in the import table: add it to levels, and to the code map in ARCHITECTURE.md",
				p.ImportPath)
			continue
		}
		for _, imp := range p.Imports {
			if !strings.HasPrefix(imp, module+"/") {
				continue
			}
			// A package and its own sub-packages form one room unless listed separately.
			if other, ok := level(imp); ok && other >= own {
				t.Errorf("%s (level %d) imports %s (level %d): arrows point to lower levels only", p.ImportPath, own, imp, other)
			}
		}
	}
}

// forOthers is a folder of packages that neither the program nor tests alone are for: other programs copy them.
const forOthers = module + "/web/api/client"

// TestWhatOnlyTestsUseIsBelowTest: every other package is part of the program.
func TestWhatOnlyTestsUseIsBelowTest(t *testing.T) {
	imports, program := map[string][]string{}, map[string]bool{}
	for _, p := range packages(t) {
		imports[p.ImportPath] = p.Imports
	}
	for next := []string{module + "/cmd/gpuledger"}; len(next) > 0; next = next[1:] {
		if !program[next[0]] {
			program[next[0]] = true
			next = append(next, imports[next[0]]...)
		}
	}
	for path := range imports {
		if path == forOthers || strings.HasPrefix(path, forOthers+"/") {
			continue
		}
		if proves := strings.HasPrefix(path, module+"/test/"); proves == program[path] {
			t.Errorf("%s: part of the program %t, below test/ %t: it is either", path, program[path], proves)
		}
	}
}

func TestPurePackagesDoNoIO(t *testing.T) {
	for _, p := range packages(t) {
		path := strings.TrimPrefix(p.ImportPath, module+"/")
		for _, rule := range pure {
			if path != rule && !strings.HasPrefix(path, rule+"/") {
				continue
			}
			for _, imp := range p.Imports {
				if why, bad := impure[imp]; bad {
					t.Errorf("%s imports %s: %s", p.ImportPath, imp, why)
				}
			}
			for _, name := range p.GoFiles {
				src, err := os.ReadFile(filepath.Join(p.Dir, name))
				if err != nil {
					t.Fatal(err)
				}
				if bytes.Contains(src, []byte("time.Now(")) {
					t.Errorf("%s/%s reads the clock: time is passed in", path, name)
				}
			}
		}
	}
}

func TestTheSimulatorIsIndependent(t *testing.T) {
	for _, p := range packages(t) {
		if !strings.HasPrefix(p.ImportPath, module+"/internal/fleetsim") && p.ImportPath != module+"/test/truth" {
			continue
		}
		for _, imp := range p.Imports {
			if strings.HasPrefix(imp, module+"/") && imp != module+"/internal/period" &&
				!strings.HasPrefix(imp, module+"/internal/fleetsim") {
				t.Errorf("%s imports %s: the oracle shares no code with what it judges", p.ImportPath, imp)
			}
		}
	}
}

func TestEveryPackageHasADoc(t *testing.T) {
	for _, p := range packages(t) {
		name := filepath.Join(p.Dir, "doc.go")
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Errorf("%s: every package says in doc.go what it owns, refuses and guarantees: %v", p.ImportPath, err)
			continue
		}
		if file.Doc == nil || len(strings.Fields(file.Doc.Text())) < 20 {
			t.Errorf("%s: doc.go says too little", name)
		}
	}
}

func goSources(t *testing.T, visit func(path string, src []byte)) {
	t.Helper()
	top := root(t)
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != top || d.Name() == "node_modules" ||
			d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_templ.go") ||
			strings.HasSuffix(path, ".gen.go") {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(top, path)
		if err != nil {
			return err
		}
		visit(filepath.ToSlash(rel), src)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFilesHoldOneIdea(t *testing.T) {
	const limit = 450
	goSources(t, func(path string, src []byte) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		if n := bytes.Count(src, []byte("\n")); n > limit {
			t.Errorf("%s has %d lines; above %d a file holds more than one idea: split it by idea", path, n, limit)
		}
	})
}

// TestNoFloatsNearMoney looks for struct fields, parameters and variables of float type with a money name, wherever
// money is handled.
func TestNoFloatsNearMoney(t *testing.T) {
	goSources(t, func(path string, src []byte) {
		near := false
		for _, dir := range []string{
			"allocation/", "ingest/", "internal/money/", "internal/ledger/", "internal/store/", "metrics/", "internal/export/",
		} {
			near = near || strings.HasPrefix(path, dir)
		}
		if !near || strings.HasSuffix(path, "_test.go") {
			return
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, src, 0)
		if err != nil {
			t.Error(err)
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			var names []*ast.Ident
			var typ ast.Expr
			switch n := n.(type) {
			case *ast.Field:
				names, typ = n.Names, n.Type
			case *ast.ValueSpec:
				names, typ = n.Names, n.Type
			default:
				return true
			}
			id, ok := typ.(*ast.Ident)
			if !ok || id.Name != "float64" && id.Name != "float32" {
				return true
			}
			for _, name := range names {
				low := strings.ToLower(name.Name)
				for _, word := range []string{"cost", "amount", "price", "money", "billed", "effective", "fee"} {
					if strings.Contains(low, word) {
						t.Errorf("%s: %s is a %s: money is exact", set.Position(name.Pos()), name.Name, id.Name)
					}
				}
			}
			return true
		})
	})
}

// TestNothingUnfinished looks for the words that mark unfinished work.
func TestNothingUnfinished(t *testing.T) {
	goSources(t, func(path string, src []byte) {
		if strings.HasPrefix(path, "test/archtest/") {
			return
		}
		scan := bufio.NewScanner(bytes.NewReader(src))
		scan.Buffer(nil, 1<<20)
		for n := 1; scan.Scan(); n++ {
			for _, word := range []string{"TO" + "DO", "FIX" + "ME", "not implemented", "XX" + "X:"} {
				if strings.Contains(scan.Text(), word) {
					t.Errorf("%s:%d says %q", path, n, word)
				}
			}
		}
	})
}

// TestPagesDivideWithRatio: any sum on a page can be zero under some basis and filter, and big.Rat panics then. Only
// web/views/format divides.
func TestPagesDivideWithRatio(t *testing.T) {
	divides := regexp.MustCompile(`\.Quo\(|\.Inv\(|SetFrac\(`)
	goSources(t, func(path string, src []byte) {
		if !strings.HasPrefix(path, "web/dashboard/") && !strings.HasPrefix(path, "web/api/") ||
			strings.HasSuffix(path, "_test.go") {
			return
		}
		for i, line := range strings.Split(string(src), "\n") {
			if divides.MatchString(line) && !strings.Contains(line, ".Denom())") {
				t.Errorf("%s:%d divides by what may be zero: use format.Ratio", path, i+1)
			}
		}
	})
}
