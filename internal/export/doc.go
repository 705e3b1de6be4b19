// Package export writes the rows of a report as table, JSON, CSV, Parquet or
// Arrow, streaming: memory does not grow with the number of rows.
//
// It guarantees that the four exact formats have the same digits: decimals are text in JSON and CSV and DECIMAL in
// Parquet and Arrow, never a float. Only the table, made for reading, rounds. NULL is null in JSON, Parquet and Arrow
// and an empty cell in CSV; times are RFC 3339 in UTC.
//
// Texts come from bills, labels and pod names, so anyone who can name a pod can write them. CSV cells of text that
// begin with = + - @, a tab or a carriage return get a leading apostrophe, so that no spreadsheet runs them; numbers
// are never changed. The table strips control characters.
//
// It refuses values that a format cannot hold exactly, naming row and column: money of more than 10 digits before or 28
// after the point does not fit Parquet's DECIMAL(38,28).
package export
