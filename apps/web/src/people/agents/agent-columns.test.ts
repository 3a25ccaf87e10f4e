import type { AgentItem } from '@tallyroom/contract/people/agents'
import { expect, test } from 'vitest'
import { csvColumnsOf, type ListColumn, tableOrder } from '../../ui/list/columns.ts'
import { agentColumns, sellersAmong } from './agent-columns.tsx'

const columnsFor = (role: 'superadmin' | 'company'): ListColumn<AgentItem>[] =>
  agentColumns({
    viewer: { role, permissions: [] },
    rows: undefined,
    onAction: () => {},
    onDelete: () => {},
    onSignInAs: () => {},
    refresh: async () => {},
  })

const headers = [
  'Username',
  'First Name',
  'Last Name',
  'Office',
  'Registered (New York)',
  'Last Login (New York)',
  'Login Times',
  'Status',
  'Fraud',
  'Approved',
  'Login',
  'Sites',
]

test.each(['superadmin', 'company'] as const)(
  'the CSV of a %s has every column of the list in its order, and no passwords',
  (role) => {
    const columns = columnsFor(role)
    expect(columns.map(({ header }) => header)).toContain('Password')
    expect(csvColumnsOf(columns).map(({ header }) => header)).toEqual(headers)
  },
)

test('the table has the specified columns in their order, and behind them the name', () => {
  expect(tableOrder(columnsFor('superadmin')).map(({ header }) => header)).toEqual([
    'Username',
    'Password',
    'Office',
    'Registered',
    'Last Login',
    'Login Times',
    'Status',
    'Sites',
    'Name',
    'Actions',
  ])
})

test.each([
  ['rates and tiers', ['Clicks', 'Sales', 'Earned', 'Last Sale']],
  ['rates', ['Clicks', 'Sales', 'By rates', 'Last Sale']],
  [undefined, ['Clicks', 'Sales', 'Last Sale']],
] as const)('the columns of sellers, where earned is by %s', (earnedBy, figures) => {
  const range = { start: '2026-02-11', end: '2026-03-12' }
  const days = { ...range, before: range, ...(earnedBy && { earnedBy }) }
  const columns = sellersAmong(columnsFor('superadmin'), days)
  expect(tableOrder(columns).map(({ header }) => header)).toEqual([
    'Username',
    'Office',
    ...figures,
    'Status',
    'Name',
    'Actions',
  ])
})

test('the CSV of sellers has each figure, what it was before, and who it is of', () => {
  const range = { start: '2026-02-11', end: '2026-03-12' }
  const days = { ...range, before: range, earnedBy: 'rates and tiers' } as const
  const csv = csvColumnsOf(sellersAmong(columnsFor('company'), days))
  const row = {
    username: 'maria',
    figures: {
      clicks: 7,
      sales: 5,
      earned: { PHP: 440_00, USD: 20 },
      lastSaleDay: '2026-03-04',
      before: { clicks: 4, sales: 2, earned: { PHP: -310_50, USD: 0 } },
    },
  } as AgentItem
  const valuesOf = (name: string) => csv.find(({ header }) => header === name)?.value(row)
  expect(csv.slice(0, 10).map(({ header }) => [header, valuesOf(header)])).toEqual([
    ['Username', 'maria'],
    ['Clicks, 30 days', 7],
    ['Clicks, 30 days before', 4],
    ['Sales, 30 days', 5],
    ['Sales, 30 days before', 2],
    ['Earned PHP, 30 days', { number: '440.00' }],
    ['Earned PHP, 30 days before', { number: '-310.50' }],
    ['Earned USD, 30 days', { number: '0.20' }],
    ['Earned USD, 30 days before', { number: '0.00' }],
    ['Last Sale', '2026-03-04'],
  ])
})
