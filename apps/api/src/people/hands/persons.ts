import {
  type AccountHand,
  accountHands,
  DAY_MS,
  dayInWords,
  FACTOR_RESET_DAYS,
  type FactorReset,
  handEnds,
  isFactorReset,
  isHand,
} from '@tallyroom/domain/acts'
import type { DbOrTx } from '../../db/database.ts'
import type { AsOf } from '../../seals/index.ts'
import { findHandRows, findUsernames, type HandRow, type PlacedHand } from './hands.queries.ts'

/** A hand in an account that counts now. */
export type Hand = {
  accountId: number
  kind: AccountHand
  by: number
  at: Date
  /** Null if only the holder can end it, by a password that its doer can't know. */
  endsAt: Date | null
}

/** Why two accounts count as one person. */
export type OnePerson = {
  /** A predicate of the first account: `set the password of helper9 on 25 Nov 2026`. */
  why: string
  /** From when on they are two, if nothing else happens. Null if that needs a new password by a holder. */
  until: Date | null
}

export type Persons = {
  /** Undefined for two people, and for one account. */
  onePerson(id: number, other: number): OnePerson | undefined
  /** The hands of others in an account, newest first. Devices are from either side. */
  handsIn(id: number): Hand[]
  /** How an account's second factor was changed without it, if it approves nothing since. */
  factorResetOf(id: number): { kind: FactorReset; at: Date } | undefined
  nameOf(id: number): string
  /** The same accounts at another moment. */
  at(moment: Date, asOf?: AsOf): Persons
}

/**
 * Who of these accounts is one person with whom. A person is an account with everybody who could have acted as its
 * holder: whoever had a hand in it, or in the account of somebody who had. Two accounts are one person if somebody could
 * have acted as both.
 */
export const findPersons = async (
  db: DbOrTx,
  now: Date,
  ids: readonly number[],
  asOf: AsOf = {},
): Promise<Persons> => (await findPersonsEver(db, ids))(now, asOf)

/** The same for many moments at once. */
export async function findPersonsEver(
  db: DbOrTx,
  ids: readonly number[],
): Promise<(now: Date, asOf?: AsOf) => Persons> {
  const rows = await findHandsBehind(db, ids)
  const doers = [...rows.values()].flat().map(({ by }) => by)
  const usernames = await findUsernames(db, [...new Set([...ids, ...doers])])
  const nameOf = (id: number) => usernames.get(id) ?? 'an account that was deleted'
  const at = (now: Date, { before }: AsOf = {}): Persons => {
    const rowsOf = (id: number) => {
      const all = rows.get(id) ?? []
      return before === undefined ? all : all.filter(({ place }) => place < before)
    }
    return personsBy((id) => activeHands(id, rowsOf(id), now), {
      nameOf,
      at,
      factorResetOf: (id) => lastResetOf(rowsOf(id), now),
    })
  }
  return at
}

/** By account: every hand ever in one of these, or in that of somebody who ever had one in it, and so on. */
export async function findHandsBehind(
  db: DbOrTx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly PlacedHand[]>> {
  const rows = new Map<number, readonly PlacedHand[]>()
  let asked = [...new Set(ids)]
  while (asked.length > 0) {
    const found = await findHandRows(db, asked)
    const byAccount = Map.groupBy(found, (row) => row.accountId)
    const shared = Map.groupBy(
      found.filter(({ kind }) => kind === 'device'),
      ({ by }) => by,
    )
    for (const id of asked)
      rows.set(id, [...(byAccount.get(id) ?? []), ...(shared.get(id) ?? []).map(mirrored)])
    // A shared device says that one person used both, not that whoever acts as the other acts as this one.
    const doers = found.filter(({ kind }) => kind !== 'device').map(({ by }) => by)
    asked = [...new Set(doers)].filter((id) => !rows.has(id))
  }
  return rows
}

function personsBy(
  handsOf: (id: number) => Hand[],
  others: Pick<Persons, 'nameOf' | 'at' | 'factorResetOf'>,
): Persons {
  const { nameOf } = others
  const known = new Map<number, Hand[]>()
  const hands = (id: number): Hand[] => {
    const all = known.get(id) ?? handsOf(id)
    known.set(id, all)
    return all
  }
  const ways = new Map<number, ReturnType<typeof waysFrom>>()
  const waysOf = (id: number) => {
    const found = ways.get(id) ?? waysFrom(id, hands)
    ways.set(id, found)
    return found
  }
  return {
    ...others,
    handsIn: (id) => hands(id).toReversed(),
    onePerson(id, other) {
      if (id === other) return undefined
      const mine = waysOf(id)
      const theirs = waysOf(other)
      let longest: Hand[] | undefined
      for (const [node, way] of mine) {
        const back = theirs.get(node)
        if (!back) continue
        const whole = [...way, ...back.toReversed()]
        if (!longest || isLater(endOf(whole), endOf(longest))) longest = whole
      }
      return longest && { why: inWords(id, longest, nameOf), until: endOf(longest) }
    },
  }
}

function lastResetOf(rows: readonly HandRow[], now: Date): ReturnType<Persons['factorResetOf']> {
  const since = now.getTime() - FACTOR_RESET_DAYS * DAY_MS
  return rows
    .flatMap(({ kind, at }) => (isFactorReset(kind) ? [{ kind, at }] : []))
    .findLast(({ at }) => at.getTime() > since && at <= now)
}

function activeHands(id: number, rows: readonly HandRow[], now: Date): Hand[] {
  return rows
    .flatMap(({ kind, by, at }): Hand[] =>
      isHand(kind)
        ? [{ accountId: id, kind, by, at, endsAt: handEnds({ kind, by, at }, rows) }]
        : [],
    )
    .filter(({ endsAt }) => endsAt === null || endsAt > now)
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

const mirrored = (row: PlacedHand): PlacedHand => ({ ...row, accountId: row.by, by: row.accountId })

/** An account, or a device that two accounts share. */
type Node = number | `${number} ${number}`

const nodeAbove = ({ accountId, kind, by }: Hand): Node =>
  kind === 'device' ? `${Math.min(accountId, by)} ${Math.max(accountId, by)}` : by

/**
 * Who could have acted as an account, each with the hands that lead there. Of several ways, the one that ends last: it
 * decides from when on two accounts are two people.
 */
function waysFrom(id: number, handsIn: (id: number) => readonly Hand[]): Map<Node, Hand[]> {
  const ways = new Map<Node, Hand[]>([[id, []]])
  const open: number[] = [id]
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    const way = ways.get(at) ?? []
    for (const hand of handsIn(at)) {
      const node = nodeAbove(hand)
      const longer = [...way, hand]
      const known = ways.get(node)
      if (known && !isLater(endOf(longer), endOf(known))) continue
      ways.set(node, longer)
      if (typeof node === 'number') open.push(node)
    }
  }
  return ways
}

/** When the first of some hands ends; null if none of them does by itself. */
function endOf(way: readonly Hand[]): Date | null {
  const ends = way.flatMap(({ endsAt }) => endsAt ?? []).map((end) => end.getTime())
  return ends.length > 0 ? new Date(Math.min(...ends)) : null
}

const isLater = (one: Date | null, other: Date | null): boolean =>
  (one?.getTime() ?? Infinity) > (other?.getTime() ?? Infinity)

/** The way from an account to another, as clauses of which it is the first subject. */
function inWords(from: number, way: readonly Hand[], nameOf: (id: number) => string): string {
  const clauses: string[] = []
  let subject = from
  let isMirrored = false
  for (const hand of way) {
    // A device stands on the way twice, once from each side.
    isMirrored = hand.kind === 'device' && !isMirrored
    if (hand.kind === 'device' && !isMirrored) continue
    const isTheirs = hand.accountId === subject
    const { did, had } = accountHands[hand.kind]
    const object = isTheirs ? hand.by : hand.accountId
    const clause = `${isTheirs ? had : did} ${nameOf(object)} on ${dayInWords(hand.at)}`
    clauses.push(subject === from ? clause : `${nameOf(subject)} ${clause}`)
    subject = object
  }
  return clauses.join(', ')
}
