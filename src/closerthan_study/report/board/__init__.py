"""The board: one interactive offline page of claims, tables, curves and maps.

page     gathers the content and writes the page
curves   learning curves, as medians over trials
maps     maps of objects that have a name, a class or a color
*.js     plain JavaScript in the page: draws the views with the widgets of closerthan_lab.page
"""
