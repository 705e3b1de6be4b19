// Package publicprices reads lists of public prices per machine type, region and class, each
// with its source and day, in the columns of the catalogue's own table (internal/catalog,
// prices.csv): CSV, or JSON with the same names. It refreshes the built-in prices.
//
// A row is a price or is rejected with its line and reason; rows of machine types that the
// catalogue does not have are ignored and counted. A file without one of the columns is
// refused.
package publicprices
