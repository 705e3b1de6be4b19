// Package export writes the rows of a report as table, JSON, CSV, Parquet,
// Arrow or Excel workbook: memory does not grow with the number of rows.
//
// It guarantees that the five exact formats have the same digits: decimals are text in JSON and CSV, DECIMAL in Parquet
// and Arrow, and digits in a workbook, never a float. NULL is null in JSON, Parquet and Arrow and an empty cell in CSV
// and a workbook; times are in UTC. Only the table, made for reading, rounds decimals, cuts texts and leaves out columns
// that its screen has no room for; it names the columns that it rounds and leaves out.
//
// Texts come from bills, labels and pod names, so anyone who can name a pod can write them. A workbook holds them as
// texts that no edit turns into a formula. CSV is for programs and has them as they are; made for a spreadsheet, a text
// that begins with = + - @, a tab or a carriage return gets a leading apostrophe. The table strips control characters.
//
// A DECIMAL of Parquet and Arrow has the digits that the values of its column need in that answer, so that DuckDB and
// Spark can multiply two of them; a column that no DECIMAL of 38 digits holds is text, and its metadata says so. These
// types stand before the first value: an answer is held back until its end, in 16 MiB of memory and then in a temporary
// file. CSV and JSON begin with the first row.
package export
