import type { AnswerOf, RequestOf } from '@tallyroom/contract/endpoint'
import {
  MAX_VIEWS,
  mailRefusals,
  reportOfView,
  type savedViewsEndpoints,
} from '@tallyroom/contract/desk/saved-views'
import { MAIL_SCHEDULES, type MailSchedule, nextMailTime } from '@tallyroom/domain/saved-views'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { insertRow } from '../../db/rows.queries.ts'
import { inTransaction } from '../../db/transaction.ts'
import { invalid, notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { getHolder } from '../../people/index.ts'
import { deleteView, findViews, lockHolder, updateView } from './saved-views.queries.ts'

type Calls = typeof savedViewsEndpoints
type ViewServices = Pick<Services, 'db'>

export async function listViews(
  { db }: Pick<Services, 'db'>,
  { accountId }: Viewer,
): Promise<AnswerOf<Calls['savedViews']>> {
  const views = await findViews(db, accountId)
  return {
    views: views.map(({ id, name, url, mail, mailed_at, mail_refusal }) => ({
      id,
      name,
      url,
      mail: scheduleOf(mail),
      mailedAt: mailed_at?.toISOString() ?? null,
      mailRefusal: mailRefusals.find((refusal) => refusal === mail_refusal) ?? null,
    })),
    mailTo: (await getHolder(db, accountId)).email || null,
  }
}

/** The stored schedule. Null: the view is not mailed. */
export const scheduleOf = (mail: string | null): MailSchedule | null =>
  MAIL_SCHEDULES.find((schedule) => schedule === mail) ?? null

/**
 * @throws VALIDATION_ERROR for a name that is in use, too many views, or mails that cannot be sent.
 */
export function createView(
  { db }: ViewServices,
  { accountId }: Viewer,
  { name, url, mail }: RequestOf<Calls['createSavedView']>['body'],
): Promise<number> {
  return inTransaction(db, async (tx) => {
    await lockHolder(tx, accountId)
    const views = await findViews(tx, accountId)
    if (views.length >= MAX_VIEWS) {
      throw invalid({
        _form: [`You have ${MAX_VIEWS} views, the most there can be. Delete one first.`],
      })
    }
    if (mail) await refuseMail(tx, accountId, url)
    return insertRow(tx, 'saved_views', {
      account_id: accountId,
      name,
      url,
      mail,
      mail_due_at: mail && nextMailTime(mail, tx.now),
      position: Math.max(0, ...views.map(({ position }) => position)) + 1,
      created_at: tx.now,
    })
  })
}

/** @throws NOT_FOUND for another account's view; VALIDATION_ERROR as when it is created. */
export function changeView(
  { db }: ViewServices,
  { accountId }: Viewer,
  id: number,
  change: RequestOf<Calls['updateSavedView']>['body'],
): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockHolder(tx, accountId)
    const view = (await findViews(tx, accountId)).find((one) => one.id === id)
    if (!view) throw notFound('view')
    const { name = view.name, url = view.url, mail = scheduleOf(view.mail) } = change
    if (mail && (mail !== view.mail || url !== view.url)) await refuseMail(tx, accountId, url)
    await updateView(tx, id, {
      name,
      url,
      // A new schedule begins with its next due time, and cancels a mail that is already due.
      ...(mail !== view.mail && {
        mail,
        mail_due_at: mail && nextMailTime(mail, tx.now),
        mail_refusal: null,
      }),
    })
  })
}

async function refuseMail(tx: Tx, accountId: number, url: string): Promise<void> {
  if (!reportOfView(url)) throw invalid({ mail: ['is only for views of the Stats reports'] })
  const { email } = await getHolder(tx, accountId)
  if (!email) throw invalid({ mail: ['needs an email address in your account'] })
}

/** @throws NOT_FOUND for another account's view. */
export function moveView(
  { db }: Pick<Services, 'db'>,
  { accountId }: Viewer,
  id: number,
  to: 'up' | 'down',
): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockHolder(tx, accountId)
    const views = await findViews(tx, accountId)
    const at = views.findIndex((view) => view.id === id)
    const [moved, other] = [views[at], views[to === 'up' ? at - 1 : at + 1]]
    if (!moved) throw notFound('view')
    if (!other) return
    await updateView(tx, moved.id, { position: other.position })
    await updateView(tx, other.id, { position: moved.position })
  })
}

/** @throws NOT_FOUND for another account's view. */
export async function removeView(
  { db }: Pick<Services, 'db'>,
  { accountId }: Viewer,
  id: number,
): Promise<void> {
  if (!(await deleteView(db, accountId, id))) throw notFound('view')
}
