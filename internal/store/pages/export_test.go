package pages

// What tests of this room look at from outside.
const SilentFor = silentFor
