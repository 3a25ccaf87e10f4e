import { type Said, saidIn } from '../reading/said.ts'
import type { ReceivedPostback, WordRow } from './words.queries.ts'

/** Parameters that are kept of a site. */
export const MOST_PARAMETERS = 200

/** Values that are kept of a parameter. One that has more is free: its values say nothing. */
const MOST_VALUES = 20

/** What is to be added to what is known of sites. */
export type Heard = {
  added: WordRow[]
  /** The parameters that have had too many values by now. */
  freed: { siteId: number; parameter: string }[]
}

/** What postbacks, oldest first, add to what is known of their sites. */
export function hear(postbacks: readonly ReceivedPostback[], known: readonly WordRow[]): Heard {
  const sites = new Map<number, Map<string, Parameter>>()
  for (const { siteId, parameter, value, isFree } of known) {
    const one = parameterOf(sites, siteId, parameter)
    one.isFree ||= isFree
    if (value !== '') one.values.add(value)
  }
  for (const postback of postbacks) {
    for (const said of saidIn(postback.params)) {
      const { siteId } = postback
      const isFull = (sites.get(siteId)?.size ?? 0) >= MOST_PARAMETERS
      if (isFull && !sites.get(siteId)?.has(said.parameter)) continue
      const one = parameterOf(sites, siteId, said.parameter)
      add(one, '', said, postback)
      const { word } = said
      if (word === undefined || one.isFree) continue
      one.values.add(word)
      if (one.values.size <= MOST_VALUES) add(one, word, said, postback)
      else one.isFree = one.isFreed = true
    }
  }
  const all = [...sites].flatMap(([siteId, parameters]) =>
    [...parameters].map(([parameter, one]) => ({ siteId, parameter, ...one })),
  )
  return {
    added: all.flatMap(({ rows, isFree }) =>
      [...rows.values()]
        .filter(({ value }) => value === '' || !isFree)
        .map((row) => ({ ...row, isFree: isFree && row.value === '' })),
    ),
    freed: all.filter(({ isFreed }) => isFreed),
  }
}

type Parameter = {
  isFree: boolean
  /** Whether these postbacks made it so. */
  isFreed: boolean
  values: Set<string>
  /** What these postbacks add, by value. */
  rows: Map<string, WordRow>
}

function parameterOf(
  sites: Map<number, Map<string, Parameter>>,
  siteId: number,
  parameter: string,
): Parameter {
  const parameters = sites.get(siteId) ?? new Map<string, Parameter>()
  sites.set(siteId, parameters)
  const one = parameters.get(parameter) ?? {
    isFree: false,
    isFreed: false,
    values: new Set<string>(),
    rows: new Map<string, WordRow>(),
  }
  parameters.set(parameter, one)
  return one
}

function add(
  { rows }: Parameter,
  value: string,
  { parameter, name }: Said,
  { id, siteId, receivedAt }: ReceivedPostback,
): void {
  const row = rows.get(value) ?? {
    siteId,
    parameter,
    value,
    name,
    isFree: false,
    firstAt: receivedAt,
    lastAt: receivedAt,
    times: 0,
    lastPostback: id,
  }
  rows.set(value, { ...row, times: row.times + 1, lastAt: receivedAt, lastPostback: id })
}
