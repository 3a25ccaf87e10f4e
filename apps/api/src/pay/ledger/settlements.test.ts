import { describe, expect, test } from 'vitest'
import {
  type Book,
  carriesBy,
  givenBack,
  type Owed,
  payments,
  type Settlement,
  settledByEntry,
  standingsOf,
} from './settlements.ts'

const day = (number: number) => new Date(Date.UTC(2026, 1, number))

/** A statement of a day, which can be paid from then on, or from another day. */
const statement = (id: number, amount: number, closed: number, from = closed): Owed => ({
  statementId: id,
  entryId: null,
  amount,
  madeAt: day(closed),
  payableAt: day(from),
})

const entry = (id: number, amount: number, made: number): Owed => ({
  statementId: null,
  entryId: id,
  amount,
  madeAt: day(made),
  payableAt: day(made),
})

const run = (at: number, transfers: Record<number, number>, isPart = false) => ({
  transfers: Object.entries(transfers).map(([id, amount]) => ({ id: Number(id), amount })),
  isPart,
  at: day(at),
})

const briefly = (settlements: readonly Settlement[]) =>
  settlements.map(
    ({ statementId, entryId, kind, runLineId, byEntryId, intoStatementId, amount }) =>
      `${statementId ?? `entry ${entryId}`} ${kind} ${runLineId ?? byEntryId ?? intoStatementId} ${amount}`,
  )

/** A book after more settlements. */
const and = (book: Book, ...more: readonly Settlement[][]): Book => ({
  ...book,
  settlements: [...book.settlements, ...more.flat()],
})

const openOf = (book: Book) => standingsOf(book).map(({ open, isClosed }) => [open, isClosed])

const bookOf = (...owed: Owed[]): Book => ({ owed, settlements: [] })

describe('a run', () => {
  test('pays everything that can be paid, and nothing that is held', () => {
    const book = bookOf(statement(1, 500, 1), entry(7, 20, 2), statement(2, 300, 3, 9))
    const paid = payments(book, run(4, { 11: 520 }))
    expect(briefly(paid)).toEqual(['1 payment 11 500', 'entry 7 payment 11 20'])
    expect(openOf(and(book, paid))).toEqual([
      [0, true],
      [0, true],
      [300, false],
    ])
  })

  test('pays what is above what the payee owes', () => {
    const book = bookOf(statement(1, -100, 1), entry(7, 300, 2))
    expect(briefly(payments(book, run(3, { 11: 200 })))).toEqual([
      '1 payment 11 -100',
      'entry 7 payment 11 300',
    ])
  })

  test('fills its transfers one after another, and each of them pays everything, and be it nothing', () => {
    const book = bookOf(statement(1, 300, 1), entry(7, 200, 2))
    const paid = payments(book, run(3, { 11: 400, 12: 100 }))
    expect(briefly(paid)).toEqual([
      '1 payment 11 300',
      'entry 7 payment 11 100',
      '1 payment 12 0',
      'entry 7 payment 12 100',
    ])
    const after = and(book, paid, givenBack({ settlements: paid }, failed(12, 4)))
    expect(openOf(after)).toEqual([
      [0, false],
      [100, false],
    ])
  })

  test('that pays a part takes from the oldest and closes nothing', () => {
    const book = bookOf(statement(1, 100, 1), entry(7, 200, 2))
    const paid = payments(book, run(3, { 11: 150 }, true))
    expect(briefly(paid)).toEqual(['1 payment 11 100', 'entry 7 payment 11 50'])
    expect(openOf(and(book, paid))).toEqual([
      [0, false],
      [150, false],
    ])
  })

  test('closes a statement of nothing', () => {
    const book = bookOf(statement(1, 0, 1), entry(7, 200, 2))
    expect(openOf(and(book, payments(book, run(3, { 11: 200 }))))).toEqual([
      [0, true],
      [0, true],
    ])
  })
})

const failed = (lineId: number, at: number) => ({ lineId, kind: 'failed' as const, at: day(at) })

describe('a later statement', () => {
  const book = bookOf(statement(1, 500, 1), statement(2, 300, 10), statement(3, 0, 20))

  test('takes over what is owed, from when it can be paid', () => {
    expect(briefly(carriesBy(book, day(9)))).toEqual([])
    expect(briefly(carriesBy(book, day(10)))).toEqual(['1 carried 2 500'])
    expect(briefly(carriesBy(book, day(25)))).toEqual(['1 carried 2 500', '2 carried 3 800'])
  })

  test('does not take over what a run is about to pay, but what was taken out of it', () => {
    const running = and(book, payments(book, run(5, { 11: 500 })))
    expect(briefly(carriesBy(running, day(12)))).toEqual([])
    const takenOut = and(
      running,
      givenBack(running, { lineId: 11, kind: 'cancelled', at: day(12) }),
    )
    expect(briefly(carriesBy(takenOut, day(12)))).toEqual(['1 carried 2 500'])
  })

  test('does not take over what went back after it could be paid: the next one does', () => {
    const running = and(book, payments(book, run(5, { 11: 500 })))
    const back = and(running, givenBack(running, failed(11, 12)))
    expect(briefly(carriesBy(back, day(12)))).toEqual([])
    expect(briefly(carriesBy(back, day(20)))).toEqual(['1 carried 3 500', '2 carried 3 300'])
  })

  test('takes over nothing of a statement of nothing, which is then closed', () => {
    const none = bookOf(statement(1, 0, 1), statement(2, 300, 10))
    const carried = carriesBy(none, day(10))
    expect(briefly(carried)).toEqual(['1 carried 2 0'])
    expect(carriesBy(and(none, carried), day(11))).toEqual([])
  })
})

describe('an entry of the balance', () => {
  const book = bookOf(statement(1, 500, 1), statement(2, 300, 2, 9))
  const outside = { kind: 'outside' as const, advanceId: null, at: day(3) }

  test('that leaves something pays the oldest and closes nothing', () => {
    const paid = settledByEntry(book, { ...outside, id: 8, amount: 200, after: 600 })
    expect(briefly(paid)).toEqual(['1 outside 8 200'])
    expect(openOf(and(book, paid))[0]).toEqual([300, false])
  })

  test('that leaves nothing closes everything, also what is held', () => {
    const emptied = { ...outside, kind: 'conversion' as const, id: 8, amount: 800, after: 0 }
    expect(openOf(and(book, settledByEntry(book, emptied)))).toEqual([
      [0, true],
      [0, true],
    ])
  })

  test('that is a correction and leaves something is owed, and settles nothing', () => {
    const corrected = { ...outside, kind: 'correction' as const, id: 8, amount: 200, after: 600 }
    expect(settledByEntry(book, corrected)).toEqual([])
  })

  test('pays first what it pays above what was owed', () => {
    const advanced = bookOf(statement(1, 500, 1), entry(7, 1_000, 3))
    const paid = { ...outside, id: 8, advanceId: 7, amount: 1_200, after: 300 }
    expect(briefly(settledByEntry(advanced, paid))).toEqual([
      'entry 7 outside 8 1000',
      '1 outside 8 200',
    ])
  })
})
