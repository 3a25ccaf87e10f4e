import { profileEndpoints } from '@tallyroom/contract/people/profile'
import type { AnswerOf, InputOf } from '@tallyroom/contract/endpoint'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { FOR_FORM, queryOf } from '../../lib/queries.ts'

const {
  adminProfile,
  companyProfile,
  agentProfile,
  updateAdminProfile,
  updateCompanyProfile,
  updateAgentProfile,
  listSessions,
} = profileEndpoints

export const staffProfileQuery = queryOptions({ ...queryOf(adminProfile, {}), ...FOR_FORM })
export const officeProfileQuery = queryOptions({ ...queryOf(companyProfile, {}), ...FOR_FORM })
export const agentProfileQuery = queryOptions({ ...queryOf(agentProfile, {}), ...FOR_FORM })

export const ownSessionsQuery = queryOptions({
  ...queryOf(listSessions, {}),
  meta: { ownErrors: true },
})

export type StaffProfile = AnswerOf<typeof adminProfile>
export type OfficeProfile = AnswerOf<typeof companyProfile>
export type StaffProfileChange = InputOf<typeof updateAdminProfile>['body']
export type OfficeProfileChange = InputOf<typeof updateCompanyProfile>['body']
export type AgentProfileChange = InputOf<typeof updateAgentProfile>['body']

export const getStaffProfile = () => call(adminProfile, {})
export const getOfficeProfile = () => call(companyProfile, {})

export const saveStaffProfile = (body: StaffProfileChange) => call(updateAdminProfile, { body })
export const saveOfficeProfile = (body: OfficeProfileChange) => call(updateCompanyProfile, { body })
export const saveAgentProfile = (body: AgentProfileChange) => call(updateAgentProfile, { body })
