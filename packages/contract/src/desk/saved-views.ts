import { MAIL_SCHEDULES } from '@tallyroom/domain/saved-views'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { doneSchema, idSchema, idTextSchema, line, required } from '../list.ts'
import type { StatsTableName } from '../figures/stats-table.ts'

/** The most views that a person may keep. */
export const MAX_VIEWS = 50

const NAME_LENGTH = 64

/** A page of the app with its criteria. Never another site, and never a fragment. */
const viewUrlSchema = line(2000).regex(/^\/app\/[\w/-]+(\?[^#\\]*)?$/, 'must be a page of this app')

const mailSchema = z.enum(MAIL_SCHEDULES).nullable()

/** Why the last scheduled mail was not sent. */
export const mailRefusals = ['no address', 'no access', 'not a report', 'too many clicks'] as const

const savedViewSchema = z.object({
  id: idSchema,
  name: z.string(),
  /** Periods that move are written as `days=week-1` (domain/saved-views). */
  url: z.string(),
  /** Null: not mailed. */
  mail: mailSchema,
  /** The last mail. */
  mailedAt: z.iso.datetime().nullable(),
  /** Null if the last mail was sent, or none was due yet. */
  mailRefusal: z.enum(mailRefusals).nullable(),
})
export type SavedView = z.infer<typeof savedViewSchema>

const viewFields = {
  name: required(NAME_LENGTH),
  url: viewUrlSchema,
  /** Only for views of `reportOfView`, and only for accounts with an email address. */
  mail: mailSchema,
}

/** A report that can be mailed: the four in `stats-table`, and two boards. */
export type MailedReport = StatsTableName | 'topAgents' | 'performance'

/** The report that a view shows; undefined for other pages, which cannot be mailed. */
export const reportOfView = (url: string): MailedReport | undefined =>
  reportPaths.get(url.split('?', 1)[0] ?? '')

const reportPaths = new Map<string, MailedReport>([
  ['/app/stats/sites', 'sites'],
  ['/app/stats/sites-avp', 'avp'],
  ['/app/stats/sites-payout', 'payroll'],
  ['/app/stats/sites-payout-avp', 'payrollAvp'],
  ['/app/stats/top-agents', 'topAgents'],
  ['/app/stats/office-performance', 'performance'],
])

/** The caller's own saved views. Nobody else can read or change them. */
export const savedViewsEndpoints = {
  savedViews: endpoint({
    method: 'GET',
    path: '/api/saved-views',
    summary: 'List your saved views in your order, and the address that scheduled mails go to',
    ability: 'views.save',
    action: 'none',
    response: z.object({
      views: z.array(savedViewSchema),
      /** The account's email address. Null: nothing can be mailed. */
      mailTo: z.string().nullable(),
    }),
  }),
  createSavedView: endpoint({
    method: 'PUT',
    path: '/api/saved-views',
    summary: `Save a page with its criteria under a name. At most ${MAX_VIEWS} per account.`,
    ability: 'views.save',
    action: 'CREATE',
    body: z.strictObject({ ...viewFields, mail: mailSchema.default(null) }),
    response: z.object({ id: idSchema }),
  }),
  updateSavedView: endpoint({
    method: 'POST',
    path: '/api/saved-views/:id',
    summary: 'Rename a saved view, or change its page or its mails. Omitted fields stay unchanged.',
    ability: 'views.save',
    action: 'UPDATE',
    proof: 'own-session',
    params: z.object({ id: idTextSchema }),
    /** `id`, `mailedAt` and `mailRefusal` are accepted as the list returns them, and ignored. */
    body: savedViewSchema
      .pick({ id: true, mailedAt: true, mailRefusal: true })
      .extend(viewFields)
      .partial()
      .strict(),
    response: doneSchema,
  }),
  moveSavedView: endpoint({
    method: 'POST',
    path: '/api/saved-views/:id/move',
    summary: 'Move a saved view one place up or down. At the end of the list, nothing changes.',
    ability: 'views.save',
    action: 'UPDATE',
    params: z.object({ id: idTextSchema }),
    body: z.strictObject({ to: z.enum(['up', 'down']) }),
    response: doneSchema,
  }),
  deleteSavedView: endpoint({
    method: 'DELETE',
    path: '/api/saved-views/:id',
    summary: 'Delete a saved view and stop its mails',
    ability: 'views.save',
    action: 'DELETE',
    proof: 'own-session',
    params: z.object({ id: idTextSchema }),
    response: doneSchema,
  }),
}
