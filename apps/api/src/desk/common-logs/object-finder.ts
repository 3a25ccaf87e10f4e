import type { ObjectRef } from '@tallyroom/contract/desk/common-logs'
import { idTextSchema } from '@tallyroom/contract/list'
import { formatDollars, formatPesos } from '@tallyroom/domain/money'
import type { RawBuilder } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import { isPhrase } from './sentences.ts'

/** An object before or after a call: what its history compares. */
export type Snapshot = {
  name: string
  /** Objects whose history also shows its changes: an agent's office, a link type's site. */
  also: readonly ObjectRef[]
  /** Values as forms show them, by field name. Lists are compared item by item. */
  fields: Readonly<Record<string, string | readonly string[]>>
  /** Values that are only compared, in memory. The entry records only that they changed. */
  secrets: Readonly<Record<string, string>>
}

export type Find = (
  db: DbOrTx,
  keys: readonly string[],
  now: Date,
) => Promise<ReadonlyMap<string, Snapshot>>

/** A finder from a query, whose rows have a `key`. */
export const finder =
  <Row extends { key: string }>(
    query: (keys: readonly string[], now: Date) => RawBuilder<Row>,
    snapshotOf: (row: Row) => Told,
  ): Find =>
  async (db, keys, now) => {
    const { rows } = await query(keys, now).execute(db)
    return new Map(rows.map((row) => [row.key, snapshot(snapshotOf(row))]))
  }

type Forms<Form> = (db: DbOrTx, ids: readonly number[], now: Date) => Promise<readonly Form[]>

/** A finder from the forms that a feature answers. */
export const formFinder =
  <Form extends { id: number }>(forms: Forms<Form>, snapshotOf: (form: Form) => Told): Find =>
  async (db, keys, now) =>
    new Map(
      (await forms(db, idsOf(keys), now)).map((form) => [
        String(form.id),
        snapshot(snapshotOf(form)),
      ]),
    )

/**
 * The same with a query for what is around the forms, whose rows have the form's key.
 */
export const widerFinder =
  <Form, Around extends { key: string }>(
    {
      forms,
      keyOf,
      around,
    }: {
      forms: Forms<Form>
      keyOf: (form: Form) => number
      around: (ids: readonly number[], now: Date) => RawBuilder<Around>
    },
    snapshotOf: (form: Form, around: Around) => Told,
  ): Find =>
  async (db, keys, now) => {
    const ids = idsOf(keys)
    const { rows } = await around(ids, now).execute(db)
    const found = new Map(rows.map((row) => [row.key, row]))
    return new Map(
      (await forms(db, ids, now)).flatMap((form): [string, Snapshot][] => {
        const key = String(keyOf(form))
        const row = found.get(key)
        return row ? [[key, snapshot(snapshotOf(form, row))]] : []
      }),
    )
  }

/** A call may name anything: what is no id is nobody's. */
export const idsOf = (keys: readonly string[]): number[] =>
  keys.flatMap((key) => idTextSchema.safeParse(key).data ?? [])

type Told = Partial<Snapshot> & Pick<Snapshot, 'name' | 'fields'>

/** A snapshot without what the object lacks. */
export const snapshot = (told: Told): Snapshot => ({ also: [], secrets: {}, ...told })

/**
 * The fields of a form under the names that the form gives them; null is an empty one. A field that is not a text, a
 * number, a switch or a list of texts has to be put into words first.
 */
export const formFields = <Name extends string>(
  labels: Readonly<Record<Name, string>>,
  values: Readonly<Record<NoInfer<Name>, string | number | boolean | readonly string[] | null>>,
): Snapshot['fields'] =>
  Object.fromEntries(
    (Object.entries(labels) as [Name, string][]).map(([name, label]) => {
      const value: string | number | boolean | readonly string[] = values[name] ?? ''
      if (name === 'active') return ['state', state(value === true)]
      return [
        inSentence(label),
        typeof value === 'boolean' ? yes(value) : typeof value === 'number' ? String(value) : value,
      ]
    }),
  )

/** `Site name` as `site name`. A label that is a name or a phrase stays as it is: `Must Read`. */
export function inSentence(label: string): string {
  const [isCapital = false, ...others] = label.split(' ').map((word) => /^\p{Lu}\p{Ll}/u.test(word))
  return isPhrase(label) || !isCapital || others.includes(true)
    ? label
    : label.charAt(0).toLowerCase() + label.slice(1)
}

const state = (active: boolean) => (active ? 'Activated' : 'Suspended')
export const yes = (value: boolean) => (value ? 'yes' : 'no')
export const pesos = (centavos: number) => formatPesos(centavos / 100)
export const dollars = (cents: number) => formatDollars(cents / 100)
