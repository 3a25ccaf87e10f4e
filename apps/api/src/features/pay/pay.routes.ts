import { balancesEndpoints } from '@tallyroom/contract/balances'
import { payEndpoints } from '@tallyroom/contract/pay'
import { paySettingsEndpoints } from '@tallyroom/contract/pay-settings'
import { profitEndpoints } from '@tallyroom/contract/profit'
import { statementsEndpoints } from '@tallyroom/contract/statements'
import { statementLinesEndpoints } from '@tallyroom/contract/statement-lines'
import { refuseSignedInAs } from '../../access/viewer.ts'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import {
  createAdjustment,
  getBalance,
  listBalances,
  setHold,
  setMinimum,
  takeBackAdjustment,
} from './balances.ts'
import { closePeriod } from './close-period.ts'
import { checkPeriod, listPeriods, previewOf, previewPeriod } from './periods.ts'
import { findProfit } from './profit.ts'
import { findAvpRules, getPaySettings, saveExchangeRate, savePaySettings } from './settings.ts'
import { findLatestExchangeRate } from './settings.queries.ts'
import { getStatementLine } from './statement-line.ts'
import { getStatement, listStatements } from './statements.ts'

export function payRoutes(services: Pick<Services, 'db' | 'clock'>): Route[] {
  const { db } = services
  return [
    route(paySettingsEndpoints.paySettings, () => getPaySettings(services)),
    route(paySettingsEndpoints.avpRules, () => findAvpRules(db)),
    route(paySettingsEndpoints.savePaySettings, async ({ viewer, body }) => {
      refuseSignedInAs(viewer)
      await savePaySettings(services, viewer, body)
      return done
    }),
    route(payEndpoints.payPeriods, () => listPeriods(services)),
    route(payEndpoints.payChecks, ({ params }) => checkPeriod(services, params.name)),
    route(payEndpoints.payPreview, ({ params }) => previewPeriod(services, params.name)),
    route(payEndpoints.payPreviewOf, ({ params: { name, ...payee } }) =>
      previewOf(services, name, payee),
    ),
    route(payEndpoints.closePayPeriod, ({ viewer, params: { name }, body }) => {
      refuseSignedInAs(viewer)
      const closer = { id: viewer.accountId, name: viewer.username }
      return closePeriod(services, closer, { name, typed: body.typed, seen: body.postbacks })
    }),
    route(payEndpoints.latestExchangeRate, async () => ({
      latest: (await findLatestExchangeRate(db)) ?? null,
    })),
    route(payEndpoints.savePayExchangeRate, async ({ viewer, params, body }) => {
      refuseSignedInAs(viewer)
      await saveExchangeRate(services, viewer, { period: params.name, ...body })
      return done
    }),
    route(statementsEndpoints.statements, ({ viewer, query: { period, kind, id, ...page } }) => {
      const payee = kind !== undefined && id !== undefined ? { kind, id } : undefined
      return listStatements(db, viewer, { period, payee }, page)
    }),
    route(statementsEndpoints.statement, ({ viewer, params }) =>
      getStatement(db, viewer, params.id),
    ),
    route(statementLinesEndpoints.statementLine, ({ viewer, params, query }) =>
      getStatementLine(db, viewer, params.id, query),
    ),
    route(balancesEndpoints.balances, () => listBalances(services)),
    route(balancesEndpoints.balance, ({ viewer, params }) => getBalance(services, viewer, params)),
    route(
      balancesEndpoints.createAdjustment,
      async ({ viewer, body: { kind, id, ...adjustment } }) => {
        refuseSignedInAs(viewer)
        return { id: await createAdjustment(services, viewer, { kind, id }, adjustment) }
      },
    ),
    route(balancesEndpoints.takeBackAdjustment, async ({ viewer, params, body }) => {
      refuseSignedInAs(viewer)
      return { id: await takeBackAdjustment(services, viewer, params.id, body.reason) }
    }),
    route(balancesEndpoints.setPayHold, async ({ viewer, params, body }) => {
      refuseSignedInAs(viewer)
      await setHold(services, viewer, params, body)
      return done
    }),
    route(balancesEndpoints.setPayMinimum, async ({ viewer, params, body }) => {
      refuseSignedInAs(viewer)
      await setMinimum(services, viewer, params, body)
      return done
    }),
    route(profitEndpoints.profit, ({ query }) => findProfit(db, query.groupBy, query.period)),
  ]
}

const done = { ok: true } as const
