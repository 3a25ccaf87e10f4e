import { notificationsEndpoints } from '@tallyroom/contract/desk/notifications'
import { profileEndpoints } from '@tallyroom/contract/people/profile'
import { tokensEndpoints } from '@tallyroom/contract/people/tokens'
import type { AnswerOf } from '@tallyroom/contract/endpoint'
import { formQueryOf, queryOf } from '../../lib/queries.ts'

const { adminProfile, companyProfile, agentProfile, listSessions } = profileEndpoints

export const staffProfileQuery = formQueryOf(adminProfile, {})
export const officeProfileQuery = formQueryOf(companyProfile, {})
export const agentProfileQuery = formQueryOf(agentProfile, {})

export const ownSessionsQuery = queryOf(listSessions, {}, { meta: { ownErrors: true } })

export const notificationsQuery = queryOf(notificationsEndpoints.notifications, {})

export const ownTokensQuery = queryOf(tokensEndpoints.ownTokens, {})
export const allTokensQuery = queryOf(tokensEndpoints.allTokens, {})

export type StaffProfile = AnswerOf<typeof adminProfile>
export type OfficeProfile = AnswerOf<typeof companyProfile>
