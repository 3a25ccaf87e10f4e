import { expect, test } from 'vitest'
import { cardPlaces } from './card-places.ts'

const ids = (columns: readonly { id: string }[]) => columns.map(({ id }) => id)

test('the first column is the title, the last figure the money, the rest unfolds', () => {
  const places = cardPlaces([
    { id: 'office' },
    { id: 'sales', numeric: true },
    { id: 'payout', numeric: true },
    { id: 'note' },
    { id: 'actions' },
  ])
  expect(places.title?.id).toBe('office')
  expect(ids(places.money)).toEqual(['payout'])
  expect(ids(places.details)).toEqual(['sales', 'note'])
  expect(places.actions?.id).toBe('actions')
})

test('a column stands where it says, and nowhere twice', () => {
  const places = cardPlaces([
    { id: 'date', card: 'title' },
    { id: 'email' },
    { id: 'site', card: 'title' },
    { id: 'payout', card: 'money', numeric: true },
    { id: 'earning', numeric: true },
    { id: 'secret', card: 'hidden' },
  ])
  expect(places.title?.id).toBe('date')
  expect(ids(places.subtitles)).toEqual(['site'])
  expect(ids(places.money)).toEqual(['payout'])
  expect(ids(places.details)).toEqual(['email', 'earning'])
})

test('a fixed first column heads the card, also above further titles', () => {
  const places = cardPlaces([
    { id: 'name', fixed: true },
    { id: 'state', card: 'title' },
    { id: 'amount', card: 'money', numeric: true },
  ])
  expect(places.title?.id).toBe('name')
  expect(ids(places.subtitles)).toEqual(['state'])
  expect(places.details).toEqual([])
})

test('a lone figure is the title, not the money', () => {
  const places = cardPlaces([{ id: 'id', numeric: true }])
  expect(places.title?.id).toBe('id')
  expect(places.money).toEqual([])
})
