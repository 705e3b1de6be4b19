select nextval('small_delivery_numbers')::int
