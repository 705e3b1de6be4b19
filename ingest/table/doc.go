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
//
// # Columns before rows
//
// Bills repeat themselves: a column of a million rows has a few thousand
// values. CSV and Parquet are therefore read column by column, a batch of rows
// at a time, and a row holds numbers of values. What a value means (its
// decimal, its instant, its pairs, its hash) is found out once per value:
// whoever reads the rows says beforehand what he will ask for (Preparer), and
// can keep what he made of a value by its number (Prepared.Word). Decoding runs
// in a goroutine beside that of the rows; unpacking text runs in another.
//
// Parquet of texts, doubles, integers, times and maps to those in plain and
// dictionary encodings is taken apart here, page by page; all other types and
// encodings are read through Arrow. Pages are bounded one by one and together,
// and rows by the size of the file, whatever headers claim.
package table
