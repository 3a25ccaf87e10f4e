import {
  type DecidedWord,
  decidedWordKey,
  MOST_DECIDED_WORDS,
} from '@tallyroom/contract/catalogue/sites'
import { announceChange } from '../../db/changes.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { updateRow } from '../../db/rows.queries.ts'
import { conflict } from '../../errors.ts'
import { changeSites, findWordReadings } from './former-flags.queries.ts'
import { readWordReadings, storedReadings } from './save-site.ts'
import { type SiteRow, updateDecided } from './site-form.queries.ts'

/**
 * Keeps what a new word of a site means, as a change of its form that decides money. A form that was opened before is stale.
 *
 * @param site as it is, locked
 * @throws CONFLICT if the word is decided, or if it has as many as it may have
 */
export async function decideWord(
  tx: Tx,
  site: SiteRow,
  word: DecidedWord,
  by: { accountId: number; username: string },
): Promise<void> {
  const key = decidedWordKey(word)
  const others = readWordReadings(site.word_readings)
  // Reports are settled by it, perhaps at this moment.
  if (others.some((one) => decidedWordKey(one) === key)) {
    throw conflict(
      'This word is decided. To change that, change or remove it among the decided words in the site’s form.',
    )
  }
  if (others.length >= MOST_DECIDED_WORDS) {
    throw conflict('This site has 200 decided words. Remove some in its form.')
  }
  await updateRow(tx, 'sites', site.id, {})
  await changeSites(tx, [site], { at: tx.now, by }, () =>
    updateDecided(tx, [site.id], { word_readings: storedReadings([...others, word]) }),
  )
  await announceChange(tx, 'destinations')
}

/** The words of a site that are decided, or were: some may be decided twice. */
export async function findEverDecided(db: DbOrTx, siteId: number): Promise<DecidedWord[]> {
  const { former, present } = await findWordReadings(db, siteId)
  return [...former, present].flatMap(readWordReadings)
}
