import type { MailChoice, Topic } from '@tallyroom/domain/facts'
import type { DbOrTx, Tx } from '../../db/database.ts'

/** What an account has chosen, by topic. */
export async function findChoices(
  db: DbOrTx,
  accountId: number,
): Promise<ReadonlyMap<Topic, MailChoice>> {
  const rows = await db
    .selectFrom('notification_choices')
    .select(['topic', 'choice'])
    .where('account_id', '=', accountId)
    .$narrowType<{ topic: Topic; choice: MailChoice }>()
    .execute()
  return new Map(rows.map(({ topic, choice }) => [topic, choice]))
}

/** Stores a choice. What waited to be mailed is dropped with *off*. Nothing happens if the account is gone. */
export async function saveChoice(
  tx: Tx,
  { accountId, topic, choice }: { accountId: number; topic: Topic; choice: MailChoice },
  at: Date,
): Promise<void> {
  const account = await tx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .executeTakeFirst()
  if (!account) return
  await tx
    .insertInto('notification_choices')
    .values({ account_id: accountId, topic, choice, chosen_at: at })
    .onConflict((on) =>
      on.columns(['account_id', 'topic']).doUpdateSet({
        choice: (row) => row.ref('excluded.choice'),
        chosen_at: (row) => row.ref('excluded.chosen_at'),
      }),
    )
    .execute()
  if (choice !== 'off') return
  await tx
    .deleteFrom('fact_mails')
    .where('account_id', '=', accountId)
    .where('topic', '=', topic)
    .execute()
}
