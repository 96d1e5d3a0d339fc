"""Modules that only closerthan, its tool and its study use."""
