package store_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/store/storetest"
)

// docs/scale.md says of every table what it would be on several machines, and
// names all that keeps it from being so.
func TestScaleDocument(t *testing.T) {
	s := storetest.New(t)
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "scale.md"))
	if err != nil {
		t.Fatal(err)
	}
	placed := map[string][]string{} // by heading
	for section := range strings.SplitSeq(string(text), "\n## ") {
		heading, body, _ := strings.Cut(section, "\n")
		for _, m := range regexp.MustCompile("`([a-z_.]+)`").FindAllStringSubmatch(body, -1) {
			placed[heading] = append(placed[heading], m[1])
		}
	}
	names := func(sql string) []string {
		t.Helper()
		rows, err := s.Pool.Query(t.Context(), sql)
		if err != nil {
			t.Fatal(err)
		}
		list, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	const tables = ` from pg_class c where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace `
	for _, table := range names("select c.relname::text" + tables) {
		var at []string
		for _, heading := range []string{"Distributed by tenant_id", "Reference", "Local"} {
			if slices.Contains(placed[heading], table) {
				at = append(at, heading)
			}
		}
		if len(at) != 1 {
			t.Errorf("%s stands under %q", table, at)
		}
	}
	for _, heading := range []string{"Distributed by tenant_id", "Reference", "Local"} {
		for _, name := range placed[heading] {
			if name != "star" && name != "river" && len(names("select c.relname::text"+tables+"and c.relname = '"+name+"'")) == 0 {
				t.Errorf("%s: there is no table %s", heading, name)
			}
		}
	}
	const local = " and c.relname <> 'schema_version'"
	for what, sql := range map[string]string{
		"no tenant_id": "select c.oid::regclass::text from pg_class c where c.relkind in ('r', 'p') and c.relnamespace in ('public'::regnamespace, 'star'::regnamespace)" +
			" and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id')" + local,
		"a unique key without tenant_id": `select i.indexrelid::regclass::text from pg_index i join pg_class c on c.oid = i.indrelid
			where i.indisunique and c.relnamespace in ('public'::regnamespace, 'star'::regnamespace)
			  and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and a.attnum = any (i.indkey::int2[]))
			  and c.relname <> 'tenants'` + local,
		"a foreign key without tenant_id": "select conname::text from pg_constraint where contype = 'f' and pg_get_constraintdef(oid) not like 'FOREIGN KEY (tenant_id%'",
	} {
		if list := names(sql); len(list) > 0 {
			t.Errorf("%s: %v", what, list)
		}
	}
	inTheWay := placed["What stands in the way"]
	for _, column := range names("select c.relname || '.' || a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid where a.attidentity <> '' and c.relnamespace = 'public'::regnamespace") {
		if !slices.Contains(inTheWay, column) {
			t.Errorf("nothing is said of the numbers of %s", column)
		}
	}
	for _, table := range names("select distinct c.relname::text from pg_trigger g join pg_class c on c.oid = g.tgrelid where not g.tgisinternal and g.tgparentid = 0") {
		if !slices.Contains(inTheWay, table) {
			t.Errorf("nothing is said of the triggers of %s", table)
		}
	}
}
