-- Kinds of machines whose costs of the window are in one currency, whoever bears them: for
-- who sees a part of the books.
select @place as place, min(p.currency) as currency
from currencies_of_places(@from, @to) p
group by 1
having min(p.currency) = max(p.currency)
