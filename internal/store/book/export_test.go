package book

// Internals for external tests.
const BulkChunks = bulkChunks
