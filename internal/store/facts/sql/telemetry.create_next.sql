create temp table :next (like :table including storage) on commit drop
