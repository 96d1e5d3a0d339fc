"""The board: one interactive offline page of claims, tables, curves and maps."""
