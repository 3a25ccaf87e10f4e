import type { AgentItem } from '@tallyroom/contract/people/agents'
import { expect, test } from 'vitest'
import { csvColumnsOf, type ListColumn, tableOrder } from '../../ui/list/columns.ts'
import { agentColumns } from './agent-columns.tsx'

const columnsFor = (role: 'superadmin' | 'company'): ListColumn<AgentItem>[] =>
  agentColumns({
    viewer: { role, permissions: [] },
    rows: undefined,
    onAction: () => {},
    onDelete: () => {},
    onSignInAs: () => {},
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
