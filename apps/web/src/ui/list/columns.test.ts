import { expect, test } from 'vitest'
import { csvColumnsOf, type ListColumn, tableOrder } from './columns.ts'

const column = (id: string, look: Partial<ListColumn<object>> = {}): ListColumn<object> => ({
  id,
  header: id,
  cell: () => id,
  csv: () => id,
  ...look,
})

test('a table has the columns that answer its question first and its actions last, a file keeps their order', () => {
  const columns = [
    column('username'),
    column('name', { behind: true }),
    column('actions'),
    column('status'),
    column('note', { behind: true }),
  ]
  expect(tableOrder(columns).map(({ id }) => id)).toEqual([
    'username',
    'status',
    'name',
    'note',
    'actions',
  ])
  expect(csvColumnsOf(columns).map(({ header }) => header)).toEqual([
    'username',
    'name',
    'actions',
    'status',
    'note',
  ])
})
