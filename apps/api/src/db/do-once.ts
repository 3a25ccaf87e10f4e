import { AsyncLocalStorage } from 'node:async_hooks'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Db, Tx } from './database.ts'

/** A form that somebody sends, perhaps again. */
export type SentForm = {
  accountId: number
  /** Method and path. */
  call: string
  /** Made when the form opened. */
  key: string
  bodySha256: Buffer
  at: Date
}

/** The form was sent before with other values. */
export class SentOtherwise extends Error {
  override name = 'SentOtherwise'
}

const sentForms = new AsyncLocalStorage<{ form: SentForm; isDone: boolean } | undefined>()

/**
 * Runs `work`, whose one writing transaction does its act unless an earlier call with the same key has done it, and then
 * returns what that one returned.
 *
 * @throws SentOtherwise if the earlier call had another body
 */
export const sendingForm = <T>(form: SentForm, work: () => Promise<T>): Promise<T> =>
  sentForms.run({ form, isDone: false }, work)

/** Runs `work` as if no form were sent, because it does nothing that stays. */
export const sendingNothing = <T>(work: () => Promise<T>): Promise<T> =>
  sentForms.run(undefined, work)

/**
 * Does what a transaction does, or returns what it did when the same form was sent before. Of two at once, the second waits
 * for the first. What is returned has to be JSON.
 */
export async function doOnce<T>(tx: Tx, fn: () => Promise<T>): Promise<T> {
  const sent = sentForms.getStore()
  if (!sent) return fn()
  if (sent.isDone) throw new Error('a form with a key is sent into one transaction')
  const { accountId, call, key, bodySha256, at } = sent.form
  const claimed = await sql`
    insert into form_keys (account_id, call, form_key, body_sha256, made_at)
    values (${accountId}, ${call}, ${key}, ${bodySha256}, ${at})
    on conflict do nothing
    returning 1
  `.execute(tx)
  const ofIt = sql`account_id = ${accountId} and call = ${call} and form_key = ${key}`
  if (claimed.rows.length === 0) {
    const { rows } = await sql<{ body: Buffer; did: { it?: T } }>`
      select body_sha256 as body, did from form_keys where ${ofIt}
    `.execute(tx)
    const [before] = rows
    if (!before?.body.equals(bodySha256)) throw new SentOtherwise()
    return before.did.it as T // what the same call returned
  }
  const it = await fn()
  const did = JSON.stringify({ it })
  if (!isDeepStrictEqual(JSON.parse(did).it, it))
    throw new Error(`${call} returns from its transaction what is no JSON`)
  await sql`update form_keys set did = ${did}::jsonb where ${ofIt}`.execute(tx)
  return it
}

/** Called once the transaction has been committed. */
export function wasDone(): void {
  const sent = sentForms.getStore()
  if (sent) sent.isDone = true
}

/** A retry comes within seconds; a form may stay open in a tab for days. */
const KEPT_MS = 7 * 24 * 60 * 60_000

export async function forgetFormKeys(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('form_keys')
    .where('made_at', '<', new Date(now.getTime() - KEPT_MS))
    .execute()
}
