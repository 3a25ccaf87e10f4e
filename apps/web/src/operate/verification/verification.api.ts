import { verificationEndpoints } from '@tallyroom/contract/operate/verification'
import { queryOf, refreshOf } from '../../lib/queries.ts'

export const verificationsQuery = queryOf(
  verificationEndpoints.verifications,
  {},
  { meta: { ownErrors: true } },
)

export const refreshVerifications = refreshOf(verificationEndpoints.verifications)
