import { adminsEndpoints } from '@tallyroom/contract/people/admins'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { FOR_FORM, queryOf } from '../../lib/queries.ts'
import { wireSort, type ListOrder } from '../../ui/list/list-state.ts'

const { admins, admin, adminsStatus, deleteAdmin: remove } = adminsEndpoints

export const adminsQuery = (order: ListOrder<'username' | 'email'>) =>
  queryOf(admins, { query: wireSort(order) }, { keepPrevious: true })

export const adminFormQuery = (id: string) =>
  queryOptions({
    ...queryOf(admin, { params: { id } }),
    ...FOR_FORM,
  })

export type AdminStatusChange = { active: boolean } | { loginBlocked: boolean }

export const setAdminStatus = (id: number, change: AdminStatusChange) =>
  call(adminsStatus, { body: { ids: [id], ...change } })

export const removeAdmin = (id: number) => call(remove, { params: { id: String(id) } })

export const adminPassword = (id: number) =>
  call(adminsEndpoints.adminPassword, { params: { id: String(id) } })

export const refreshAdmins = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: [admins.path] })
