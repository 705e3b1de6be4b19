// Package table reads billing files of any provider as rows of named columns: CSV and Parquet,
// packed or not.
//
// It owns the file formats: text encodings, header lines, quoting, nested columns, the many
// spellings of numbers, times and maps. It does not interpret columns.
//
// It refuses damaged files, rows that do not fit the header, and data that would need more
// memory than a row or a batch of rows, each with file and line. A panic of a decoding library
// is such a refusal.
//
// A value reads the same from every format: a number is its decimal, a time an instant, a map
// its sorted pairs.
//
// # Columns before rows
//
// Bills repeat values: a column of a million rows has a few thousand different ones. CSV and
// Parquet are therefore read column by column, a batch of rows at a time, and a row holds
// numbers of values. The meaning of a value (its decimal, instant, pairs, hash) is computed
// once per value: the reader of the rows announces the needed forms beforehand (Preparer), and
// can cache its own results by the value's number (Prepared.Word). Decoding runs in a goroutine
// parallel to the visits of rows; unpacking text runs in another.
//
// Parquet with texts, doubles, integers, times and maps to those, in plain and dictionary
// encodings, is decoded here, page by page; all other types and encodings are read through
// Arrow. Pages are bounded one by one and together, and rows by the size of the file, whatever
// headers claim.
package table
