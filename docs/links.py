"""Find links of a built site that lead nowhere: `python docs/links.py site`.

Looks at every page as a file, without a network: what `href` and `src` name must be there, and so must the anchor.
Links to elsewhere are left alone, but for what a page loads: it must need no network.
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag


def broken(site):
    """Return (page, link) of each link to a file or an anchor of the site that is not there."""
    site = Path(site).resolve()
    pages = {path: _read(path) for path in sorted(site.rglob("*.html"))}
    faults = []
    for path, page in pages.items():
        faults += [(str(path.relative_to(site)), link) for link in page.loaded if _afar(link)]
        for link in page.links:
            if _elsewhere(link):
                continue
            file, anchor = urldefrag(link)
            target = (path.parent / unquote(file.partition("?")[0])).resolve() if file else path
            if target.is_dir():
                target /= "index.html"
            if target in pages:
                fault = anchor and unquote(anchor) not in pages[target].anchors
            else:
                fault = not target.is_file()
            if fault or not target.is_relative_to(site):
                faults.append((str(path.relative_to(site)), link))
    return faults


def _afar(link):
    return link.startswith(("//", "http:", "https:"))


def _elsewhere(link):
    """Whether it is no file of the site: http:, mailto:, data:, and so on."""
    return _afar(link) or ":" in link.partition("/")[0].partition("#")[0]


class _Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.loaded, self.anchors = [], [], {"", "top"}

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.links += [found[name] for name in ("href", "src") if found.get(name)]
        if found.get("src") or (tag == "link" and found.get("rel") != "canonical"):
            self.loaded.append(found.get("src") or found.get("href") or "")
        self.anchors |= {found[name] for name in ("id", "name") if found.get(name)}


def _read(path):
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


if __name__ == "__main__":
    faults = broken(sys.argv[1])
    for page, link in faults:
        print(f"{page}: {link} leads nowhere", file=sys.stderr)
    sys.exit(bool(faults))
