import { adminsEndpoints } from '@tallyroom/contract/people/admins'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { FOR_FORM, queryOf } from '../../lib/queries.ts'
import { wireSort, type ListOrder } from '../../ui/list/list-state.ts'

const { admins, admin } = adminsEndpoints

export const adminsQuery = (order: ListOrder<'username' | 'email'>) =>
  queryOf(admins, { query: wireSort(order) }, { keepPrevious: true })

export const adminFormQuery = (id: string) =>
  queryOptions({
    ...queryOf(admin, { params: { id } }),
    ...FOR_FORM,
  })

export type AdminStatusChange = { active: boolean } | { loginBlocked: boolean }

export const refreshAdmins = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: [admins.path] })
