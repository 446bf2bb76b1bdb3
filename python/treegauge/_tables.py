"""Tables, and their forms in other libraries."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Union

from . import _treegauge

#: Rows that a notebook shows.
_SHOWN = 20


class Column(NamedTuple):
    """Name, type, unit and definition of a column; unit and definition may be empty."""

    name: str
    type: str
    unit: str
    definition: str


class Table:
    """Rows with named columns, in memory.

    Any library with Arrow takes it without a copy of its numbers: ``pyarrow.table(t)``,
    ``polars.DataFrame(t)``, ``duckdb.from_arrow(t)``. Its stream can be taken any number of times.
    """

    __slots__ = ("_inner",)

    def __init__(self, rows: Sequence[Mapping[str, Any]] = ()) -> None:
        self._inner = _treegauge.Table.of_json(json.dumps(list(rows), default=dict))

    @classmethod
    def _of(cls, inner: _treegauge.Table) -> Table:
        table = cls.__new__(cls)
        table._inner = inner
        return table

    @property
    def column_names(self) -> List[str]:
        """Names of the columns."""
        return self._inner.column_names

    @property
    def columns(self) -> List[Column]:
        """Name, type, unit and definition of each column."""
        return [Column(*words) for words in self._inner._columns]

    @property
    def run(self) -> Any:
        """Header of the run that made the rows, as in journals; ``None`` if there is none."""
        return json.loads(self._inner._run)

    def __len__(self) -> int:
        return len(self._inner)

    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object:
        return self._inner.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        return self._inner.__arrow_c_schema__()

    def to_dicts(self) -> List[Dict[str, Any]]:
        """The rows as dictionaries."""
        rows: List[Dict[str, Any]] = json.loads(self._inner._json())
        return rows

    def to_pyarrow(self) -> Any:
        """The table as ``pyarrow.Table``."""
        import pyarrow

        return pyarrow.table(self)

    def to_polars(self) -> Any:
        """The table as ``polars.DataFrame``."""
        import polars

        return polars.DataFrame(self)

    def to_pandas(self) -> Any:
        """The table as ``pandas.DataFrame``. Needs pyarrow, or pandas 3."""
        try:
            return self.to_pyarrow().to_pandas()
        except ImportError:
            import pandas

            return pandas.DataFrame.from_arrow(self)

    def write_parquet(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the table as Parquet, with the header of its run as metadata."""
        self._inner.write_parquet(os.fspath(path))

    def write_csv(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the table as comma-separated values."""
        self._inner.write_csv(os.fspath(path))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return bool(self.__reduce__() == other.__reduce__())

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        return (_table_of, (self._inner._json(), self._inner._run, self._inner._columns))

    def __repr__(self) -> str:
        return f"<Table of {len(self)} rows and {len(self.column_names)} columns>"

    def _repr_html_(self) -> str:
        from html import escape

        names = self.column_names
        rows = [row.values() for row in json.loads(self._inner._json(_SHOWN))]

        def cells(values: Any, tag: str) -> str:
            return "".join(f"<{tag}>{escape(_short(value))}</{tag}>" for value in values)

        body = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in rows)
        more = f"<p>{len(self)} rows</p>" if len(self) > _SHOWN else ""
        head = f"<thead><tr>{cells(names, 'th')}</tr></thead>"
        return f"<table>{head}<tbody>{body}</tbody></table>{more}"


def _short(value: object) -> str:
    text = "" if value is None else str(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _table_of(rows: str, run: str, columns: List[Any]) -> Table:
    """The table of a pickle."""
    return Table._of(_treegauge.Table._again(rows, run, columns))
