import { crc32 } from 'node:zlib'
import { CLICK_ID_BOUNDS } from '@tallyroom/domain/click-id'
import { UNCOUNTED } from '@tallyroom/contract/desk/click-logs'
import { MAX_ID, SUB_NAMES } from '@tallyroom/domain/tracked-link'
import { z } from 'zod'
import { visitorOf } from '../../lib/net/ip-address.ts'
import { type Click, clickNoteSchema } from './click.ts'

/** A click as a line of a spool file: a checksum, which detects partial lines, and readable JSON. */
export function writeSpoolLine(click: Click): string {
  const json = JSON.stringify(click)
  return `${checksum(json)} ${json}\n`
}

/** Parses a line without its line feed; undefined if it is partial or altered. */
export function readSpoolLine(line: string): Click | undefined {
  const json = line.slice(9)
  if (json === '' || line.slice(0, 9) !== `${checksum(json)} `) return undefined
  return clickSchema.safeParse(JSON.parse(json)).data
}

/**
 * The lines of a spool file without their line feeds, and the rest after the last one. Only a line feed ends a
 * line: sub ids may contain U+2028, which Node's readline treats as a line end.
 */
export async function* readSpoolLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let begun: string[] = []
  for await (const chunk of chunks) {
    const [first = '', ...others] = chunk.split('\n')
    begun.push(first)
    for (const other of others) {
      yield begun.join('')
      begun = [other]
    }
  }
  const rest = begun.join('')
  if (rest !== '') yield rest
}

const checksum = (json: string): string => crc32(json).toString(16).padStart(8, '0')

const id = z.int().min(1).max(MAX_ID)

const clickSchema = z
  .strictObject({
    clickedAtMs: z.int().min(0).max(CLICK_ID_BOUNDS.clickedAtMs),
    nonce: z.int().min(0).max(CLICK_ID_BOUNDS.nonce),
    siteId: id,
    typeId: id,
    agentId: id,
    officeId: id,
    ip: z.union([z.ipv4(), z.ipv6()]),
    /** Older lines lack it. */
    visitor: z.string().optional(),
    uncounted: z.enum(UNCOUNTED).optional(),
    userAgent: z.string().optional(),
    referrer: z.string().optional(),
    subs: z.partialRecord(z.enum(SUB_NAMES), z.string()).optional(),
    note: clickNoteSchema.optional(),
    /** Lines from before reasons were stored. */
    counted: z.boolean().optional(),
  })
  .transform(({ counted, visitor, ...click }): Click => ({
    ...click,
    visitor: visitor ?? visitorOf(click.ip),
    ...(counted === false && { uncounted: 'blacklisted' }),
  }))
