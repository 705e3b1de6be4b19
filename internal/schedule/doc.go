// Package schedule imports configured sources on time while gpuledger serves,
// and allocates after an import that published anything.
//
// It owns the jobs (River, in a schema and with connections of its own) and
// the question what is due: a source whose last scheduled time was not dealt
// with. That answer is in the database beside what became of the source, so a
// restart neither skips a time nor imports twice, whatever River remembers; a
// lock per source keeps two processes apart. A source whose listing is that
// of its last successful import is not read.
//
// It guarantees a clean stop: imports under way are given up, nothing of them
// is published, and they are taken up again at the next start. It refuses to
// repeat an import whose files were refused: they are looked at again at their
// next time.
package schedule
