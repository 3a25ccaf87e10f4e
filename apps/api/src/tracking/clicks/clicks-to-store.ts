import { dayOf } from '@tallyroom/domain/new-york'
import { SUB_NAMES } from '@tallyroom/domain/tracked-link'
import { ipv4Number } from '../../lib/net/ip-address.ts'
import { textId } from '../../lib/text-id.ts'
import type { Click } from './click.ts'

/** What is known of a batch: see `storeClicks`. */
export type BatchKind = 'new' | 'again' | 'late'

/** Clicks of one New York day, ready to be stored. */
export type ClickBatch = {
  day: string
  /** In the order in which every process inserts, to avoid deadlocks. */
  clicks: readonly Click[]
  /** By position: the {@link markOf} of a click that is its visitor's first in the batch, which may be unique. */
  marks: readonly (string | undefined)[]
  referrers: TextsToStore
  userAgents: TextsToStore
}

/** Texts, each of which is stored once. */
export type TextsToStore = {
  /** By position. */
  ids: readonly (number | undefined)[]
  /** New texts by id, which the database may not have yet. */
  added: readonly (readonly [id: number, text: string])[]
}

/** Texts that the database is known to have, so that they are not sent again. */
export type KnownTexts = { referrers: TextIds; userAgents: TextIds }

export const startKnownTexts = (): KnownTexts => ({
  referrers: startTextIds(),
  userAgents: startTextIds(),
})

export function batchOf(clicks: readonly Click[], known: KnownTexts): ClickBatch {
  const inOrder = clicks.toSorted(byVisitor)
  return {
    day: dayOf(inOrder[0]?.clickedAtMs ?? 0),
    clicks: inOrder,
    marks: inOrder.map((click, index) =>
      isFirstOfVisitor(click, inOrder[index - 1]) ? markOf(click) : undefined,
    ),
    ...newTextsOf(inOrder, known),
  }
}

/** The same batch without its new texts. */
export const leaveTexts = (batch: ClickBatch): ClickBatch => ({
  ...batch,
  referrers: { ...batch.referrers, added: [] },
  userAgents: { ...batch.userAgents, added: [] },
})

/** Remembers that the texts of a batch are stored. */
export function addStored(
  known: KnownTexts,
  { referrers, userAgents }: Pick<ClickBatch, 'referrers' | 'userAgents'>,
): void {
  for (const [id] of referrers.added) known.referrers.addStored(id)
  for (const [id] of userAgents.added) known.userAgents.addStored(id)
}

/** Whether the database is known to have the texts of a click. */
export const hasTextsOf = (known: KnownTexts, { referrer, userAgent }: Click): boolean =>
  isKnown(known.referrers, referrer) && isKnown(known.userAgents, userAgent)

const isKnown = (ids: TextIds, text: string | undefined): boolean =>
  !text || ids.isStored(ids.idOf(text))

/** The texts of clicks that the database may not have yet. */
export const newTextsOf = (
  clicks: readonly Click[],
  known: KnownTexts,
): Pick<ClickBatch, 'referrers' | 'userAgents'> => ({
  referrers: textsOf(
    clicks.map(({ referrer }) => referrer),
    known.referrers,
  ),
  userAgents: textsOf(
    clicks.map(({ userAgent }) => userAgent),
    known.userAgents,
  ),
})

function textsOf(texts: readonly (string | undefined)[], known: TextIds): TextsToStore {
  const ids = texts.map((text) => (text ? known.idOf(text) : undefined))
  const added = new Map<number, string>()
  for (const [index, id] of ids.entries()) {
    if (id !== undefined && !known.isStored(id)) added.set(id, texts[index] ?? '')
  }
  return { ids, added: [...added].toSorted(([a], [b]) => a - b) }
}

/** The ids of texts, each hashed once, and which of them are stored. */
export type TextIds = {
  idOf(text: string): number
  isStored(id: number): boolean
  addStored(id: number): void
}

function startTextIds(most = 20_000): TextIds {
  const ids = new Map<string, number>()
  const stored = new Set<number>()
  return {
    idOf(text) {
      let id = ids.get(text)
      if (id === undefined) {
        id = textId(text)
        if (ids.size >= most) ids.clear()
        ids.set(text, id)
      }
      return id
    },
    isStored: (id) => stored.has(id),
    addStored(id) {
      // Sending a stored text again is harmless, so the cache can simply be cleared.
      if (stored.size >= most) stored.clear()
      stored.add(id)
    },
  }
}

/** Orders by visitor, with counted clicks first. */
function byVisitor(a: Click, b: Click): number {
  return (
    a.agentId - b.agentId ||
    a.typeId - b.typeId ||
    (a.visitor === b.visitor
      ? Number(isCounted(b)) - Number(isCounted(a))
      : a.visitor < b.visitor
        ? -1
        : 1)
  )
}

/**
 * Whether the click is its visitor's first in the batch, which may be unique. `previous` precedes
 * it in visitor order.
 */
function isFirstOfVisitor(click: Click, previous: Click | undefined): boolean {
  return (
    isCounted(click) &&
    !(
      previous &&
      isCounted(previous) &&
      previous.visitor === click.visitor &&
      previous.typeId === click.typeId &&
      previous.agentId === click.agentId
    )
  )
}

/**
 * The mark of a visitor of an agent's link type in `seen_visitors`, in hex: the link type without
 * leading zero bytes, then the IPv4 address or the upper half of the IPv6 address. Link types begin
 * at 1, so each length belongs to one kind, and no two visitors share a mark. `visitor` comes from
 * `visitorOf`.
 */
export function markOf({ typeId, visitor }: Pick<Click, 'typeId' | 'visitor'>): string {
  const type = typeId.toString(16)
  return (type.length % 2 ? `0${type}` : type) + addressInHex(visitor)
}

function addressInHex(visitor: string): string {
  if (!visitor.endsWith(V6_END)) return ipv4Number(visitor).toString(16).padStart(8, '0')
  const groups = visitor.slice(0, -V6_END.length).split(':')
  return groups
    .map((group) => group.padStart(4, '0'))
    .join('')
    .padEnd(16, '0')
}

/**
 * The lower half of a /64 is zero: the longest run of zeros, which RFC 5952 requires to be
 * shortened.
 */
const V6_END = '::/64'

const isCounted = ({ uncounted }: Click): boolean => uncounted === undefined

/** An array literal of values that need no quotes. The driver would quote each of them. */
export const array = <Item>(
  items: readonly Item[],
  valueOf: (item: Item, index: number) => number | string | boolean,
): string => `{${items.map(valueOf).join(',')}}`

/**
 * sub1 to sub5 by position and then the note, up to the last one given, as a PostgreSQL array literal; undefined if there are
 * none. A note needs no column of its own, which every click would pay for.
 */
export function textOfMarks({ subs, note }: Pick<Click, 'subs' | 'note'>): string | undefined {
  if (!subs && !note) return undefined
  const values = [...SUB_NAMES.map((name) => subs?.[name]), note]
  const count = values.findLastIndex((value) => value !== undefined) + 1
  return array(values.slice(0, count), (value) => (value === undefined ? 'null' : quote(value)))
}

export const quote = (text: string): string => `"${text.replaceAll(/[\\"]/g, String.raw`\$&`)}"`
