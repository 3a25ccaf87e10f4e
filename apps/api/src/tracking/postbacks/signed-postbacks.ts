import { inTransaction } from '../../db/transaction.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { MOST_SKEW_MS } from '../../lib/clock.ts'
import { LostRace } from '../sales/ledger.ts'
import type { Answer } from './answers.ts'
import type { SignedMessage } from '../site-keys/authenticate.ts'
import {
  deleteSignedAnswers,
  findSignedAnswer,
  insertSignedAnswer,
} from './signed-postbacks.queries.ts'

/**
 * Delivers a signed request once. A replay, to any process, gets the first answer. The answer is
 * stored in the same transaction as the delivery: if that fails, the next delivery counts as the
 * first.
 */
export const answerOnce = (
  db: Db,
  { digest, expiresAt }: SignedMessage,
  deliver: (tx: Tx) => Promise<Answer>,
): Promise<Answer> =>
  inTransaction(db, async (tx) => {
    const remembered = await findSignedAnswer(tx, digest)
    if (remembered !== undefined) return JSON.parse(remembered) as Answer // written below
    const answer = await deliver(tx)
    const isFirst = await insertSignedAnswer(tx, {
      digest,
      answer: JSON.stringify(answer),
      expiresAt,
    })
    if (!isFirst) throw new LostRace('the same request was answered meanwhile')
    return answer
  })

/** Deletes answers whose signatures have expired on every machine. Runs every few minutes. */
export const forgetSignedAnswers = ({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> =>
  deleteSignedAnswers(db, new Date(clock.now().getTime() - MOST_SKEW_MS))
