"""What every table is made of. Times are aware ``datetime`` in UTC; JSON columns hold what ``json`` can hold."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, DateTime, Dialect, MetaData, TypeDecorator
from sqlalchemy import Enum as OneOf
from sqlalchemy.orm import DeclarativeBase
from typing_extensions import override


class UtcTime(TypeDecorator[datetime]):
    """An aware time, kept in UTC by databases with and without time zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    @override
    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a time without zone cannot be stored")
        return value.astimezone(UTC)

    @override
    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


ONE_OF = OneOf(
    StrEnum,
    native_enum=False,
    validate_strings=True,
    length=12,
    values_callable=lambda kind: [one.value for one in kind],
)
"""A column of which the code knows every value; the database sees twelve characters."""


class Table(DeclarativeBase):
    """Base of all tables; constraints have names, so that migrations can speak of them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012 - SQLAlchemy's name
        datetime: UtcTime,
        StrEnum: ONE_OF,
        dict[str, Any]: JSON(none_as_null=True),
        list[Any]: JSON(none_as_null=True),
    }
