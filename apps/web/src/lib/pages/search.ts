import { z } from 'zod'

/*
 * Search parameters arrive as text from the address bar, and as values from links inside the app. Each schema accepts
 * both. Invalid values count as missing, so that a mistyped URL shows the page instead of an error.
 */

export const searchInt = (min: number, max: number) =>
  z.coerce.number().int().min(min).max(max).optional().catch(undefined)

export const searchText = (maxLength = 200) =>
  z.coerce.string().max(maxLength).optional().catch(undefined)

export const searchDay = z.iso.date().optional().catch(undefined)

export const searchFlag = z
  .union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])
  .optional()
  .catch(undefined)

export const searchChoice = <const Choice extends string>(
  choices: readonly [Choice, ...Choice[]],
) => z.enum(choices).optional().catch(undefined)

/** Several ids as `1,2,3`. */
export const searchIds = (maxId: number) =>
  z.coerce
    .string()
    .regex(/^\d+(,\d+)*$/)
    .transform((text) => [...new Set(text.split(',').map(Number))])
    .pipe(z.array(z.int().min(1).max(maxId)).max(500))
    .optional()
    .catch(undefined)

/** Parses `?page=2&sortAsc=true`: plain text, without the JSON quotes of the router's default. */
export const parseSearch = (text: string): Record<string, unknown> =>
  Object.fromEntries(new URLSearchParams(text))

export function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== null)
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}
