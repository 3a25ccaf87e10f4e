import { SUB_NAMES, type Subs } from '@tallyroom/domain/tracked-link'

/** An array of values that need no quotes. The driver would put each of them in quotes. */
export const array = <Item>(
  items: readonly Item[],
  valueOf: (item: Item, index: number) => number | string | boolean,
): string => `{${items.map(valueOf).join(',')}}`

/** sub1 to sub5 by place, up to the last one that was given, as PostgreSQL writes an array. */
export function textOfSubs(subs: Subs): string {
  const values = SUB_NAMES.map((name) => subs[name])
  const count = values.findLastIndex((value) => value !== undefined) + 1
  return array(values.slice(0, count), (value) => (value === undefined ? 'null' : quote(value)))
}

export const quote = (text: string): string => `"${text.replaceAll(/[\\"]/g, String.raw`\$&`)}"`
