package report

import (
	"fmt"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/star"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// keyColumn is the SQL of a group key of costs: an expression over the fact row p and the columns of joins.
type keyColumn struct {
	expr  string
	joins []join
	own   []string // columns of the fact itself
}

// join adds one table to the fact row. It comes after the joins that it needs.
type join int

// Joins in the order in which they must appear.
const (
	joinTenant join = iota
	joinOwner
	joinNode
	joinWorkload
	joinRun
	joinAttempt
	joinPart
	joinCharge
	joinRate
	joinTags
	joinCount
)

var joinSQL = [joinCount]string{
	joinTenant:   "join tenants t on t.tenant_id = @tenant",
	joinOwner:    "left join owners o on o.tenant_id = @tenant and o.owner_id = p.owner_id",
	joinNode:     "left join nodes n on n.tenant_id = @tenant and n.node_id = p.node_id",
	joinWorkload: "left join workloads w on w.tenant_id = @tenant and w.workload_id = p.workload_id",
	joinRun:      "left join runs r on r.tenant_id = @tenant and r.run_id = p.run_id",
	joinAttempt:  "left join attempt_words a on a.tenant_id = @tenant and a.attempt_id = p.attempt_id",
	// Without bounds of hours: if statistics are missing, the server expects a handful of rows between two bounds,
	// and scans them for each posting.
	joinPart: "left join part_words b on b.tenant_id = @tenant and b.hour = p.hour and b.part_id = p.part_id",
	// offset 0: by number, so that replaced deliveries are not read
	joinCharge: "left join (select d.delivery_id, l.* from delivery_words d cross join lateral (" +
		"select * from charge_words x where x.tenant_id = @tenant and x.delivery = d.number offset 0) l " +
		// Deliveries of the window, including replaced ones with closed postings.
		"where d.tenant_id = @tenant and d.delivery_id in (" +
		"select z.delivery_id from part_words z where z.tenant_id = @tenant and z.hour >= @from and z.hour < @to)) c on " +
		"c.delivery_id = b.delivery_id and c.charge_id = b.charge_id",
	joinRate: "left join rates f on f.tenant_id = @tenant and f.rate_id = p.rate_id",
	joinTags: "left join charge_tags g on g.tenant_id = @tenant and g.delivery = c.delivery and g.tag_set = c.tag_set",
}

var (
	charge = []join{joinPart, joinCharge}
	node   = []join{joinNode}
)

// keyColumns holds every standard key; a test compares it with metrics.Keys.
var keyColumns = func() map[string]keyColumn {
	m := map[string]keyColumn{
		"tenant": {"t.name", []join{joinTenant}, nil},
		"provider": {
			"coalesce(nullif(c.provider, ''), " + pg.ProviderSQL("n.provider_id") + ")", append(node, charge...), nil,
		},
		"billing_account": {"nullif(c.billing_account, '')", charge, nil},
		"account":         {"coalesce(nullif(c.account, ''), nullif(n.account, ''))", append(node, charge...), nil},
		"billing_period":  {"p.billing_period", nil, []string{"billing_period"}},
		"region":          {"coalesce(nullif(n.region, ''), nullif(c.region, ''))", append(node, charge...), nil},
		"zone":            {"coalesce(nullif(n.zone, ''), nullif(c.zone, ''))", append(node, charge...), nil},
		"cluster":         {"nullif(n.cluster, '')", node, nil},
		"node":            {"nullif(n.name, '')", node, nil},
		"instance_type": {
			"coalesce(nullif(n.instance_type, ''), nullif(c.instance_type, ''))", append(node, charge...), nil,
		},
		"gpu_model": {"nullif(n.gpu_model, '')", node, nil},
		"device":    {"p.device", nil, []string{"device"}},
		"slice": {
			"case when p.slice_id is not null then p.device || '/' || p.slice_id end", nil, []string{"device", "slice_id"},
		},
		"mig_profile": {"p.mig_profile", nil, []string{"mig_profile"}},
		"pricing": {
			"coalesce(nullif(c.price_class, ''), nullif(f.price_class, ''), nullif(n.price_class, ''))",
			[]join{joinNode, joinPart, joinCharge, joinRate}, nil,
		},
		"commitment":      {"nullif(c.commitment_id, '')", charge, nil},
		"service_name":    {"nullif(c.service_name, '')", charge, nil},
		"namespace":       {"nullif(w.namespace, '')", []join{joinWorkload}, nil},
		"workload_kind":   {"nullif(w.kind, '')", []join{joinWorkload}, nil},
		"workload_class":  {"nullif(w.class, '')", []join{joinWorkload}, nil},
		"workload":        {"nullif(w.owner_name, '')", []join{joinWorkload}, nil},
		"pod":             {"nullif(w.name, '')", []join{joinWorkload}, nil},
		"service":         {"nullif(w.service, '')", []join{joinWorkload}, nil},
		"run":             {"p.run_id", nil, []string{"run_id"}},
		"attempt":         {"a.attempt::text", []join{joinAttempt}, nil},
		"group":           {"nullif(r.group_id, '')", []join{joinRun}, nil},
		"cause":           {"p.cause", nil, []string{"cause"}},
		"charge_category": {"nullif(c.category, '')", charge, nil},
		"quality":         {"p.quality", nil, []string{"quality"}},
		"state":           {"p.state", nil, []string{"state"}},
		"kind":            {"p.kind", nil, []string{"kind"}},
	}
	for _, name := range metrics.OwnerKeys {
		m[name] = keyColumn{fmt.Sprintf(`nullif(o.%s, '')`, ident(name)), []join{joinOwner}, nil}
	}
	return m
}()

// keySQL compiles a group key. KEY of tag:KEY and label:KEY is a value. Labels are those of the workload, by folded
// key, or else the owner's dimensions. Tags are also found under the spelling that providers prefix.
func (c Compiler) keySQL(k metrics.Key) keyColumn {
	switch k.On {
	case metrics.OnTag:
		return keyColumn{fmt.Sprintf("coalesce(g.tags ->> %s, g.tags ->> %s)", c.value(k.Arg, "text"),
			c.value("user_"+k.Arg, "text")),
			[]join{joinPart, joinCharge, joinTags}, nil}
	case metrics.OnLabel:
		of := fmt.Sprintf("coalesce(o.labels ->> %s, o.labels ->> %s)", c.value(k.Arg, "text"),
			c.value("label_"+k.Arg, "text"))
		if !c.Q.Statement.IsZero() || c.Q.AsOf != 0 { // neither has workloads
			return keyColumn{of, []join{joinOwner}, nil}
		}
		return keyColumn{
			fmt.Sprintf("coalesce(w.labels ->> %s, %s)", c.value(ledger.FoldKey(k.Arg), "text"), of),
			[]join{joinWorkload, joinOwner}, nil,
		}
	}
	if k.Name == ownerID { // of roll-ups only: reports cannot name it
		return keyColumn{"p.owner_id", nil, []string{"owner_id"}}
	}
	if own := statementColumns[k.Name]; own != "" && !c.Q.Statement.IsZero() {
		return keyColumn{"nullif(p." + own + ", '')", nil, []string{own}}
	}
	kc := keyColumns[k.Name]
	if own := pairColumns[k.Name]; own != "" && c.Q.Sharing == metrics.AfterSharing {
		kc.expr = "coalesce(" + kc.expr + ", p." + own + ")"
		kc.own = []string{own}
	}
	return kc
}

// statementColumns are the columns that lines of statements have themselves.
var statementColumns = map[string]string{"provider": "provider", "billing_account": "billing_account",
	"billing_period": "billing_period", "account": "account", "region": "region",
	"cluster": "cluster", "node": "node", "namespace": "namespace",
	"workload_kind": "workload_kind", "service": "service", "run": "run_id"}

// pairColumns are the columns of pairs of sharing for keys that postings get from a node or a charge. Other keys are
// NULL for pairs.
var pairColumns = map[string]string{"cluster": "pair_cluster", "billing_account": "pair_account"}

// ident quotes an identifier.
func ident(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// ownerColumnsSQL is the text of @owner_columns: the dimensions of an owner o, except some keys.
func ownerColumnsSQL(but []string) string {
	var cols []string
	for _, name := range metrics.OwnerKeys {
		if !slices.Contains(but, name) {
			cols = append(cols, fmt.Sprintf("%s as %s", keyColumns[name].expr, ident(name)))
		}
	}
	return strings.Join(cols, ", ")
}

// ownerHolderSQL is the text of @owner_holder: an owner o as the first dimension that it has, team before the others.
func ownerHolderSQL() string {
	var texts []string
	for _, name := range append([]string{"team"}, metrics.OwnerKeys...) {
		texts = append(texts, fmt.Sprintf("'%s=' || %s", name, keyColumns[name].expr))
	}
	return "coalesce(" + strings.Join(texts, ", ") + ")"
}

// ownerTagsSQL is the text of @owner_tags: the dimensions that an owner o has, as JSON; NULL if it has none.
func ownerTagsSQL() string {
	var pairs []string
	for _, name := range metrics.OwnerKeys {
		pairs = append(pairs, fmt.Sprintf("'%s', %s", name, keyColumns[name].expr))
	}
	return "nullif(jsonb_strip_nulls(jsonb_build_object(" + strings.Join(pairs, ", ") + ")), '{}')::text"
}

// nodeColumnsSQL is the text of @node_columns: the attributes of a machine n, except some keys.
func nodeColumnsSQL(but []string) string {
	var cols []string
	for _, k := range append([]star.Key{{Name: "node", Machine: "name"}}, star.Machine...) {
		if !slices.Contains(but, k.Name) {
			cols = append(cols, fmt.Sprintf("nullif(n.%s, '') as %s", k.Machine, k.Name))
		}
	}
	return strings.Join(cols, ", ")
}

// causesSQL lists causes for an `in`.
func causesSQL(causes []ledger.Cause) string {
	var list []string
	for _, c := range causes {
		list = append(list, "'"+string(c)+"'")
	}
	return strings.Join(list, ", ")
}
