import { tablePlaces } from '../src/db/citus/table-places.ts'

/** The tables whose rows lie on the workers. */
export const spreadTables: readonly string[] = Object.entries(tablePlaces)
  .filter(([, place]) => place.startsWith('by '))
  .map(([table]) => table)

/**
 * Joins tables that are spread, and does not say for each two that they are of the same agent. A list that is cut
 * out before (materialized, distinct, grouped, limited) goes to all workers: anything may be joined with it.
 *
 * @param statement without comments, its texts empty.
 */
export function joinsWithoutAgent(statement: string): boolean {
  const groups: string[] = []
  let whole = statement
  while (inner.test(whole)) {
    whole = whole.replaceAll(inner, (group) => ` ⟨${groups.push(group.slice(1, -1)) - 1}⟩ `)
  }
  const levels = [...groups, whole]
  const uncutNames = new Set(spreadTables)
  // In their order: what is named is used later.
  for (const level of levels) {
    for (const [, name = '', materialized, group] of level.matchAll(named)) {
      if (!materialized && isUncut(groups[Number(group)] ?? '')) uncutNames.add(name)
    }
  }
  return levels.some((level) =>
    level.split(/\b(?:union|intersect|except)\b/i).some((query) => {
      const tables = uncutIn(query)
      const { links, pins } = agentsIn(query)
      return tables > 1 && links < tables - 1 && links + pins < tables
    }),
  )

  /** How many of the things that a query reads are spread. */
  function uncutIn(query: string): number {
    const sources = [...query.matchAll(sourcesOf)].flatMap(([, list = '']) => list.split(separator))
    return sources.filter((source) => {
      const [, group, name = ''] = /^\s*(?:only\s+)?(?:⟨(\d+)⟩|"?(\w+)"?)/i.exec(source) ?? []
      return group === undefined ? uncutNames.has(name) : isUncut(groups[Number(group)] ?? '')
    }).length
  }

  function isUncut(group: string): boolean {
    return !/\b(?:distinct|limit|group\s+by)\b|\b(?:count|sum|min|max)\s*⟨/i.test(group)
      ? uncutIn(group) > 0
      : false
  }

  /** How often the agents of two things are said to be the same, and how often an agent is given. */
  function agentsIn(query: string): { links: number; pins: number } {
    const own = { links: count(query, sameAgent), pins: count(query, givenAgent) }
    for (const [, using, group] of query.matchAll(/(\busing\s*)?⟨(\d+)⟩/gi)) {
      const text = groups[Number(group)] ?? ''
      if (/^\s*(?:select|with|insert|update|delete|values)\b/i.test(text)) continue
      const { links, pins } = using
        ? { links: count(text, /\bagent_id\b/g), pins: 0 }
        : agentsIn(text)
      own.links += links
      own.pins += pins
    }
    return own
  }
}

const inner = /\([^()]*\)/g
const named = /"?(\w+)"?\s+(?:⟨\d+⟩\s+)?as\s+(?:not\s+)?(materialized\s+)?⟨(\d+)⟩/gi
const sourcesOf =
  /\b(?:from|using|update)\b((?:(?!\b(?:from|where|group\s+by|order\s+by|having|limit|offset|returning|set|window|for)\b)[\s\S])*)/gi
const separator = /,|\bjoin\b|\busing\b/i
const sameAgent = /\bagent_id"?\s*=\s*(?:"?\w+"?\.)?"?agent_id\b/gi
const givenAgent = /\bagent_id"?\s*=\s*(?:\$?\d+|any\b)/gi

const count = (text: string, form: RegExp): number => text.match(form)?.length ?? 0
