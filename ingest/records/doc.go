// Package records reads files of records that people and small programs write: CSV with a
// header line, JSON objects, one per line, in a list, or in a list inside an object. A record
// is its fields by name; values that are lists or objects are JSON text.
//
// It refuses text that is neither, and rows without end, with file and line. Rows with another
// number of fields than the header are rejected one by one. It does not interpret fields.
package records
