"""The board: one offline page to look around in, made of claims, tables, curves and maps.

page     what the page says, and the page
curves   learning curves, as medians over trials
maps     maps of objects that have a name, a class or a color
*.js     what draws them with the widgets of closerthan.page: plain JavaScript, put into the page
"""
