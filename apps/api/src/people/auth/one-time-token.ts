import type { DbOrTx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { hashToken, makeToken } from '../../lib/tokens.ts'
import { insertToken, type NewToken } from './one-time-token.queries.ts'

/** Makes a token of which only the hash is stored. Nobody can get it again. */
export async function makeOneTimeToken(db: DbOrTx, about: Omit<NewToken, 'hash'>): Promise<string> {
  const token = makeToken()
  await insertToken(db, { hash: hashToken(token), ...about })
  return token
}

/** The address of a page with a token in its fragment, which browsers do not send: no server or proxy logs it. */
export const linkWith = (
  { publicUrl }: Pick<Services['config'], 'publicUrl'>,
  path: string,
  token: string,
): string => `${publicUrl}${path}#${token}`
