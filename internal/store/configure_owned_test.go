package store_test

import (
	"errors"
	"strings"
	"testing"

	"gpuledger/internal/folder"
	"gpuledger/internal/store"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

const hall = `kind: price_book
name: hall
currency: EUR
owned:
  - name: dgx
    nodes: [own-1, own-2]
    gpus: 8
    in_service: 2026-09-30T12:00:00Z
    through: 2026-10-02
    purchase_price: "36500"
    depreciation: straight_line
    life_months: 50
rates:
  - {instance_type: x9.large, price_class: on_demand, currency: USD, hourly: 1.25}
`

// Machines of a folder are bill lines, stored once, with their text, import and audit entry; another issue replaces the
// months that differ; an export is no difference.
func TestMachinesOfAFolderAreABill(t *testing.T) {
	s := storetest.New(t)
	apply := func(text string) folder.Action {
		t.Helper()
		plan, err := s.Configure(t.Context(), folderOf(t, map[string]string{"books/hall.yaml": "\n\n" + text}), "ada", "new")
		if err != nil {
			t.Fatal(err)
		}
		return plan.Of(folder.KindPriceBook, "hall", "").Action
	}
	lines := func() (rows []map[string]string) {
		return storetest.Table(t, s, "charges", metrics.Options{Filter: "provider = owned", Order: "charge_period_start"})
	}
	if got := apply(hall); got != folder.Create {
		t.Errorf("first: %s", got)
	}
	// The month of life from 30 September to 30 October has 720 hours at 730 EUR.
	rows := lines()
	if len(rows) != 2*(12+48) || rows[0]["billing_account"] != "hall" || rows[0]["source_file"] != "books/hall.yaml" ||
		rows[0]["line"] != "7" || !strings.HasPrefix(rows[0]["effective_cost"], "1.01388888888") {
		t.Fatalf("%d lines: %v", len(rows), rows[0])
	}
	if n := count(t, s, `select count(*) from rates where instance_type = 'x9.large'`); n != 1 {
		t.Errorf("%d rates", n)
	}
	imports := storetest.Table(t, s, "imports", metrics.Options{Filter: "source = price-book"})
	if len(imports) != 1 || imports[0]["uri"] != "apply://books/hall.yaml" || imports[0]["state"] != "published" {
		t.Errorf("%v", imports)
	}
	audit := storetest.Table(t, s, "audit", metrics.Options{Filter: "action = 'price book stored'"})
	if len(audit) != 1 || audit[0]["actor"] != "ada" || audit[0]["subject"] != "hall" ||
		!strings.Contains(audit[0]["detail"], "36500") {
		t.Errorf("%v", audit)
	}
	if got := apply(hall); got != folder.None || len(lines()) != len(rows) {
		t.Errorf("again: %s", got)
	}
	if got := apply(strings.Replace(hall, "2026-10-02", "2026-10-03", 1)); got != folder.Update || len(lines()) != 2*(12+72) {
		t.Errorf("longer: %s, %d lines", got, len(lines()))
	}
	if n := count(t, s, `select count(*) from deliveries where source = 'price-book'`); n != 3 {
		t.Errorf("%d deliveries: September is stored twice", n)
	}
	state, err := s.Configuration(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	texts, err := folder.Export(state)
	if err != nil || !strings.Contains(texts["price_book-hall.yaml"], "2026-10-03") {
		t.Fatalf("%v %v", texts, err)
	}
	plan, err := s.Configure(t.Context(), folderOf(t, texts), "ada", "")
	if err != nil || plan.Differs() {
		t.Errorf("the export differs: %v %+v", err, plan)
	}
	if n := count(t, s, `select count(*) from imports where source = 'price-book'`); n != 2 {
		t.Errorf("%d imports: no difference leaves one", n)
	}
}

// A book that bills contradict is a fault at its line, and nothing of the folder is stored.
func TestMachinesOfAFolderAreStoredWhollyOrNotAtAll(t *testing.T) {
	s := storetest.New(t)
	issued := "issued_at: 2026-11-02\n" + strings.TrimPrefix(hall, "kind: price_book\n")
	dearer := strings.Replace(issued, "36500", "36600", 1)
	apply := func(text string) error {
		_, err := s.Configure(t.Context(), folderOf(t, map[string]string{
			"hall.yaml": "kind: price_book\n" + text, "view.yaml": configured["view.yaml"],
		}), "ada", "")
		return err
	}
	if err := apply(issued); err != nil {
		t.Fatal(err)
	}
	const stored = `select (select count(*) from charge_rows) + (select count(*) from saved_views) +
		(select count(*) from deliveries) + (select count(*) from imports) + (select count(*) from price_books) +
		(select count(*) from audit_log)`
	before := count(t, s, stored)
	refused := func(what string, err error, want string) {
		t.Helper()
		wrong, ok := errors.AsType[*store.ConfigurationError](err)
		if !ok || len(wrong.Faults) != 1 || !strings.HasPrefix(wrong.Error(), want) {
			t.Errorf("%s: %v, want %s", what, err, want)
		}
		if n := count(t, s, stored); n != before {
			t.Errorf("%s: %d rows are stored", what, n-before)
		}
	}
	refused("the same issue", apply(dearer), "hall.yaml:2: issued_at: an issue of price book hall")
	// Its text was not kept, so only the deliveries know it.
	if _, err := s.Pool.Exec(t.Context(), `delete from price_books`); err != nil {
		t.Fatal(err)
	}
	before = count(t, s, stored)
	refused("the same issue, without text", apply(dearer), "hall.yaml:2: issued_at: an issue of price book hall")
	refused("an older issue, without text", apply(strings.Replace(dearer, "11-02", "11-01", 1)), "hall.yaml:2: issued_at")
	if err := apply(issued); err != nil || count(t, s, `select count(*) from price_books`) != 1 ||
		count(t, s, `select count(*) from deliveries where source = 'price-book'`) != 2 {
		t.Errorf("the same issue, for its text: %v", err)
	}
}
