// Package metrics is the read model of gpuledger: the datasets, the meaning of their columns, and the form of queries.
//
// It owns one definition per column (name, kind, unit, formula, source, caveats), the group keys, the report options
// with their parsers (time window, filter language, order) and the shape of an answer (Rows) and of an explanation.
// SQL, the API's schema, exports, BI views, tooltips and the page docs/reference/datasets.md are derived from these
// definitions, so that each column is defined once.
//
// Datasets are values in datasets_….go, listed in dataset.go; column.go defines how columns add up. Parse turns Options
// into a Query (options.go), which knows its columns (query.go) and its filter (filter_resolve.go).
//
// It is pure: no SQL, no HTTP, no clock. It refuses every option it cannot honour with an *OptionError that names the
// option, and every dataset that is not built with *UnknownDatasetError. It guarantees that a parsed Query holds only
// names that exist, so that a compiler may look them up without checking again; values stay values and are never part
// of a name, except the keys of tag:KEY and label:KEY, which are data as well.
package metrics
