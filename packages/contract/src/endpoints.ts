import { accountsEndpoints } from './accounts.ts'
import { authEndpoints } from './auth.ts'
import { brandEndpoints } from './brand.ts'
import { commonLogsEndpoints } from './common-logs.ts'
import { forgotEndpoints } from './forgot.ts'
import { healthEndpoints } from './health.ts'
import { linkTypesEndpoints } from './link-types.ts'
import { loginLogsEndpoints } from './login-logs.ts'
import { officesEndpoints } from './offices.ts'
import { postbacksEndpoints } from './postbacks.ts'
import { remoteLoginEndpoints } from './remote-login.ts'
import { sitesEndpoints } from './sites.ts'
import { statisticsEndpoints } from './statistics.ts'
import { trackingEndpoints } from './tracking.ts'

/** The endpoint table: every call that the server answers. A route that is not here keeps it from starting. */
export const endpoints = {
  ...healthEndpoints,
  ...brandEndpoints,
  ...authEndpoints,
  ...remoteLoginEndpoints,
  ...forgotEndpoints,
  ...accountsEndpoints,
  companies: officesEndpoints.companies,
  companyAgents: officesEndpoints.companyAgents,
  ...sitesEndpoints,
  ...linkTypesEndpoints,
  ...statisticsEndpoints,
  ...postbacksEndpoints,
  ...trackingEndpoints,
  ...commonLogsEndpoints,
  ...loginLogsEndpoints,
}

export type EndpointName = keyof typeof endpoints
