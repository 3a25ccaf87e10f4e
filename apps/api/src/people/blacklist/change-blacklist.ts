import type { ipBlacklistEndpoints } from '@tallyroom/contract/people/blacklist'
import type { ResultOf } from '@tallyroom/contract/endpoint'
import { announceChange } from '../../db/changes.ts'
import { inTransaction } from '../../db/transaction.ts'
import { invalid, notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { normalAddress } from '../../lib/net/ip-address.ts'
import {
  deleteEntry,
  deleteRanges,
  findNetworksAround,
  insertRange,
} from './ip-blacklist.queries.ts'
import { buildIpMatcher } from './ip-matcher.ts'
import { type IpRange, rangeText, readRange } from './ip-range.ts'

type Added = ResultOf<typeof ipBlacklistEndpoints.addBlackListIp>
type Deleted = ResultOf<typeof ipBlacklistEndpoints.deleteBlackListIpsByValue>

/** Wider networks contain whole countries and providers. */
const fewestBits = { 4: 8, 6: 19 }

/**
 * Adds an address or network to the black list. It takes effect within a second in every process.
 *
 * @param callerIp an entry that contains it is refused, as it would lock out the caller and everybody behind
 * the same proxy.
 * @throws VALIDATION_ERROR about `ip`.
 */
export async function addToBlacklist(
  { db }: Pick<Services, 'db'>,
  { ip, callerIp }: { ip: string; callerIp: string },
): Promise<Added> {
  const range = readRange(ip)
  if (!range) throw invalid({ ip: ['is not an IP address or network'] })
  refuseTooMuch(range, normalAddress(callerIp))
  const text = rangeText(range)
  return inTransaction(db, async (tx) => {
    if (!(await insertRange(tx, text, tx.now))) return { ip: text, outcome: 'already there' }
    await announceChange(tx, 'ip-blacklist')
    return { ip: text, outcome: 'added' }
  })
}

function refuseTooMuch(range: IpRange, callerIp: string): void {
  if (range.bits < fewestBits[range.version]) {
    throw invalid({
      ip: [
        `is too wide: an IPv${range.version} network must be /${fewestBits[range.version]} or smaller`,
      ],
    })
  }
  if (buildIpMatcher([rangeText(range)])(callerIp)) {
    throw invalid({ ip: [`contains your own address, ${callerIp}`] })
  }
}

/** @throws NOT_FOUND */
export async function deleteFromBlacklist({ db }: Pick<Services, 'db'>, id: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await deleteEntry(tx, id))) throw notFound('IP address')
    await announceChange(tx, 'ip-blacklist')
  })
}

/** Deletes exact entries only. If a listed network contains the address, it stays, and the answer names it. */
export async function deleteFromBlacklistByValue(
  { db }: Pick<Services, 'db'>,
  ips: readonly string[],
): Promise<Deleted> {
  const asked = ips.map((ip) => {
    const range = readRange(ip)
    return { ip, text: range && rangeText(range) }
  })
  const texts = [...new Set(asked.flatMap(({ text }) => text ?? []))]
  const deleted = await inTransaction(db, async (tx) => {
    const places = await deleteRanges(tx, texts)
    if (places.size > 0) await announceChange(tx, 'ip-blacklist')
    return new Set(texts.filter((_, place) => places.has(place)))
  })
  const missing = texts.filter((text) => !deleted.has(text))
  const networks = await findNetworksAround(db, missing)
  const within = new Map(missing.map((text, place) => [text, networks[place]]))
  return asked.map(({ ip, text }) => {
    if (text === undefined) return { ip, outcome: 'not an address' }
    return deleted.has(text)
      ? { ip, outcome: 'deleted' }
      : { ip, outcome: 'not listed', within: within.get(text) }
  })
}
