/*
 * What pays what. Every function here is pure: whoever decides about money stores what it gives, and whoever reads adds up what
 * is stored. Amounts are in the minor units of one balance.
 */

/** What is owed: what a statement added to a balance, or an entry of it that stands on no statement. */
export type Owed = {
  /** Null for an entry. */
  statementId: number | null
  /** Null for a statement. */
  entryId: number | null
  /** Without what was carried into it. Negative if the payee owes it. */
  amount: number
  madeAt: Date
  /** Since when a payment can pay it. */
  payableAt: Date
}

/** What of something owed was settled, by what. One that went back has the opposite amount. */
export type Settlement = Pick<Owed, 'statementId' | 'entryId'> & {
  kind: SettlementKind
  runLineId: number | null
  byEntryId: number | null
  intoStatementId: number | null
  amount: number
  closes: boolean
  madeAt: Date
}

type SettlementKind = WentBack | 'payment' | ByEntry | 'carried'
type WentBack = 'cancelled' | 'failed' | 'returned'
type ByEntry = 'outside' | 'correction' | 'conversion' | 'given up' | 'received'

/** What is owed of a balance, in the order in which it can be paid, and what was settled of it, in the order of the acts. */
export type Book = { owed: readonly Owed[]; settlements: readonly Settlement[] }

/** A transfer of a run. */
export type Transfer = { id: number; amount: number }

/** How something owed stands. */
type Standing = {
  owed: Owed
  /** What is still owed of it, with what was carried into it. */
  open: number
  /** Whether nothing is left to be paid: it was paid, carried, or emptied. */
  isClosed: boolean
  /** When some of it last went back into the balance; null if it never did. */
  backAt: Date | null
}

const wentBack = new Set<string>(['cancelled', 'failed', 'returned'] satisfies WentBack[])

const keyOf = ({ statementId, entryId }: Pick<Owed, 'statementId' | 'entryId'>): string =>
  statementId === null ? `entry ${entryId}` : `statement ${statementId}`

/** How everything owed stands after all settlements. */
export function standingsOf({ owed, settlements }: Book): Standing[] {
  const standings = new Map(
    owed.map((one): [string, Standing] => [
      keyOf(one),
      { owed: one, open: one.amount, isClosed: false, backAt: null },
    ]),
  )
  const closedLast = new Map<string, boolean>()
  for (const settlement of settlements) take(standings, closedLast, settlement)
  return [...standings.values()]
}

function take(
  standings: ReadonlyMap<string, Standing>,
  closedLast: Map<string, boolean>,
  { intoStatementId, amount, closes, kind, madeAt, ...of }: Settlement,
): void {
  const into =
    intoStatementId === null
      ? undefined
      : standings.get(keyOf({ statementId: intoStatementId, entryId: null }))
  if (into) {
    into.open += amount
    into.isClosed &&= amount === 0
  }
  const key = keyOf(of)
  const standing = standings.get(key)
  if (!standing) return
  const isBack = wentBack.has(kind)
  standing.open -= amount
  if (closes) closedLast.set(key, !isBack)
  standing.isClosed = standing.open === 0 && closedLast.get(key) === true
  if (isBack && kind !== 'cancelled') standing.backAt = madeAt
}

/**
 * What time has carried by now and is not stored yet: what is still owed when a later statement of the balance can be paid is
 * taken over by that. What went back after that waits for the next one.
 */
export function carriesBy({ owed, settlements }: Book, now: Date): Settlement[] {
  let waiting: Standing[] = []
  return standingsOf({ owed, settlements }).flatMap((into) => {
    const { statementId, payableAt } = into.owed
    const isTakenOver = ({ backAt }: Standing) =>
      statementId !== null && payableAt <= now && (backAt === null || payableAt > backAt)
    const over = waiting.filter(isTakenOver)
    waiting = waiting.filter((one) => !isTakenOver(one))
    const carried = over.map((one): Settlement => ({
      ...settled(one.owed, { kind: 'carried', madeAt: now }),
      intoStatementId: statementId,
      amount: one.open,
      closes: true,
    }))
    for (const { open } of over) {
      into.open += open
      into.isClosed &&= open === 0
    }
    if (!into.isClosed) waiting.push(into)
    return carried
  })
}

const settled = (
  { statementId, entryId }: Owed,
  how: Pick<Settlement, 'kind' | 'madeAt'>,
): Omit<Settlement, 'amount' | 'closes'> => ({
  statementId,
  entryId,
  runLineId: null,
  byEntryId: null,
  intoStatementId: null,
  ...how,
})

/**
 * What the transfers pay that a run has for a payee: of a whole balance everything that can be paid, of a part the oldest
 * first. Each transfer pays each of it, and be it nothing: when one of them fails, none of it is paid.
 */
export function payments(
  book: Book,
  { transfers, isPart, at }: { transfers: readonly Transfer[]; isPart: boolean; at: Date },
): Settlement[] {
  const open = payableOf(book, at)
  const left = new Map(open.map((one) => [one, one.open]))
  // What the payee owes comes first, so that transfers pay what is above it.
  const inOrder = open.toSorted((one, other) => Math.sign(one.open) - Math.sign(other.open))
  return transfers.flatMap(({ id, amount }) =>
    spread(amount, inOrder, left, { isPart }).map(({ one, amount: of }) => ({
      ...settled(one.owed, { kind: 'payment', madeAt: at }),
      runLineId: id,
      amount: of,
      closes: !isPart,
    })),
  )
}

/** What can be paid and is not closed; if that is nothing, the last that could. */
function payableOf(book: Book, at: Date): Standing[] {
  const all = standingsOf(book).filter(({ owed }) => owed.payableAt <= at)
  const open = all.filter(({ isClosed }) => !isClosed)
  return open.length > 0 ? open : all.slice(-1)
}

/** Spreads an amount; what is more than is owed is paid of the last. */
function spread(
  amount: number,
  over: readonly Standing[],
  left: Map<Standing, number>,
  { isPart }: { isPart: boolean },
): { one: Standing; amount: number }[] {
  let rest = amount
  return over.map((one, place) => {
    const owed = left.get(one) ?? 0
    const most = owed < 0 && isPart ? 0 : Math.min(owed, rest)
    const paid = place === over.length - 1 ? rest : most
    rest -= paid
    left.set(one, owed - paid)
    return { one, amount: paid }
  })
}

/** What a transfer gives back that was taken out of its run, failed, or came back. */
export const givenBack = (
  { settlements }: Pick<Book, 'settlements'>,
  { lineId, kind, at }: { lineId: number; kind: WentBack; at: Date },
): Settlement[] =>
  settlements
    .filter((one) => one.runLineId === lineId && one.kind === 'payment')
    .map((one) => ({ ...one, kind, amount: -one.amount, madeAt: at }))

/**
 * What an entry of the balance settles without a run: everything, if nothing is left of the balance after it; a payment
 * outside otherwise pays the oldest first, and closes nothing. Other entries are owed themselves.
 *
 * @param entry `amount`: what it takes from the balance. `advanceId`: the entry of what it pays above what was owed.
 */
export function settledByEntry(
  book: Book,
  {
    id,
    kind,
    amount,
    after,
    advanceId,
    at,
  }: {
    id: number
    kind: ByEntry
    amount: number
    /** The balance after it. */
    after: number
    advanceId: number | null
    at: Date
  },
): Settlement[] {
  const isEmptied = after === 0
  if (!isEmptied && kind !== 'outside') return []
  const made = book.owed.filter((one) => one.madeAt <= at && one.entryId !== id)
  const all = standingsOf({ ...book, owed: made })
  const open = isEmptied
    ? all.filter(({ isClosed }) => !isClosed)
    : payableOf({ ...book, owed: made }, at).filter(({ open: owes }) => owes > 0)
  const over = open.length > 0 ? open : all.slice(-1)
  const inOrder = over.toSorted(
    (one, other) =>
      Number(isOf(other, advanceId)) - Number(isOf(one, advanceId)) ||
      (isEmptied ? Math.sign(one.open) - Math.sign(other.open) : 0),
  )
  const left = new Map(inOrder.map((one) => [one, one.open]))
  return spread(amount, inOrder, left, { isPart: !isEmptied })
    .filter((one) => isEmptied || one.amount !== 0)
    .map(({ one, amount: of }) => ({
      ...settled(one.owed, { kind, madeAt: at }),
      byEntryId: id,
      amount: of,
      closes: isEmptied,
    }))
}

const isOf = ({ owed: { entryId } }: Standing, id: number | null): boolean =>
  id !== null && entryId === id

/** A transfer of which something is to be settled. */
export type LineToSettle = Transfer & {
  runId: number
  isPart: boolean
  preparedAt: Date
  /** Whether nothing says yet what it pays. */
  isNew: boolean
  /** How and when it went back; null if it did not, or if that is settled. One taken out of its run has no time. */
  back: { kind: WentBack; at: Date | null } | null
}

/** An entry of a balance that is to settle something, as {@link settledByEntry} takes it. */
export type EntryToSettle = Omit<Parameters<typeof settledByEntry>[1], 'at'> & {
  madeAt: Date
  proposalId: number | null
}

/**
 * What is not settled yet of a balance: what these transfers and entries pay or give back, in the order in which it happened, and
 * what time has carried before each of them, and by now. Nothing that is settled already happened after them.
 */
export function settlementsDue(
  { owed, settlements }: Book,
  { lines, entries }: { lines: readonly LineToSettle[]; entries: readonly EntryToSettle[] },
  now: Date,
): Settlement[] {
  const due: Settlement[] = []
  const bookAt = (at: Date): Book => ({
    owed: owed.filter(({ madeAt }) => madeAt <= at),
    settlements: [...settlements, ...due],
  })
  for (const { at, settles } of actsOf(lines, entries, now)) {
    due.push(...carriesBy(bookAt(at), at))
    due.push(...settles(bookAt(at)))
  }
  return [...due, ...carriesBy(bookAt(now), now)]
}

/** Something that settles at a moment. */
type Act = { at: Date; place: number; settles: (book: Book) => Settlement[] }

/**
 * At one moment, what went back comes before what is prepared, unless it is of the same moment. What was taken out of a run is as
 * if it had never been prepared.
 */
function actsOf(
  lines: readonly LineToSettle[],
  entries: readonly EntryToSettle[],
  now: Date,
): Act[] {
  const runs = Map.groupBy(
    lines.filter(({ isNew }) => isNew),
    ({ runId }) => runId,
  )
  return [
    ...entries.map(({ madeAt: at, ...entry }): Act => ({
      at,
      place: 1,
      settles: (book) => settledByEntry(book, { ...entry, at }),
    })),
    ...[...runs.values()].flatMap((transfers): Act[] => {
      const [first] = transfers
      if (!first) return []
      const { preparedAt: at, isPart } = first
      return [{ at, place: 2, settles: (book) => payments(book, { transfers, isPart, at }) }]
    }),
    ...lines.flatMap(({ id: lineId, back, preparedAt }): Act[] => {
      if (!back) return []
      const { kind, at } = back
      return [
        {
          at: at ?? preparedAt,
          place: at && at > preparedAt ? 0 : 3,
          settles: (book) => givenBack(book, { lineId, kind, at: at ?? now }),
        },
      ]
    }),
  ].toSorted((one, other) => one.at.getTime() - other.at.getTime() || one.place - other.place)
}

/**
 * What came back of a balance, until a payment that was prepared after it takes it again. Of runs, only transfers count that
 * were approved, and are not in the balance again.
 */
export function returnedOf(
  { settlements }: Pick<Book, 'settlements'>,
  isApproved: (lineId: number) => boolean,
): number {
  const back = new Set(
    settlements.flatMap(({ kind, runLineId }) =>
      kind === 'failed' || kind === 'cancelled' ? (runLineId ?? []) : [],
    ),
  )
  let returned = 0
  for (const { kind, runLineId, amount } of settlements) {
    if (kind === 'returned') returned -= amount
    const isTaking =
      kind === 'outside' ||
      (kind === 'payment' && runLineId !== null && isApproved(runLineId) && !back.has(runLineId))
    if (isTaking) returned = 0
  }
  return returned
}

/** What transfers settle that were prepared before a moment, and were not cancelled. */
export function preparedBefore<One extends Settlement>(
  { settlements }: { settlements: readonly One[] },
  moment: Date,
): One[] {
  const cancelled = new Set(
    settlements.flatMap(({ kind, runLineId }) => (kind === 'cancelled' ? runLineId : [])),
  )
  return settlements.filter(
    ({ kind, runLineId, madeAt }) =>
      kind === 'payment' && madeAt < moment && !cancelled.has(runLineId),
  )
}
