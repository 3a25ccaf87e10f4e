import { OBJECT } from '@tallyroom/domain/placeholders'
import type { Field } from './field.ts'
import { readText } from './read-text.ts'

/**
 * The text parts of a multipart form, as PHP's curl sends an array; undefined if the bytes are none. The boundary
 * is their first line, so that a signature over the bytes also covers it.
 */
export function readMultipart(body: Buffer, charset?: string): Field[] | undefined {
  const text = body.toString('latin1')
  const boundary = /^\s*(--[^\r\n]{1,200}?)[ \t]*\r?\n/.exec(text)?.[1]
  if (boundary === undefined) return undefined
  const [before = '', ...parts] = text.split(new RegExp(`(?:^|\r?\n)${escaped(boundary)}`))
  if (before.trim() !== '' || parts.pop()?.startsWith('--') !== true) return undefined
  const fields = parts.map((part) => readPart(part, charset))
  return fields.every((field) => field !== undefined) ? fields : undefined
}

/** Undefined for a part without a name. */
function readPart(part: string, charset: string | undefined): Field | undefined {
  const gap = /^[ \t]*\r?\n/.test(part) ? /\r?\n\r?\n/.exec(part) : null
  if (!gap) return undefined
  const head = part.slice(0, gap.index)
  const value = part.slice(gap.index + gap[0].length)
  const disposition = /^content-disposition:\s*form-data\s*;(.*)$/im.exec(head)?.[1]
  const name = /(?:^|[;\s])name=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition ?? '')
  if (disposition === undefined || !name) return undefined
  const isFile = /(?:^|[;\s])filename\*?=/i.test(disposition)
  const bytes = (latin1: string) => readText(Buffer.from(latin1, 'latin1'), charset)
  return [
    bytes((name[1] ?? name[2] ?? '').replaceAll(/\\(.)/g, '$1')),
    isFile ? OBJECT : bytes(value),
  ]
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
