-- Facts of runs by day, those with a bill and those without, for star.run.
select f.day as hour, f.*
from (
@run_halves
) f
