package store_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// docs/operate/scale.md states what each table would be on several machines, and names all obstacles.
func TestScaleDocument(t *testing.T) {
	s := fresh(t)
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "operate", "scale.md"))
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
	const tables = ` from pg_class c where c.relkind in ('r', 'p') and not c.relispartition
		and c.relnamespace = 'public'::regnamespace `
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
			if name != "star" && name != "river" &&
				len(names("select c.relname::text"+tables+"and c.relname = '"+name+"'")) == 0 {
				t.Errorf("%s: there is no table %s", heading, name)
			}
		}
	}
	const local = " and c.relname <> 'schema_version'"
	for what, sql := range map[string]string{
		"no tenant_id": "select c.oid::regclass::text from pg_class c where c.relkind in ('r', 'p') and c.relnamespace " +
			"in ('public'::regnamespace, 'star'::regnamespace)" +
			" and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id')" + local,
		"a key that tenant_id does not lead": `select i.indexrelid::regclass::text from pg_index i
			join pg_class c on c.oid = i.indrelid
			where i.indisunique and c.relnamespace in ('public'::regnamespace, 'star'::regnamespace)
			  and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id'
			    and a.attnum = i.indkey[0])
			  and c.relname <> 'tenants'` + local,
		"a foreign key without tenant_id": "select conname::text from pg_constraint where contype = 'f' and " +
			"pg_get_constraintdef(oid) not like 'FOREIGN KEY (tenant_id%'",
		"numbers that the server deals out": `select c.oid::regclass || '.' || a.attname from pg_attribute a
			join pg_class c on c.oid = a.attrelid
			where (a.attidentity <> '' or exists (select from pg_depend d join pg_class q on q.oid = d.objid and q.relkind = 'S'
			    where d.refobjid = c.oid and d.refobjsubid = a.attnum))
			  and c.relnamespace in ('public'::regnamespace, 'star'::regnamespace)`,
		"a trigger that does more than refuse": `select distinct c.relname || ': ' || p.proname from pg_trigger g
			join pg_class c on c.oid = g.tgrelid join pg_proc p on p.oid = g.tgfoid
			where not g.tgisinternal and p.proname not in ('refuse_final', 'refuse_final_rows', 'refuse_change',
			    'refuse_truncate') and c.relnamespace in ('public'::regnamespace, 'star'::regnamespace)`,
		"a trigger that reads other tables": "select proname::text from pg_proc where proname like 'refuse%' and proname " +
			"<> 'refuse_final_rows' and (prosrc ~ 'from [a-z]' or prosrc ~* '(join|insert|update|delete) ')",
	} {
		if list := names(sql); len(list) > 0 {
			t.Errorf("%s: %v", what, list)
		}
	}
	for _, table := range names("select distinct c.relname::text from pg_trigger g join pg_class c on c.oid = " +
		"g.tgrelid where not g.tgisinternal and g.tgparentid = 0") {
		if !slices.Contains(placed["Obstacles"], table) {
			t.Errorf("nothing is said of the triggers of %s", table)
		}
	}
}
