import type { notificationsEndpoints } from '@tallyroom/contract/desk/notifications'
import type { AnswerOf, RequestOf } from '@tallyroom/contract/endpoint'
import { mailChoicesOf, topicsFor, usualChoice } from '@tallyroom/domain/facts'
import type { Viewer } from '../../access/viewer.ts'
import { inTransaction } from '../../db/transaction.ts'
import { invalid } from '../../errors.ts'
import { getHolder } from '../../people/index.ts'
import type { Services } from '../../services.ts'
import { findChoices, saveChoice } from './choices.queries.ts'

type Calls = typeof notificationsEndpoints

/** What the viewer hears of by mail. */
export async function listChoices(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
): Promise<AnswerOf<Calls['notifications']>> {
  const { email } = await getHolder(db, viewer.accountId)
  const chosen = await findChoices(db, viewer.accountId)
  const choices = topicsFor(viewer).map((topic) => [
    topic,
    chosen.get(topic) ?? usualChoice(topic, viewer.role),
  ])
  return { email: email || null, choices: Object.fromEntries(choices) }
}

/** @throws VALIDATION_ERROR for a topic or a choice that this account does not have. */
export async function choose(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  { topic, choice }: RequestOf<Calls['chooseNotifications']>['body'],
): Promise<void> {
  if (!topicsFor(viewer).includes(topic)) throw invalid({ topic: ['is not for this account'] })
  if (!mailChoicesOf(topic).includes(choice))
    throw invalid({ choice: [`must be one of ${mailChoicesOf(topic).join(', ')}`] })
  const { accountId } = viewer
  await inTransaction(db, (tx) => saveChoice(tx, { accountId, topic, choice }, tx.now))
}
