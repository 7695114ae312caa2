"""What a notebook shows of a plan: its report as a table, and the flow graph of its butterflies as SVG."""

from __future__ import annotations

import html
from typing import Any

from . import _native

#: A graph of more lines than this is not drawn.
MOST_LINES = 32
_ROW, _COLUMN, _MARGIN = 18, 90, 30


def _table(report: _native.PlanReport) -> str:
    rows = [
        ("problem", report.problem),
        ("recipe", report.recipe),
        ("workspace", f"{report.workspace_bytes} bytes"),
        ("moved", f"{report.moved_bytes} bytes (least: {report.ideal_bytes})"),
    ]
    lines = [f"<tr><th>{name}</th><td colspan='5'>{html.escape(text)}</td></tr>" for name, text in rows]
    heads = ("kernel", "direction", "groups", "threads", "read", "written")
    lines.append("<tr>" + "".join(f"<th>{head}</th>" for head in heads) + "</tr>")
    for kernel in report.kernels:
        cells = (
            kernel.name,
            kernel.direction,
            kernel.groups,
            kernel.group_size,
            kernel.bytes_read,
            kernel.bytes_written,
        )
        lines.append("<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in cells) + "</tr>")
    return "<table>" + "".join(lines) + "</table>"


def _steps(flow: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for kernel in flow["kernels"] for step in kernel["steps"] if step["nodes"]]


def flow_svg(flow: dict[str, Any]) -> str:
    """The flow graph: a column for each step, a line for each point, and who meets whom."""
    steps = _steps(flow)
    lines = max([flow["lines"], *(step["lines"] for step in steps)], default=0)
    if not steps or lines == 0:
        return ""
    width, height = 2 * _MARGIN + _COLUMN * len(steps), 2 * _MARGIN + _ROW * lines
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="10">'
    ]
    for number, step in enumerate(steps):
        left = _MARGIN + _COLUMN * number
        parts.append(f"<g><title>{html.escape(step['text'])}</title>")
        colour = "#1f77b4" if step["is_butterflies"] else "#999999"
        for node in step["nodes"]:
            for source in node["from"]:
                for target in node["to"]:
                    y = (_MARGIN + _ROW * source, _MARGIN + _ROW * target)
                    parts.append(
                        f'<line x1="{left}" y1="{y[0]}" x2="{left + _COLUMN}" y2="{y[1]}" stroke="{colour}" '
                        'stroke-width="0.7"/>'
                    )
        label = f"radix {step['radix']}" if step["is_butterflies"] else "move"
        parts.append(f'<text x="{left + _COLUMN // 2}" y="{_MARGIN - 12}" text-anchor="middle">{label}</text></g>')
    for line in range(lines):
        parts.append(
            f'<text x="{_MARGIN - 6}" y="{_MARGIN + _ROW * line + 3}" text-anchor="end" fill="#555">{line}</text>'
        )
    parts.append("</svg>")
    return "".join(parts)


def _head(device: _native.Device) -> str:
    return f"<b>{html.escape(device.info.name)}</b>: {html.escape(device.info.description)}"


def plan_page(plan: _native.Plan, device: _native.Device) -> str:
    """Report and flow graph of a plan; a plan that has no graph, or a large one, is a table alone."""
    graph = ""
    try:
        graph = flow_svg(_native.flow(plan.problem, device, most_lines=MOST_LINES))
    except (ValueError, _native.Error):
        graph = ""
    return f"<div>{_head(device)}{_table(plan.report)}{graph}</div>"


def table_page(report: _native.PlanReport, device: _native.Device) -> str:
    """The report alone, of a plan that has no flow graph."""
    return f"<div>{_head(device)}{_table(report)}</div>"
