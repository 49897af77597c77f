"""The languages of `code_search`: their file suffixes, their grammars, and which syntax nodes define a name."""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Parser


class Language(Struct, frozen=True):
    """`definitions` are the nodes that define the names in their fields `name`, with a word for each. `declarators` are
    those that do it through a chain of declarators, as C does. `scopes` have the name of what is in them in a field."""

    grammar: str
    suffixes: tuple[str, ...]
    definitions: dict[str, str]
    declarators: dict[str, str] = {}
    scopes: dict[str, str] = {}
    function: str = "language"


_ECMASCRIPT = {
    "function_declaration": "function",
    "generator_function_declaration": "function",
    "class_declaration": "class",
    "class": "class",
    "method_definition": "method",
    "variable_declarator": "variable",
    "field_definition": "field",
}
_TYPESCRIPT = {
    **_ECMASCRIPT,
    "abstract_class_declaration": "class",
    "interface_declaration": "interface",
    "type_alias_declaration": "type",
    "enum_declaration": "enum",
    "internal_module": "namespace",
    "module": "module",
    "function_signature": "function",
    "method_signature": "method",
    "abstract_method_signature": "method",
    "property_signature": "field",
    "public_field_definition": "field",
}
_C = {
    "struct_specifier": "struct",
    "union_specifier": "union",
    "enum_specifier": "enum",
    "enumerator": "constant",
    "preproc_def": "macro",
    "preproc_function_def": "macro",
}
_C_DECLARATORS = {
    "function_definition": "function",
    "declaration": "declaration",
    "field_declaration": "field",
    "type_definition": "type",
}

LANGUAGES = (
    Language(
        "python",
        (".py", ".pyi"),
        {"function_definition": "function", "class_definition": "class", "type_alias_statement": "type"},
    ),
    Language("javascript", (".js", ".jsx", ".mjs", ".cjs"), _ECMASCRIPT),
    Language("typescript", (".ts", ".mts", ".cts"), _TYPESCRIPT, function="language_typescript"),
    Language("typescript", (".tsx",), _TYPESCRIPT, function="language_tsx"),
    Language(
        "go",
        (".go",),
        {
            "function_declaration": "function",
            "method_declaration": "method",
            "type_spec": "type",
            "type_alias": "type",
            "const_spec": "constant",
            "var_spec": "variable",
            "field_declaration": "field",
            "method_elem": "method",
        },
        scopes={"method_declaration": "receiver"},
    ),
    Language(
        "rust",
        (".rs",),
        {
            "function_item": "function",
            "function_signature_item": "function",
            "struct_item": "struct",
            "enum_item": "enum",
            "enum_variant": "variant",
            "union_item": "union",
            "trait_item": "trait",
            "mod_item": "module",
            "type_item": "type",
            "const_item": "constant",
            "static_item": "variable",
            "macro_definition": "macro",
            "field_declaration": "field",
        },
        scopes={"impl_item": "type"},
    ),
    Language(
        "java",
        (".java",),
        {
            "class_declaration": "class",
            "interface_declaration": "interface",
            "enum_declaration": "enum",
            "record_declaration": "record",
            "annotation_type_declaration": "annotation",
            "method_declaration": "method",
            "constructor_declaration": "constructor",
            "enum_constant": "constant",
            "variable_declarator": "variable",
        },
    ),
    # A header may be either; the grammar of C++ reads both.
    Language("c", (".c",), _C, _C_DECLARATORS),
    Language(
        "cpp",
        (".h", ".hh", ".hpp", ".hxx", ".cc", ".cpp", ".cxx"),
        {**_C, "class_specifier": "class", "namespace_definition": "namespace", "alias_declaration": "type"},
        _C_DECLARATORS,
    ),
)
BY_SUFFIX = {suffix: language for language in LANGUAGES for suffix in language.suffixes}


def language_of(path: str) -> Language | None:
    """The language of a file, by its name."""
    dot = path.rfind(".")
    return BY_SUFFIX.get(path[dot:].lower()) if dot >= 0 else None


def new_parser(language: Language) -> "Parser":
    """A parser of one's own: one that is shared by threads would mix up their files."""
    from tree_sitter import Parser  # only a search for symbols pays for it

    return Parser(_grammar(language.grammar, language.function))


@cache
def _grammar(name: str, function: str) -> "Grammar":
    from tree_sitter import Language as Grammar

    made: object = getattr(import_module(f"tree_sitter_{name}"), function)()
    return Grammar(made)
