package main

import (
	"reflect"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/cog/variants"
	"github.com/grafana/grafana-foundation-sdk/go/common"
)

// postgres is the plugin of the ledger's data source. The SDK has no type for its queries.
const postgres = "grafana-postgresql-datasource"

// sqlQuery is a query of that plugin.
type sqlQuery struct {
	RefID      string               `json:"refId"`
	RawSQL     string               `json:"rawSql"`
	RawQuery   bool                 `json:"rawQuery"`
	EditorMode string               `json:"editorMode"`
	Format     string               `json:"format"`
	Datasource common.DataSourceRef `json:"datasource"`
}

// Build implements cog.Builder.
func (q sqlQuery) Build() (variants.Dataquery, error) { return q, nil }

// ImplementsDataqueryVariant implements variants.Dataquery.
func (q sqlQuery) ImplementsDataqueryVariant() {}

// DataqueryType implements variants.Dataquery.
func (q sqlQuery) DataqueryType() string { return postgres }

// Validate implements variants.Dataquery.
func (q sqlQuery) Validate() error { return nil }

// Equals implements variants.Dataquery.
func (q sqlQuery) Equals(other variants.Dataquery) bool { return reflect.DeepEqual(q, other) }

func fromLedger() common.DataSourceRef {
	return common.DataSourceRef{Type: cog.ToPtr(postgres), Uid: cog.ToPtr("${ledger}")}
}

func fromPrometheus() common.DataSourceRef {
	return common.DataSourceRef{Type: cog.ToPtr("prometheus"), Uid: cog.ToPtr("${prometheus}")}
}
