import { accountsEndpoints } from './people/accounts.ts'
import { adminsEndpoints } from './people/admins.ts'
import { agentsEndpoints } from './people/agents.ts'
import { alarmsEndpoints } from './desk/alarms.ts'
import { announcementsEndpoints } from './desk/announcements.ts'
import { avpSchedulesEndpoints } from './catalogue/avp-schedules.ts'
import { avpWeekEndpoints } from './figures/avp-week.ts'
import { approvalEndpoints } from './people/approval.ts'
import { authEndpoints } from './people/auth.ts'
import { bellEndpoints } from './desk/bell.ts'
import { booksEndpoints } from './pay/books/books.ts'
import { brandEndpoints } from './operate/brand.ts'
import { chatLogsEndpoints } from './desk/chat-logs.ts'
import { clickLogsEndpoints } from './desk/click-logs.ts'
import type { changingActions } from './endpoint.ts'
import { commonLogsEndpoints } from './desk/common-logs.ts'
import { contactEndpoints } from './people/contact.ts'
import { couponsEndpoints } from './catalogue/coupons.ts'
import { providerEndpoints } from './people/provider.ts'
import { signInRulesEndpoints } from './people/sign-in-rules.ts'
import { dashboardEndpoints } from './desk/dashboard.ts'
import { demoVisitorsEndpoints } from './operate/demo-visitors.ts'
import { explainEndpoints } from './figures/explain.ts'
import { exportsEndpoints } from './desk/exports.ts'
import { findEndpoints } from './desk/find.ts'
import { addressesEndpoints } from './people/addresses.ts'
import { importEndpoints } from './people/import.ts'
import { invitationsEndpoints } from './people/invitations.ts'
import { forgotEndpoints } from './people/forgot.ts'
import { healthEndpoints } from './operate/health.ts'
import { earnedEndpoints } from './pay/closing/earned.ts'
import { homeEndpoints } from './desk/home.ts'
import { ipBlacklistEndpoints } from './people/blacklist.ts'
import { linkTypesEndpoints } from './catalogue/link-types.ts'
import { linksEndpoints } from './catalogue/links.ts'
import { loginLogsEndpoints } from './desk/login-logs.ts'
import { migrationEndpoints } from './people/agent-migration.ts'
import { notificationsEndpoints } from './desk/notifications.ts'
import { officeFeesEndpoints } from './catalogue/office-fees.ts'
import { officePerformanceEndpoints } from './figures/office-performance.ts'
import { officesEndpoints } from './people/offices.ts'
import { optionsEndpoints } from './catalogue/options.ts'
import { payeeAccountsEndpoints } from './pay/accounts/payee-accounts.ts'
import { payFilesEndpoints } from './pay/files/files.ts'
import { paymentResultsEndpoints } from './pay/paying/results.ts'
import { paymentRunsEndpoints } from './pay/runs/runs.ts'
import { decisionsEndpoints } from './tracking/decisions.ts'
import { heldPostbacksEndpoints } from './tracking/held-postbacks.ts'
import { partnerPostbacksEndpoints } from './desk/partner-postbacks.ts'
import { queueEndpoints } from './desk/queue.ts'
import { verificationEndpoints } from './operate/verification.ts'
import { postbacksEndpoints } from './tracking/postbacks.ts'
import { preferredDomainsEndpoints } from './people/domains.ts'
import { rateBackdatingEndpoints } from './pay/backdating/backdating.ts'
import { ratesEndpoints } from './catalogue/rates.ts'
import { remoteLoginEndpoints } from './people/remote-login.ts'
import { statisticsEndpoints } from './figures/statistics.ts'
import { balancesEndpoints } from './pay/balances/balances.ts'
import { payEndpoints } from './pay/closing/periods.ts'
import { payProposalsEndpoints } from './pay/acts/proposals.ts'
import { paySettingsEndpoints } from './pay/terms/settings.ts'
import { profileEndpoints } from './people/profile.ts'
import { profitEndpoints } from './pay/bookings/profit.ts'
import { siteManualsEndpoints } from './catalogue/manuals.ts'
import { saleLogsEndpoints } from './desk/sale-logs.ts'
import { salesEndpoints } from './desk/sales.ts'
import { savedViewsEndpoints } from './desk/saved-views.ts'
import { webhooksEndpoints } from './desk/webhooks.ts'
import { shortLinksEndpoints } from './catalogue/short-links.ts'
import { sitesEndpoints } from './catalogue/sites.ts'
import { statementFilesEndpoints } from './pay/statement-files/statement-files.ts'
import { statementLinesEndpoints } from './pay/bookings/statement-lines.ts'
import { taxDetailsEndpoints } from './pay/acts/tax-details.ts'
import { withholdingEndpoints } from './pay/books/withholding.ts'
import { statementsEndpoints } from './pay/statements/statements.ts'
import { factorsEndpoints } from './people/factors.ts'
import { tokensEndpoints } from './people/tokens.ts'
import { topAgentsEndpoints } from './figures/top-agents.ts'
import { linkTestsEndpoints } from './desk/link-tests.ts'
import { trackingEndpoints } from './tracking/tracking.ts'
import { siteWordsEndpoints } from './tracking/site-words.ts'
import { uploadsEndpoints } from './catalogue/uploads.ts'
import { whatIfEndpoints } from './figures/what-if.ts'

/** The endpoint table: every call that the server answers. The server refuses to start if a route is missing here. */
export const endpoints = {
  ...healthEndpoints,
  ...brandEndpoints,
  ...authEndpoints,
  ...remoteLoginEndpoints,
  ...forgotEndpoints,
  ...addressesEndpoints,
  ...invitationsEndpoints,
  ...importEndpoints,
  ...accountsEndpoints,
  ...approvalEndpoints,
  ...profileEndpoints,
  ...factorsEndpoints,
  ...tokensEndpoints,
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
  ...shortLinksEndpoints,
  ...couponsEndpoints,
  ...linkTestsEndpoints,
  ...siteManualsEndpoints,
  ...announcementsEndpoints,
  ...uploadsEndpoints,
  ...statisticsEndpoints,
  ...topAgentsEndpoints,
  ...officePerformanceEndpoints,
  ...dashboardEndpoints,
  ...earnedEndpoints,
  ...homeEndpoints,
  ...bellEndpoints,
  ...notificationsEndpoints,
  ...demoVisitorsEndpoints,
  ...explainEndpoints,
  ...exportsEndpoints,
  ...avpSchedulesEndpoints,
  ...avpWeekEndpoints,
  ...whatIfEndpoints,
  ...heldPostbacksEndpoints,
  ...decisionsEndpoints,
  ...siteWordsEndpoints,
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
  ...partnerPostbacksEndpoints,
  ...queueEndpoints,
  ...verificationEndpoints,
  ...webhooksEndpoints,
  ...alarmsEndpoints,
  ...contactEndpoints,
  ...signInRulesEndpoints,
  ...providerEndpoints,
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
  ...booksEndpoints,
  ...taxDetailsEndpoints,
  ...withholdingEndpoints,
}

export type EndpointName = keyof typeof endpoints

/** The endpoints whose calls change something, by their action. */
export type ChangingEndpoint = {
  [
    Name in EndpointName
  ]: (typeof endpoints)[Name]['action'] extends (typeof changingActions)[number] ? Name : never
}[EndpointName]
