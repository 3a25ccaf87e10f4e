import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { earnedEndpoints } from '@tallyroom/contract/pay/closing/earned'
import { payEndpoints } from '@tallyroom/contract/pay/closing/periods'
import { payProposalsEndpoints } from '@tallyroom/contract/pay/acts/proposals'
import { paySettingsEndpoints } from '@tallyroom/contract/pay/terms/settings'
import { profitEndpoints } from '@tallyroom/contract/pay/bookings/profit'
import { statementsEndpoints } from '@tallyroom/contract/pay/statements/statements'
import { statementLinesEndpoints } from '@tallyroom/contract/pay/bookings/statement-lines'
import { taxDetailsEndpoints } from '@tallyroom/contract/pay/acts/tax-details'
import { refuseSignedInAs } from '../access/viewer.ts'
import { type Route, formRoute, route } from '../http/route.ts'
import { withFactor } from '../people/index.ts'
import type { Services } from '../services.ts'
import { createAdjustment, takeBackAdjustment } from './acts/adjust.ts'
import { checkAdjustmentFile, enterAdjustmentFile } from './acts/adjustment-file.ts'
import { getBalance, listBalances, setHold, setMinimum } from './balances/balances.ts'
import { closePeriod } from './closing/close-period.ts'
import { findEarnedIn, findRecentEarned } from './balances/earned-in.ts'
import { convertBalance } from './acts/former-balance.ts'
import { giveUpDeleted } from './outside/give-up.ts'
import { payOutside } from './outside/outside.ts'
import { receiveMoney } from './outside/received.ts'
import { estimatesFor } from './balances/own-pay.ts'
import { checkPeriod, listPeriods, previewOf, previewPeriod } from './closing/periods.ts'
import { PAYER } from './terms/payees.queries.ts'
import { findProfit } from './bookings/profit.ts'
import { saveExchangeRate } from './acts/exchange-rate.ts'
import { proposeLimits } from './acts/limits.ts'
import { findAvpRules, findLeftOut, getPaySettings, savePaySettings } from './acts/settings.ts'
import { findLatestExchangeRate } from './terms/settings.queries.ts'
import { getStatementLine } from './statements/statement-line.ts'
import { getStatement, listStatements } from './statements/statements.ts'
import { getPayerDetails, getTaxDetails, saveTaxDetails } from './acts/tax-details.ts'
import { proposeTaxRate } from './acts/tax-rates.ts'

export function payRoutes(
  services: Pick<Services, 'config' | 'db' | 'reportDb' | 'clock' | 'secret' | 'formerSecrets'>,
): Route[] {
  const { db } = services
  return [
    route(paySettingsEndpoints.paySettings, () => getPaySettings(services)),
    route(paySettingsEndpoints.payLeftOut, ({ query }) => findLeftOut(services, query.firstDay)),
    route(paySettingsEndpoints.avpRules, () => findAvpRules(db)),
    route(paySettingsEndpoints.savePaySettings, async ({ viewer, body }) => {
      refuseSignedInAs(viewer)
      await savePaySettings(services, viewer, body)
    }),
    route(payProposalsEndpoints.proposePayLimits, async ({ viewer, body }) => {
      refuseSignedInAs(viewer)
      return { proposalId: await proposeLimits(services, viewer, body) }
    }),
    route(payEndpoints.payPeriods, () => listPeriods(services)),
    route(payEndpoints.payChecks, ({ params }) => checkPeriod(services, params.name)),
    route(payEndpoints.payPreview, ({ params }) => previewPeriod(services, params.name)),
    route(payEndpoints.payPreviewOf, ({ viewer, params: { name, ...payee } }) =>
      previewOf(services, viewer, name, payee),
    ),
    route(payEndpoints.closePayPeriod, ({ viewer, params: { name }, body }) => {
      refuseSignedInAs(viewer)
      const closer = { id: viewer.accountId, name: viewer.username }
      const seen = body.postbacks
      return withFactor(services, viewer, (giver) =>
        closePeriod(services, { ...closer, giver }, { name, typed: body.typed, seen }),
      )
    }),
    route(payEndpoints.latestExchangeRate, async () => ({
      latest: (await findLatestExchangeRate(db)) ?? null,
    })),
    route(payEndpoints.savePayExchangeRate, async ({ viewer, params, body }) => {
      refuseSignedInAs(viewer)
      const rate = { period: params.name, ...body }
      return { proposalId: await saveExchangeRate(services, viewer, rate) }
    }),
    route(earnedEndpoints.earned, ({ viewer, body }) => findEarnedIn(services, viewer, body)),
    route(earnedEndpoints.recentEarned, ({ viewer, query: { companyId, agentId } }) =>
      findRecentEarned(services, viewer, { companyId, agentId }),
    ),
    route(earnedEndpoints.estimate, ({ viewer, params }) =>
      estimatesFor(services, viewer, params.name),
    ),
    route(statementsEndpoints.statements, ({ viewer, query: { period, kind, id, ...page } }) => {
      const payee = kind !== undefined && id !== undefined ? { kind, id } : undefined
      return listStatements(services, viewer, { period, payee }, page)
    }),
    route(statementsEndpoints.statement, ({ viewer, params }) =>
      getStatement(services, viewer, params.id),
    ),
    route(statementLinesEndpoints.statementLine, ({ viewer, params, query }) =>
      getStatementLine(db, viewer, params.id, query),
    ),
    route(balancesEndpoints.balances, () => listBalances(services)),
    route(balancesEndpoints.balance, ({ viewer, params }) => getBalance(services, viewer, params)),
    formRoute(
      balancesEndpoints.createAdjustment,
      async ({ viewer, body: { kind, id, ...adjustment } }) => {
        refuseSignedInAs(viewer)
        return createAdjustment(services, viewer, { kind, id }, adjustment)
      },
    ),
    route(balancesEndpoints.checkAdjustmentFile, ({ body }) => checkAdjustmentFile(services, body)),
    route(balancesEndpoints.enterAdjustmentFile, async ({ viewer, body }) => {
      refuseSignedInAs(viewer)
      return enterAdjustmentFile(services, viewer, body)
    }),
    route(balancesEndpoints.takeBackAdjustment, async ({ viewer, params, body }) => {
      refuseSignedInAs(viewer)
      return takeBackAdjustment(services, viewer, params.id, body.reason)
    }),
    formRoute(balancesEndpoints.convertBalance, async ({ viewer, body: { kind, id, ...rate } }) => {
      refuseSignedInAs(viewer)
      return { proposalId: await convertBalance(services, viewer, { kind, id }, rate) }
    }),
    formRoute(balancesEndpoints.payOutside, async ({ viewer, body: { kind, id, ...paid } }) => {
      refuseSignedInAs(viewer)
      return { proposalId: await payOutside(services, viewer, { kind, id }, paid) }
    }),
    formRoute(
      balancesEndpoints.receiveMoney,
      async ({ viewer, body: { kind, id, ...received } }) => {
        refuseSignedInAs(viewer)
        return { proposalId: await receiveMoney(services, viewer, { kind, id }, received) }
      },
    ),
    route(balancesEndpoints.giveUpBalance, async ({ viewer, params, body }) => {
      refuseSignedInAs(viewer)
      await giveUpDeleted(services, viewer, params, body)
    }),
    route(balancesEndpoints.setPayHold, async ({ viewer, params, body }) => {
      refuseSignedInAs(viewer)
      await setHold(services, viewer, params, body)
    }),
    route(balancesEndpoints.setPayMinimum, async ({ viewer, params, body }) => {
      refuseSignedInAs(viewer)
      await setMinimum(services, viewer, params, body)
    }),
    route(taxDetailsEndpoints.taxDetails, ({ viewer, params }) =>
      getTaxDetails(services, viewer, params),
    ),
    formRoute(
      taxDetailsEndpoints.saveTaxDetails,
      async ({ viewer, body: { kind, id, sameTaxpayer, ...details } }) => {
        refuseSignedInAs(viewer)
        await saveTaxDetails(services, viewer, { kind, id }, details, { sameTaxpayer })
      },
    ),
    formRoute(
      taxDetailsEndpoints.proposeTaxRate,
      async ({ viewer, body: { kind, id, ...rate } }) => {
        refuseSignedInAs(viewer)
        return { proposalId: await proposeTaxRate(services, viewer, { kind, id }, rate) }
      },
    ),
    route(taxDetailsEndpoints.payerDetails, () => getPayerDetails(services)),
    formRoute(taxDetailsEndpoints.savePayerDetails, async ({ viewer, body }) => {
      refuseSignedInAs(viewer)
      await saveTaxDetails(services, viewer, PAYER, body)
    }),
    route(profitEndpoints.profit, ({ query }) => findProfit(db, query.groupBy, query.period)),
  ]
}
