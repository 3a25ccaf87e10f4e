import {
  type ChangedField,
  type ObjectKind,
  type ObjectRef,
  objectKinds,
} from '@tallyroom/contract/desk/common-logs'
import type { Db } from '../../db/database.ts'
import type { RecordedChanges, WatchChanges } from '../../http/record-call.ts'
import { isSecretName, withoutSecrets } from '../../lib/secret-names.ts'
import type { Services } from '../../services.ts'
import { changingCallOf } from './changing-calls.ts'
import type { Changes } from './entry.ts'
import type { Snapshot } from './object-finder.ts'
import { findObjects } from './objects.queries.ts'

/** How much of a change is stored: objects with their fields, and characters of a value. */
const most = { objects: 100, value: 300 }

type Objects = ReadonlyMap<ObjectRef, Snapshot>

/**
 * Reads the objects that a call changes, before and after it. This is the one place for all
 * endpoints: the table {@link changingCallOf} says which objects these are. If two calls change an
 * object at the same moment, an entry may also show the other one's change.
 */
export const watchObjects =
  ({ db, clock }: Pick<Services, 'db' | 'clock'>): WatchChanges =>
  async (call) => {
    const { objects: refsOf } = changingCallOf(call.endpoint) ?? {}
    if (!refsOf) return undefined
    const before = await read(db, refsOf(call), clock.now())
    return async (answer) =>
      compare(before, await read(db, refsOf({ ...call, answer }), clock.now()))
  }

async function read(db: Db, refs: readonly ObjectRef[], now: Date): Promise<Objects> {
  const found = new Map<ObjectRef, Snapshot>()
  for (const kind of objectKinds) {
    const keys = refs.filter((ref) => kindOf(ref) === kind).map((ref) => keyOf(ref))
    if (keys.length === 0) continue
    for (const [key, object] of await findObjects(db, kind, [...new Set(keys)], now))
      found.set(`${kind}:${key}`, object)
  }
  return found
}

function compare(before: Objects, after: Objects): RecordedChanges | undefined {
  const refs = [...new Set([...before.keys(), ...after.keys()])]
  if (refs.length === 0) return undefined
  const moved = movedTo(before, after)
  const changes: Changes = {
    of: refs.slice(0, most.objects).map((ref) => {
      const [old, now] = [before.get(ref), after.get(ref) ?? moved.get(ref)]
      return {
        ref,
        name: cut((old ?? now)?.name ?? ''),
        fields: old && now ? changedFields(old, now) : [],
      }
    }),
    more: Math.max(0, refs.length - most.objects),
  }
  const also = [...before.values(), ...after.values()].flatMap((object) => object.also)
  return { objects: [...new Set([...refs, ...also])], changes }
}

/** What became of an object whose key changed: a schedule that begins on another day. */
function movedTo(before: Objects, after: Objects): Objects {
  const gone = [...before.keys()].filter((ref) => !after.has(ref))
  const come = [...after].filter(([ref]) => !before.has(ref))
  const [[from], [to]] = [gone, come]
  return gone.length === 1 && come.length === 1 && from && to && kindOf(from) === kindOf(to[0])
    ? new Map([[from, to[1]]])
    : new Map()
}

function changedFields(old: Snapshot, now: Snapshot): ChangedField[] {
  const secret = Object.keys(now.secrets)
    .filter((field) => old.secrets[field] !== now.secrets[field])
    .map((field) => ({ field }))
  return Object.keys(now.fields)
    .flatMap((field): ChangedField[] => {
      const [from, to] = [old.fields[field] ?? '', now.fields[field] ?? '']
      if (typeof from === 'string' || typeof to === 'string')
        return from === to ? [] : [fieldOf(field, String(from), String(to))]
      const gone = from.filter((item) => !to.includes(item))
      const added = to.filter((item) => !from.includes(item))
      return gone.length + added.length === 0
        ? []
        : [{ ...fieldOf(field, gone.join(', '), added.join(', ')), list: true }]
    })
    .concat(secret)
}

const fieldOf = (field: string, from: string, to: string): ChangedField =>
  isSecretName(field) ? { field } : { field, from: cut(from), to: cut(to) }

const cut = (text: string): string => {
  const clean = withoutSecrets(text)
  return clean.length > most.value ? `${clean.slice(0, most.value).toWellFormed()}…` : clean
}

const kindOf = (ref: ObjectRef) => ref.slice(0, ref.indexOf(':')) as ObjectKind
const keyOf = (ref: ObjectRef) => ref.slice(ref.indexOf(':') + 1)
