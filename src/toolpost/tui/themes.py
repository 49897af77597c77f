"""The colours of the terminal UI: themes for dark and light backgrounds, for the terminal's own 16 colours, for none.

A theme never paints the background: it says for which one its colours were chosen, and tests measure their contrast.
"""

from collections.abc import Mapping
from functools import cached_property

from rich.style import Style
from textual.theme import Theme as WidgetTheme

from toolpost.types.errors import ConfigError

from .drawing.contract import StyleName

Colour = tuple[int, int, int]
# A style in the words of `rich.style.Style.parse`; `none` stands for no colour.
Styles = Mapping[StyleName, str]


class Theme:
    """A palette. `background` is the one that it is made for; None: it fits the colours of any terminal."""

    def __init__(self, name: str, styles: Styles, *, background: Colour | None = None, code_theme: str = "") -> None:
        self.name = name
        self.background = background
        self._styles = {key: Style.parse(text.replace("none", "").strip()) for key, text in styles.items()}
        self._code_theme = code_theme

    def style(self, name: StyleName) -> Style:
        return self._styles[name]

    @property
    def code_theme(self) -> str:
        return self._code_theme

    @property
    def is_dark(self) -> bool:
        return self.background is None or luminance(self.background) < 0.2

    @cached_property
    def for_widgets(self) -> WidgetTheme:
        """The same for Textual's own widgets, on the background that the terminal has."""
        return WidgetTheme(
            name=f"toolpost-{self.name}",
            ansi=True,
            primary=self._colour("accent", "ansi_blue"),
            secondary=self._colour("link", "ansi_cyan"),
            warning=self._colour("warning", "ansi_yellow"),
            error=self._colour("error", "ansi_red"),
            success=self._colour("success", "ansi_green"),
            accent=self._colour("accent", "ansi_blue"),
            foreground=self._colour("text", "ansi_default"),
            background="ansi_default",
            surface="ansi_default",
            panel="ansi_default",
            boost="ansi_default",
            dark=self.is_dark,
            variables={
                "border": self._colour("border", "ansi_default"),
                "border-blurred": self._colour("border", "ansi_default"),
                "scrollbar": self._colour("border", "ansi_default"),
                "scrollbar-hover": self._colour("dim", "ansi_default"),
                "scrollbar-active": self._colour("accent", "ansi_blue"),
                "scrollbar-background": "ansi_default",
                "scrollbar-background-hover": "ansi_default",
                "scrollbar-background-active": "ansi_default",
                "input-cursor-text-style": "reverse",
                "ansi-background": "ansi_black" if self.is_dark else "ansi_white",
                "ansi-foreground": "ansi_white" if self.is_dark else "ansi_black",
            },
        )

    def _colour(self, name: StyleName, usual: str) -> str:
        """The colour of a style in the words of Textual's style sheets."""
        colour = self._styles[name].color
        if colour is None:
            return "ansi_default" if not any(style.color for style in self._styles.values()) else usual
        return colour.triplet.hex if colour.triplet is not None else f"ansi_{colour.name}"


def luminance(colour: Colour) -> float:
    """How bright a colour is, from 0 to 1, as WCAG counts it."""
    red, green, blue = (_linear(part / 255) for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Colour, other: Colour) -> float:
    """The contrast of two colours as WCAG counts it: from 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def theme_for(name: str, background: Colour | None = None, no_color: bool = False) -> Theme:
    """The theme with this name, or its counterpart where it would be unreadable on this background. `auto`: the dark or
    the light one, and the terminal's own colours where the background is not known."""
    if no_color:
        return NO_COLOUR
    is_light = background is not None and luminance(background) > 0.2
    if name == "auto":
        return THEMES["terminal" if background is None else "light" if is_light else "dark"]
    theme = THEMES.get(name)
    if theme is None:
        raise ConfigError(f"there is no theme {name!r}; choose one of these: auto, {', '.join(THEMES)}")
    if background is not None and theme.background is not None and theme.is_dark == is_light:
        return THEMES[_COUNTERPARTS[name]]
    return theme


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _styles(
    *, text: str, dim: str, border: str, accent: str, link: str, code: str, quote: str,
    green: str, yellow: str, red: str, marked_green: str, marked_red: str, selection: str, match: str,
) -> Styles:  # fmt: skip
    return {
        "text": text,
        "dim": dim,
        "strong": f"bold {text}",
        "heading": f"bold {accent}",
        "link": f"underline {link}",
        "code": code,
        "quote": f"italic {quote}",
        "accent": accent,
        "prompt": f"bold {accent}",
        "reasoning": f"italic {dim}",
        "success": green,
        "warning": yellow,
        "error": red,
        "running": accent,
        "added": green,
        "removed": red,
        "added_word": marked_green,
        "removed_word": marked_red,
        "line_number": dim,
        "border": border,
        "selection": selection,
        "match": match,
    }


# Yellow and white can't be read on many light terminals, bright black not on many dark ones: none of them is used.
_TERMINAL = _styles(
    text="default", dim="dim", border="dim", accent="blue", link="cyan", code="cyan", quote="default",
    green="green", yellow="magenta", red="red", marked_green="bold reverse green", marked_red="bold reverse red",
    selection="reverse", match="bold reverse",
)  # fmt: skip
_NO_COLOUR: Styles = {
    **_styles(
        text="none", dim="dim", border="dim", accent="bold", link="none", code="bold", quote="none",
        green="none", yellow="bold", red="bold", marked_green="underline", marked_red="underline",
        selection="reverse", match="bold reverse",
    ),
    "added": "bold",
    "added_word": "bold underline",
    "removed": "dim",
    "removed_word": "dim underline",
    "quote": "dim",
    "reasoning": "dim",
}  # fmt: skip
_DARK = _styles(
    text="#d7dae0", dim="#9097a3", border="#7a818d", accent="#7cb7ff", link="#6cc7d9", code="#e3b58a", quote="#b8c0cc",
    green="#86c98a", yellow="#e2c46c", red="#f28b82", marked_green="bold #e8ffe9 on #28552f",
    marked_red="bold #ffecea on #6e2b2b", selection="#ffffff on #2f5d9b", match="#1a1a1a on #e2c46c",
)  # fmt: skip
_LIGHT = _styles(
    text="#24292f", dim="#57606a", border="#6e7781", accent="#0550ae", link="#0b6b83", code="#8a3b00", quote="#424a53",
    green="#116329", yellow="#7d4e00", red="#b3121d", marked_green="bold #0a3d1a on #b4f0c2",
    marked_red="bold #5c0a10 on #ffcfd0", selection="#000000 on #b6d7ff", match="#000000 on #ffdf5d",
)  # fmt: skip
_CONTRAST_DARK = _styles(
    text="#ffffff", dim="#c8c8c8", border="#a8a8a8", accent="#8fd0ff", link="#7fe9ff", code="#ffd08a", quote="#e8e8e8",
    green="#7dff8a", yellow="#ffe45c", red="#ff9d94", marked_green="bold #000000 on #7dff8a",
    marked_red="bold #000000 on #ff9d94", selection="#000000 on #ffffff", match="#000000 on #ffe45c",
)  # fmt: skip
_CONTRAST_LIGHT = _styles(
    text="#000000", dim="#3d3d3d", border="#555555", accent="#00327d", link="#004656", code="#5e2600", quote="#1f1f1f",
    green="#00420f", yellow="#543300", red="#8c0010", marked_green="bold #ffffff on #00551a",
    marked_red="bold #ffffff on #8c0010", selection="#ffffff on #000000", match="#000000 on #ffd500",
)  # fmt: skip
_HARBOUR_DARK = _styles(
    text="#c3cfcf", dim="#8fa2a6", border="#758b92", accent="#5db0ee", link="#4fc0b4", code="#d8b35a", quote="#b0bfbf",
    green="#a5bd3e", yellow="#d9b13b", red="#f58a80", marked_green="bold #eaf7c8 on #3c5212",
    marked_red="bold #ffe9e6 on #7a2f2c", selection="#ffffff on #1f5c86", match="#002b36 on #d9b13b",
)  # fmt: skip
_HARBOUR_LIGHT = _styles(
    text="#35454c", dim="#586a70", border="#75848a", accent="#145e9c", link="#12665f", code="#7a4b00", quote="#43535a",
    green="#4b5c00", yellow="#765000", red="#b02420", marked_green="bold #2c3800 on #dbe8a4",
    marked_red="bold #5e0f0c on #f9cfc4", selection="#00212b on #b7d9ef", match="#002b36 on #f0cf65",
)  # fmt: skip

THEMES: Mapping[str, Theme] = {
    theme.name: theme
    for theme in (
        Theme("terminal", _TERMINAL),
        Theme("dark", _DARK, background=(0x1E, 0x1E, 0x1E), code_theme="github-dark"),
        Theme("light", _LIGHT, background=(0xFF, 0xFF, 0xFF), code_theme="xcode"),
        Theme("contrast-dark", _CONTRAST_DARK, background=(0, 0, 0), code_theme="github-dark"),
        Theme("contrast-light", _CONTRAST_LIGHT, background=(0xFF, 0xFF, 0xFF), code_theme="xcode"),
        Theme("harbour-dark", _HARBOUR_DARK, background=(0x00, 0x2B, 0x36), code_theme="github-dark"),
        Theme("harbour-light", _HARBOUR_LIGHT, background=(0xFD, 0xF6, 0xE3), code_theme="xcode"),
    )
}
_COUNTERPARTS = {
    name: name.replace("dark", "\0").replace("light", "dark").replace("\0", "light")
    for name, theme in THEMES.items()
    if theme.background is not None
}
# For NO_COLOR: bold, dim, underlined and reversed, with a Pygments style that has no colours either.
NO_COLOUR = Theme("no-colour", _NO_COLOUR, code_theme="bw")
