import { notificationsEndpoints } from '@tallyroom/contract/desk/notifications'
import { profileEndpoints } from '@tallyroom/contract/people/profile'
import { tokensEndpoints } from '@tallyroom/contract/people/tokens'
import type { AnswerOf } from '@tallyroom/contract/endpoint'
import { queryOptions } from '@tanstack/react-query'
import { FOR_FORM, queryOf } from '../../lib/queries.ts'

const { adminProfile, companyProfile, agentProfile, listSessions } = profileEndpoints

export const staffProfileQuery = queryOptions({ ...queryOf(adminProfile, {}), ...FOR_FORM })
export const officeProfileQuery = queryOptions({ ...queryOf(companyProfile, {}), ...FOR_FORM })
export const agentProfileQuery = queryOptions({ ...queryOf(agentProfile, {}), ...FOR_FORM })

export const ownSessionsQuery = queryOptions({
  ...queryOf(listSessions, {}),
  meta: { ownErrors: true },
})

export const notificationsQuery = queryOptions(queryOf(notificationsEndpoints.notifications, {}))

export const ownTokensQuery = queryOptions(queryOf(tokensEndpoints.ownTokens, {}))
export const allTokensQuery = queryOptions(queryOf(tokensEndpoints.allTokens, {}))

export type StaffProfile = AnswerOf<typeof adminProfile>
export type OfficeProfile = AnswerOf<typeof companyProfile>
