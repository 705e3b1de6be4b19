package facts

// Internals for external tests.
const FigureEdge = figureEdge

var NewFigureWriter = newFigureWriter
