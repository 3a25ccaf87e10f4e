import type { Endpoint } from '@tallyroom/contract/endpoint'
import { secretFieldsOf } from '@tallyroom/contract/secrets'
import { isSecretName, REMOVED } from '../../lib/secret-names.ts'

/** How much of a call is stored. Anything beyond is only mentioned. */
const most = { characters: 10_000, valueLength: 1_000, nameLength: 100, items: 200, depth: 8 }

/**
 * A call's parameters for storing, as bounded JSON text, without the values of fields that the endpoint's
 * schemas mark as secret or whose names mean secrets, at any depth.
 */
export function keptParams(endpoint: Endpoint, params: object): string {
  const secrets = secretNamesOf(endpoint)
  let charactersLeft = most.characters
  return JSON.stringify(keep(params, 0))

  function keep(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return cut(value, most.valueLength)
    if (typeof value !== 'object' || value === null) return value
    if (depth === most.depth || charactersLeft <= 0) return '…'
    return Array.isArray(value) ? keepList(value, depth) : keepFields(value, depth)
  }

  function keepList(list: unknown[], depth: number): unknown[] {
    const kept: unknown[] = []
    for (const item of list.slice(0, most.items)) {
      if (charactersLeft <= 0) break
      charactersLeft -= itemCharacters
      kept.push(keep(item, depth + 1))
    }
    const more = list.length - kept.length
    return more > 0 ? [...kept, `… ${more} more`] : kept
  }

  function keepFields(fields: object, depth: number): Record<string, unknown> {
    const entries = Object.entries(fields)
    const kept: [string, unknown][] = []
    for (const [name, value] of entries.slice(0, most.items)) {
      if (charactersLeft <= 0) break
      kept.push([
        cut(name, most.nameLength),
        isSecret(name) || isCriterionOfSecret(name, fields) ? REMOVED : keep(value, depth + 1),
      ])
    }
    const more = entries.length - kept.length
    if (more > 0) kept.push(['…', `${more} more`])
    return Object.fromEntries(kept)
  }

  function isSecret(name: string): boolean {
    return secrets.has(name) || isSecretName(name)
  }

  /** `{field: 'password', value: …}`: the criteria of lists have the field name next to the value. */
  function isCriterionOfSecret(name: string, fields: object): boolean {
    return (
      name === 'value' &&
      'field' in fields &&
      typeof fields.field === 'string' &&
      isSecret(fields.field)
    )
  }

  function cut(text: string, length: number): string {
    const allowed = Math.max(0, Math.min(length, charactersLeft))
    charactersLeft -= Math.min(text.length, allowed) + itemCharacters
    return text.length > allowed ? `${text.slice(0, allowed).toWellFormed()}…` : text
  }
}

/** Overhead of quotes and commas, which bounds many empty values too. */
const itemCharacters = 4

const secretNames = new WeakMap<Endpoint, ReadonlySet<string>>()

function secretNamesOf(endpoint: Endpoint): ReadonlySet<string> {
  const known = secretNames.get(endpoint)
  if (known) return known
  const schemas = [endpoint.params, endpoint.query, endpoint.body]
  const names = new Set(schemas.flatMap((schema) => (schema ? [...secretFieldsOf(schema)] : [])))
  secretNames.set(endpoint, names)
  return names
}
