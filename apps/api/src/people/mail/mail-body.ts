import type { Brand } from '@tallyroom/domain/brands/index'

/** A part of a mail: something that happened, with its page, or figures. */
export type MailPart =
  | { title: string; text: string; url: string }
  | { heading: string; rows: readonly (readonly [label: string, value: string, note: string])[] }

/** What stands at the end: why it was sent, and links that change that. */
type MailEnd = { why: string; links: readonly { label: string; url: string }[] }

/** A mail as plain text and as HTML, without images, in the brand's color. */
export function mailBody(
  brand: Brand,
  parts: readonly MailPart[],
  end: MailEnd,
): { text: string; html: string } {
  return { text: asText(brand, parts, end), html: asHtml(brand, parts, end) }
}

function asText({ name }: Brand, parts: readonly MailPart[], { why, links }: MailEnd): string {
  return [
    ...parts.map((part) =>
      'rows' in part
        ? `${part.heading}\n\n${rowsText(part.rows)}`
        : [part.title, part.text, part.url].filter(Boolean).join('\n'),
    ),
    name,
    ['-- ', why, ...links.map(({ label, url }) => `${label}: ${url}`)].join('\n'),
  ]
    .join('\n\n')
    .concat('\n')
}

function rowsText(rows: readonly (readonly [string, string, string])[]): string {
  const widths = [0, 1].map((side) => Math.max(...rows.map((row) => row[side]?.length ?? 0)))
  return rows
    .map(([label, value, note]) =>
      `  ${label.padEnd(widths[0] ?? 0)}  ${value.padStart(widths[1] ?? 0)}  ${note}`.trimEnd(),
    )
    .join('\n')
}

function asHtml(brand: Brand, parts: readonly MailPart[], { why, links }: MailEnd): string {
  const { shades, primaryShade } = brand.palette
  const color = shades[primaryShade.light]
  const link = (url: string, label: string) =>
    `<a href="${escapeHtml(url)}" style="color:${color}">${escapeHtml(label)}</a>`
  const body = parts.map((part) =>
    'rows' in part
      ? `<h2 style="margin:24px 0 8px;font-size:15px">${escapeHtml(part.heading)}</h2>
<table role="presentation" style="border-collapse:collapse;width:100%">
${part.rows.map(rowHtml).join('\n')}
</table>`
      : `<p style="margin:20px 0 0"><strong>${escapeHtml(part.title)}</strong>${
          part.text === '' ? '' : `<br>${escapeHtml(part.text).replaceAll('\n', '<br>')}`
        }<br>${link(part.url, 'Open it')}</p>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${escapeHtml(brand.name)}</title>
</head>
<body style="margin:0;padding:0 16px 24px;background:#ffffff;color:#1c1f23;font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif">
<div style="max-width:560px;margin:0 auto">
<p style="margin:0;padding:16px 0 10px;border-bottom:2px solid ${color};font-size:16px;font-weight:600">${escapeHtml(brand.name)}</p>
${body.join('\n')}
<p style="margin:28px 0 0;padding-top:12px;border-top:1px solid #e8eaed;color:#5c636b;font-size:13px">${escapeHtml(why)}<br>${links
    .map(({ url, label }) => link(url, label))
    .join(' · ')}</p>
</div>
</body>
</html>
`
}

const rowHtml = ([label, value, note]: readonly [string, string, string]): string =>
  `<tr style="border-top:1px solid #e8eaed"><td style="padding:6px 8px 6px 0">${escapeHtml(label)}</td><td style="padding:6px 0;text-align:right;white-space:nowrap"><strong>${escapeHtml(value)}</strong></td><td style="padding:6px 0 6px 12px;color:#5c636b;text-align:right;white-space:nowrap">${escapeHtml(note)}</td></tr>`

/** Text within HTML, also within a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
