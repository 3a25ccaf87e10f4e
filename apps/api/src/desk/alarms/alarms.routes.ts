import { alarmsEndpoints } from '@tallyroom/contract/desk/alarms'
import { can } from '@tallyroom/domain/abilities'
import { scopeOf } from '../../access/scope.ts'
import { inTransaction } from '../../db/transaction.ts'
import { notFound } from '../../errors.ts'
import { refuseStale, withChange } from '../../forms.ts'
import { type Route, formRoute, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import {
  findSettings,
  findSiteQuiet,
  isSite,
  lockSettings,
  setAlarmQuiet,
  setSiteQuiet,
  updateSettings,
} from './alarms.queries.ts'
import { endOfBreak, listAlarms, readChart } from './alarms.ts'

const SHOWN = 200

export const alarmsRoutes = ({ db, clock }: Pick<Services, 'db' | 'clock'>): Route[] => [
  route(alarmsEndpoints.alarms, async ({ viewer, query: { siteId, companyId } }) => {
    const items = await listAlarms(db, scopeOf(viewer), {
      siteId,
      officeId: companyId,
      raisedSince: new Date(clock.now().getTime() - SHOWN_MS),
      proof: can(viewer, 'verification.see'),
      limit: SHOWN,
    })
    const until = siteId === undefined ? null : await findSiteQuiet(db, siteId)
    return { items, siteQuietUntil: until && until > clock.now() ? until.toISOString() : null }
  }),

  route(alarmsEndpoints.alarmChart, ({ query }) => readChart(db, query, clock.now())),

  formRoute(alarmsEndpoints.quietAlarm, ({ params: { id }, body }) =>
    inTransaction(db, async (tx) => {
      const isOpen = await setAlarmQuiet(tx, id, endOfBreak(body.until, tx.now))
      if (!isOpen) throw notFound('open alarm')
    }),
  ),

  formRoute(alarmsEndpoints.quietSite, ({ params: { id }, body }) =>
    inTransaction(db, async (tx) => {
      if (!(await isSite(tx, id))) throw notFound('site')
      await setSiteQuiet(tx, id, endOfBreak(body.until, tx.now))
    }),
  ),

  route(alarmsEndpoints.alarmSettings, () => findSettings(db)),

  formRoute(alarmsEndpoints.saveAlarmSettings, ({ body }) =>
    inTransaction(db, async (tx) => {
      const present = await lockSettings(tx)
      refuseStale('page', present.version, body.version)
      await updateSettings(tx, withChange(present, body, { fixed: ['version'] }))
    }),
  ),
]

const SHOWN_MS = 30 * 24 * 3_600_000
