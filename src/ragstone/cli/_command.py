"""A subcommand from a function: its signature gives arguments and options, its docstring their help.

A positional parameter is an argument, a keyword an option: `page_size` is --page-size, a bool a switch, a tuple may be
given several times. `Annotated[…, OptionSpec(…)]` says what the signature cannot. The section `Options:` of the
docstring describes those that have no help of their own. The parameter `flags` receives the values of option groups.
"""

import inspect
import types
from collections.abc import Callable
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import click
from annotated_types import Ge, Gt

from ragstone.options import OptionGroup, described, flag_of, meanings

_SINGULAR_NAMES = {"tags": "tag", "app_settings": "app_setting"}
_SEVERAL = " May be given several times."


class OptionSpec:
    """The names and keywords of `click.Option` that the signature of the command does not tell."""

    def __init__(self, *names: str, **details: Any) -> None:  # noqa: ANN401  (click's)
        """Keep them: an option is made for each command that has it."""
        self.names, self.details = names, details


def subcommand(name: str, *hidden: OptionSpec) -> Callable[[Callable[..., int | None]], click.Command]:
    """Return a decorator that makes a command of a function; `hidden` are options whose value it does not receive."""

    def decorate(function: Callable[..., int | None]) -> click.Command:
        text, helps = _read_docstring(function)
        parameters: list[click.Parameter] = []
        flags: list[str] = []
        for parameter in inspect.signature(function).parameters.values():
            if parameter.name == "flags":
                found = [option for item in get_args(parameter.annotation)[1:] for option in _group(item)]
                flags = [option.name for option in found if option.name and option.expose_value]
                parameters += found
            else:
                parameters.append(_parameter(parameter, helps.get(parameter.name, "")))
        parameters += [click.Option(option.names, **option.details) for option in hidden]

        def call(**values: Any) -> int | None:  # noqa: ANN401  (those of the options)
            if flags:
                values["flags"] = {flag: values.pop(flag) for flag in flags}
            return function(**values)

        return click.Command(name, params=parameters, callback=call, help=text)

    return decorate


def _read_docstring(function: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    r"""Return the help of a command and of its options. click does not fill lines below `\b`: those of a list."""
    text = inspect.cleandoc(function.__doc__ or "")
    paragraphs = [part for part in text.split("\n\n") if not part.startswith("Options:")]
    return "\n\n".join(f"\b\n{part}" if "\n  " in part else part for part in paragraphs), described(text)


def _parameter(parameter: inspect.Parameter, meaning: str) -> click.Parameter:
    """Return the argument or option of a parameter of a command."""
    annotation, option, default = parameter.annotation, OptionSpec(), parameter.default
    if get_origin(annotation) is Annotated:
        annotation, option = get_args(annotation)
    several = get_origin(annotation) is tuple
    details = dict(option.details) if default is parameter.empty else {"default": default, **option.details}
    if parameter.kind is not parameter.KEYWORD_ONLY:
        details |= {"nargs": -1} if several else {"required": default is parameter.empty}
        return click.Argument([parameter.name], **details)
    if not details.get("type"):
        details |= {"multiple": True} if several else {"is_flag": True} if annotation is bool else {}
        details |= {"type": annotation} if annotation in (int, float) else {}
    details["help"] = meaning or details["help"]
    details["show_default"] = bool(default) and annotation is not bool and "Default:" not in details["help"]
    if several and _SEVERAL not in details["help"]:
        details["help"] += _SEVERAL
    names = dict.fromkeys([*(option.names or [_long(parameter.name)]), parameter.name])
    return click.Option(list(names), **details)


def _long(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _group(item: type[OptionGroup] | OptionSpec) -> list[click.Option]:
    """Return the options of a group; values are None where not given."""
    found = (
        [item] if isinstance(item, OptionSpec) else [field_option(item, name) for name in item.model_fields]
    )
    return [click.Option(option.names, **option.details) for option in found]


def field_option(group: type[OptionGroup], name: str) -> OptionSpec:
    """Return names and keywords of the option for a field of a group."""
    flag, field, meaning = flag_of(group, name), group.model_fields[name], meanings(group)[name]
    default = field.default
    default_text = f" Default: {default}.".replace(".0.", ".") if default and default is not True else ""
    long = _long(_SINGULAR_NAMES.get(name, name))
    details: dict[str, Any] = {"help": f"{meaning[:1].upper()}{meaning[1:]}.{default_text}", "default": None}
    kind = _value_type(field.annotation)
    if flag is not None and flag.switch:
        return OptionSpec(f"{long}/--no-{long[2:]}", name, **details)
    if kind is bool:
        return OptionSpec(long, name, is_flag=True, flag_value=True, **details)
    if get_origin(kind) is tuple:
        details |= {"multiple": True, "default": (), "help": details["help"] + _SEVERAL}
        kind = str
    return OptionSpec(
        long, name, type=_click_type(kind, field.metadata), metavar=(flag and flag.metavar) or None, **details
    )


def _value_type(annotation: Any) -> Any:  # noqa: ANN401  (a type, or what `typing` makes of one)
    """Return the type of a flag's value; for `bool | str | Path | None` it is `str`."""
    if get_origin(annotation) not in (Union, types.UnionType):
        return annotation
    members = [member for member in get_args(annotation) if member is not types.NoneType]
    return str if str in members else members[0]


def _click_type(kind: Any, metadata: list[Any]) -> Any:  # noqa: ANN401
    """Return the click type of a value: a type, a range or a choice."""
    if get_origin(kind) is Literal:
        return click.Choice(get_args(kind))
    for item in metadata if kind in (int, float) else ():
        if isinstance(item, Ge | Gt):
            least: Any = item.ge if isinstance(item, Ge) else item.gt
            ranged = click.IntRange if kind is int else click.FloatRange
            return ranged(min=least, min_open=isinstance(item, Gt))
    return kind
