import { adminsEndpoints } from '@tallyroom/contract/admins'
import type { InputOf } from '@tallyroom/contract/endpoint'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { queryOf } from '../../lib/queries.ts'

const { admins, admin, createAdmin: create, updateAdmin: update } = adminsEndpoints

interface AdminsOrder {
  sortField: 'username' | 'email'
  sortAsc: boolean
}

export const adminsQuery = ({ sortField, sortAsc }: AdminsOrder) =>
  queryOf(
    admins,
    { query: { sortField, sortAsc: sortAsc ? 'true' : 'false' } },
    { keepPrevious: true },
  )

export const getAdmin = (id: string) => call(admin, { params: { id } })

/** Read anew whenever a form is opened, and never renewed under the hands of whoever fills it in. */
export const adminFormQuery = (id: string) =>
  queryOptions({
    ...queryOf(admin, { params: { id } }, { gcTime: 0, staleTime: Infinity }),
    meta: { ownErrors: true },
  })

export type NewAdmin = InputOf<typeof create>['body']
export type AdminChange = InputOf<typeof update>['body']

export const createAdmin = (body: NewAdmin) => call(create, { body })

export const updateAdmin = (id: number, body: AdminChange) =>
  call(update, { params: { id: String(id) }, body })

export const refreshAdmins = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: [admins.path] })
