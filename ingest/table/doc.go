// Package table reads billing files as rows of named columns: CSV and
// Parquet, packed or not, whatever the provider.
//
// It owns the file formats: text encodings, header lines, quoting, nested
// columns, the many spellings of numbers, times and maps. It knows no column's
// meaning.
//
// It refuses damaged files, rows that do not fit the header, and whatever
// would take more memory than a row or a batch of rows, each with file and
// line. A panic of a decoding library is such a refusal.
//
// It guarantees that a value reads the same from every format: a number is its
// decimal, a time an instant, a map its sorted pairs.
package table
