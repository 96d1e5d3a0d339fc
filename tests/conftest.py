"""Set up all tests."""

from set_up import mirror as mirror
from set_up import pytest_collection_modifyitems as pytest_collection_modifyitems
from set_up import write as write
