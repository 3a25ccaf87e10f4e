import type { ObjectKind, ObjectRef } from '@tallyroom/contract/desk/common-logs'
import type { WatchedCall } from '../../http/record-call.ts'

/*
 * The objects that a call is about, read from its path, body or answer. A malformed call has none.
 */

/** The values of a part of the call: an id, several, or none if the call is malformed. */
export const valuesIn = (part: unknown, name: string): unknown[] => {
  if (typeof part !== 'object' || part === null) return []
  return [new Map<string, unknown>(Object.entries(part)).get(name)].flat()
}

const refs = (kind: ObjectKind, keys: readonly unknown[]): ObjectRef[] =>
  keys
    .filter((key) => typeof key === 'number' || typeof key === 'string')
    .filter((key) => KEY.test(String(key)))
    .map((key): ObjectRef => `${kind}:${key}`)

const KEY = /^\d{1,15}$|^\d{4}-\d\d-\d\d$/

/** The objects named in the path, the body or the answer. */
export const inPath =
  (kind: ObjectKind, name = 'id') =>
  ({ params }: WatchedCall) =>
    refs(kind, valuesIn(params, name))
export const inBody =
  (kind: ObjectKind, name = 'ids') =>
  ({ body }: WatchedCall) =>
    refs(kind, valuesIn(body, name))
export const inAnswer =
  (kind: ObjectKind, name = 'id') =>
  ({ answer }: WatchedCall) =>
    refs(kind, valuesIn(answer, name))

/** The account that the viewer signed in as. */
export const own = ({ viewer }: WatchedCall): ObjectRef[] => {
  switch (viewer?.role) {
    case 'agent':
      return [`agent:${viewer.agentId}`]
    case 'company':
      return [`office:${viewer.officeId}`]
    case 'admin':
    case 'superadmin':
      return [`admin:${viewer.accountId}`]
    case undefined:
      return []
  }
}

/** An office or an agent, as `kind` and `id`. */
const payeeIn = (part: unknown): ObjectRef[] => {
  const [kind] = valuesIn(part, 'kind')
  return kind === 'office' || kind === 'agent' ? refs(kind, valuesIn(part, 'id')) : []
}
export const payeeInPath = ({ params }: WatchedCall) => payeeIn(params)
export const payeeInBody = ({ body }: WatchedCall) => payeeIn(body)

/** A link type's rates, or those of an office for it. */
export const ratesIn = (part: unknown): ObjectRef[] => {
  const [type, office] = [...valuesIn(part, 'typeId'), ...valuesIn(part, 'companyId')]
  if (typeof type !== 'number') return []
  if (typeof office === 'number') return [`officeFee:${type}.${office}`]
  return office === null ? [`linkType:${type}`] : []
}
export const ratesOfBody = ({ body }: WatchedCall) => ratesIn(body)
export const ratesOfAnswer = ({ answer }: WatchedCall) => ratesIn(answer)
