package web_test

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/test/dashtest"
	"gpuledger/web"
	"gpuledger/web/api"
	"gpuledger/web/dashboard"
	"gpuledger/web/gate"
	"gpuledger/web/limit"
	"gpuledger/web/operate"
)

// porter admits everyone.
type porter struct{ *office }

func (porter) SignIn(context.Context, string, string, access.Origin, time.Time) (string, error) {
	return "viewer", nil
}
func (porter) SignOut(context.Context, string, time.Time) error          { return nil }
func (porter) LinkOf(context.Context, string, time.Time) (string, error) { return "otto", nil }
func (porter) ChoosePassword(context.Context, string, string, time.Time) (string, error) {
	return "", &access.RefusedError{Reason: "a password has at least 12 characters"}
}

// theatre admits everyone with a demo link.
type theatre struct{}

func (theatre) SignIn(context.Context, string, access.Origin, time.Time) (string, error) {
	return "viewer", nil
}

// unmoved is a ledger that makes no changes.
type unmoved struct{}

var errUnmoved = &operate.RefusedError{Reasons: []string{"not today"}}

func (unmoved) SavePolicy(context.Context, []byte, string) (string, bool, error) {
	return "", false, errUnmoved
}
func (unmoved) WithdrawPolicy(context.Context, string, string) error { return errUnmoved }
func (unmoved) TryPolicy(context.Context, []byte, period.Interval) (*metrics.Trial, error) {
	return nil, errUnmoved
}
func (unmoved) SaveMapping(context.Context, []byte, string, string) (operate.SavedMapping, error) {
	return operate.SavedMapping{}, errUnmoved
}
func (unmoved) TryMapping(context.Context, []byte, period.Interval) (*operate.TriedMapping, error) {
	return nil, errUnmoved
}
func (unmoved) ClosePeriod(context.Context, string, string, string) ([]operate.Statement, error) {
	return nil, errUnmoved
}
func (unmoved) ReopenPeriod(context.Context, string, string, string, string) ([]operate.Statement, error) {
	return nil, errUnmoved
}
func (unmoved) DecideRecommendation(context.Context, string, string, string, string) error {
	return errUnmoved
}
func (unmoved) SaveBudgets(context.Context, []byte, string) (operate.Saved, error) {
	return operate.Saved{}, errUnmoved
}

func (unmoved) SaveAnnotations(context.Context, []byte, string) (operate.Saved, error) {
	return operate.Saved{}, errUnmoved
}

func (unmoved) Import(context.Context, operate.File, string) (operate.Imported, error) {
	return operate.Imported{}, errUnmoved
}

func (unmoved) SaveExperiments(context.Context, []byte, string) (operate.Imported, error) {
	return operate.Imported{}, errUnmoved
}

func (unmoved) SaveExport(context.Context, operate.Export, string) (bool, error) {
	return false, errUnmoved
}

func (unmoved) RemoveExport(context.Context, string, string) error { return errUnmoved }

func (unmoved) SavePriceBook(context.Context, []byte, string) (operate.Imported, error) {
	return operate.Imported{}, errUnmoved
}

func (unmoved) RevokeToken(context.Context, string, string) error { return errUnmoved }

// receiver is the path of the test server that takes telemetry.
const receiver = "/api/v1/write"

// whole is a test server with all routes, with or without access control.
type whole struct {
	http.Handler
	routes chi.Routes
	gate   *gate.Gate
	office *office
}

// wholeServer is a server with all routes. The secrets of sessions and tokens are the
// names of roles; "analyst in part" has a scope.
func wholeServer(t *testing.T, people bool, hosts ...string) *whole {
	t.Helper()
	_, o := opened(t)
	for _, role := range access.Roles() {
		v := &access.Viewer{ID: string(role), Name: string(role), Role: role}
		if !role.SeesAll() {
			v.Scope = "s"
		}
		part := *v
		part.ID, part.Scope = part.ID+" in part", "s"
		o.sessions[v.ID], o.sessions[part.ID] = v, &part
	}
	reader, taken := dashtest.New(), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.WriteHeader(http.StatusNoContent)
	})
	desk := operate.Desk{Ledger: unmoved{}, Shelf: shelf()}
	deps := web.Deps{Reader: reader,
		API: api.New(reader, slog.New(slog.DiscardHandler)).Operated(desk).
			Deferring(t.Context(), api.Later{Dir: t.TempDir()}, func() time.Time { return noon }),
		Desk: desk, Guard: limit.New(limit.Options{Limits: limit.Limits{Rate: 1000}}), // each route gets many requests
		Metrics: taken, Receivers: map[string]http.Handler{receiver: taken}, Now: func() time.Time { return noon }}
	if len(hosts) > 0 {
		deps.Hosts = hosts
	}
	s := &whole{office: o}
	if people {
		s.gate = gate.New(gate.Options{Keeper: o, Now: deps.Now, Pages: dashboard.PageNeeds(), Changes: api.Needs(),
			Receivers: []string{receiver}})
		deps.Gate, deps.Door, deps.Keeper, deps.Cast = s.gate, porter{o}, o, theatre{}
	}
	var err error
	if s.Handler, err = web.New(deps); err != nil {
		t.Fatal(err)
	}
	routes, err := web.Router(deps)
	if err != nil {
		t.Fatal(err)
	}
	s.routes = routes
	return s
}

// route is a route of the router.
type route struct{ method, pattern string }

// parts are values for the parameters of addresses.
var parts = strings.NewReplacer("{dataset}", "costs", "{device}", dashtest.DeviceID, "{import}", dashtest.ImportID,
	"{version}", "default", "{period}", "2026-10", "{id}", dashtest.Advice[0])

func (r route) String() string { return r.method + " " + r.pattern }

// path is an address of the route.
func (r route) path() string {
	if at, ok := named[r.pattern]; ok {
		return at
	}
	switch r.pattern {
	case "/static/*":
		return "/static/none.css"
	case "/api/*":
		return "/api/none"
	case "/api/v1/explain/*":
		return "/api/v1/explain/run/" + dashtest.RunID
	}
	return parts.Replace(r.pattern)
}

// walk lists the routes. HEAD is answered like GET.
func (s *whole) walk(t *testing.T) (list []route) {
	t.Helper()
	err := chi.Walk(s.routes, func(method, pattern string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if method != http.MethodHead {
			list = append(list, route{method, pattern})
		}
		return nil
	})
	if err != nil || len(list) < 60 {
		t.Fatalf("%d routes: %v", len(list), err)
	}
	return list
}

// ask sends a request of a route.
func (s *whole) ask(r route, header ...string) *httptest.ResponseRecorder {
	q := httptest.NewRequest(r.method, r.path(), nil)
	if r.method == http.MethodPost {
		q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i+1 < len(header); i += 2 {
		if q.Header.Set(header[i], header[i+1]); header[i] == "Host" {
			q.Host = header[i+1]
		}
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, q)
	return w
}

// Entries of the table in docs/operate/access.md for a route and a role.
const (
	passes     = "yes"
	passesFree = "unless scoped" // refused with a scope
	refused    = "–"
	fromHere   = "from this machine"
)

const rightsDocument = "../docs/operate/access.md"

// rightsTable is the table of docs/operate/access.md, derived from the code.
func (s *whole) rightsTable(t *testing.T) string {
	t.Helper()
	rows := map[string][]route{}
	for _, r := range s.walk(t) {
		need, ok := s.gate.Needs(r.method, r.pattern)
		if !ok {
			continue
		}
		cells := []string{refused}
		switch {
		case need.Right == access.Anybody:
			cells[0] = passes
		case need.Local:
			cells[0] = fromHere
		}
		for _, role := range access.Roles() {
			cell := passes
			switch {
			case !role.May(need.Right) || need.Whole && !role.SeesAll():
				cell = refused
			case need.Whole:
				cell = passesFree
			}
			cells = append(cells, cell)
		}
		line := strings.Join(cells, " | ")
		rows[line] = append(rows[line], r)
	}
	var b strings.Builder
	b.WriteString("| routes | signed out |")
	for _, role := range access.Roles() {
		fmt.Fprintf(&b, " %s |", role)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", 1+len(access.Roles())) + "\n")
	lines := slices.SortedFunc(maps.Keys(rows), func(a, b string) int {
		return cmp.Or(strings.Count(a, refused)-strings.Count(b, refused), strings.Compare(a, b))
	})
	for _, line := range lines {
		byMethod := map[string][]string{}
		for _, r := range rows[line] {
			byMethod[r.method] = append(byMethod[r.method], "`"+r.pattern+"`")
		}
		var said []string
		for _, method := range slices.Sorted(maps.Keys(byMethod)) {
			slices.Sort(byMethod[method])
			said = append(said, method+" "+strings.Join(byMethod[method], " "))
		}
		fmt.Fprintf(&b, "| %s | %s |\n", strings.Join(said, "; "), line)
	}
	return b.String()
}

// documented reads the table of docs/operate/access.md: the entries of each route, by role.
func documented(t *testing.T) (text string, cells map[route]map[string]string) {
	t.Helper()
	document, err := os.ReadFile(rightsDocument)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(document), "| routes | signed out |")
	head, _, _ := strings.Cut(rest, "\n\n")
	text, cells = "| routes | signed out |"+head+"\n", map[route]map[string]string{}
	roles := []string{"nobody"}
	for _, role := range access.Roles() {
		roles = append(roles, string(role))
	}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n")[2:] {
		fields := strings.Split(strings.Trim(line, "| "), " | ")
		if len(fields) != len(roles)+1 {
			t.Fatalf("%s: a line of the table has %d columns: %s", rightsDocument, len(fields), line)
		}
		for said := range strings.SplitSeq(fields[0], "; ") {
			method, patterns, _ := strings.Cut(said, " ")
			for pattern := range strings.FieldsSeq(patterns) {
				r := route{method, strings.Trim(pattern, "`")}
				cells[r] = map[string]string{}
				for i, role := range roles {
					cells[r][role] = fields[i+1]
				}
			}
		}
	}
	return text, cells
}

// answered is the gate's decision on a request: passes, refused, or "who are you".
func answered(r route, w *httptest.ResponseRecorder) string {
	switch to := w.Header().Get("Location"); {
	case w.Code == http.StatusForbidden:
		return refused
	case w.Code == http.StatusUnauthorized, strings.HasPrefix(to, gate.SignIn) && w.Header().Get("Clear-Site-Data") == "":
		return "who are you"
	case w.Code >= http.StatusInternalServerError:
		return fmt.Sprint(w.Code)
	}
	return passes
}

// TestEveryRouteAnswersAsTheTableOfRightsSays walks the router: each route must be in the
// table of docs/operate/access.md, which must match the code, and must answer each role, by session
// and by token, as the table says.
func TestEveryRouteAnswersAsTheTableOfRightsSays(t *testing.T) {
	s := wholeServer(t, true)
	text, cells := documented(t)
	if want := s.rightsTable(t); text != want {
		document(t, "table", text, want)
		_, cells = documented(t)
	}
	asked := 0
	for _, r := range s.walk(t) {
		said := cells[r]
		if said == nil {
			if r.pattern != "/api/*" || slices.Contains([]string{"GET", "POST", "PUT", "PATCH", "DELETE"}, r.method) {
				t.Errorf("%s stands in no table of rights", r)
				continue
			}
			said = map[string]string{} // methods without a route are closed
		}
		want := func(cell string, scoped bool) string {
			switch {
			case cell == passes, cell == passesFree && !scoped:
				return passes
			}
			return refused
		}
		nobody := "who are you"
		if said["nobody"] == passes {
			nobody = passes
		}
		for name, header := range map[string][]string{"nobody": nil, "an unknown session": as("x"),
			"an unknown token": {"Authorization", "Bearer x"}} {
			if w := s.ask(r, header...); answered(r, w) != nobody {
				t.Errorf("%s asks %s: %d (%s), want %s", name, r, w.Code, answered(r, w), nobody)
			}
		}
		for _, role := range access.Roles() {
			for _, who := range []string{string(role), string(role) + " in part"} {
				expected := want(said[string(role)], strings.HasSuffix(who, "part"))
				for how, header := range map[string][]string{"session": {"Cookie", `gpuledger-session="` + who + `"`},
					"token": {"Authorization", "Bearer " + who}} {
					asked++
					if w := s.ask(r, header...); answered(r, w) != expected {
						t.Errorf("%s asks %s by %s: %d (%s), want %s", who, r, how, w.Code, answered(r, w), expected)
					}
				}
			}
		}
	}
	if asked < 1500 {
		t.Errorf("only %d requests", asked)
	}
}

// The server's own metrics are open to requests from this machine, but not to requests through a
// proxy, whether headers or only the host name or protocol reveal it.
func TestMetricsAreOpenToThisMachineAlone(t *testing.T) {
	s := wholeServer(t, true)
	ask := func(from, host, header string, minor int) int {
		q := httptest.NewRequest(http.MethodGet, "/metrics", nil)
		q.RemoteAddr, q.Host, q.ProtoMinor = from, host, minor
		if header != "" {
			q.Header.Set(header, "127.0.0.1")
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, q)
		return w.Code
	}
	for _, c := range []struct {
		from, host string
		minor      int
		want       int
	}{
		{"127.0.0.1:5", "127.0.0.1:8080", 1, http.StatusNoContent}, {"[::1]:5", "[::1]:8080", 1, http.StatusNoContent},
		{"127.0.0.1:5", "LocalHost", 1, http.StatusNoContent}, {"192.0.2.1:5", "127.0.0.1:8080", 1, http.StatusUnauthorized},
		{"127.0.0.1:5", "gpu.example.com", 1, http.StatusUnauthorized},
		{"127.0.0.1:5", "10.0.0.7:8080", 1, http.StatusUnauthorized},
		{"127.0.0.1:5", "127.0.0.1:8080", 0, http.StatusUnauthorized},
	} {
		if got := ask(c.from, c.host, "", c.minor); got != c.want {
			t.Errorf("from %s of %s by HTTP/1.%d: %d, want %d", c.from, c.host, c.minor, got, c.want)
		}
	}
	for _, header := range []string{"X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded", "Via",
		"X-Real-IP",
		"X-Client-IP",
		"CF-Connecting-IP", "True-Client-IP", "X-Envoy-External-Address"} {
		if got := ask("127.0.0.1:5", "127.0.0.1:8080", header, 1); got != http.StatusUnauthorized {
			t.Errorf("with %s: %d", header, got)
		}
	}
}

// The documented list of datasets for scoped users matches the code.
func TestTheDocumentListsWhatIsSeenInPart(t *testing.T) {
	var names []string
	for _, d := range metrics.Datasets {
		if d.InPart {
			names = append(names, "`"+d.Name+"`")
		}
	}
	slices.Sort(names)
	const head = "Datasets that are seen in part: "
	lines, err := os.ReadFile(rightsDocument)
	if err != nil {
		t.Fatal(err)
	}
	_, said, _ := strings.Cut(string(lines), head)
	said, _, _ = strings.Cut(said, "\n")
	if want := strings.Join(names, ", ") + "."; said != want {
		document(t, "list", head+said+"\n", head+want+"\n")
	}
}

var update = flag.Bool("update", false, "rewrite what docs/operate/access.md says of routes and datasets")

// document replaces the part of docs/operate/access.md with that of the code, with -update.
func document(t *testing.T, what, said, want string) {
	t.Helper()
	if !*update {
		t.Errorf("%s has another %s than the code: run go test ./web -update, and see who gets what. Of the code:\n%s",
			rightsDocument, what, want)
		return
	}
	text, err := os.ReadFile(rightsDocument)
	if err == nil {
		err = os.WriteFile(rightsDocument, []byte(strings.Replace(string(text), said, want, 1)), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
