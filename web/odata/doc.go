// Package odata translates requests of OData 4.0 into questions of reports, and writes answers and the description of
// all datasets as OData clients such as Excel and Power BI read them.
//
// An entity set is a dataset. There is one grammar behind it: $filter becomes a filter, $orderby an order, $apply a
// group-by, and package metrics checks all of them as it does for REST. The package knows no database and no handler.
//
// Datasets with free group keys, such as costs, have rows for fixed keys here (grain.go), because the description of an
// entity set cannot depend on the request. $apply groups by any key.
package odata
