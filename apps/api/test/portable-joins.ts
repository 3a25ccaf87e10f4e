import { tablePlaces } from '../src/db/citus/table-places.ts'

/** The tables whose rows are on the workers. */
export const spreadTables: readonly string[] = Object.entries(tablePlaces)
  .filter(([, place]) => place.startsWith('by '))
  .map(([table]) => table)

/**
 * Finds joins of distributed tables that do not equate the agents of each two. A materialized,
 * distinct, grouped or limited subquery is sent to all workers, so it may be joined with anything.
 * @param statement without comments and with empty text literals.
 */
export function joinsWithoutAgent(statement: string): boolean {
  const groups: string[] = []
  let whole = statement
  while (inner.test(whole)) {
    whole = whole.replaceAll(inner, (group) => ` ⟨${groups.push(group.slice(1, -1)) - 1}⟩ `)
  }
  const levels = [...groups, whole]
  const uncutNames = new Set(spreadTables)
  // In order, because later ones may refer to earlier ones.
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

  /** How many of the tables that a query reads are distributed. */
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

  /** How many conditions equate the agents of two tables or give an agent. */
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
