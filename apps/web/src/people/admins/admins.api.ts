import { adminsEndpoints } from '@tallyroom/contract/people/admins'
import { formQueryOf, refreshOf } from '../../lib/queries.ts'

const { admins, admin } = adminsEndpoints

export const adminFormQuery = (id: string) => formQueryOf(admin, { params: { id } })

export const refreshAdmins = refreshOf(admins)
