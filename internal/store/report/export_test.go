package report

// What tests of this room look at from outside.
type Piece = piece
type Source = source

const FromDays = fromDays
const FromHours = fromHours
const FromLedger = fromLedger
const FromMonths = fromMonths
const MostLedgerPieces = mostLedgerPieces

var BiViews = biViews
var Ident = ident
var KeyColumns = keyColumns
var PlaceKeys = placeKeys
var PlanRollup = planRollup
var RollupOf = rollupOf
var ServiceKeys = serviceKeys

// PilotSQL are the expressions of a pilot's gates.
func PilotSQL() (gate, reasons, alarm string) { return pilotGate(), pilotReasons(), pilotAlarm() }
