package main

import (
	"strings"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/cog/variants"
	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
	"github.com/grafana/grafana-foundation-sdk/go/stat"
	"github.com/grafana/grafana-foundation-sdk/go/table"
	"github.com/grafana/grafana-foundation-sdk/go/timeseries"
)

// form is how a panel draws its answer.
type form int

const (
	number form = iota // one figure
	lines
	bars // stacked by day
	rows // a table
)

// panel is one panel: a title, what it means, and its query. Exactly one of sql and prom is set.
type panel struct {
	title, doc string
	form       form
	unit       string // of Grafana; empty: plain numbers
	width      uint32 // of 24 columns
	sql        string
	prom       string
	legend     string // of prom
}

// variable is a choice of the reader, filled by SQL.
type variable struct {
	name, label, sql string
	many             bool
}

// board is one dashboard.
type board struct {
	uid, title, doc string
	variables       []variable
	panels          []panel
}

// currency is the choice of one currency: amounts of two are never added. The one with most cost comes first.
var currency = variable{name: "currency", label: "Currency", sql: `select currency from bi_v1.star_cost_total_days
where currency is not null group by currency order by sum(effective_cost) desc`}

// inCurrency is the condition for it, inRange that for the time range: UTC days that begin in it.
const (
	inCurrency = "currency = ${currency:sqlstring}"
	inRange    = "$__timeFilter(at)"
)

// Units of Grafana.
const (
	share   = "percentunit"
	seconds = "s"
)

// Times that a board shows at first. Bills arrive a day late, so a day is worth little.
const since = "now-90d"

func (b board) dashboard() (dashboard.Dashboard, error) {
	d := dashboard.NewDashboardBuilder(b.title).Uid(b.uid).Description(b.doc).Tags([]string{"gpuledger"}).
		Time(since, "now").Timezone("utc").Refresh("").Readonly().Tooltip(dashboard.DashboardCursorSyncCrosshair)
	usesSQL, usesProm := false, false
	for _, p := range b.panels {
		usesSQL, usesProm = usesSQL || p.sql != "", usesProm || p.prom != ""
	}
	if usesSQL {
		d.WithVariable(dashboard.NewDatasourceVariableBuilder("ledger").Label("Ledger").Type(postgres))
	}
	if usesProm {
		d.WithVariable(dashboard.NewDatasourceVariableBuilder("prometheus").Label("Prometheus").Type("prometheus"))
	}
	for _, v := range b.variables {
		d.WithVariable(v.builder())
	}
	for i, p := range b.panels {
		d.WithPanel(p.builder(uint32(i + 1)))
	}
	return d.Build()
}

func (v variable) builder() *dashboard.QueryVariableBuilder {
	q := dashboard.NewQueryVariableBuilder(v.name).Label(v.label).Datasource(fromLedger()).
		Query(dashboard.StringOrMap{String: cog.ToPtr(v.sql)}).Definition(v.sql).
		Refresh(dashboard.VariableRefreshOnDashboardLoad).Sort(dashboard.VariableSortDisabled)
	if v.many {
		q.Multi(true).IncludeAll(true).Current(dashboard.VariableOption{
			Text:  dashboard.StringOrArrayOfString{ArrayOfString: []string{"All"}},
			Value: dashboard.StringOrArrayOfString{ArrayOfString: []string{"$__all"}}})
	}
	return q
}

// target is the panel's query.
func (p panel) target() (cog.Builder[variants.Dataquery], common.DataSourceRef) {
	if p.prom != "" {
		q := prometheus.NewDataqueryBuilder().RefId("A").Expr(p.prom).LegendFormat(p.legend).Datasource(fromPrometheus())
		if p.form == number || p.form == rows {
			q.Instant()
		} else {
			q.Range()
		}
		if p.form == rows {
			q.Format(prometheus.PromQueryFormatTable)
		}
		return q, fromPrometheus()
	}
	format := "table"
	if p.form == lines || p.form == bars {
		format = "time_series"
	}
	return sqlQuery{RefID: "A", RawSQL: strings.TrimSpace(p.sql), RawQuery: true, EditorMode: "code", Format: format,
		Datasource: fromLedger()}, fromLedger()
}

func (p panel) builder(id uint32) cog.Builder[dashboard.Panel] {
	target, source := p.target()
	unit := p.unit
	if unit == "" {
		unit = "short"
	}
	legend := common.NewVizLegendOptionsBuilder().DisplayMode(common.LegendDisplayModeTable).
		Placement(common.LegendPlacementRight).ShowLegend(true).Calcs([]string{"sum"})
	switch p.form {
	case number:
		return stat.NewPanelBuilder().Id(id).Title(p.title).Description(p.doc).Datasource(source).WithTarget(target).Unit(unit).
			Height(4).Span(p.width).GraphMode(common.BigValueGraphModeNone).NoValue("unknown")
	case rows:
		return table.NewPanelBuilder().Id(id).Title(p.title).Description(p.doc).Datasource(source).WithTarget(target).
			Height(10).Span(p.width).Filterable(true).
			Footer(common.NewTableFooterOptionsBuilder().Show(false).Reducer([]string{"sum"}))
	case bars:
		return timeseries.NewPanelBuilder().Id(id).Title(p.title).Description(p.doc).Datasource(source).WithTarget(target).
			Unit(unit).Height(9).Span(p.width).Legend(legend).DrawStyle(common.GraphDrawStyleBars).FillOpacity(70).
			Stacking(common.NewStackingConfigBuilder().Mode(common.StackingModeNormal).Group("A"))
	}
	return timeseries.NewPanelBuilder().Id(id).Title(p.title).Description(p.doc).Datasource(source).WithTarget(target).
		Unit(unit).Height(9).Span(p.width).Legend(legend.Calcs([]string{"lastNotNull"}))
}
