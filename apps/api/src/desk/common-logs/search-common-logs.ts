import type { CommonLogItem, CommonLogsSearch } from '@tallyroom/contract/desk/common-logs'
import { withoutFormulas } from '@tallyroom/domain/csv'
import { endOfDayExclusive, formatClock, startOfDay } from '@tallyroom/domain/new-york'
import { roleFromNumber, roleLabel, roleNumber } from '@tallyroom/domain/roles'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { invalid } from '../../errors.ts'
import { networkOf } from '../../lib/net/ip-address.ts'
import { findHead } from './audit-log.queries.ts'
import { sentenceOf } from './changing-calls.ts'
import {
  conditionOn,
  countEntries,
  type EntryFilter,
  type EntryRow,
  findEntries,
  findFirstIdFrom,
  findLastIdBefore,
} from './common-logs.queries.ts'
import type { Changes } from './entry.ts'
import { changesSeenBy, paramsSeenBy, paramsToldTo, unfindableFor } from './seen-by.ts'

/** Maximum entries of a download. */
const MOST_EXPORTED = 100_000
const EXPORT_PAGE = 1_000

/** A page of the common logs in the viewer's scope. */
export async function searchCommonLogs(
  db: DbOrTx,
  viewer: Viewer,
  search: CommonLogsSearch,
): Promise<{ items: CommonLogItem[]; total: number }> {
  const { pageSize: limit, sortField, sortAsc } = search
  const offset = (search.page - 1) * limit
  const scope = scopeOf(viewer)
  const filter = await filterOf(db, viewer, search)
  const condition = await conditionOn(db, scope, filter)
  if (scope.sees !== 'everything' || !isByDaysAlone(filter)) {
    const total = await countEntries(db, condition)
    const rows = await findEntries(db, condition, { order: search, limit, offset })
    return { items: rows.map((row) => presentEntry(row, viewer)), total }
  }

  // Ids have no gaps, so nothing needs to be counted, and a late page is as fast as the first.
  const { fromId, toId } = filter
  const page =
    sortField === 'date'
      ? { ids: sortAsc ? { fromId: fromId + offset, toId } : { fromId, toId: toId - offset } }
      : { ids: filter, offset }
  const rows = await findEntries(db, await conditionOn(db, scope, page.ids), {
    order: search,
    limit,
    offset: page.offset ?? 0,
  })
  return {
    items: rows.map((row) => presentEntry(row, viewer)),
    total: Math.max(0, toId - fromId + 1),
  }
}

/**
 * The full result as text, newest first by default: a header line, then one tab-separated line per entry.
 * Truncated after `most` entries, which the last line says. The first entries are read before this resolves, so
 * that a database error is a refusal, not a truncated file.
 */
export async function exportCommonLogs(
  db: DbOrTx,
  viewer: Viewer,
  search: CommonLogsSearch,
  { most = MOST_EXPORTED }: { most?: number } = {},
): Promise<AsyncIterable<string>> {
  const scope = scopeOf(viewer)
  // Entries added later are excluded, so that pages stay stable.
  const filter = await filterOf(db, viewer, search)
  const condition = await conditionOn(db, scope, filter)
  const first = await pageAt(0)
  return lines()

  function pageAt(offset: number): Promise<EntryRow[]> {
    const limit = Math.min(EXPORT_PAGE, most + 1 - offset)
    return findEntries(db, condition, { order: search, limit, offset })
  }

  async function* lines(): AsyncGenerator<string> {
    yield `${exportColumns.map(([heading]) => heading).join('\t')}\n`
    let page = first
    for (let offset = 0; page.length > 0;) {
      const kept = page.slice(0, most - offset)
      yield kept.map((row) => lineOf({ ...row, ...paramsSeenBy(viewer, row) })).join('')
      offset += page.length
      if (offset > most) {
        yield `The result is truncated to the first ${most} entries.\n`
        return
      }
      page = page.length < EXPORT_PAGE ? [] : await pageAt(offset)
    }
  }
}

async function filterOf(
  db: DbOrTx,
  viewer: Viewer,
  search: CommonLogsSearch,
): Promise<EntryFilter> {
  const network = search.ip === undefined ? undefined : networkOf(search.ip)
  if (search.ip !== undefined && network === undefined) {
    throw invalid({ ip: ['must be an address, an IPv4 prefix or a network'] })
  }
  const { username, agentId, accountId, actionType, actionName, responseCode, postParams } = search
  return {
    ...(await idsOf(db, search)),
    role: search.role && roleNumber(search.role),
    username,
    network,
    officeId: search.companyId,
    agentId,
    accountId,
    actionType,
    actionName,
    responseCode,
    postParams,
    exceptActions: unfindableFor(viewer, search),
    changesOnly: search.changesOnly || undefined,
    object: search.object,
  }
}

/** The ids of the given days. If there are no entries, `toId` is less than `fromId`. */
async function idsOf(db: DbOrTx, { start, end }: Pick<CommonLogsSearch, 'start' | 'end'>) {
  const { id: lastId } = await findHead(db)
  const fromId = start === undefined ? 1 : await findFirstIdFrom(db, startOfDay(start))
  const toId = end === undefined ? lastId : await findLastIdBefore(db, endOfDayExclusive(end))
  return { fromId: fromId ?? lastId + 1, toId: toId ?? 0 }
}

const isByDaysAlone = ({ fromId: _from, toId: _to, ...others }: EntryFilter): boolean =>
  Object.values(others).every((value) => value === undefined)

function presentEntry(row: EntryRow, viewer: Viewer): CommonLogItem {
  const { at, role, ip, changes, ...entry } = row
  const seen =
    changes === null ? undefined : changesSeenBy(viewer, row, JSON.parse(changes) as Changes) // as it was written
  return {
    ...entry,
    ...paramsSeenBy(viewer, row),
    date: at.toISOString(),
    role: role === null ? null : (roleFromNumber(role) ?? null),
    ip: ip ?? '',
    sentence: sentenceOf({ ...entry, ...paramsToldTo(viewer, row) }, seen),
    changes: seen?.of.map(({ fields, ...object }) => ({ ...object, fields: [...fields] })) ?? [],
  }
}

const exportColumns: readonly [heading: string, value: (row: EntryRow) => string | number][] = [
  ['No', ({ id }) => id],
  ['Date (New York)', ({ at }) => formatClock(at)],
  ['Role', ({ role }) => (role === null ? '' : roleLabel(role))],
  ['Auth User', ({ username }) => username],
  ['IP', ({ ip }) => ip ?? ''],
  ['Account', ({ accountName }) => accountName],
  ['Agent', ({ agentName }) => agentName],
  ['Office', ({ officeName }) => officeName],
  ['Type', ({ actionType }) => actionType],
  ['Method Path', ({ actionName }) => actionName],
  ['Response Code', ({ responseCode }) => responseCode],
  ['Post Params', ({ postParams }) => postParams],
  ['Get Params', ({ getParams }) => getParams],
  ['API Token', ({ tokenName }) => tokenName ?? ''],
]

const lineOf = (row: EntryRow): string =>
  `${exportColumns.map(([, value]) => cellOf(value(row))).join('\t')}\n`

/** A name may contain separators, or a formula for the spreadsheet that opens the file. */
const cellOf = (value: string | number): string =>
  withoutFormulas(String(value).replaceAll(/[\t\r\n\u2028\u2029]+/g, ' '))
