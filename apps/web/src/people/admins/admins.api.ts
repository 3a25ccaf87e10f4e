import { adminsEndpoints } from '@tallyroom/contract/people/admins'
import type { InputOf } from '@tallyroom/contract/endpoint'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { FOR_FORM, queryOf } from '../../lib/queries.ts'
import { wireSort, type ListOrder } from '../../ui/list/list-state.ts'

const {
  admins,
  admin,
  createAdmin: create,
  updateAdmin: update,
  adminsStatus,
  deleteAdmin: remove,
} = adminsEndpoints

export const adminsQuery = (order: ListOrder<'username' | 'email'>) =>
  queryOf(admins, { query: wireSort(order) }, { keepPrevious: true })

export const getAdmin = (id: string) => call(admin, { params: { id } })

export const adminFormQuery = (id: string) =>
  queryOptions({
    ...queryOf(admin, { params: { id } }),
    ...FOR_FORM,
  })

export type NewAdmin = InputOf<typeof create>['body']
export type AdminChange = InputOf<typeof update>['body']

export type AdminStatusChange = { active: boolean } | { loginBlocked: boolean }

export const createAdmin = (body: NewAdmin) => call(create, { body })

export const updateAdmin = (id: number, body: AdminChange) =>
  call(update, { params: { id: String(id) }, body })

export const setAdminStatus = (id: number, change: AdminStatusChange) =>
  call(adminsStatus, { body: { ids: [id], ...change } })

export const removeAdmin = (id: number) => call(remove, { params: { id: String(id) } })

export const adminPassword = (id: number) =>
  call(adminsEndpoints.adminPassword, { params: { id: String(id) } })

export const refreshAdmins = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: [admins.path] })
