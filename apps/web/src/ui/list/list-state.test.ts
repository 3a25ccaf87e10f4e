import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { type ListSearch, listSearch, useListState, wireSort } from './list-state.ts'

const navigate = vi.hoisted(() => vi.fn<(to: { search: object }) => void>())
vi.mock('@tanstack/react-router', () => ({ useNavigate: () => navigate }))

type Search = ListSearch<'name' | 'sales'> & { username?: string }

const standard = { sortField: 'name', sortAsc: true } as const

/** The search after an action on a list. The hook has no state, so the test calls it as a plain function. */
function after(search: Search, act: (list: ReturnType<typeof useListState<Search>>) => void) {
  navigate.mockClear()
  // oxlint-disable-next-line react-hooks/rules-of-hooks -- its only hook is the navigation, mocked above
  act(useListState(search, standard))
  const [target] = navigate.mock.lastCall ?? []
  return JSON.parse(JSON.stringify(target?.search ?? null)) as object | null
}

test.each<[string, Search, object]>([
  ['nothing in the URL', {}, { page: 1, pageSize: 50, sortField: 'name', sortAsc: true }],
  ['a page', { page: 3 }, { page: 3 }],
  ['a page size', { pageSize: 100 }, { pageSize: 100 }],
  ['a field without a direction', { sortField: 'sales' }, { sortField: 'sales', sortAsc: true }],
  [
    'a field and a direction',
    { sortField: 'sales', sortAsc: false },
    { sortField: 'sales', sortAsc: false },
  ],
  ['a direction without a field', { sortAsc: false }, { sortField: 'name', sortAsc: true }],
])('the state of a list with %s', (_, search, state) => {
  // oxlint-disable-next-line react-hooks/rules-of-hooks -- as above
  expect(useListState(search, standard)).toMatchObject(state)
})

const deep: Search = { page: 4, pageSize: 50, sortField: 'sales', sortAsc: false, username: 'ma' }

test.each<[string, Search, (list: ReturnType<typeof useListState<Search>>) => void, object]>([
  ['another page', deep, (list) => list.goToPage(2), { ...deep, page: 2 }],
  [
    'the first page, which the URL leaves out',
    deep,
    (list) => list.goToPage(1),
    without(deep, 'page'),
  ],
  [
    'another page size, which goes back to page 1',
    deep,
    (list) => list.setPageSize(100),
    { ...without(deep, 'page'), pageSize: 100 },
  ],
  [
    'a click on the sorted column: reverses the order and goes back to page 1',
    deep,
    (list) => list.sortBy('sales'),
    { ...without(deep, 'page'), sortAsc: true },
  ],
  [
    'a click on another column: ascending',
    deep,
    (list) => list.sortBy('name'),
    { ...without(deep, 'page'), sortField: 'name', sortAsc: true },
  ],
  [
    'a click on the column of the default sort: reverses the order',
    {},
    (list) => list.sortBy('name'),
    { sortField: 'name', sortAsc: false },
  ],
  [
    'new criteria: the order is kept, the page is not',
    deep,
    (list) => list.search({ username: 'ca' }),
    { ...without(deep, 'page'), username: 'ca' },
  ],
  [
    'criteria that name an order',
    deep,
    (list) => list.search({ username: 'ca', sortField: 'name', sortAsc: true }),
    { pageSize: 50, username: 'ca', sortField: 'name', sortAsc: true },
  ],
  [
    'criteria that reset the order',
    deep,
    (list) => list.search({ sortField: undefined, sortAsc: undefined }),
    { pageSize: 50 },
  ],
  ['cleared criteria', deep, (list) => list.clear(), without(without(deep, 'page'), 'username')],
])('%s', (_, search, act, expected) => {
  expect(after(search, act)).toEqual(expected)
})

test.each([
  ['a page above the limit', { page: '1000001' }, {}],
  ['a fraction of a page', { page: '1.5' }, {}],
  ['an empty page', { page: '' }, {}],
  ['a page size of zero', { pageSize: '0' }, {}],
  ['the largest page size', { pageSize: '500' }, { pageSize: 500 }],
  ['a page size above the limit', { pageSize: '501' }, {}],
  ['an unknown column', { sortField: 'password' }, {}],
  ['a column in the wrong case', { sortField: 'NAME' }, {}],
  ['a direction in words', { sortAsc: 'yes' }, {}],
  ['a direction', { sortAsc: 'false' }, { sortAsc: false }],
])('the URL of a list: %s', (_, raw, read) => {
  expect(z.object(listSearch(['name', 'sales'])).parse(raw)).toEqual(read)
})

test.each([
  [true, 'true'],
  [false, 'false'],
])('a direction is sent as text: %s', (sortAsc, text) => {
  expect(wireSort({ sortField: 'name', sortAsc })).toEqual({ sortField: 'name', sortAsc: text })
})

function without(search: Search, name: keyof Search): object {
  return Object.fromEntries(Object.entries(search).filter(([key]) => key !== name))
}
