package bills

// Internals for external tests.
const LLMBatch = llmBatch
const MaxItemBytes = maxItemBytes
const MaxTagBytes = maxTagBytes
const OwnTable = ownTable
