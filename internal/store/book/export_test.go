package book

// What tests of this room look at from outside.
const BulkChunks = bulkChunks
