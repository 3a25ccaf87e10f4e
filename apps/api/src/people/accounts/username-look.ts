import unhomoglyph from 'unhomoglyph'
import type { Services } from '../../services.ts'
import { findUsernamesWithoutLook, findLooks, setLooks } from './username-look.queries.ts'

/**
 * The look of a username, for comparison only: `rnaria`, `Maria` and `mаria` with a Cyrillic letter are equal.
 * Folds Unicode confusables (UTS 39) before and after case folding, because I and l look alike, but i and l do
 * not.
 */
export const lookOf = (username: string): string =>
  unhomoglyph(unhomoglyph(username.normalize('NFKC')).toLowerCase()).toLowerCase()

/**
 * Fills in missing looks. Of several old usernames that look alike, the first one gets the look. The others can
 * still sign in without one, and get theirs once the first is gone. Runs on each start.
 */
export async function fillUsernameLooks({ db, log }: Pick<Services, 'db' | 'log'>): Promise<void> {
  const without = await findUsernamesWithoutLook(db)
  if (without.length === 0) return
  const taken = new Set(await findLooks(db))
  const looks: { id: number; look: string }[] = []
  const alike: string[] = []
  for (const { id, username } of without) {
    const look = lookOf(username)
    if (taken.has(look)) alike.push(username)
    else looks.push({ id, look })
    taken.add(look)
  }
  await setLooks(db, looks)
  if (alike.length > 0) log.warn({ usernames: alike }, 'usernames that look like another one')
}
