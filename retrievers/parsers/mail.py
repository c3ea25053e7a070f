"""Read a mail: who wrote to whom and when, the subject, the body."""

from __future__ import annotations

from datetime import datetime
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import parsedate_to_datetime

from .extraction import Extraction, TextBuilder, one_line
from .html import parse_markup, write_html
from .limits import MAX_CHARS, MAX_DEPTH
from .plain import decode

_SHOWN = ("From", "To", "Cc", "Date", "Subject")


def parse_mail(data: bytes, name: str, *, max_chars: int = MAX_CHARS) -> Extraction:
    """Read a mail in the format of RFC 5322; attachments are named, not read."""
    return _written(BytesParser(_class=EmailMessage, policy=policy.default).parsebytes(data), name, max_chars)


def _written(message: EmailMessage, name: str, max_chars: int) -> Extraction:
    builder = TextBuilder()
    headers = {key: one_line(str(message[key])) for key in _SHOWN if message[key]}
    builder.block("\n".join(f"{key}: {value}" for key, value in headers.items()))
    attachments: list[str] = []
    _write_part(builder, message, name, attachments, max_chars, 0)
    return Extraction(
        text=builder.text,
        title=headers.get("Subject", ""),
        media_type="message/rfc822",
        extractor="email, standard library",
        published_at=_date(headers.get("Date", "")),
        blocks=tuple(builder.blocks),
        rows=tuple(builder.rows),
        note=f"attachments not read: {', '.join(attachments)}" if attachments else "",
    )


def _write_part(
    builder: TextBuilder, message: EmailMessage, name: str, attachments: list[str], max_chars: int, depth: int
) -> None:
    body = message.get_body(preferencelist=("plain", "html"))
    if isinstance(body, EmailMessage):
        payload = body.get_payload(decode=True)
        text, _ = decode(payload if isinstance(payload, bytes) else b"", body.get_content_charset())
        if body.get_content_subtype() == "html":
            root = parse_markup(text, name)
            if root is not None:
                write_html(builder, root, max_chars=max_chars)
        else:
            for paragraph in text.replace("\r\n", "\n").split("\n\n"):
                builder.block(paragraph)
    if not message.is_multipart():
        return
    for part in message.iter_attachments():
        if part.get_content_type() == "message/rfc822" and depth < MAX_DEPTH:
            inner = part.get_content()
            if isinstance(inner, EmailMessage):
                builder.block(f"Forwarded: {one_line(str(inner['Subject'] or ''))}")
                _write_part(builder, inner, name, attachments, max_chars, depth + 1)
        else:
            attachments.append(one_line(part.get_filename() or part.get_content_type()))


def _date(text: str) -> datetime | None:
    try:
        return parsedate_to_datetime(text) if text else None
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
