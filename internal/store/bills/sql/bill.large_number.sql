select nextval('large_delivery_numbers')::int
