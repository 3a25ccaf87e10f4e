import type { Services } from '../../services.ts'
import unhomoglyph from 'unhomoglyph'
import { findUsernamesWithoutLook, findLooks, setLooks } from './username-look.queries.ts'

/**
 * What a username looks like, for comparison alone: `rnaria`, `Maria` and `mаria` with a Cyrillic letter are one.
 * Folded by the confusables of Unicode (UTS 39), before and after case is, because I and l look alike and i and l
 * do not.
 */
export const lookOf = (username: string): string =>
  unhomoglyph(unhomoglyph(username.normalize('NFKC')).toLowerCase()).toLowerCase()

/**
 * Gives a look to each username that has none. Of several old ones that look alike the first keeps it for itself;
 * the others go on signing in without one, and get theirs when the first is gone. Run at each start.
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
