import { accountsEndpoints } from './accounts.ts'
import { adminsEndpoints } from './admins.ts'
import { agentsEndpoints } from './agents.ts'
import { announcementsEndpoints } from './announcements.ts'
import { avpSchedulesEndpoints } from './avp-schedules.ts'
import { avpWeekEndpoints } from './avp-week.ts'
import { approvalEndpoints } from './approval.ts'
import { authEndpoints } from './auth.ts'
import { brandEndpoints } from './brand.ts'
import { chatLogsEndpoints } from './chat-logs.ts'
import { clickLogsEndpoints } from './click-logs.ts'
import type { changingActions } from './endpoint.ts'
import { commonLogsEndpoints } from './common-logs.ts'
import { dashboardEndpoints } from './dashboard.ts'
import { demoVisitorsEndpoints } from './demo-visitors.ts'
import { explainEndpoints } from './stats-explain.ts'
import { exportsEndpoints } from './exports.ts'
import { findEndpoints } from './find.ts'
import { forgotEndpoints } from './forgot.ts'
import { healthEndpoints } from './health.ts'
import { earnedEndpoints } from './earned.ts'
import { homeEndpoints } from './home.ts'
import { ipBlacklistEndpoints } from './ip-blacklist.ts'
import { linkTypesEndpoints } from './link-types.ts'
import { linksEndpoints } from './links.ts'
import { loginLogsEndpoints } from './login-logs.ts'
import { migrationEndpoints } from './agent-migration.ts'
import { officeFeesEndpoints } from './office-fees.ts'
import { officePerformanceEndpoints } from './office-performance.ts'
import { officesEndpoints } from './offices.ts'
import { optionsEndpoints } from './options.ts'
import { payeeAccountsEndpoints } from './payee-accounts.ts'
import { payFilesEndpoints } from './pay-files.ts'
import { paymentResultsEndpoints } from './payment-results.ts'
import { paymentRunsEndpoints } from './payment-runs.ts'
import { heldPostbacksEndpoints } from './held-postbacks.ts'
import { postbacksEndpoints } from './postbacks.ts'
import { preferredDomainsEndpoints } from './preferred-domains.ts'
import { rateBackdatingEndpoints } from './rate-backdating.ts'
import { ratesEndpoints } from './rates.ts'
import { remoteLoginEndpoints } from './remote-login.ts'
import { statisticsEndpoints } from './statistics.ts'
import { balancesEndpoints } from './balances.ts'
import { payEndpoints } from './pay.ts'
import { payProposalsEndpoints } from './pay-proposals.ts'
import { paySettingsEndpoints } from './pay-settings.ts'
import { profileEndpoints } from './profile.ts'
import { profitEndpoints } from './profit.ts'
import { siteManualsEndpoints } from './site-manuals.ts'
import { saleLogsEndpoints } from './sale-logs.ts'
import { salesEndpoints } from './sales.ts'
import { savedViewsEndpoints } from './saved-views.ts'
import { sitesEndpoints } from './sites.ts'
import { statementFilesEndpoints } from './statement-files.ts'
import { statementLinesEndpoints } from './statement-lines.ts'
import { statementsEndpoints } from './statements.ts'
import { topAgentsEndpoints } from './top-agents.ts'
import { trackingEndpoints } from './tracking.ts'
import { uploadsEndpoints } from './uploads.ts'
import { whatIfEndpoints } from './what-if.ts'

/** The endpoint table: every call that the server answers. The server refuses to start if a route is missing here. */
export const endpoints = {
  ...healthEndpoints,
  ...brandEndpoints,
  ...authEndpoints,
  ...remoteLoginEndpoints,
  ...forgotEndpoints,
  ...accountsEndpoints,
  ...approvalEndpoints,
  ...profileEndpoints,
  ...officesEndpoints,
  ...preferredDomainsEndpoints,
  ...agentsEndpoints,
  ...adminsEndpoints,
  ...migrationEndpoints,
  ...sitesEndpoints,
  ...linkTypesEndpoints,
  ...officeFeesEndpoints,
  ...ratesEndpoints,
  ...rateBackdatingEndpoints,
  ...linksEndpoints,
  ...siteManualsEndpoints,
  ...announcementsEndpoints,
  ...uploadsEndpoints,
  ...statisticsEndpoints,
  ...topAgentsEndpoints,
  ...officePerformanceEndpoints,
  ...dashboardEndpoints,
  ...earnedEndpoints,
  ...homeEndpoints,
  ...demoVisitorsEndpoints,
  ...explainEndpoints,
  ...exportsEndpoints,
  ...avpSchedulesEndpoints,
  ...avpWeekEndpoints,
  ...whatIfEndpoints,
  ...heldPostbacksEndpoints,
  ...postbacksEndpoints,
  ...trackingEndpoints,
  ...chatLogsEndpoints,
  ...clickLogsEndpoints,
  ...saleLogsEndpoints,
  ...salesEndpoints,
  ...findEndpoints,
  ...commonLogsEndpoints,
  ...loginLogsEndpoints,
  ...ipBlacklistEndpoints,
  ...optionsEndpoints,
  ...savedViewsEndpoints,
  ...payeeAccountsEndpoints,
  ...payFilesEndpoints,
  ...statementFilesEndpoints,
  ...statementLinesEndpoints,
  ...paymentRunsEndpoints,
  ...paymentResultsEndpoints,
  ...payProposalsEndpoints,
  ...paySettingsEndpoints,
  ...payEndpoints,
  ...statementsEndpoints,
  ...profitEndpoints,
  ...balancesEndpoints,
}

export type EndpointName = keyof typeof endpoints

/** The endpoints whose calls change something, by their action. */
export type ChangingEndpoint = {
  [
    Name in EndpointName
  ]: (typeof endpoints)[Name]['action'] extends (typeof changingActions)[number] ? Name : never
}[EndpointName]
