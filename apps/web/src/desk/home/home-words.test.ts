import type { Home, HomeSums } from '@tallyroom/contract/desk/home'
import { expect, test } from 'vitest'
import { besides, formatHeadline, headlineOf, needsCountOf } from './home-words.ts'

const need = (count: number) => ({ count, since: '2026-03-10T12:00:00Z' })

test('what waits for a person is counted once; what waits by itself is not', () => {
  const network: Pick<NonNullable<Home['network']>, 'needs' | 'alarms'> = {
    needs: {
      held: [
        { ...need(2), kind: 'early' },
        { ...need(1), kind: 'part' },
      ],
      words: [
        {
          ...need(30),
          siteId: 1,
          sitename: 'Lantern',
          parameter: 'outcome',
          value: 'sent_back',
          event: 'sale',
        },
      ],
      unmatched: need(4),
      waiting: need(50),
      pending: null,
      unapproved: need(5),
      pay: {
        periods: need(1),
        accounts: null,
        disowned: need(6),
        runs: null,
        proposals: need(2),
        contradicted: { ...need(7), runId: 1 },
      },
    },
    alarms: [
      {
        id: 1,
        kind: 'no-sales',
        watched: 'site',
        watchedId: 1,
        siteId: 1,
        name: 'Lantern',
        raisedAt: '2026-03-10T12:00:00Z',
        since: '2026-03-10T10:00:00Z',
        endedAt: null,
        expected: 20,
        came: 0,
        detail: '',
        quietUntil: null,
      },
    ],
  }
  expect(needsCountOf(network)).toBe(3 + 1 + 4 + 5 + 1 + 6 + 2 + 7 + 1)
})

const sums = (own: Partial<HomeSums> = {}): HomeSums => ({
  sales: 4,
  bonusSales: 0,
  uniques: 96,
  ...own,
})

test.each<[Home['headline'], Partial<HomeSums>, string]>([
  ['payout', { payout: 1_200, bonusPayout: 34.5 }, '₱1,234.50'],
  ['payout', { payout: -0.01, bonusPayout: 0 }, '-₱0.01'],
  ['payout', { payout: 0.3, bonusPayout: -0.3 }, '₱0.00'],
  ['payout', {}, '₱0.00'],
  ['earning', { earning: 12.5, bonusEarning: -20 }, '-$7.50'],
  ['earning', { earning: 12.5, payout: 700 }, '$12.50'],
  ['sales', { sales: 1 }, '1 sale'],
  ['sales', { sales: 1_204, bonusSales: 3 }, '1,204 sales'],
])('the headline is the %s of %j: %s', (headline, own, text) => {
  expect(formatHeadline(headlineOf(sums(own), headline), headline)).toBe(text)
})

test.each<[Home['headline'], Partial<HomeSums>, string]>([
  ['payout', {}, '4 sales · 96 uniques'],
  ['payout', { sales: 1, bonusSales: 1, uniques: 1 }, '1 sale + 1 bonus · 1 unique'],
  ['earning', { sales: 0, bonusSales: -2, uniques: 1_200 }, '0 sales + -2 bonuses · 1,200 uniques'],
  ['sales', {}, '96 uniques'],
  ['sales', { bonusSales: 3 }, '3 bonuses · 96 uniques'],
])('beside the %s of %j: %s', (headline, own, text) => {
  expect(besides(sums(own), headline)).toBe(text)
})
