import type { Endpoint, RequestOf } from '@tallyroom/contract/endpoint'
import { endpoints } from '@tallyroom/contract/endpoints'
import { MOST_TOKENS, type tokensEndpoints } from '@tallyroom/contract/people/tokens'
import { TOKEN_GROUPS, type TokenGroup } from '@tallyroom/contract/token-groups'
import { can } from '@tallyroom/domain/abilities'
import type { Viewer } from '../../access/viewer.ts'
import { insertRows } from '../../db/rows.queries.ts'
import { inTransaction } from '../../db/transaction.ts'
import { invalid, notFound } from '../../errors.ts'
import { hashToken } from '../../lib/tokens.ts'
import type { Services } from '../../services.ts'
import { makeTokenText } from './token-text.ts'
import { findTokens, lockHolder, revokeTokenOf } from './tokens.queries.ts'

type TokenServices = Pick<Services, 'db' | 'clock'>

/** What the viewer could allow a token: the groups with a call that they may make themselves. */
export const groupsOf = (viewer: Viewer): TokenGroup[] =>
  TOKEN_GROUPS.filter((group) =>
    Object.values<Endpoint>(endpoints).some(
      ({ byToken, ability }) => byToken === group && ability !== 'public' && can(viewer, ability),
    ),
  )

/** The tokens of the viewer's account, or everybody's, that are still valid. */
export async function listTokens(
  { db, clock }: TokenServices,
  whose: { accountId: number } | 'everybody',
) {
  const tokens = await findTokens(db, whose, clock.now())
  return tokens.map((token) => ({
    id: token.id,
    name: token.name,
    may: TOKEN_GROUPS.filter((group) => token.may.includes(group)),
    madeAt: token.made_at.toISOString(),
    endsAt: token.ends_at.toISOString(),
    lastUsedAt: token.last_used_at?.toISOString() ?? null,
    lastUsedFrom: token.ip,
    username: token.username,
  }))
}

/**
 * Creates a token of the viewer's account and returns it, this once.
 *
 * @throws VALIDATION_ERROR for what the viewer may not do, or if the account has as many tokens as it can have.
 */
export async function createToken(
  { db }: TokenServices,
  viewer: Viewer,
  { name, may, days }: RequestOf<typeof tokensEndpoints.createToken>['body'],
): Promise<string> {
  const own = groupsOf(viewer)
  if (!may.every((group) => own.includes(group)))
    throw invalid({ may: ['must not have what your own account can’t do'] })
  const token = makeTokenText()
  const { accountId } = viewer
  await inTransaction(db, async (tx) => {
    await lockHolder(tx, accountId)
    const madeAt = tx.now
    if ((await findTokens(tx, { accountId }, madeAt)).length >= MOST_TOKENS)
      throw invalid({
        _form: [`You already have ${MOST_TOKENS} tokens. Revoke one that you no longer need.`],
      })
    await insertRows(tx, 'api_tokens', {
      account_id: accountId,
      name,
      may: own.filter((group) => may.includes(group)),
      hash: hashToken(token),
      made_at: madeAt,
      ends_at: new Date(madeAt.getTime() + days * 24 * 60 * 60_000),
    })
  })
  return token
}

/** @throws NOT_FOUND for somebody else's token, unless the viewer manages everybody's. */
export async function revokeToken(
  { db, clock }: TokenServices,
  viewer: Viewer,
  id: number,
): Promise<void> {
  const whose = can(viewer, 'tokens.manage') ? 'everybody' : { accountId: viewer.accountId }
  if (!(await revokeTokenOf(db, id, { whose, now: clock.now() }))) throw notFound('token')
}
